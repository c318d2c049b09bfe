//! Work that the system does on the same storage by itself.

use etalon_model::Severity;

use crate::check::{Check, Facts, Looks, Outcome};

pub(crate) const CHECK: Check = Check {
    code: "background-work",
    about: "The system was busy with the storage on its own: a resync, check or reshape of an array, a btrfs balance or lazy initialisation.",
    advice: "Wait until it has ended (mdadm --wait, btrfs balance status, mkfs.ext4 -E lazy_itable_init=0) and measure again.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let work = &facts.run.circumstances.background;
    (!work.is_empty()).then(|| {
        let words: Vec<String> = work
            .iter()
            .map(|work| format!("{} on {}", work.what, work.device))
            .collect();
        let message = format!("{} went on during the run.", words.join(", "));
        Outcome::new(Severity::Invalid, message, &[("works", work.len() as f64)])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BackgroundWork;

    #[test]
    fn a_resync_is_named() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.background = vec![BackgroundWork {
            device: "md0".to_owned(),
            what: "resync".to_owned(),
        }];
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.starts_with("resync on md0"));
    }
}
