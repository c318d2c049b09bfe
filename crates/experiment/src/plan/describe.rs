//! What a plan would do, told without doing it.

use std::fs::File;
use std::path::{Path, PathBuf};

use etalon_factor::Journal;
use etalon_factor::condition::{
    Cost, Description, FactorError, Ground, Level, Need, ReadAhead, makes_the_target,
};
use etalon_factor::guard::{Refusal, lost_on, may_write};
use etalon_model::{Backend, End, FileLayout};
use etalon_units::{Bytes, Nanos};

use super::arrange::{Arrangement, arrange};
use super::request::PlanRequest;
use super::task::PlannedTask;
use crate::{ExperimentError, Site, SiteKind, work_place};

/// What looking around, laying out and setting levels take beside each run, as first blocks show.
const BESIDE_A_RUN: f64 = 0.6;
/// What a run without a set length is taken for.
const UNTIMED_RUN: f64 = 10.0;

/// What would happen.
#[derive(Debug)]
pub struct PlanDescription {
    /// Cells and plots.
    pub arrangement: Arrangement,
    /// Each level by its factor and name, with what it would do.
    pub levels: Vec<(String, Description)>,
    /// What is lost for good of devices that runs write to, a line each.
    pub destroys: Vec<String>,
    /// What the guard will refuse, a sentence each.
    pub refusals: Vec<String>,
    /// What it refuses of devices that levels build on, which is met only once their turn comes.
    pub refused_levels: Vec<String>,
    /// What is missing.
    pub needs: Vec<Need>,
    /// Space for files, at most: what was asked for, or what would be chosen now.
    pub space: Bytes,
    /// Memory that virtual disks may take at once.
    pub memory: Bytes,
    /// Time for one block.
    pub block: Nanos,
    /// What one run of each workload takes, in the order of the workloads.
    pub runs: Vec<RunTime>,
    /// Blocks, as far as that is known before.
    pub blocks: usize,
}

/// What one run takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunTime {
    /// The workload says so.
    Given(Nanos),
    /// A pilot run took so long.
    Pilot(Nanos),
    /// The workload ends by bytes, after a pass or with its last step: ten seconds are taken for it.
    NotKnown,
}

impl RunTime {
    fn of(task: &PlannedTask, pilot: Option<Nanos>) -> RunTime {
        match (task.io().map(|io| io.end), pilot) {
            (Some(End::Time(time)), _) => RunTime::Given(time),
            (_, Some(time)) => RunTime::Pilot(time),
            (_, None) => RunTime::NotKnown,
        }
    }

    fn seconds(self) -> f64 {
        match self {
            RunTime::Given(time) => BESIDE_A_RUN + time.as_secs_f64(),
            // It was looked around too.
            RunTime::Pilot(time) => time.as_secs_f64(),
            RunTime::NotKnown => BESIDE_A_RUN + UNTIMED_RUN,
        }
    }
}

/// Finds out what a plan would do and what is missing for it. `pilots` are the times of runs that were made to know
/// them, in the order of the workloads; none where none was made.
///
/// # Errors
/// When a target cannot be looked at.
pub fn describe(
    request: &PlanRequest,
    pilots: &[Option<Nanos>],
) -> Result<PlanDescription, ExperimentError> {
    let arrangement = arrange(request);
    let journal = Journal::open()?;
    let (mut levels, mut needs): (Vec<(String, Description)>, Vec<Need>) = Default::default();
    let (mut destroys, mut refusals, mut refused_levels) = (Vec::new(), Vec::new(), Vec::new());
    let mut written: Vec<PathBuf> = Vec::new();
    for target in &request.targets {
        let site = Site::look(target)?;
        let path: PathBuf = site.path.clone();
        if request.writes_target(&site) {
            destroys.extend(lost_on(&path));
            refusals.extend(refusal(&path, &request.destroy));
        }
        if site.kind == SiteKind::BlockDevice {
            written.push(path.clone());
        }
        let mut ground = Ground::of(&journal, &path, &path)?;
        ground.destroy.clone_from(&request.destroy);
        ground.part.clone_from(&request.part);
        for chosen in &request.factors {
            for level in &chosen.levels {
                let (needed, described) = match stands_on_made(request, chosen.factor.depth()) {
                    true => on_made(level.as_ref(), &ground),
                    false => (level.needs(&ground), level.describe(&ground)),
                };
                needs.extend(needed);
                let described = described.unwrap_or_default();
                let built_on = described.writes.iter();
                refused_levels.extend(built_on.filter_map(|d| refusal(d, &request.destroy)));
                written.extend(described.writes.iter().cloned());
                let name = format!("{} {}", chosen.factor.name(), level.name());
                levels.push((name, described));
            }
        }
    }
    let writes_one = !destroys.is_empty() || request.makes_the_target();
    if request.precondition.is_any() && !writes_one {
        let text = "precondition takes a block device and a workload that writes to it: name one as the target";
        needs.push(Need::Decision(text.to_owned()));
    }
    refused_levels.extend(unknown_names(&request.destroy, &written));
    refused_levels.sort();
    refused_levels.dedup();
    let needs = Need::gathered(needs);
    let setting = setting(request, &arrangement, &levels);
    let workloads = request.workloads.iter().enumerate();
    let runs = workloads.map(|(number, named)| {
        let pilot = pilots.get(number).copied().flatten();
        RunTime::of(&named.task, pilot)
    });
    let runs: Vec<RunTime> = runs.collect();
    let block = arrangement.cells.iter();
    let block: f64 = block.map(|cell| runs[cell.workload].seconds()).sum();
    Ok(PlanDescription {
        space: space(request, &levels)?,
        memory: most(&levels, |level| level.memory),
        runs,
        block: Nanos::from_secs_f64(block + setting),
        blocks: request.blocks.unwrap_or(super::complete::USUAL_BLOCKS),
        arrangement,
        levels,
        destroys,
        refusals,
        refused_levels,
        needs,
    })
}

/// What the guard says of a device that is to be written; it is only read here.
fn refusal(device: &Path, destroy: &[String]) -> Option<String> {
    let file = match File::open(device) {
        Ok(file) => file,
        Err(error) => return Some(format!("cannot open '{}': {error}", device.display())),
    };
    let refused = may_write(&file, device, None).err()?;
    let mut others = Vec::new();
    for typed in destroy {
        match may_write(&file, device, Some(typed)) {
            Ok(()) => return None,
            Err(other @ Refusal::OtherDevice { .. }) => others.push(other),
            Err(other) => return Some(other.to_string()),
        }
    }
    Some(refused.by_none_of(&others).to_string())
}

/// Names behind `--destroy` that are none of the devices that are written: a slip of the pen gives up nothing, and whoever
/// made it counts on it.
fn unknown_names(typed: &[String], written: &[PathBuf]) -> Vec<String> {
    let files: Option<Vec<(File, &PathBuf)>> = written
        .iter()
        .map(|path| Some((File::open(path).ok()?, path)))
        .collect();
    // What cannot be opened is refused by itself.
    let Some(files) = files else {
        return Vec::new();
    };
    let told = typed.iter().filter_map(|name| {
        let own: Option<Vec<String>> = files
            .iter()
            .map(|(file, path)| other_names(file, path, name))
            .collect();
        own.map(|own| {
            format!(
                "--destroy '{name}' names no device that the plan writes ({}): mend it or leave it out.",
                if own.is_empty() { "it writes none".to_owned() } else { own.join("; ") }
            )
        })
    });
    told.collect()
}

/// What a device is called that is not called `name`; none where it is.
fn other_names(file: &File, path: &Path, name: &str) -> Option<String> {
    let Err(Refusal::OtherDevice {
        names, shared_with, ..
    }) = may_write(file, path, Some(name))
    else {
        return None;
    };
    let own = match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    };
    let shared = match shared_with.is_empty() {
        true => String::new(),
        false => format!(
            ", and what was typed is that of {} too",
            shared_with.join(", ")
        ),
    };
    Some(format!("the names of {}: {own}{shared}", path.display()))
}

/// What a level lacks and does that is applied to what another factor makes: nothing of it is there yet, so only what does
/// not hang on the devices is told. What is lost with them is told where they are named.
fn on_made(level: &dyn Level, ground: &Ground) -> (Vec<Need>, Result<Description, FactorError>) {
    let mut ahead = ground.clone();
    ahead.target = PathBuf::from("what is made");
    ahead.disks.clear();
    ahead.read_ahead = ReadAhead::default();
    ahead.devices.clear();
    let (now, then) = (level.needs(ground), level.needs(&ahead));
    let hangs_on_devices = then.iter().any(|need| !now.contains(need));
    let needs = then.into_iter().filter(|need| now.contains(need));
    let described = match hangs_on_devices {
        true => Ok(Description {
            changes: vec!["set on what is made".to_owned()],
            ..Description::default()
        }),
        false => level.describe(&ahead),
    };
    let described = described.map(|described| Description {
        destroys: Vec::new(),
        ..described
    });
    (needs.collect(), described)
}

/// Seconds in which one block sets its levels and puts them back: those of plots once for each plot, the others before each
/// run.
fn setting(
    request: &PlanRequest,
    arrangement: &Arrangement,
    described: &[(String, Description)],
) -> f64 {
    let own = |cost: Cost, levels: &[usize]| -> f64 {
        let mut first = 0;
        let mut seconds = 0.0;
        for (chosen, level) in request.factors.iter().zip(levels) {
            let found = described
                .get(first + level)
                .filter(|_| chosen.factor.cost() == cost);
            seconds += found.map_or(0.0, |(_, level)| level.seconds);
            first += chosen.levels.len();
        }
        seconds
    };
    let plots = arrangement.plots.iter();
    let plots: f64 = plots.map(|plot| own(Cost::Expensive, &plot.levels)).sum();
    let cells = arrangement.cells.iter();
    let cells: f64 = cells.map(|cell| own(Cost::Cheap, &cell.levels)).sum();
    plots + cells
}

fn stands_on_made(request: &PlanRequest, depth: etalon_factor::condition::Depth) -> bool {
    let factors = request.factors.iter().map(|chosen| chosen.factor);
    factors
        .filter(|factor| makes_the_target(*factor))
        .any(|factor| factor.depth() < depth)
}

/// The largest files of any workload with the largest of what is made. Files of no size are counted as those that would be
/// chosen on the filesystem as it is.
fn space(
    request: &PlanRequest,
    levels: &[(String, Description)],
) -> Result<Bytes, ExperimentError> {
    let mut most = 0;
    // Files on what a factor makes take no more than that.
    let targets = request
        .targets
        .iter()
        .filter(|_| !request.makes_the_target());
    for target in targets {
        let site = Site::look(target)?;
        for workload in &request.io() {
            let is_imagined = matches!(workload.backend, Backend::Null | Backend::Fake);
            if site.kind != SiteKind::Directory || is_imagined {
                continue;
            }
            let files = match workload.layout {
                FileLayout::Shared => 1,
                FileLayout::PerJob => u64::from(workload.jobs.max(1)),
            };
            let size = match workload.file_size {
                Bytes::ZERO => work_place::usual_size(&site, files)?,
                size => size,
            };
            most = most.max(size.get().saturating_mul(files));
        }
    }
    let made = self::most(levels, |level| level.space);
    Ok(Bytes(most.saturating_add(made.get())))
}

/// The most that any level takes: one of a factor is in force at a time.
fn most(levels: &[(String, Description)], of: fn(&Description) -> Bytes) -> Bytes {
    let all = levels.iter().map(|(_, level)| of(level));
    all.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::request;

    fn of_factors(factors: &str) -> PlanRequest {
        let (before, after) = ("question = \"Which?\"\n", "[[workload]]\nop = \"read\"\n");
        request(&format!("{before}{factors}{after}"))
    }

    #[test]
    fn of_what_stands_on_what_is_made_the_disk_of_the_target_is_not_told() {
        let place = tempfile::tempdir().unwrap();
        let journal = Journal::at(place.path()).unwrap();
        let mut ground = Ground::of(&journal, place.path(), place.path()).unwrap();
        ground.disks = vec![etalon_factor::condition::GroundDisk {
            name: "sda".to_owned(),
            is_leaf: true,
        }];
        let factors = "[[factor]]\nname = \"filesystem\"\nlevels = [\"ext4\"]\n[[factor]]\nname = \"scheduler\"\nlevels = [\"none\"]\n";
        let request = of_factors(factors);
        let of = |factor: usize| on_made(request.factors[factor].levels[0].as_ref(), &ground);
        let (needs, described) = of(1);
        assert_eq!(described.unwrap().changes, ["set on what is made"]);
        let is_of_devices = |need: &Need| matches!(need, Need::Kernel(_));
        assert!(!needs.iter().any(is_of_devices), "{needs:?}");
        // What a filesystem takes is known, and what it makes takes nothing from anybody.
        let (needs, described) = of(0);
        let described = described.unwrap();
        assert_eq!(
            described.makes,
            ["ext4 on the device, mounted for the runs"]
        );
        assert!(described.destroys.is_empty());
        let tools = request.factors[0].levels[0].needs(&ground);
        assert_eq!(needs, tools);
    }

    #[test]
    fn what_is_set_for_each_plot_takes_its_time_for_each() {
        let one = "[[factor]]\nname = \"filesystem\"\nlevels = [\"ext4\", \"xfs\"]\n";
        let other = "[[factor]]\nname = \"mount\"\nlevels = [\"relatime\", \"noatime\"]\n";
        let request = of_factors(&format!("{one}{other}"));
        let arrangement = arrange(&request);
        let seconds = |seconds: f64| {
            let description = Description {
                seconds,
                ..Description::default()
            };
            (String::new(), description)
        };
        let described = [3.0, 5.0, 0.25, 0.5].map(seconds);
        let mounts = request.factors[1].factor.cost() == Cost::Expensive;
        let plots = if mounts { 4.0 } else { 2.0 };
        assert_eq!(arrangement.plots.len() as f64, plots);
        let made = (3.0 + 5.0) * plots / 2.0;
        assert_eq!(setting(&request, &arrangement, &described), made + 1.5);
    }

    #[test]
    fn a_name_behind_destroy_that_is_no_devices_is_told() {
        let told = unknown_names(&["WD-1".to_owned()], &[]);
        assert!(
            told[0].starts_with("--destroy 'WD-1' names no device"),
            "{told:?}"
        );
        assert!(unknown_names(&[], &[]).is_empty());
    }
}
