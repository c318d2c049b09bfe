# Plans with volumes of LVM over four disks, after arrays_begin.sh: made, measured, taken down, and the disks as before.

plan lvm '"lvm-linear", { value = "lvm-striped", chunk = "64KiB" }, "lvm-mirror", "lvm-snapshot"' 100ms "$(tables_factor)"
carried_out_with_tables lvm
run "lvm: facts" etalon export "$(etalon list | awk '$1 ~ /^[0-9]+$/ && $1 > n { n = $1 } END { print n }')" --csv
as_before "lvm"
killed "lvm killed" "dmsetup ls | grep -q data" etalon run /tmp/lvm.toml /tmp/work
