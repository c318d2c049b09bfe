//! The table of ways. A new option that takes a name is a line here.

use super::Answer::{self, Error, Refused, Unchanged};
use super::Kind::{self, Device, Directory, File, Special};
use super::Way;

/// Where nothing but a name is asked for.
const ALL: &[Kind] = &[Device, File, Special, Directory];
/// Where a pipe or `/dev/null` is honest, and a directory another thing.
const STORED: &[Kind] = &[Device, File];
/// Where a directory is what is asked for.
const NO_DIRECTORY: &[Kind] = &[Device, File, Special];

const fn way(
    command: &'static str,
    option: &'static str,
    answer: Answer,
    on: &'static [Kind],
    words: &'static str,
) -> Way {
    Way {
        command,
        option,
        words,
        answer,
        on,
        slow: false,
    }
}

const fn slow(
    command: &'static str,
    option: &'static str,
    answer: Answer,
    on: &'static [Kind],
    words: &'static str,
) -> Way {
    Way {
        slow: true,
        ..way(command, option, answer, on, words)
    }
}

/// Every way.
#[rustfmt::skip]
pub(crate) const WAYS: &[Way] = &[
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 conv=notrunc"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 conv=nocreat,fsync"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 conv=sparse"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 oflag=direct"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 oflag=append conv=notrunc"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 oflag=nofollow"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 oflag=nonblock,dsync"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=512 count=8 seek=1"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=0"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 --runs 2"),
    way("dd", "of=", Refused, STORED, "if={junk} of={} bs=64k count=2 --json"),
    way("dd", "of=", Refused, STORED, "--parallel if={junk} of={new} bs=64k count=2 -- if={junk} of={} bs=64k count=2"),
    way("dd", "--destroy", Refused, &[Device], "--destroy nosuch if={junk} of={} bs=64k count=2"),
    way("dd", "of=", Error, &[Directory], "if={junk} of={} bs=64k count=2"),
    way("dd", "if=", Unchanged, STORED, "if={} of=/dev/null bs=64k count=2"),

    way("run", "PLAN", Error, ALL, "{} {ground}"),
    way("run", "TARGET", Unchanged, ALL, "record-sweep {} --dry-run"),
    way("run", "TARGET", Error, NO_DIRECTORY, "record-sweep {}"),
    way("run", "--store", Error, ALL, "record-sweep {ground} --store {}"),
    way("resume", "--store", Error, ALL, "--store {}"),
    way("rerun", "TARGET", Unchanged, ALL, "1 {}"),
    way("rerun", "--store", Error, ALL, "1 --store {}"),
    way("review", "FILE", Unchanged, &[Device, File, Directory, Special], "{}"),

    way("iozone", "-b", Refused, ALL, "-b {} -i 0 -s 64 -r 4 -f {new} --runs 1"),
    way("iozone", "-b", Refused, ALL, "-R -b {} -i 0 -i 1 -n 64 -g 128 -a -f {new} --runs 1"),
    way("iozone", "-b", Refused, ALL, "-b {} -t 1 -T -i 0 -s 64 -r 4 -F {new} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-w -+n -i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-+N -i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-B -i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-I -o -i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-i 0 -i 6 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-f", Refused, ALL, "-H 2 -i 0 -s 64 -r 4 -f {} --runs 1"),
    way("iozone", "-F", Refused, ALL, "-t 1 -i 0 -s 64 -r 4 -F {} --runs 1"),
    way("iozone", "-F", Refused, ALL, "-T -t 2 -i 0 -s 64 -r 4 -F {new} {} --runs 1"),
    way("iozone", "--overwrite", Refused, &[Device, Special, Directory], "-i 0 -s 64 -r 4 -f {} --overwrite {} --runs 1"),
    way("iozone", "--overwrite", Refused, &[Device, Special, Directory], "-T -t 1 -i 0 -s 64 -r 4 -F {} --overwrite {} --runs 1"),
    way("iozone", "-U", Unchanged, &[Device, File, Special], "-U {} -i 0 -s 64 -r 4 -f {new} --runs 1"),
    way("iozone", "-X", Unchanged, &[Device, File], "-X {} -i 0 -s 64 -r 4 -f {new} --runs 1"),
    way("iozone", "-Y", Unchanged, &[Device, File], "-Y {} -i 0 -i 1 -s 64 -r 4 -f {new} --runs 1"),

    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op write -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op randwrite -b 4k -s 64k --time 50ms --backend mmap"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op rw -q 4 -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op backwrite --backend stdio --buffered -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op stridewrite --stride 2 --shared -j 2 -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op randrw -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, ALL, "{} --op trim -b 4k -s 64k --bytes 64k --runs 1"),
    way("measure", "TARGET", Refused, ALL, "{} --op read,randtrim -b 4k -s 64k --bytes 64k --runs 1"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op read,write -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op write --one-pass -b 1M --offset 1M --range 1M --runs 1"),
    way("measure", "--destroy", Refused, &[Device], "{} --op trim --destroy nosuch -s 64k --bytes 64k --runs 1"),
    way("measure", "--destroy", Refused, &[Device], "{} --op randwrite --destroy nosuch -s 64k --time 50ms"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op create --files 3"),
    way("measure", "TARGET", Refused, NO_DIRECTORY, "{} --op unlink --files 3"),
    way("measure", "TARGET", Unchanged, NO_DIRECTORY, "{} --op read -s 64k --time 50ms --runs 1"),
    way("measure", "TARGET", Unchanged, NO_DIRECTORY, "{} --op read --verify -s 64k --time 50ms --runs 1"),
    way("together", "WORKLOADS", Refused, NO_DIRECTORY, "--runs 1 --time 50ms -- {ground} --op read -s 64k -- {} --op write -s 64k"),
    way("together", "WORKLOADS", Refused, NO_DIRECTORY, "--runs 1 --bytes 64k -- {ground} --op read -s 64k -- {} --op trim -b 4k -s 64k"),
    way("metadata", "TARGET", Error, NO_DIRECTORY, "{} --files 2 --depth 1 --breadth 1 --runs 1"),
    way("work", "TARGET", Error, NO_DIRECTORY, "archive {} --set size=1M --runs 1"),
    way("work", "--set", Error, NO_DIRECTORY, "copy-tree {ground} --set size=1M --set target={} --runs 1"),
    way("fdtree", "-o", Error, NO_DIRECTORY, "-o {} -l 1 -d 1 -f 1 -s 1"),
    way("fdtree", "-o", Error, NO_DIRECTORY, "-C -o {} -l 1 -d 1 -f 1 -s 1"),
    way("fdtree", "-o", Error, ALL, "-R -o {} -l 1 -d 1 -f 1 -s 1"),
    way("man", "DIRECTORY", Error, NO_DIRECTORY, "{}"),

    way("quick", "--store", Error, ALL, "{ground} --budget 6s --store {}"),
    way("measure", "--store", Error, ALL, "{ground} --op read -s 64k --time 50ms --store {}"),
    way("together", "--store", Error, ALL, "--runs 1 --time 50ms --store {} -- {ground} --op read -s 64k -- {ground} --op write -s 64k"),
    way("passport", "--store", Error, ALL, "{ground} --budget 6s --store {}"),
    way("metadata", "--store", Error, ALL, "{ground} --files 2 --depth 1 --breadth 1 --runs 1 --store {}"),
    way("work", "--store", Error, ALL, "archive {ground} --set size=1M --runs 1 --store {}"),
    // A tool's own work comes first: it ends well, and says that its runs are not kept.
    way("dd", "--store", Unchanged, ALL, "if={junk} of={new} bs=64k count=2 --runs 2 --store {}"),
    way("hdparm", "--store", Unchanged, ALL, "-t --runs 1 {junk} --store {}"),
    way("iozone", "--store", Unchanged, ALL, "-s 64 -r 4 -i 0 --runs 1 -f {new} --store {}"),
    way("fdtree", "--store", Unchanged, ALL, "-l 1 -d 1 -f 1 -s 1 -o {ground} --store {}"),
    way("list", "--store", Unchanged, ALL, "--store {}"),
    way("list", "--target", Unchanged, ALL, "--target {}"),
    way("rm", "--store", Error, ALL, "1 --store {}"),
    way("continue", "--store", Error, ALL, "1 --store {}"),
    way("note", "--store", Error, ALL, "1 x --store {}"),
    way("tag", "--store", Error, ALL, "1 x --store {}"),
    way("merge", "--store", Error, ALL, "{junk} --store {}"),
    way("merge", "STORE", Error, ALL, "{}"),
    way("show", "--store", Error, ALL, "1 --store {}"),
    way("compare", "--store", Error, ALL, "1 2 --store {}"),
    way("compare", "ARM", Error, ALL, "{}:1 {}:2"),
    way("export", "--store", Error, ALL, "1 --csv --store {}"),
    way("export", "--output", Refused, ALL, "1 --json --output {}"),
    way("export", "--fio-files", Error, ALL, "1 --fio-files {}"),
    way("import", "FILE", Error, ALL, "{}"),
    way("import", "--store", Error, ALL, "{junk} --store {}"),
    way("verify", "FILE", Error, ALL, "{}"),
    way("report", "EXPERIMENT", Error, ALL, "{}:1 {}:2"),
    way("report", "--output", Refused, ALL, "1 --output {}"),
    way("report", "--charts", Error, ALL, "1 --charts {}"),
    way("report", "--store", Error, ALL, "1 -o {new} --store {}"),
    way("dd", "ETALON_STORE", Unchanged, ALL, "if={junk} of={new} bs=64k count=2"),
    way("iozone", "ETALON_STORE", Unchanged, ALL, "-i 0 -s 64 -r 4 -f {new} --runs 1"),
    way("fdtree", "ETALON_STORE", Unchanged, ALL, "-o {ground} -l 1 -d 1 -f 1 -s 1"),
    way("restore", "XDG_STATE_HOME", Unchanged, NO_DIRECTORY, ""),
    way("measure", "XDG_STATE_HOME", Unchanged, NO_DIRECTORY, "{ground} --op read -s 64k --time 50ms --runs 1"),
    way("iozone", "TMPDIR", Unchanged, NO_DIRECTORY, "-i 0 -s 64 -r 4 -f {new} --runs 1"),

    way("lab serve", "--socket", Error, ALL, "flat --socket {}"),
    way("lab run", "--kernel", Error, ALL, "quick --kernel {}"),
    way("lab run", "--root", Error, ALL, "quick --root {}"),
    way("lab run", "PLAN", Error, ALL, "{}"),
    way("lab run", "--store", Error, ALL, "quick --kernel {junk} --store {}"),
    way("lab shell", "--kernel", Error, ALL, "--kernel {}"),
    way("lab shell", "--root", Error, ALL, "--root {}"),
    way("lab powercut", "--kernel", Error, ALL, "--filesystem ext4 --kernel {}"),

    way("stack", "TARGET", Unchanged, ALL, "{}"),
    // Files that are read are judged before anything is bound; the last way names an address that is refused.
    way("serve", "--store", Error, ALL, "--store {}"),
    way("serve", "--token", Error, ALL, "--token {}"),
    way("serve", "--certificate", Error, ALL, "--certificate {} --key {junk}"),
    way("serve", "--key", Error, ALL, "--certificate {junk} --key {}"),
    way("serve", "--watch", Unchanged, ALL, "--listen 0.0.0.0:0 --watch {}"),
    way("watch", "TARGET", Unchanged, ALL, "{} --plain --count 1 --interval 100ms"),
    slow("quick", "TARGET", Unchanged, NO_DIRECTORY, "{} --budget 6s --min-runs 6 --max-runs 6"),
    slow("passport", "TARGET", Unchanged, NO_DIRECTORY, "{} --budget 11s"),
    slow("hdparm", "DEVICE", Unchanged, &[Device], "-T --runs 1 {}"),
    slow("hdparm", "DEVICE", Unchanged, &[Device], "-t --direct --runs 1 {}"),
];
