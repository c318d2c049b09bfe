//! What the machine did during a run, out of the monitor's samples.

use etalon_host::clock;
use etalon_model::MachineActivity;
use etalon_model::stack::{ProcessActivity, Recording, Sample};
use etalon_units::Nanos;

use super::meters::{self, mean};

/// Other processes that are named.
const NAMED: usize = 5;

/// Three clocks at one moment, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clocks {
    wall: i128,
    steady: i128,
    boot: i128,
}

impl Clocks {
    pub(super) fn now() -> Clocks {
        Clocks {
            wall: i128::from(clock::wall().get()),
            steady: i128::from(clock::now().get()),
            boot: i128::from(clock::since_boot().get()),
        }
    }

    /// By how much the wall clock was set.
    fn step_since(&self, before: &Clocks) -> Nanos {
        span((self.wall - before.wall) - (self.boot - before.boot))
    }

    /// Time that passed without the steady clock.
    fn suspended_since(&self, before: &Clocks) -> Nanos {
        span((self.boot - before.boot) - (self.steady - before.steady))
    }
}

fn span(difference: i128) -> Nanos {
    Nanos(u64::try_from(difference.unsigned_abs()).unwrap_or(u64::MAX))
}

pub(super) fn activity(recording: &Recording, before: &Clocks, after: &Clocks) -> MachineActivity {
    let samples = &recording.samples;
    let memory = || samples.iter().filter_map(|s| s.memory.as_ref());
    let clocks: Vec<f64> = samples.iter().filter_map(|s| s.cpu_mhz).collect();
    let lowest = clocks.iter().copied().reduce(f64::min);
    let highest = clocks.iter().copied().reduce(f64::max);
    MachineActivity {
        steal: mean(samples, |s| s.cpu.map(|cpu| cpu.steal)).unwrap_or_default(),
        counted_ticks: counted_ticks(samples),
        programs_cpu: programs_cpu(recording),
        iowait: mean(samples, |s| s.cpu.map(|cpu| cpu.iowait)).unwrap_or_default(),
        memory_some: mean(samples, |s| s.pressure.map(|p| p.memory_some)),
        cpu_some: mean(samples, |s| s.pressure.map(|p| p.cpu_some)),
        swapped_in_pages: memory().map(|m| m.swapped_in_pages).sum(),
        swapped_out_pages: memory().map(|m| m.swapped_out_pages).sum(),
        alloc_stalls: memory().map(|m| m.alloc_stalls).sum(),
        oom_kills: memory().map(|m| m.oom_kills).sum(),
        own_oom_kills: None,
        throttled: samples
            .iter()
            .filter_map(|s| s.throttled)
            .reduce(|a, b| a + b),
        cpu_mhz: lowest.zip(highest),
        clock_step: after.step_since(before),
        suspended: after.suspended_since(before),
        others: others(samples),
        cost: recording.cost,
        meters: Some(meters::over(samples)),
    }
}

/// Ticks of all processors within the samples that counted processor time.
fn counted_ticks(samples: &[Sample]) -> Option<u64> {
    let counted = samples.iter().filter_map(|sample| sample.cpu);
    let ticks: u64 = counted.map(|cpu| cpu.ticks).sum();
    (ticks > 0).then_some(ticks)
}

/// What programs and threads of the kernel ran, less these. In interrupts programs run for nobody.
fn programs_cpu(recording: &Recording) -> Option<Nanos> {
    let counted = recording.samples.iter().filter_map(|sample| sample.cpu);
    let ticks = counted.map(|cpu| (cpu.user.fraction() + cpu.system.fraction()) * cpu.ticks as f64);
    let all = ticks.sum::<f64>() / rustix::param::clock_ticks_per_second() as f64;
    let programs = all - recording.kernel_threads?.as_secs_f64();
    Some(Nanos::from_secs_f64(programs.max(0.0)))
}

/// Other processes with what they moved, the busiest first.
fn others(samples: &[Sample]) -> Vec<ProcessActivity> {
    let own = std::process::id();
    let mut all: Vec<ProcessActivity> = Vec::new();
    for process in samples
        .iter()
        .flat_map(|s| &s.processes)
        .filter(|p| p.pid != own)
    {
        match all.iter_mut().find(|known| known.pid == process.pid) {
            Some(known) => {
                known.read.0 += process.read.get();
                known.written.0 += process.written.get();
                known.span.0 += process.span.get();
            }
            None => all.push(process.clone()),
        }
    }
    all.sort_by_key(|p| std::cmp::Reverse(p.read.get().saturating_add(p.written.get())));
    all.truncate(NAMED);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_set_by_an_hour_and_a_night_asleep_are_told_apart() {
        let before = Clocks {
            wall: 0,
            steady: 0,
            boot: 0,
        };
        let set = Clocks {
            wall: 3_601,
            steady: 1,
            boot: 1,
        };
        assert_eq!(
            (set.step_since(&before), set.suspended_since(&before)),
            (Nanos(3_600), Nanos(0))
        );
        let slept = Clocks {
            wall: 100,
            steady: 1,
            boot: 100,
        };
        assert_eq!(
            (slept.step_since(&before), slept.suspended_since(&before)),
            (Nanos(0), Nanos(99))
        );
    }
}
