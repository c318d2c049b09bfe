//! What the machine did to a test meanwhile.

use std::fs;
use std::time::Instant;

/// Checks of etalon that speak of the machine around a run, and of nothing that its storage could have done.
pub const OF_THE_MACHINE: [&str; 6] = [
    "clock-trouble",
    "cpu-starved",
    "lab-late",
    "memory-pressure",
    "stalled",
    "steal",
];

/// The machine at one moment. Two of them tell what lay between.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    at: Instant,
    stolen_ticks: u64,
    all_ticks: u64,
    waited_us: u64,
}

impl Weather {
    /// The machine now: proc_stat(5), and the time in which something runnable waited for a processor
    /// (Documentation/accounting/psi.rst), 0 where the kernel does not say.
    #[must_use]
    pub fn now() -> Weather {
        let ticks = ticks();
        Weather {
            at: Instant::now(),
            stolen_ticks: ticks.get(7).copied().unwrap_or(0),
            all_ticks: ticks.iter().take(8).sum(),
            waited_us: waited_us().unwrap_or(0),
        }
    }

    /// The share of the processors' time since then that the hypervisor gave to others, 0 to 1.
    #[must_use]
    pub fn steal(&self) -> f64 {
        let now = Weather::now();
        let all = now.all_ticks.saturating_sub(self.all_ticks).max(1);
        now.stolen_ticks.saturating_sub(self.stolen_ticks) as f64 / all as f64
    }

    /// The share of the time since then in which something runnable waited for a processor, 0 to 1.
    #[must_use]
    pub fn waiting(&self) -> f64 {
        let passed = self.at.elapsed().as_secs_f64() * 1e6;
        Weather::now().waited_us.saturating_sub(self.waited_us) as f64 / passed.max(1.0)
    }

    /// Whether nothing has happened since then that could excuse a figure.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.steal() < 0.01 && self.waiting() < 0.25
    }
}

fn ticks() -> Vec<u64> {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let numbers = line.split_whitespace().skip(1);
    numbers.filter_map(|number| number.parse().ok()).collect()
}

fn waited_us() -> Option<u64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shares() {
        let before = Weather::now();
        let sum: u64 = (0..2_000_000_u64).map(std::hint::black_box).sum();
        assert!(sum > 0 && before.all_ticks > 0);
        assert!((0.0..=1.0).contains(&before.steal()));
        assert!((0.0..=1.1).contains(&before.waiting()));
    }
}
