# More kinds of volumes of LVM, what is refused, and a snapshot that is too small, after layouts_begin.sh.

OVER=/dev/vda,/dev/vdb,/dev/vdc,/dev/vdd,/dev/vde
plan lvm-more '"lvm-raid1", { value = "lvm-raid5", chunk = "64KiB" }, "lvm-raid6", "lvm-raid10", { value = "lvm-thin", chunk = "128KiB" }' 50ms "$(tables_factor)"
carried_out_with_tables lvm-more
last_facts "lvm-more"
without_program lvcreate lvm-more
without_module dm-raid lvm-more
as_before "lvm-more"

OVER=/dev/vda,/dev/vdb
plan full '"lvm-snapshot"' 5s
sed -i 's/op = "randread"/op = "write"\nblock_size = "1M"\none_pass = true/; /^time/d' /tmp/full.toml
carried_out "full snapshot" full
as_before "full snapshot"
