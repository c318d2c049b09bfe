# Plans with arrays over four disks, in the words of begin.sh: made, measured, taken down, and the disks as before.

DISKS="/dev/vda /dev/vdb /dev/vdc /dev/vdd"
mkdir /tmp/work
# What util-linux and LVM would find here otherwise.
mkdir -p /etc/lvm /run/lock/lvm
cat >/etc/lvm/lvm.conf <<'CONF'
activation { udev_sync = 0 udev_rules = 0 monitoring = 0 }
devices { use_devicesfile = 0 }
global { use_lvmpolld = 0 event_activation = 0 }
backup { backup = 0 archive = 0 }
CONF
for name in pvs vgs lvs pvcreate vgcreate lvcreate vgremove; do
    [ ! -e /usr/sbin/lvm ] || ln -s lvm /usr/sbin/$name
done
# codes COMMAND...: runs a command of etalon for its findings.
cat >/bin/codes <<'CODES'
#!/bin/sh
"$@" --json >/tmp/document
code=$?
grep -o '"code": *"[a-z-]*"' /tmp/document | sort -u
exit $code
CODES
chmod 755 /bin/codes

# What the plans change, make or leave: nothing but values of the kernel, where all is as it should be.
state() {
    for disk in $DISKS; do
        queue=/sys/block/${disk#/dev/}/queue
        echo "$disk $(cat $queue/scheduler $queue/nr_requests | tr '\n' ' ')"
        end=$(($(blockdev --getsize64 $disk) / 1048576 - 1))
        for at in 0 $end; do
            bytes=$(dd if=$disk bs=1M skip=$at count=1 status=none | tr -d '\0' | wc -c)
            [ $bytes = 0 ] || echo "$disk holds $bytes bytes at $at MiB"
        done
    done
    [ ! -e /usr/sbin/mdadm ] || mdadm --examine $DISKS 2>/dev/null
    grep ^md /proc/mdstat
    dmsetup ls | grep -v '^No devices'
    [ ! -e /usr/sbin/lvm ] || pvs --noheadings 2>/dev/null
    ls -A /tmp/work
    ls /tmp/state/etalon/journal 2>/dev/null | grep json
    cat /proc/sys/dev/raid/speed_limit_* 2>/dev/null
}

# as_before NAME
as_before() {
    state >/tmp/now 2>&1
    run "$1: as before" diff /tmp/before /tmp/now
}

# plan NAME LEVELS TIME [MORE]
plan() {
    cat >/tmp/$1.toml <<PLAN
question = "What does each array give?"
blocks = 2
seed = 7
[[factor]]
name = "disk"
levels = ["/dev/vda,/dev/vdb,/dev/vdc,/dev/vdd"]
[[factor]]
name = "array"
levels = [$2]
$4
[[workload]]
name = "r"
op = "randread"
time = "$3"
PLAN
}

# sysctl_factor VALUES
sysctl_factor() { printf '[[factor]]\nname = "sysctl"\nlevels = ["%s"]' "$1"; }

# killed NAME WHEN COMMAND...: ends a command by SIGKILL once WHEN is so, and puts back what it left.
killed() {
    whose=$1
    when=$2
    shift 2
    echo "case $whose" >$TO
    "$@" >/tmp/out 2>/tmp/err &
    command=$!
    until eval "$when" || ! kill -0 $command 2>/dev/null; do
        sleep 0.05
    done
    kill -9 $command 2>/dev/null
    wait $command
    said $?
    run "$whose: restore" etalon restore
    as_before "$whose"
}

state >/tmp/before 2>&1

if [ -e /usr/sbin/mdadm ]; then
    plan md '{ value = "md-0", chunk = "16KiB" }, { value = "md-5", chunk = "64KiB", state = "degraded" }, "md-10-n2", { value = "md-10-f2", chunk = "32KiB" }' 100ms
    run "md" etalon run /tmp/md.toml /tmp/work
    as_before "md"
    run "md: facts" etalon export 1 --csv

    plan rebuild '{ value = "md-1", state = "rebuilding" }' 300ms "$(sysctl_factor dev.raid.speed_limit_max=2000)"
    run "rebuild" etalon run /tmp/rebuild.toml /tmp/work
    run "rebuild: codes" codes etalon show 2
    run "rebuild: record" sh -c 'etalon export 2 --json | grep -oE "\"(is_over\": *[a-z]+|curve\"|left_ns\")" | tr -d " " | sort -u'
    as_before "rebuild"
    plan rebuilt '{ value = "md-1", state = "rebuilding" }' 1s "$(sysctl_factor dev.raid.speed_limit_min=400000,dev.raid.speed_limit_max=400000)"
    run "rebuilt" etalon run /tmp/rebuilt.toml /tmp/work
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
fi

if [ -e /usr/sbin/lvm ]; then
    plan lvm '"lvm-linear", { value = "lvm-striped", chunk = "64KiB" }, "lvm-mirror", "lvm-snapshot"' 100ms
    run "lvm" etalon run /tmp/lvm.toml /tmp/work
    run "lvm: facts" etalon export "$(etalon list | awk '$1 ~ /^[0-9]+$/ && $1 > n { n = $1 } END { print n }')" --csv
    as_before "lvm"
    killed "lvm killed" "dmsetup ls | grep -q data" etalon run /tmp/lvm.toml /tmp/work
fi
