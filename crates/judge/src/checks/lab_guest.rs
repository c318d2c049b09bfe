//! A guest of the laboratory, whose disks are models.

use etalon_model::{LabGuest, LabImage, LabNetwork, Severity};
use etalon_units::Nanos;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "lab-guest",
    about: "The run was made in a guest of the laboratory, on modelled disks or on a file of this machine.",
    advice: "Compare it with other runs of the same guest only.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let guest = facts.run.circumstances.lab.as_ref()?;
    let is_emulated = guest.accelerator != "kvm";
    let severity = match is_emulated {
        true => Severity::Warn,
        false => Severity::Info,
    };
    let (kernel, disks) = (&guest.kernel, models(guest));
    let made = match &guest.image {
        Some(image) => on_image(kernel, image, is_emulated),
        None if is_emulated => said!(
            "it was made in a guest with kernel {kernel} on an emulated processor, which changes figures, and on modelled disks ({disks}).",
            kernel = kernel,
            disks = disks,
        ),
        None => said!(
            "it was made in a guest with kernel {kernel} on the processor of this machine, and on modelled disks ({disks}).",
            kernel = kernel,
            disks = disks,
        ),
    };
    let message = match &guest.network {
        Some(network) => made.then(over(network)),
        None => made,
    };
    let emulated = f64::from(is_emulated);
    Some(Outcome::new(severity, message, &[("emulated", emulated)]))
}

/// A disk that is a file of the machine that the guest ran on.
fn on_image(kernel: &String, image: &LabImage, is_emulated: bool) -> Sentence {
    let (format, cache) = (&image.format, &image.cache);
    match is_emulated {
        true => said!(
            "it was made in a guest with kernel {kernel} on an emulated processor, which changes figures, and its disk was a file of this machine ({format}, cache {cache}).",
            kernel = kernel,
            format = format,
            cache = cache,
        ),
        false => said!(
            "it was made in a guest with kernel {kernel} on the processor of this machine, and its disk was a file of this machine ({format}, cache {cache}).",
            kernel = kernel,
            format = format,
            cache = cache,
        ),
    }
}

/// The network between server and client.
fn over(network: &LabNetwork) -> Sentence {
    let protocol = &network.protocol;
    match network.delay {
        Nanos::ZERO if network.apart => said!(
            "; {protocol} from a server in another guest, without any delay.",
            protocol = protocol,
        ),
        delay if network.apart => said!(
            "; {protocol} from a server in another guest, with {delay} of delay each way.",
            protocol = protocol,
            delay = delay,
        ),
        Nanos::ZERO => said!(
            "; {protocol} from a server in the same guest, without any delay.",
            protocol = protocol,
        ),
        delay => said!(
            "; {protocol} from a server in the same guest, with {delay} of delay each way.",
            protocol = protocol,
            delay = delay,
        ),
    }
}

/// Each model once, with the number of its disks.
fn models(guest: &LabGuest) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for disk in &guest.disks {
        match counted.iter_mut().find(|(model, _)| *model == disk.model) {
            Some((_, count)) => *count += 1,
            None => counted.push((&disk.model, 1)),
        }
    }
    let words = counted.iter().map(|(model, count)| match count {
        1 => (*model).to_owned(),
        _ => format!("{count} x {model}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::LabDisk;

    fn found(accelerator: &str) -> (Severity, String) {
        found_over(accelerator, None)
    }

    fn found_over(accelerator: &str, network: Option<LabNetwork>) -> (Severity, String) {
        let disk = LabDisk {
            model: "hdd-7200".to_owned(),
            answers: 1_000,
            ..LabDisk::default()
        };
        let mut run = read_run();
        run.circumstances.lab = Some(LabGuest {
            accelerator: accelerator.to_owned(),
            kernel: "6.1.0".to_owned(),
            disks: vec![disk.clone(), disk],
            network,
            ..LabGuest::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        (outcome.severity, outcome.message.to_string())
    }

    #[test]
    fn the_network_within_a_guest_is_told_with_its_delay() {
        let network = |delay| LabNetwork {
            protocol: "nfs".to_owned(),
            delay,
            apart: false,
        };
        let apart = LabNetwork {
            apart: true,
            ..network(Nanos::millis(2))
        };
        let (_, message) = found_over("kvm", Some(apart));
        let wanted = "; nfs from a server in another guest, with 2.00 ms of delay each way.";
        assert!(message.ends_with(wanted), "{message}");
        let (_, message) = found_over("kvm", Some(network(Nanos::millis(1))));
        let wanted = "; nfs from a server in the same guest, with 1.00 ms of delay each way.";
        assert!(message.ends_with(wanted), "{message}");
        let (_, message) = found_over("kvm", Some(network(Nanos::ZERO)));
        assert!(message.ends_with("without any delay."), "{message}");
    }

    #[test]
    fn a_file_of_this_machine_is_told_with_the_cache_before_it() {
        let mut run = read_run();
        run.circumstances.lab = Some(LabGuest {
            accelerator: "kvm".to_owned(),
            image: Some(LabImage {
                format: "qcow2".to_owned(),
                cache: "none".to_owned(),
                ..LabImage::default()
            }),
            ..LabGuest::default()
        });
        let message = super::run(&facts(&run)).unwrap().message.to_string();
        let wanted = "its disk was a file of this machine (qcow2, cache none).";
        assert!(message.ends_with(wanted), "{message}");
    }

    #[test]
    fn a_guest_is_told_and_an_emulated_one_warned_of() {
        assert!(super::run(&facts(&read_run())).is_none());
        let (severity, message) = found("kvm");
        assert_eq!(severity, Severity::Info);
        assert!(message.ends_with("disks (2 x hdd-7200)."), "{message}");
        let (severity, message) = found("tcg");
        assert_eq!(severity, Severity::Warn);
        assert!(message.contains("emulated processor"), "{message}");
    }
}
