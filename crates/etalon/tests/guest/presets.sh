# Presets with arrays of md, with less room and time than they have, and an array that loses a member behind the plan's back,
# after arrays_begin.sh.

# preset NAME SIZE LEVELS: with disks of SIZE, these levels of its array, and its first workload alone.
preset() {
    etalon presets $1 | awk '/^\[\[workload\]\]/ && n++ { exit } { print }' |
        sed "s/\"[0-9]*MiB\"/\"$2\"/; s/^levels = \[\"md-.*/levels = [$3]/; s/file_size = \"[^\"]*\"/file_size = \"4M\"/; s/time = \"2s\"/time = \"50ms\"/" >/tmp/$1.toml
    run "$1" etalon run /tmp/$1.toml /tmp/work --blocks 1 --budget 10m
    as_before "$1"
}

preset md-layouts 32MiB '"md-10-f2", "md-6"'
preset mirror-btrfs-vs-md 128MiB '"md-1", "btrfs-raid1"'

OVER=/dev/vda,/dev/vdb
plan lost '"md-1"' 50ms '[[factor]]
name = "command"
levels = [{ value = "lost", set = "/usr/sbin/mdadm /dev/md0 --fail /dev/vda", reset = "true" }]'
run "lost member" etalon run /tmp/lost.toml /tmp/work
as_before "lost member"
