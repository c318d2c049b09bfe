//! How far an array of md has come, by /proc/mdstat (`status_resync` in the kernel's drivers/md/md.c).

use std::fs;

use crate::roots::Roots;

/// What is rebuilt, checked or copied of the array of this name (`md0`), and all of it, in KiB; none where it is idle, waits
/// or is not there.
///
/// An array's own `sync_completed` moves when md writes down where it would go on after a crash: by a sixteenth of the
/// array (`md_do_sync`), which on large disks are half an hour. This is exact to the KiB.
#[must_use]
pub fn md_progress(array: &str, roots: &Roots) -> Option<(u64, u64)> {
    // In a file that is cut short or not text nothing can be found.
    listed(
        &fs::read_to_string(roots.procfs.join("mdstat")).ok()?,
        array,
    )
}

/// The line of an array with `recovery = 37.5% (392192/1046528) finish=...`; that line alone has a number in percent.
fn listed(mdstat: &str, array: &str) -> Option<(u64, u64)> {
    let mut lines = mdstat.lines();
    lines.find(|line| {
        line.split_once(" : ")
            .is_some_and(|(name, _)| name == array)
    })?;
    let mut rest = lines.take_while(|line| line.starts_with(' '));
    let (_, counts) = rest.find_map(|line| line.split_once("% ("))?;
    let (done, all) = counts.split_once(')')?.0.split_once('/')?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Linux 6.1 writes it, with three arrays.
    const MDSTAT: &str = "\
Personalities : [raid1] [raid6] [raid5] [raid4]
md1 : active raid1 vdf[1] vde[0]
      1046528 blocks super 1.2 [2/2] [UU]
      bitmap: 0/1 pages [0KB], 65536KB chunk

md0 : active raid5 vdd[4] vdc[2] vdb[1] vda[0]
      3139584 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/3] [UUU_]
      [=======>.............]  recovery = 37.4% (392192/1046528) finish=0.1min speed=65365K/sec

md2 : active raid1 vdh[1] vdg[0]
      1046528 blocks super 1.2 [2/2] [UU]
        resync=DELAYED

unused devices: <none>
";

    #[test]
    fn it_tells_to_the_kib() {
        assert_eq!(listed(MDSTAT, "md0"), Some((392_192, 1_046_528)));
        for idle in ["md1", "md2", "md", "Personalities", ""] {
            assert_eq!(listed(MDSTAT, idle), None, "{idle}");
        }
    }
}
