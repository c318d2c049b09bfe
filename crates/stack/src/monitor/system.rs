//! CPUs, memory and pressure, look after look.

use etalon_model::stack::{CpuShares, MemoryState, Pressure, share};
use etalon_units::{Bytes, Nanos, Percent};

use super::reread::Reread;
use crate::roots::Roots;

/// What one look gives.
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub(super) cpu: Option<CpuShares>,
    pub(super) memory: Option<MemoryState>,
    pub(super) pressure: Option<Pressure>,
}

/// The files with their last totals.
pub(super) struct SystemWatch {
    stat: Option<Reread>,
    meminfo: Option<Reread>,
    vmstat: Option<Reread>,
    pressure: [Option<Reread>; 3],
    cpu_before: Option<[u64; 8]>,
    paging_before: Option<[u64; 4]>,
    stalls_before: Option<[u64; 5]>,
}

impl SystemWatch {
    pub(super) fn open(roots: &Roots) -> SystemWatch {
        let open = |name: &str| Reread::open(&roots.procfs.join(name));
        SystemWatch {
            stat: open("stat"),
            meminfo: open("meminfo"),
            vmstat: open("vmstat"),
            pressure: ["cpu", "memory", "io"].map(|name| open(&format!("pressure/{name}"))),
            cpu_before: None,
            paging_before: None,
            stalls_before: None,
        }
    }

    pub(super) fn look(&mut self, span: Nanos) -> Machine {
        let paging = self.paging();
        Machine {
            cpu: self.cpu(),
            memory: self.memory(paging),
            pressure: self.pressure(span),
        }
    }

    fn cpu(&mut self) -> Option<CpuShares> {
        let now = cpu_ticks(self.stat.as_mut()?.text()?)?;
        let before = self.cpu_before.replace(now)?;
        Some(cpu_shares(&now, &before))
    }

    /// Swapped in and out, allocation stalls, kills: since the last look.
    fn paging(&mut self) -> [u64; 4] {
        let now = self
            .vmstat
            .as_mut()
            .and_then(|file| file.text().map(paging_totals));
        let before = now.and_then(|now| self.paging_before.replace(now));
        match now.zip(before) {
            Some((now, before)) => std::array::from_fn(|i| now[i].saturating_sub(before[i])),
            None => [0; 4],
        }
    }

    fn memory(&mut self, paging: [u64; 4]) -> Option<MemoryState> {
        let text = self.meminfo.as_mut()?.text()?;
        let bytes = |key: &str| meminfo(text, key).unwrap_or_default();
        Some(MemoryState {
            available: meminfo(text, "MemAvailable")?,
            cached: bytes("Cached"),
            dirty: bytes("Dirty"),
            writeback: bytes("Writeback"),
            swap_used: Bytes(
                bytes("SwapTotal")
                    .get()
                    .saturating_sub(bytes("SwapFree").get()),
            ),
            swapped_in_pages: paging[0],
            swapped_out_pages: paging[1],
            alloc_stalls: paging[2],
            oom_kills: paging[3],
        })
    }

    fn pressure(&mut self, span: Nanos) -> Option<Pressure> {
        let mut now = [0; 5];
        for (index, file) in self.pressure.iter_mut().enumerate() {
            let [some, full] = stall_totals(file.as_mut()?.text()?);
            match index {
                0 => now[0] = some,
                _ => (now[index * 2 - 1], now[index * 2]) = (some, full),
            }
        }
        let before = self.stalls_before.replace(now)?;
        let of = |index: usize| {
            let stalled_us = now[index].saturating_sub(before[index]);
            let share = stalled_us as f64 * 1000.0 / span.get().max(1) as f64;
            Percent::from_fraction(share.min(1.0))
        };
        Some(Pressure {
            cpu_some: of(0),
            memory_some: of(1),
            memory_full: of(2),
            io_some: of(3),
            io_full: of(4),
        })
    }
}

/// The first eight numbers of the line `cpu`: user, nice, system, idle, iowait, irq, softirq, steal.
/// Guest time is part of user time already.
fn cpu_ticks(text: &str) -> Option<[u64; 8]> {
    let line = text.lines().next()?.strip_prefix("cpu ")?;
    let mut numbers = line
        .split_whitespace()
        .map(|word| word.parse().unwrap_or(0));
    Some(std::array::from_fn(|_| numbers.next().unwrap_or(0)))
}

fn cpu_shares(now: &[u64; 8], before: &[u64; 8]) -> CpuShares {
    // iowait may go down (proc_stat(5)); a step back counts as zero.
    let spent: [u64; 8] = std::array::from_fn(|i| now[i].saturating_sub(before[i]));
    let all: u64 = spent
        .iter()
        .fold(0, |sum, ticks| sum.saturating_add(*ticks));
    let of = |ticks: u64| share(ticks, all).unwrap_or_default();
    CpuShares {
        user: of(spent[0].saturating_add(spent[1])),
        system: of(spent[2]),
        interrupts: of(spent[5].saturating_add(spent[6])),
        iowait: of(spent[4]),
        steal: of(spent[7]),
        idle: of(spent[3]),
        ticks: all,
    }
}

/// `Key:   123 kB`.
fn meminfo(text: &str, key: &str) -> Option<Bytes> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let value = lines.find(|(name, _)| *name == key)?.1;
    let kib: u64 = value.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024).map(Bytes)
}

/// `pswpin`, `pswpout`, all `allocstall*`, `oom_kill`.
fn paging_totals(text: &str) -> [u64; 4] {
    let mut totals = [0_u64; 4];
    for (key, value) in text.lines().filter_map(|line| line.split_once(' ')) {
        let slot = match key {
            "pswpin" => 0,
            "pswpout" => 1,
            key if key.starts_with("allocstall") => 2,
            "oom_kill" => 3,
            _ => continue,
        };
        totals[slot] = totals[slot].saturating_add(value.trim().parse().unwrap_or(0));
    }
    totals
}

/// Totals in microseconds of the lines `some` and `full`.
fn stall_totals(text: &str) -> [u64; 2] {
    ["some", "full"].map(|kind| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        let total = lines.next().and_then(|line| line.split("total=").nth(1));
        total.and_then(|t| t.trim().parse().ok()).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_add_up_and_a_step_back_counts_as_nothing() {
        let before = cpu_ticks("cpu  100 0 100 1000 50 0 0 0 0 0\ncpu0 1").unwrap();
        let now = cpu_ticks("cpu  140 10 120 1020 40 5 5 0 0 0").unwrap();
        let shares = cpu_shares(&now, &before);
        assert_eq!(
            (shares.user.fraction(), shares.system.fraction()),
            (0.5, 0.2)
        );
        assert_eq!(
            (shares.iowait.fraction(), shares.interrupts.fraction()),
            (0.0, 0.1)
        );
        assert_eq!(shares.idle.fraction(), 0.2);
    }

    #[test]
    fn paging_memory_and_stalls_are_found_by_name() {
        let vmstat = "pswpin 3\npswpout 4\nallocstall_normal 5\nallocstall_movable 6\noom_kill 1\n";
        assert_eq!(paging_totals(vmstat), [3, 4, 11, 1]);
        assert_eq!(
            meminfo("MemFree: 1 kB\nDirty:    12 kB\n", "Dirty"),
            Some(Bytes::kib(12))
        );
        let psi = "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500\nfull avg10=0.00 avg60=0 avg300=0 total=700\n";
        assert_eq!(stall_totals(psi), [1500, 700]);
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[a-z0-9 :=\n]{0,120}") {
            let _ = (cpu_ticks(&text), paging_totals(&text), meminfo(&text, "a"), stall_totals(&text));
        }

        #[test]
        fn shares_add_up_to_one_or_nothing(before: [u32; 8], spent: [u32; 8]) {
            let before = before.map(u64::from);
            let now = std::array::from_fn(|i| before[i] + u64::from(spent[i]));
            let s = cpu_shares(&now, &before);
            let shares = [s.user, s.system, s.interrupts, s.iowait, s.steal, s.idle];
            let sum: f64 = shares.iter().map(|p| p.fraction()).sum();
            let expected = if spent == [0; 8] { 0.0 } else { 1.0 };
            prop_assert!((sum - expected).abs() < 1e-9, "{sum}");
        }
    }
}
