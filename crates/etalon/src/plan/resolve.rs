//! From a plan's text to what is measured: its workloads are options of `measure`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use etalon_experiment::plan::{
    NamedWorkload, PlacedOption, PlanError, PlanRequest, PlanText, PlannedTask, Precondition,
    TextWorkload,
};
use etalon_units::{Bytes, Nanos};
use std::time::Duration;

use super::{Overrides, PRESETS, Preset};
use crate::bench::seed;
use crate::cli::{GivenWork, MeasureArgs};
use crate::commands::{Chosen, chosen, workloads};
use crate::effect::idle_option;
use crate::exit::BadUsage;

/// No plan is longer; a device that is named by mistake is.
const LONGEST_PLAN: u64 = 1 << 20;

/// The text of a plan, of a file or of a preset, and the file where it is one.
pub(crate) fn text_of(name: &str) -> anyhow::Result<(String, Option<std::path::PathBuf>)> {
    if let Some(preset) = Preset::of(name) {
        return Ok((preset.text.to_owned(), None));
    }
    let path = Path::new(name);
    if !path.exists() && !name.contains(['/', '.']) {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        bail!(BadUsage(format!(
            "'{name}' is neither a file nor a preset; presets are {}",
            names.join(", ")
        )));
    }
    let cannot = || format!("cannot read '{name}'");
    let about = std::fs::metadata(path).with_context(cannot)?;
    if !about.is_file() || about.len() > LONGEST_PLAN {
        bail!(BadUsage(format!(
            "'{name}' is not a plan: a plan is a file of TOML, at most 1 MiB long"
        )));
    }
    let text = std::fs::read_to_string(path).with_context(cannot)?;
    let path = std::fs::canonicalize(path).ok();
    Ok((text, path))
}

/// The plan with everything resolved; `name` is said where it is wrong.
pub(crate) fn request(
    name: &str,
    text: &str,
    given: &Overrides,
) -> anyhow::Result<(PlanRequest, PlanText)> {
    let wrong = |error: PlanError| BadUsage(format!("{name}: {error}"));
    let mut parsed = PlanText::parse(text).map_err(wrong)?;
    parsed.workloads = with_presets(std::mem::take(&mut parsed.workloads)).map_err(wrong)?;
    let mut written: Vec<&TextWorkload> = parsed.workloads.iter().collect();
    if let Some(primary) = &parsed.plan.primary {
        written.sort_by_key(|workload| workload.name.as_ref() != Some(primary));
    }
    let mut made = Vec::new();
    for workload in written {
        made.extend(resolved(workload).map_err(wrong)?);
    }
    let named = own_names(made).map_err(wrong)?;
    let plan = &parsed.plan;
    let of_plan = plan.targets.iter().map(Into::into);
    let mut targets = match given.targets.is_empty() {
        true => of_plan.collect(),
        false => given.targets.clone(),
    };
    if targets.is_empty() {
        targets.push(".".into());
    }
    let budget = given.budget.map(|time| Duration::from_nanos(time.get()));
    let blocks = plan.blocks.map(|blocks| blocks as usize);
    let request = PlanRequest {
        targets,
        workloads: named,
        factors: std::mem::take(&mut parsed.factors),
        combinations: parsed.combinations.clone(),
        precision: given.precision.or(parsed.precision),
        budget: budget.or(parsed.budget),
        // A precision that is typed asks for as many as it takes.
        blocks: given
            .blocks
            .or(blocks.filter(|_| given.precision.is_none())),
        is_shuffled: plan.order.as_deref() != Some("listed"),
        seed: seed(given.seed.or(plan.seed)),
        precondition: plan
            .precondition
            .map_or_else(Precondition::default, |asked| Precondition {
                purge: asked.purge,
                fills: asked.fills,
                rounds: asked.rounds,
            }),
        destroy: given.destroy.clone(),
        manual_step_is_done: false,
        only_block: None,
        part: None,
        setup: plan.setup.clone(),
        cleanup: plan.cleanup.clone(),
        earlier_took: Nanos::ZERO,
    };
    Ok((request, parsed))
}

/// The workloads with those of presets in the place of who names one.
fn with_presets(written: Vec<TextWorkload>) -> Result<Vec<TextWorkload>, PlanError> {
    let mut all = Vec::new();
    for workload in written {
        let mut options = workload.options.iter();
        match options.find(|option| option.name == "preset") {
            Some(option) => all.extend(of_preset(&workload, option)?),
            None => all.push(workload),
        }
    }
    Ok(all)
}

fn of_preset(
    workload: &TextWorkload,
    option: &PlacedOption,
) -> Result<Vec<TextWorkload>, PlanError> {
    let wrong = |message: String| option.place.wrong("workload.preset", message);
    let name = option.value.as_deref().unwrap_or_default();
    let Some(preset) = Preset::of(name) else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let message = format!("'{name}' is no preset; there are {}", names.join(", "));
        return Err(wrong(message));
    };
    if workload.options.len() > 1 || workload.name.is_some() {
        let message = "the workloads of a preset are taken as they are: leave the other keys out, or write the workload in their place";
        return Err(wrong(message.to_owned()));
    }
    let place = workload.place;
    let own = PlanText::parse(preset.text)?.workloads.into_iter();
    Ok(own.map(|one| TextWorkload { place, ..one }).collect())
}

/// Gives each workload a name that no other has: the runs of one name are pooled.
fn own_names(
    mut made: Vec<(&TextWorkload, NamedWorkload)>,
) -> Result<Vec<NamedWorkload>, PlanError> {
    tell_sizes(&mut made);
    let mut names = BTreeSet::new();
    for (text, workload) in &made {
        if !names.insert(&workload.name) {
            let message = format!(
                "two workloads would be called '{}', and their runs taken for repetitions; give each a name = \"...\" of its own",
                workload.name
            );
            return Err(text.place.wrong("workload.name", message));
        }
    }
    Ok(made.into_iter().map(|(_, workload)| workload).collect())
}

/// Where workloads without a name differ in the size of their files, what they are called tells it.
fn tell_sizes(made: &mut [(&TextWorkload, NamedWorkload)]) {
    let size = |of: &(&TextWorkload, NamedWorkload)| match (&of.0.name, &of.1.task) {
        (None, PlannedTask::Io(io)) => Some(io.file_size),
        _ => None,
    };
    let all: BTreeSet<Bytes> = made.iter().filter_map(size).collect();
    for one in made.iter_mut().filter(|_| all.len() > 1) {
        if let Some(size) = size(one).filter(|size| *size > Bytes::ZERO) {
            one.1.name.push_str(&format!(", of {size}"));
        }
    }
}

fn resolved(workload: &TextWorkload) -> Result<Vec<(&TextWorkload, NamedWorkload)>, PlanError> {
    if let (Some(work), Some(name)) = (&workload.work, &workload.name) {
        let (name, task) = (name.clone(), PlannedTask::Work(work.clone()));
        return Ok(vec![(workload, NamedWorkload { name, task })]);
    }
    let mut made = Vec::new();
    let sizes = sizes(workload);
    for size in &sizes {
        let mut options = workload.options.clone();
        for option in options.iter_mut().filter(|option| is_size(option)) {
            option.value.clone_from(size);
        }
        made.extend(of_one_size(workload, &options, sizes.len() > 1)?);
    }
    Ok(made)
}

fn is_size(option: &PlacedOption) -> bool {
    option.name == "file-size"
}

/// Each size of files that is asked for; one that is none where nothing is said of it.
fn sizes(workload: &TextWorkload) -> Vec<Option<String>> {
    let said = workload.options.iter().find(|option| is_size(option));
    match said.and_then(|option| option.value.as_ref()) {
        Some(value) => value
            .split(',')
            .map(|size| Some(size.trim().to_owned()))
            .collect(),
        None => vec![None],
    }
}

/// The workloads of one size of files, which their names tell where there are several.
fn of_one_size<'a>(
    workload: &'a TextWorkload,
    options: &[PlacedOption],
    tells_size: bool,
) -> Result<Vec<(&'a TextWorkload, NamedWorkload)>, PlanError> {
    for option in options {
        check(option)?;
    }
    let all: Vec<&PlacedOption> = options.iter().collect();
    let args = read(&all).map_err(|why| workload.place.wrong("workload", why))?;
    let wrong = |error: anyhow::Error| workload.place.wrong("workload", error.to_string());
    let of_option = |name: &str, message: String| {
        let found = options.iter().find(|option| option.name == name);
        let place = found.map_or(workload.place, |option| option.place);
        place.wrong(&key_of(name), message)
    };
    let ops = match chosen(&args.op).map_err(wrong)? {
        Chosen::Io(ops) => ops,
        Chosen::Names(op) => {
            let message = format!(
                "op {op} is a metadata operation; plans measure reads and writes: read, write, randread, randwrite ..."
            );
            return Err(workload.place.wrong("workload.op", message));
        }
    };
    if let Some(idle) = idle_option(&args.work, &ops, false) {
        return Err(of_option(&idle.option, idle.in_plan()));
    }
    for (name, size) in [
        ("file-size", args.work.file_size),
        ("range", args.work.range),
    ] {
        if size == Some(Bytes::ZERO) {
            let message = "0 is no size: give at least one block, or leave it out";
            return Err(of_option(name, message.to_owned()));
        }
    }
    let made = workloads(&ops, &args.work).map_err(wrong)?;
    let several = made.len() > 1;
    let named = made.into_iter().map(|io| {
        let own = etalon_experiment::workload_name(&io);
        let name = match &workload.name {
            Some(name) if tells_size => format!("{name} {own}, of {}", io.file_size),
            Some(name) if several => format!("{name} {own}"),
            Some(name) => name.clone(),
            None => own,
        };
        let task = PlannedTask::Io(io);
        (workload, NamedWorkload { name, task })
    });
    Ok(named.collect())
}

/// Reads one option by itself, so that what is wrong is told with its place.
fn check(option: &PlacedOption) -> Result<(), PlanError> {
    let key = key_of(&option.name);
    if !is_known(&option.name) {
        let message = "there is no such key; a workload has name, op and the options of `etalon measure`, such as block_size, queue_depth, jobs, file_size, time, cache";
        return Err(option.place.wrong(&key, message));
    }
    match matches(&[option]) {
        Ok(matches) => MeasureArgs::from_arg_matches(&matches).map(drop),
        // What it needs beside it is looked for when all are read together.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
        Err(error) => Err(error),
    }
    .map_err(|error| option.place.wrong(&key, first_line(&error)))
}

/// As errors call the key of an option.
fn key_of(option: &str) -> String {
    format!("workload.{}", option.replace('-', "_"))
}

/// Whether it says what is done. How often, until when and how it is shown is the plan's own, and so is the seed.
fn is_known(option: &str) -> bool {
    let work = GivenWork::augment_args(Command::new("workload"));
    let mut known = work.get_arguments().filter_map(|arg| arg.get_long());
    option == "op" || option != "seed" && known.any(|long| long == option)
}

fn command() -> Command {
    MeasureArgs::augment_args(Command::new("workload").no_binary_name(true))
}

fn read(options: &[&PlacedOption]) -> Result<MeasureArgs, String> {
    let args = matches(options).and_then(|matches| MeasureArgs::from_arg_matches(&matches));
    args.map_err(|error| first_line(&error))
}

fn matches(options: &[&PlacedOption]) -> Result<ArgMatches, clap::Error> {
    let mut words = vec![".".to_owned()];
    for option in options {
        words.push(match &option.value {
            Some(value) => format!("--{}={value}", option.name),
            None => format!("--{}", option.name),
        });
    }
    if !options.iter().any(|option| option.name == "op") {
        words.push("--op=randread".to_owned());
    }
    command().try_get_matches_from(words)
}

/// What clap says; where options are missing, with their names, which stand on lines of their own.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default();
    let line = line.trim_start_matches("error: ");
    match error.kind() {
        ErrorKind::MissingRequiredArgument => {
            let names = lines.map(str::trim).take_while(|line| !line.is_empty());
            format!("{line} {}", names.collect::<Vec<_>>().join(", "))
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primary_workload_stands_first_and_none_that_only_begins_so() {
        let plan = |primary: &str| {
            format!(
                "question = \"Which?\"\nprimary = \"{primary}\"\n[[workload]]\nname = \"read all\"\nop = \"read\"\n[[workload]]\nname = \"read\"\nop = \"randread\"\nqueue_depth = [1, 4]\n"
            )
        };
        let (found, _) = request("plan", &plan("read"), &Overrides::default()).unwrap();
        let names: Vec<&str> = found.workloads.iter().map(|w| w.name.as_str()).collect();
        assert!(names[0].starts_with("read randread"), "{names:?}");
        assert_eq!(names.last(), Some(&"read all"));
        let error = request("plan", &plan("rea"), &Overrides::default());
        let error = error.unwrap_err().to_string();
        for part in ["line 2, column 11: primary", "'rea'", "read all, read"] {
            assert!(error.contains(part), "{error}");
        }
    }

    /// The names that a plan with these workloads, or its error.
    fn names(workloads: &str) -> Result<Vec<String>, String> {
        let text = format!("question = \"Which?\"\n{workloads}");
        let (found, _) =
            request("plan", &text, &Overrides::default()).map_err(|error| error.to_string())?;
        Ok(found.workloads.into_iter().map(|w| w.name).collect())
    }

    #[test]
    fn workloads_of_several_file_sizes_are_no_repetitions_of_one() {
        let of = |size: &str| {
            format!("[[workload]]\nop = \"read\"\nblock_size = [\"16k\", \"64k\"]\n{size}\n")
        };
        let (small, large) = (of("file_size = \"4M\""), of("file_size = \"64M\""));
        let found = names(&format!("{small}{large}")).unwrap();
        let wanted = [
            "read 16 KiB, of 4 MiB",
            "read 64 KiB, of 4 MiB",
            "read 16 KiB, of 64 MiB",
            "read 64 KiB, of 64 MiB",
        ];
        assert_eq!(found, wanted);
        assert_eq!(names(&small).unwrap(), ["read 16 KiB", "read 64 KiB"]);
        let found = names(&format!("{small}{}", of(""))).unwrap();
        assert_eq!(found[1..3], ["read 64 KiB, of 4 MiB", "read 16 KiB"]);
    }

    #[test]
    fn several_sizes_of_files_are_a_sweep() {
        let of = |keys: &str| names(&format!("[[workload]]\nop = \"read\"\n{keys}\n"));
        let wanted = ["read 4 KiB, of 4 MiB", "read 4 KiB, of 64 MiB"];
        assert_eq!(of("file_size = \"4M,64M\"").unwrap(), wanted);
        assert_eq!(of("file_size = [\"4M\", \"64M\"]").unwrap(), wanted);
        let named = of("name = \"n\"\nfile_size = \"4M, 64M\"\nqueue_depth = \"1,2\"").unwrap();
        assert_eq!((named.len(), &*named[0]), (4, "n read 4 KiB, of 4 MiB"));
        let error = of("file_size = \"4M,soon\"").unwrap_err();
        for part in [
            "line 4, column 13: workload.file_size",
            "'soon' is not a size",
        ] {
            assert!(error.contains(part), "{error}");
        }
        assert!(of("file_size = \"4M,4M\"").is_err());
    }

    #[test]
    fn the_workloads_of_a_preset_are_taken_by_its_name() {
        let own = "[[workload]]\nop = \"write\"\n";
        let preset = "[[workload]]\npreset = \"direct-or-not\"\n";
        let found = names(&format!("{own}{preset}")).unwrap();
        assert_eq!(found[1..], ["sequential read", "random read"]);
        for (wrong, said) in [
            (
                "preset = \"nosuch\"\n",
                "'nosuch' is no preset; there are record-sweep",
            ),
            (
                "preset = \"readahead\"\ntime = \"1s\"\n",
                "leave the other keys out",
            ),
        ] {
            let error = names(&format!("[[workload]]\n{wrong}")).unwrap_err();
            assert!(
                error.contains("line 3, column 10: workload.preset"),
                "{error}"
            );
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn two_workloads_of_one_name_are_refused_with_the_line() {
        let read = "[[workload]]\nop = \"read\"\n";
        let error = names(&format!("{read}{read}direct = true\n")).unwrap_err();
        for part in ["line 4, column 1: workload.name", "'read ", "name = "] {
            assert!(error.contains(part), "{error}");
        }
        let named = format!("{read}name = \"direct\"\ndirect = true\n");
        assert!(names(&format!("{read}{named}")).is_ok());
    }
}
