//! Writes that made the devices write more than was asked.

use etalon_model::Severity;

use crate::check::{Check, Facts, Looks, Outcome};

/// Metadata and journal of a large write stay below this.
const WORTH_TELLING: f64 = 1.05;

pub(crate) const CHECK: Check = Check {
    code: "write-amplification",
    about: "The devices wrote more bytes than the workload: journal, metadata, copies of a RAID, or another writer.",
    advice: "Expect it of mirrors and copy-on-write filesystems; otherwise look for another writer.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let share = facts.run.device_write_share()?;
    let copies = facts.run.expected_write_copies();
    (share > WORTH_TELLING * copies).then(|| {
        let message = format!(
            "the devices wrote {share:.2} bytes for each byte of the workload, where {copies} are expected."
        );
        let evidence = [("device_write_share", share), ("expected_copies", copies)];
        Outcome::new(Severity::Info, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, write_run};
    use etalon_units::Bytes;

    #[test]
    fn twice_the_bytes_are_told() {
        let mut run = write_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(512);
        assert!(
            super::run(&facts(&run))
                .unwrap()
                .message
                .contains("2.00 bytes")
        );
    }
}
