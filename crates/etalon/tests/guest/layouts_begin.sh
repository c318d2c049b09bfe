# What further plans with arrays take, after arrays_begin.sh: programs and modules that are missing, and the newest table.

# What a second block of the same arrays would be is seen by arrays.rs.
BLOCKS=1

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
