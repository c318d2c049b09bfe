# Plans with volumes of LVM over four disks, and with bcache over two, after arrays_begin.sh: made, measured, taken down, and the
# disks as before.

plan lvm '"lvm-linear", { value = "lvm-striped", chunk = "64KiB" }, "lvm-mirror", "lvm-snapshot"' 100ms "$(tables_factor)"
carried_out_with_tables lvm
run "lvm: facts" etalon export "$(etalon list | awk '$1 ~ /^[0-9]+$/ && $1 > n { n = $1 } END { print n }')" --csv
as_before "lvm"
killed "lvm killed" "dmsetup ls | grep -q data" etalon run /tmp/lvm.toml /tmp/work

# make-bcache takes pieces of 512 KiB, of which these disks are too small to have enough.
OVER=/dev/vda,/dev/vdb
plan bcache '{ value = "bcache-writethrough", options = "--bucket 64k" }, { value = "bcache-writeback", options = "--bucket 64k" }' 100ms
carried_out bcache
as_before "bcache"
killed "bcache killed" "[ -e /sys/block/bcache0/bcache/cache ]" etalon run /tmp/bcache.toml /tmp/work
