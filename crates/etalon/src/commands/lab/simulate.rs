//! `etalon lab simulate`.

use anyhow::{Context as _, bail};
use clap::Args;
use etalon_exchange::{
    LabBody, SimulatedLayout, SimulatedRebuild, SimulatedRebuildPoint, Simulation,
};
use etalon_lab::array::{Array, Layout};
use etalon_lab::catalogue::Class;
use etalon_lab::disk::RequestKind;
use etalon_lab::simulate::{
    Pattern, Rebuild, RebuildProgress, SimulatedArray, Workload, WorkloadOutcome, rebuild,
};
use etalon_tools::Exit;
use etalon_units::Bytes;

use super::model::Model;
use super::print_document;
use crate::exit::BadUsage;
use crate::output;

/// Options of `etalon lab simulate`.
#[derive(Debug, Clone, Args)]
pub(super) struct SimulateArgs {
    /// raid0, raid1, raid4, raid5, raid6, n2, n3, o2, f2 [default: those that are usual]
    #[arg(value_name = "LAYOUT")]
    layouts: Vec<String>,
    /// The model of every disk, as `etalon lab list` has it
    #[arg(long, default_value = "hdd-7200", value_name = "MODEL")]
    disk: String,
    /// Number of disks
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = disks)]
    disks: usize,
    /// Size of each disk
    #[arg(long, default_value = "32G", value_name = "SIZE")]
    size: Bytes,
    /// Chunk of the array
    #[arg(long, default_value = "512K", value_name = "SIZE")]
    chunk: Bytes,
    /// Replace a dead disk, and tell speed and time left on the way
    #[arg(long)]
    rebuild: bool,
    /// Decides every random place
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = crate::names::whole::<u64>)]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn disks(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=64).contains(count));
    count.ok_or_else(|| "give a number of disks from 1 to 64".to_owned())
}

impl SimulateArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let class = Model::of(&self.disk, self.size).map_err(BadUsage)?.class;
        let layouts = self.layouts()?;
        if self.json {
            print_document(LabBody::Simulation(self.document(class, &layouts)?))?;
            return Ok(Exit::Done);
        }
        let mut text = format!(
            "{} x {}, {} each, chunk {}: simulated, not measured\n\n",
            self.disks, class.name, self.size, self.chunk
        );
        match self.rebuild {
            true => self.rebuilds(class, &layouts, &mut text)?,
            false => self.table(class, &layouts, &mut text)?,
        }
        output::print_page(&text)?;
        Ok(Exit::Done)
    }

    fn layouts(&self) -> anyhow::Result<Vec<Layout>> {
        if self.layouts.is_empty() {
            return self.shown();
        }
        let parse = |text: &String| -> anyhow::Result<Layout> {
            let layout = text.parse().map_err(|error| bad(&error))?;
            self.array(layout).map_err(|error| bad(&error))?;
            match self.rebuild && layout == Layout::Raid0 {
                false => Ok(layout),
                true => bail!(BadUsage(format!(
                    "{text} --rebuild: nothing of a dead disk is left on the others; name a layout with copies or parity, such as raid1 or raid5"
                ))),
            }
        };
        self.layouts.iter().map(parse).collect()
    }

    /// Those of the usual ones that so many disks can have; what suits none of them is no array at all.
    fn shown(&self) -> anyhow::Result<Vec<Layout>> {
        let (mut fits, mut refused) = (Vec::new(), None);
        let outlives = |layout: &Layout| !self.rebuild || *layout != Layout::Raid0;
        for layout in Layout::SHOWN.into_iter().filter(outlives) {
            match self.array(layout) {
                Ok(_) => fits.push(layout),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(error) if fits.is_empty() => Err(bad(&error).into()),
            _ => Ok(fits),
        }
    }

    fn array(&self, layout: Layout) -> Result<Array, etalon_lab::array::LayoutError> {
        Array::new(layout, self.disks, self.size.0, self.chunk.0)
    }

    fn with_disks(&self, class: &Class, layout: Layout) -> anyhow::Result<SimulatedArray> {
        let disk = |number| class.disk(self.size.0, self.seed + number);
        let disks = (0..self.disks as u64).map(disk).collect();
        Ok(SimulatedArray::new(self.array(layout)?, disks))
    }

    /// A row for each layout, with the ratio to the first one.
    fn table(&self, class: &Class, layouts: &[Layout], text: &mut String) -> anyhow::Result<()> {
        text.push_str("         sequential read      random read 4 KiB   random write 4 KiB\n");
        text.push_str("         1 MiB, QD1           QD16                QD16, FUA\n");
        let mut base: Option<[f64; 3]> = None;
        for layout in layouts {
            let found = self.simulated(class, *layout)?;
            let base = base.get_or_insert(found);
            text.push_str(&row(*layout, &found, base));
        }
        if let Some(first) = layouts.first() {
            text.push_str(&format!("\n{first} = 1.00\n"));
        }
        Ok(())
    }

    /// Rate of reading, and IOPS of random reads and writes.
    fn simulated(&self, class: &Class, layout: Layout) -> anyhow::Result<[f64; 3]> {
        let [read, random, write] = self.workloads();
        let run = |workload: &Workload| -> anyhow::Result<WorkloadOutcome> {
            let mut simulated = self.with_disks(class, layout)?;
            workload
                .run(&mut simulated, 0)
                .with_context(|| format!("simulating {layout}"))
        };
        Ok([
            run(&read)?.rate(),
            run(&random)?.iops(),
            run(&write)?.iops(),
        ])
    }

    fn document(&self, class: &Class, layouts: &[Layout]) -> anyhow::Result<Simulation> {
        let table = |layout: &Layout| -> anyhow::Result<SimulatedLayout> {
            let [read, random, write] = self.simulated(class, *layout)?;
            Ok(SimulatedLayout {
                layout: layout.to_string(),
                sequential_read_bytes_per_second: read,
                random_read_operations_per_second: random,
                random_write_operations_per_second: write,
            })
        };
        let rebuilt = |layout: &Layout| -> anyhow::Result<SimulatedRebuild> {
            Ok(of_rebuild(*layout, self.rebuilt(class, *layout)?))
        };
        let (layouts, rebuilds) = match self.rebuild {
            true => (
                Vec::new(),
                layouts.iter().map(rebuilt).collect::<Result<_, _>>()?,
            ),
            false => (
                layouts.iter().map(table).collect::<Result<_, _>>()?,
                Vec::new(),
            ),
        };
        Ok(Simulation {
            disk: class.name,
            disks: self.disks as u64,
            size_bytes: self.size.0,
            chunk_bytes: self.chunk.0,
            seed: self.seed,
            layouts,
            rebuilds,
        })
    }

    fn workloads(&self) -> [Workload; 3] {
        let read = Workload {
            kind: RequestKind::Read,
            pattern: Pattern::Sequential,
            block_bytes: 1 << 20,
            queue_depth: 1,
            from_bytes: 0,
            range_bytes: u64::MAX,
            warm_up: 100,
            requests: 2_000,
            seed: self.seed,
        };
        let random = Workload {
            pattern: Pattern::Random,
            block_bytes: 4096,
            queue_depth: 16,
            ..read
        };
        let write = Workload {
            kind: RequestKind::Write { fua: true },
            ..random
        };
        [read, random, write]
    }

    fn rebuilds(&self, class: &Class, layouts: &[Layout], text: &mut String) -> anyhow::Result<()> {
        for layout in layouts {
            text.push_str(&curve(*layout, &self.rebuilt(class, *layout)?));
        }
        Ok(())
    }

    fn rebuilt(&self, class: &Class, layout: Layout) -> anyhow::Result<Rebuild> {
        let mut simulated = self.with_disks(class, layout)?;
        rebuild(&mut simulated, 0, self.size.0, 4 << 20, 10)
            .with_context(|| format!("rebuilding {layout}"))
    }
}

fn of_rebuild(layout: Layout, done: Rebuild) -> SimulatedRebuild {
    let point = |point: &RebuildProgress| SimulatedRebuildPoint {
        done_bytes: point.done_bytes,
        bytes_per_second: point.rate,
        at_ns: point.at_ns,
        forecast_ns: point.forecast_ns,
    };
    SimulatedRebuild {
        layout: layout.to_string(),
        elapsed_ns: done.elapsed_ns,
        bytes: done.bytes,
        curve: done.curve.iter().map(point).collect(),
    }
}

fn bad(error: &etalon_lab::array::LayoutError) -> BadUsage {
    BadUsage(error.to_string())
}

fn row(layout: Layout, found: &[f64; 3], base: &[f64; 3]) -> String {
    let ratio = |place: usize| found[place] / base[place];
    format!(
        "{layout:6} {:8.1} MB/s {:5.2} {:10.0} IOPS {:5.2} {:8.0} IOPS {:5.2}\n",
        found[0] / 1e6,
        ratio(0),
        found[1],
        ratio(1),
        found[2],
        ratio(2)
    )
}

/// Percent, speed, and the forecast of the end.
fn curve(layout: Layout, done: &Rebuild) -> String {
    let mut text = format!("{layout}: rebuilt in {}\n", clock(done.elapsed_ns));
    text.push_str("  done      speed        after      ends after\n");
    for point in &done.curve {
        let percent = (point.done_bytes * 100 + done.bytes / 2) / done.bytes.max(1);
        text.push_str(&format!(
            "  {percent:3} %  {:6.1} MB/s  {:>10}  {:>10}\n",
            point.rate / 1e6,
            clock(point.at_ns),
            clock(point.forecast_ns)
        ));
    }
    text + "\n"
}

/// Hours, minutes and seconds.
fn clock(time_ns: u64) -> String {
    let seconds = time_ns / 1_000_000_000;
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
