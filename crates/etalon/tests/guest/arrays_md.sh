# Plans with arrays of md over four disks, after arrays_begin.sh: made, measured, taken down, and the disks as before.

plan md '{ value = "md-0", chunk = "16KiB" }, { value = "md-5", chunk = "64KiB", state = "degraded" }, "md-10-n2", { value = "md-10-f2", chunk = "32KiB" }' 100ms
carried_out md
as_before "md"
run "md: facts" etalon export 1 --csv

plan rebuild '{ value = "md-1", state = "rebuilding" }' 300ms "$(sysctl_factor dev.raid.speed_limit_max=2000)"
carried_out rebuild
run "rebuild: codes" codes etalon show 2
run "rebuild: record" sh -c 'etalon export 2 --json | grep -oE "\"(is_over\": *[a-z]+|curve\"|left_ns\")" | tr -d " " | sort -u'
as_before "rebuild"
plan rebuilt '{ value = "md-1", state = "rebuilding" }' 1s "$(sysctl_factor dev.raid.speed_limit_min=400000,dev.raid.speed_limit_max=400000)"
carried_out rebuilt
run "rebuilt: codes" codes etalon show 3
as_before "rebuilt"

killed "md killed" "grep -q '^md.*active' /proc/mdstat" etalon run /tmp/md.toml /tmp/work
killed "rebuild killed" "grep -q recovery /proc/mdstat" etalon run /tmp/rebuild.toml /tmp/work

# An array of the user's, which works by itself.
echo 2000 >/proc/sys/dev/raid/speed_limit_max
mdadm --create /dev/md9 --run --metadata=1.2 --level=1 --raid-devices=2 /dev/vda /dev/vdb
run "resync" codes etalon measure /dev/md9 --op randread --time 300ms --runs 2
echo 400000 >/proc/sys/dev/raid/speed_limit_max
echo 400000 >/proc/sys/dev/raid/speed_limit_min
mdadm --wait /dev/md9
run "no resync" codes etalon measure /dev/md9 --op randread --jobs 4 --time 300ms --runs 2
run "half" codes etalon measure /dev/md9 --op read -b 64k --time 300ms --runs 2
echo 1000 >/proc/sys/dev/raid/speed_limit_min
echo 2000 >/proc/sys/dev/raid/speed_limit_max
echo check >/sys/block/md9/md/sync_action
run "scrub" codes etalon measure /dev/md9 --op randread --time 300ms --runs 2
mdadm --stop /dev/md9
mdadm --zero-superblock /dev/vda /dev/vdb
echo 200000 >/proc/sys/dev/raid/speed_limit_max
as_before "resync"
