//! What this machine serves as a disk of USB (drivers/usb/gadget/function/f_mass_storage.c): a gadget that was put
//! together in configfs, and one of a module such as g_mass_storage.

use std::path::{Path, PathBuf};

use super::exports::{self, Export, below, listed, name_of};
use crate::context::Context;
use crate::text;

pub(super) const SERVER: &str = "a USB gadget";

/// The units that have a device or file open, whether or not the gadget is connected.
pub(super) fn exports(context: &Context<'_>) -> Result<Vec<Export>, String> {
    let gadgets = listed(context, "usb_gadget", "usb_f_mass_storage")?;
    let functions = gadgets.iter().flat_map(|gadget| {
        let functions = named(context, &gadget.join("functions"), "mass_storage.");
        functions
            .into_iter()
            .map(|function| (name_of(gadget), function))
    });
    let mut units: Vec<_> = functions
        .flat_map(|(gadget, function)| {
            let name = format!("gadget {gadget}, {}", name_of(&function));
            units(context, &function, "lun.", &name)
        })
        .collect();
    units.extend(of_modules(context));
    let exports = units.iter();
    Ok(exports.filter_map(|unit| export(context, unit)).collect())
}

/// Units of a gadget of a module lie in the directory of its device, which stands beside its controller.
fn of_modules(context: &Context<'_>) -> Vec<(String, PathBuf)> {
    let controllers = below(context, &context.roots.sysfs.join("class/udc"));
    let of_controller = |controller: &PathBuf| {
        let gadgets = named(context, &controller.join("device"), "gadget");
        let name = format!("controller {}", name_of(controller));
        let units = gadgets
            .iter()
            .flat_map(|gadget| units(context, gadget, "lun", &name));
        units.collect::<Vec<_>>()
    };
    controllers.iter().flat_map(of_controller).collect()
}

fn units(
    context: &Context<'_>,
    directory: &Path,
    prefix: &str,
    name: &str,
) -> Vec<(String, PathBuf)> {
    let units = named(context, directory, prefix).into_iter();
    let units = units.map(|unit| (format!("{name}, {}", name_of(&unit)), unit.join("file")));
    units.collect()
}

fn named(context: &Context<'_>, directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut all = below(context, directory);
    all.retain(|path| name_of(path).starts_with(prefix));
    all
}

/// None of a unit without a medium, whose file is empty; what cannot be read may have one.
fn export(context: &Context<'_>, (unit, file): &(String, PathBuf)) -> Option<Export> {
    let path = context
        .raw(file)
        .map(|bytes| text::clean(&String::from_utf8_lossy(&bytes)));
    let has_none = path.as_ref().map_or(!file.exists(), String::is_empty);
    (!has_none).then(|| Export {
        server: SERVER,
        unit: unit.clone(),
        source: exports::source(context, path.as_deref()),
    })
}
