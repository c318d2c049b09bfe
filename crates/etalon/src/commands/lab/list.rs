//! `etalon lab list`.

use std::path::Path;

use clap::Args;
use etalon_exchange::{DiskModel, LabBody, LabKernel, LabList, ModelFigure};
use etalon_lab::catalogue::{CLASSES, Class};
use etalon_lab::guest::{InstalledKernel, Kernel, Network, installed};
use etalon_units::visible_name;

use super::cases::CASES;
use super::print_document;
use crate::output;
use etalon_tools::Exit;

/// Where distributions put the images of kernels.
const BOOT: &str = "/boot";

/// Options of `etalon lab list`.
#[derive(Debug, Clone, Args)]
pub(super) struct ListArgs {
    /// Tell each figure with its source
    #[arg(long)]
    figures: bool,
    /// Print one JSON document, with every figure
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        if self.json {
            let listed = LabList {
                models: CLASSES.iter().map(model).collect(),
                kernels: installed(Path::new(BOOT)).iter().map(kernel).collect(),
            };
            print_document(LabBody::Listed(listed))?;
            return Ok(Exit::Done);
        }
        let mut text = String::from("Disk models:\n");
        for class in CLASSES {
            text.push_str(&format!("  {:9}  {}\n", class.name, class.about));
            if self.figures {
                text.push_str(&figures(class));
            }
        }
        text.push_str("\nPresets on disks of their own, for lab run:\n");
        for case in CASES {
            text.push_str(&format!("  {:18}  {}\n", case.name, case.about));
        }
        text.push_str("\nNetworks in a guest or between two, for lab run:\n");
        for network in Network::ALL {
            text.push_str(&format!("  {:9}  {}\n", network.name(), network.about()));
        }
        text.push_str(&kernels(&installed(Path::new(BOOT))));
        if !self.figures {
            text.push_str("\nThe figures with their sources: etalon lab list --figures\n");
        }
        output::print_page(&text)?;
        Ok(Exit::Done)
    }
}

/// A line for each kernel, or how to come by one.
fn kernels(found: &[InstalledKernel]) -> String {
    let line = |found: &InstalledKernel| {
        format!(
            "  {}\n    {}\n",
            visible_name(&found.image),
            state(found.kernel.as_ref())
        )
    };
    let lines: String = match found {
        [] => NO_KERNEL.to_owned(),
        found => found.iter().map(line).collect(),
    };
    format!("\nKernels of this machine, for lab run --kernel:\n{lines}")
}

const NO_KERNEL: &str = "  none in /boot; one of a package need not be installed:
    apt download linux-image-cloud-amd64 (which names the package that has it)
    dpkg -x linux-image-VERSION.deb unpacked, then --kernel ./unpacked
";

fn state(kernel: Option<&Kernel>) -> String {
    let Some(kernel) = kernel else {
        return match rustix::process::geteuid().is_root() {
            true => "no kernel for x86-64".to_owned(),
            false => "no kernel that this user may read: try as root".to_owned(),
        };
    };
    let running = match kernel.is_running() {
        true => ", runs now",
        false => "",
    };
    match kernel.modules_directory() {
        Some(place) => format!("modules in {}{running}", place.display()),
        None => format!("no modules beside it{running}"),
    }
}

fn kernel(found: &InstalledKernel) -> LabKernel {
    let kernel = found.kernel.as_ref();
    let modules = kernel.and_then(Kernel::modules_directory);
    LabKernel {
        image: found.image.display().to_string(),
        release: kernel.map(|kernel| kernel.release().to_owned()),
        modules: modules.map(|place| place.display().to_string()),
        is_running: kernel.is_some_and(Kernel::is_running),
    }
}

fn model(class: &Class) -> DiskModel {
    let figure = |figure: &etalon_lab::catalogue::SourcedFigure| ModelFigure {
        name: figure.name,
        value: figure.value,
        source: figure.source,
    };
    DiskModel {
        name: class.name,
        about: class.about,
        figures: class.figures.iter().map(figure).collect(),
    }
}

/// A figure a line, its source below it.
fn figures(class: &Class) -> String {
    let line = |figure: &etalon_lab::catalogue::SourcedFigure| {
        let (name, value, source) = (figure.name, figure.value, figure.source);
        match figure.source.len() + value.len() <= 36 {
            true => format!("    {name:26} {value} ({source})\n"),
            false => format!("    {name:26} {value}\n      {source}\n"),
        }
    };
    class.figures.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn kernels_are_told_by_their_images_and_how_to_come_by_one() {
        let none = kernels(&[]);
        assert!(
            none.contains("none in /boot") && none.contains("dpkg -x"),
            "{none}"
        );
        let found = InstalledKernel {
            image: PathBuf::from("/boot/vmlinuz-6.1\u{1b}"),
            kernel: None,
        };
        let text = kernels(std::slice::from_ref(&found));
        assert!(
            text.contains("  /boot/vmlinuz-6.1\\x1b\n    no kernel "),
            "{text}"
        );
        assert_eq!(
            (kernel(&found).release, kernel(&found).is_running),
            (None, false)
        );
    }
}
