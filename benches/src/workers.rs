//! Where the kernel's own workers run: a loop device's requests are served by them.

use std::fs;

/// The processors on which the workers bound to none may run: a mask in hexadecimal words of 32 bits
/// (Documentation/core-api/workqueue.rst, "Affinity Scopes").
const MASK: &str = "/sys/devices/virtual/workqueue/cpumask";

/// The kernel's workers kept off one processor, so that the programs under test have it to
/// themselves whichever side the scheduler would have chosen; put back when dropped.
#[derive(Debug)]
pub struct WorkersElsewhere {
    before: Option<String>,
}

impl WorkersElsewhere {
    /// Keeps them off `cpu`. Where the kernel refuses, or there is no other processor, nothing
    /// changes: the figures then scatter more, and are no less true.
    pub fn than(cpu: u32) -> WorkersElsewhere {
        let before = fs::read_to_string(MASK).ok();
        let changed = before.as_deref().and_then(|mask| without(mask, cpu));
        let changed = changed.is_some_and(|mask| fs::write(MASK, mask).is_ok());
        WorkersElsewhere {
            before: before.filter(|_| changed),
        }
    }
}

impl Drop for WorkersElsewhere {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // Nothing is left to do where it fails: the mask is what it was a moment ago.
            let _ = fs::write(MASK, before.trim());
        }
    }
}

/// `mask` without the bit of `cpu`; `None` where that is no mask or leaves nobody.
fn without(mask: &str, cpu: u32) -> Option<String> {
    let words = mask.trim().split(',');
    let mut words: Vec<u32> = words
        .map(|word| u32::from_str_radix(word, 16))
        .collect::<Result<_, _>>()
        .ok()?;
    let from_the_end = (cpu / u32::BITS) as usize;
    let at = words.len().checked_sub(from_the_end + 1)?;
    words[at] &= !(1 << (cpu % u32::BITS));
    let text: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.iter().any(|&word| word != 0).then(|| text.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_processor_is_taken_out_of_the_mask() {
        assert_eq!(without("3\n", 1), Some("00000001".to_owned()));
        assert_eq!(
            without("ff,ffffffff", 33),
            Some("000000fd,ffffffff".to_owned())
        );
        assert_eq!(without("1", 0), None, "nobody would be left");
        assert_eq!(without("3", 40), None, "no such processor");
        assert_eq!(without("x", 0), None);
    }
}
