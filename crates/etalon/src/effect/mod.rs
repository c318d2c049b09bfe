//! Options of a workload that would change nothing: they are refused by their name, since whoever
//! types one counts on its effect.

mod beside;

use anyhow::bail;
use etalon_model::{Backend, Operation, Order};

use crate::cli::GivenWork;
use crate::exit::BadUsage;

/// What an option needs to have an effect on an operation on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing.
    Nothing,
    /// An operation on names.
    Names,
    /// An operation that writes.
    Writes,
    /// One that reads and writes.
    Both,
    /// Random places.
    Random,
    /// Every n-th block.
    Strided,
    /// The modelled device.
    Fake,
}

/// Every option of a workload; a test holds the list against the command line. What a backend needs
/// (`--poll`, `--sqpoll`) and what goes with another option only (`--arrival`) is checked elsewhere.
const OPTIONS: [(&str, Needs); 37] = [
    ("block-size", Needs::Nothing),
    ("file-size", Needs::Nothing),
    ("offset", Needs::Nothing),
    ("range", Needs::Nothing),
    ("stride", Needs::Strided),
    ("read-percent", Needs::Both),
    ("jobs", Needs::Nothing),
    ("shared", Needs::Nothing),
    ("files", Needs::Names),
    ("queue-depth", Needs::Nothing),
    ("batch", Needs::Nothing),
    ("backend", Needs::Nothing),
    ("buffered", Needs::Nothing),
    ("direct", Needs::Nothing),
    ("cache", Needs::Nothing),
    ("sync", Needs::Writes),
    ("fsync", Needs::Writes),
    ("fdatasync", Needs::Writes),
    ("time", Needs::Nothing),
    ("bytes", Needs::Nothing),
    ("one-pass", Needs::Nothing),
    ("warm-up", Needs::Nothing),
    ("distribution", Needs::Random),
    ("rate", Needs::Nothing),
    ("think", Needs::Nothing),
    ("think-every", Needs::Nothing),
    ("arrival", Needs::Nothing),
    ("verify", Needs::Nothing),
    ("poll", Needs::Nothing),
    ("sqpoll", Needs::Nothing),
    ("cpus", Needs::Nothing),
    ("numa-node", Needs::Nothing),
    ("huge-pages", Needs::Nothing),
    ("fake-service", Needs::Fake),
    ("fake-servers", Needs::Fake),
    ("fake-stall-every", Needs::Fake),
    ("fake-stall", Needs::Fake),
];

/// An option that would change nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdleOption {
    /// Its long name.
    pub(crate) option: String,
    /// What stands behind it in the sentence.
    why: String,
}

impl IdleOption {
    /// The sentence behind the key of a plan, whose keys are the options with `_` for `-`.
    pub(crate) fn in_plan(&self) -> String {
        let words = self
            .why
            .split(' ')
            .map(|word| match word.strip_prefix("--") {
                Some(option) => option.replace('-', "_"),
                None => word.to_owned(),
            });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Refuses an option that [`idle_option`] finds.
///
/// # Errors
/// [`BadUsage`] with the option and what it needs.
pub(crate) fn refuse_idle(
    work: &GivenWork,
    operations: &[Operation],
    rises: bool,
) -> anyhow::Result<()> {
    match idle_option(work, operations, rises) {
        Some(IdleOption { option, why }) => bail!(BadUsage(format!("--{option} {why}"))),
        None => Ok(()),
    }
}

/// An option that was typed and has an effect on none of these operations on data, or none beside the others;
/// `rises` where the depth is raised until a latency is met.
pub(crate) fn idle_option(
    work: &GivenWork,
    operations: &[Operation],
    rises: bool,
) -> Option<IdleOption> {
    let is_fake = work.backend == Some(Backend::Fake);
    for option in work.typed() {
        let found = OPTIONS.iter().find(|(name, _)| name == option);
        let needs = found.map_or(Needs::Nothing, |(_, needs)| *needs);
        let has_effect = |op: &Operation| meets(needs, *op, is_fake);
        if !operations.iter().any(has_effect) {
            let option = option.clone();
            let why = sentence(needs, operations);
            return Some(IdleOption { option, why });
        }
    }
    beside::idle(work, operations, rises)
}

fn meets(needs: Needs, operation: Operation, is_fake: bool) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::Names => false,
        Needs::Writes => operation.writes(),
        Needs::Both => operation.reads() && operation.writes(),
        Needs::Random => operation.order() == Order::Random,
        Needs::Strided => operation.order() == Order::Strided,
        Needs::Fake => is_fake,
    }
}

fn sentence(needs: Needs, operations: &[Operation]) -> String {
    let names: Vec<&str> = operations
        .iter()
        .map(|operation| operation.name())
        .collect();
    let why = match needs {
        Needs::Nothing => "has no effect",
        Needs::Names => "counts the files of a metadata operation, such as create",
        Needs::Writes => "makes writes durable, and nothing is written",
        Needs::Both => "divides reads from writes, and only one of them is done",
        Needs::Random => "draws random places, and none are drawn",
        Needs::Strided => "is the step of strideread and stridewrite",
        Needs::Fake => "describes the device of --backend fake",
    };
    format!(
        "does not go with --op {}: it {why}; leave it out",
        names.join(",")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{IoWorkloadArgs, MeasuredOperation};
    use crate::commands::measure_names::names_workload;
    use clap::{Args as _, Command, FromArgMatches as _};

    fn command() -> Command {
        IoWorkloadArgs::augment_args(Command::new("x").no_binary_name(true))
    }

    fn given(words: &str) -> GivenWork {
        let matches = command().get_matches_from(words.split_whitespace());
        GivenWork::from_arg_matches(&matches).unwrap()
    }

    /// Words with which an option can be typed.
    fn typed(option: &str) -> String {
        let value = match option {
            "read-percent" | "numa-node" | "seed" => "1",
            "backend" => "sync",
            "cache" => "cold",
            "sync" => "dsync",
            "fsync" | "fdatasync" => "1",
            "distribution" => "uniform",
            "cpus" => "0",
            "arrival" => "fixed --rate 5",
            "think-every" => "2 --think 1ms",
            "batch" => "4 --queue-depth 8",
            "shared" => "--jobs 2",
            "rate" | "stride" | "jobs" | "files" | "queue-depth" | "fake-servers" => "4",
            "time" | "warm-up" | "think" | "fake-service" | "fake-stall-every" | "fake-stall" => {
                "1s"
            }
            "buffered" | "direct" | "one-pass" | "verify" | "poll" | "sqpoll" | "huge-pages" => "",
            _ => "64k",
        };
        format!("--{option} {value}")
    }

    fn options() -> Vec<String> {
        let command = command();
        let all = command
            .get_arguments()
            .filter_map(|option| option.get_long());
        all.map(str::to_owned).collect()
    }

    #[test]
    fn the_list_holds_every_option_of_a_workload() {
        let told = |option: &&String| !OPTIONS.iter().any(|(name, _)| name == *option);
        let all = options();
        let missing: Vec<&String> = all.iter().filter(told).collect();
        // A seed decides whatever is drawn, and something always is.
        assert_eq!(missing, ["seed"]);
        for (name, _) in OPTIONS {
            assert!(all.iter().any(|option| option == name), "{name}");
        }
    }

    /// The operations on data that an option has an effect on, by what the option is for.
    fn has_effect(option: &str, operation: &str) -> bool {
        let writes = [
            "write",
            "rw",
            "randwrite",
            "randrw",
            "backwrite",
            "stridewrite",
            "trimwrite",
            "randtrimwrite",
        ];
        match option {
            "files" | "fake-service" | "fake-servers" | "fake-stall-every" | "fake-stall" => false,
            "stride" => operation.starts_with("stride"),
            "read-percent" => operation.ends_with("rw"),
            "distribution" => operation.starts_with("rand"),
            "sync" | "fsync" | "fdatasync" => writes.contains(&operation),
            _ => true,
        }
    }

    #[test]
    fn every_option_has_an_effect_on_every_operation_or_is_refused() {
        for option in options() {
            let work = given(&typed(&option));
            for operation in MeasuredOperation::all() {
                let (refused, expected) = match operation {
                    MeasuredOperation::Io(op) => {
                        let refused = refuse_idle(&work, &[op], false).err();
                        (refused, !has_effect(&option, op.name()))
                    }
                    MeasuredOperation::Names(op) => {
                        let applies = ["files", "jobs", "one-pass", "seed"];
                        let refused = names_workload(op, &work).err();
                        (refused, !applies.contains(&option.as_str()))
                    }
                };
                let place = format!("--{option} --op {}", operation.name());
                assert_eq!(refused.is_some(), expected, "{place}");
                let said = refused.map_or_else(String::new, |error| error.to_string());
                assert!(
                    !expected || said.contains("does not go with"),
                    "{place}: {said}"
                );
            }
        }
    }

    #[test]
    fn the_model_has_its_options_and_a_sweep_needs_one_that_uses_them() {
        let fake = given("--backend fake --fake-service 1ms");
        assert!(refuse_idle(&fake, &[Operation::RandRead], false).is_ok());
        let durable = given("--fsync 1");
        let sweep = [Operation::RandRead, Operation::RandWrite];
        assert!(refuse_idle(&durable, &sweep, false).is_ok());
        let refused = refuse_idle(&durable, &sweep[..1], false);
        let said = refused.unwrap_err().to_string();
        assert!(
            said.contains("--fsync does not go with --op randread"),
            "{said}"
        );
    }
    /// Options beside the backend: those that leave no trace there.
    fn is_idle_beside(option: &str, backend: &str) -> bool {
        match option {
            "direct" => backend != "sync" && backend != "io_uring",
            "buffered" | "cache" => ["null", "fake"].contains(&backend),
            "sync" | "fsync" | "fdatasync" => backend == "null",
            _ => false,
        }
    }

    #[test]
    fn every_option_has_an_effect_beside_every_backend_or_is_refused() {
        for option in options() {
            for backend in ["sync", "io_uring", "mmap", "stdio", "null", "fake"] {
                if option == "backend" || OF_THE_MODEL.contains(&option.as_str()) {
                    continue;
                }
                let words = format!("--backend {backend} {}", typed(&option));
                let operations = [Operation::StrideRead, Operation::RandRw];
                let refused = refuse_idle(&given(&words), &operations, false).err();
                let expected = is_idle_beside(&option, backend) || option == "files";
                assert_eq!(refused.is_some(), expected, "{words}");
            }
        }
    }

    /// What describes the modelled device has rows of its own.
    const OF_THE_MODEL: [&str; 4] = [
        "fake-service",
        "fake-servers",
        "fake-stall-every",
        "fake-stall",
    ];

    #[test]
    fn what_another_value_leaves_without_effect_is_refused() {
        let write = [Operation::Write];
        let random = [Operation::RandWrite];
        let both = [Operation::RandRead, Operation::Write];
        let said = |words: &str, operations: &[Operation], rises| {
            let refused = refuse_idle(&given(words), operations, rises).err();
            refused.map(|error| error.to_string())
        };
        for (words, operations, rises, refused) in [
            ("--batch 4", &both[..], false, true),
            ("--batch 4 --queue-depth 1,8", &both, false, false),
            ("--batch 4", &both, true, false),
            ("--shared", &both, false, true),
            ("--shared --jobs 1,2", &both, false, false),
            ("--cache warm", &write, false, true),
            ("--cache warm -b 512", &write, false, true),
            ("--cache warm", &random, false, true),
            ("--cache warm -b 4k,64k", &random, false, true),
            ("--cache warm -b 4k,512", &random, false, false),
            ("--cache warm -b 4k:50,1k:50", &random, false, false),
            ("--cache warm --offset 512", &random, false, false),
            ("--cache warm --backend mmap", &random, false, false),
            ("--cache warm", &both, false, false),
            ("--cache cold", &write, false, false),
        ] {
            let told = said(words, operations, rises);
            assert_eq!(told.is_some(), refused, "{words}");
            let names =
                |text: String| text.contains("has no effect") && text.contains("leave it out");
            assert!(told.is_none_or(names), "{words}");
        }
    }
}
