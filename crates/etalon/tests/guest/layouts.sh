# More layouts of md and kinds of volumes of LVM, what is refused, and a snapshot that is too small, after arrays_begin.sh.

# without_program NAME: as if its package were not installed.
without_program() {
    mv /usr/sbin/$1 /tmp/hidden
    run "no $1" etalon run /tmp/$2.toml /tmp/work
    mv /tmp/hidden /usr/sbin/$1
}

# without_module NAME PLAN: as if the package with it were not installed.
without_module() {
    rmmod $1
    modules=/lib/modules/$(uname -r)
    [ -e $modules/modules.builtin ] || touch $modules/modules.builtin
    cp $modules/modules.dep /tmp/hidden
    sed -i "/\/$1\.ko[^:]*:/d" $modules/modules.dep
    run "no $1" etalon run /tmp/$2.toml /tmp/work
    mv /tmp/hidden $modules/modules.dep
    modprobe $1
}

# last_facts NAME: the table of the newest experiment.
last_facts() {
    run "$1: facts" etalon export "$(etalon list | awk '$1 ~ /^[0-9]+$/ && $1 > n { n = $1 } END { print n }')" --csv
}

if [ -e /usr/sbin/mdadm ]; then
    plan md-more '"md-4", { value = "md-6", chunk = "64KiB" }, "md-10-o2", "md-10-n3", { value = "md-5", missing = 1 }, { value = "md-1", bitmap = "internal" }' 50ms
    run "md-more" etalon run /tmp/md-more.toml /tmp/work
    last_facts "md-more"
    without_program mdadm md-more
    without_module raid10 md-more
    as_before "md-more"
fi

if [ -e /usr/sbin/lvm ]; then
    OVER=/dev/vda,/dev/vdb,/dev/vdc,/dev/vdd,/dev/vde
    plan lvm-more '"lvm-raid1", { value = "lvm-raid5", chunk = "64KiB" }, "lvm-raid6", "lvm-raid10", { value = "lvm-thin", chunk = "128KiB" }' 50ms
    run "lvm-more" etalon run /tmp/lvm-more.toml /tmp/work
    last_facts "lvm-more"
    without_program lvcreate lvm-more
    without_module dm-raid lvm-more
    as_before "lvm-more"

    OVER=/dev/vda,/dev/vdb
    plan full '"lvm-snapshot"' 5s
    sed -i 's/op = "randread"/op = "write"\nblock_size = "1M"\none_pass = true/; /^time/d' /tmp/full.toml
    run "full snapshot" etalon run /tmp/full.toml /tmp/work
    as_before "full snapshot"
fi
