//! Where the kernel's own workers run: a loop device's requests are served by them.

use crate::setting::Setting;

/// The processors on which the workers bound to none may run: a mask in hexadecimal words of 32 bits
/// (Documentation/core-api/workqueue.rst, "Affinity Scopes").
const MASK: &str = "/sys/devices/virtual/workqueue/cpumask";

/// The kernel's workers kept on the processor of the programs under test, which wait for them anyway;
/// put back when dropped.
///
/// A request that is served on another processor costs two wake-ups between processors. On a virtual
/// machine each of them leaves to the host, and takes as long as the host likes: `hdparm -t --direct` on
/// a loop device scattered by 20 % so, and by 3 % on one processor.
#[derive(Debug)]
pub struct WorkersOn {
    _setting: Option<Setting>,
}

impl WorkersOn {
    /// Keeps them on `cpu`.
    pub fn cpu(cpu: u32) -> WorkersOn {
        WorkersOn {
            _setting: Setting::change(MASK, |mask| only(mask, cpu)),
        }
    }
}

/// The mask of `cpu` alone; `None` where `mask`, which the kernel gave, does not hold it.
fn only(mask: &str, cpu: u32) -> Option<String> {
    let words = mask.trim().split(',');
    let words: Vec<u32> = words
        .map(|word| u32::from_str_radix(word, 16))
        .collect::<Result<_, _>>()
        .ok()?;
    let from_the_end = (cpu / u32::BITS) as usize;
    let at = words.len().checked_sub(from_the_end + 1)?;
    let bit = 1 << (cpu % u32::BITS);
    let alone = (0..words.len()).map(|word| if word == at { bit } else { 0 });
    let text: Vec<String> = alone.map(|word| format!("{word:08x}")).collect();
    (words[at] & bit != 0).then(|| text.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_processor_of_the_mask_is_left() {
        assert_eq!(only("3\n", 1), Some("00000002".to_owned()));
        assert_eq!(
            only("ff,ffffffff", 33),
            Some("00000002,00000000".to_owned())
        );
        assert_eq!(only("1", 1), None, "the kernel does not allow it");
        assert_eq!(only("3", 40), None, "no such processor");
        assert_eq!(only("x", 0), None);
    }
}
