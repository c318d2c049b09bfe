# What plans with arrays take, in the words of begin.sh, and how it is seen that the disks are as before.

DISKS="/dev/vda /dev/vdb /dev/vdc /dev/vdd /dev/vde"
OVER=/dev/vda,/dev/vdb,/dev/vdc,/dev/vdd
mkdir /tmp/work
# What util-linux and LVM would find here otherwise. LVM keeps archives, heeds a list of devices and has volumes monitored, as on
# the machines of those who use it.
mkdir -p /etc/lvm/devices /run/lock/lvm
cat >/etc/lvm/lvm.conf <<'CONF'
activation { udev_sync = 0 udev_rules = 0 monitoring = 1 }
devices { use_devicesfile = 1 }
global { use_lvmpolld = 0 event_activation = 0 }
backup { backup = 1 archive = 1 }
CONF
echo "VERSION=1.1.1" >/etc/lvm/devices/system.devices
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
    [ ! -e /usr/sbin/lvm ] || pvs --noheadings --devicesfile "" 2>/dev/null
    find /etc/lvm -type f -exec md5sum {} +
    losetup -a
    ls -d /sys/block/bcache* /sys/fs/bcache/*-* 2>/dev/null
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
BLOCKS=2
plan() { plan_of /tmp/$1.toml $BLOCKS $3 "$(factor disk "\"$OVER\"" && factor array "$2" && echo "$4")"; }

# sysctl_factor VALUES
sysctl_factor() { factor sysctl "\"$1\""; }

# carried_out NAME [PLAN]: a plan of this name. What one leaves that was killed for taking too long is put back, so that the
# cases behind it find the disks as they want them.
carried_out() {
    run "$1" etalon run /tmp/${2:-$1}.toml /tmp/work
    [ $code != 137 ] || etalon restore >/dev/null 2>&1
}

# A factor of one level, whose check, around each run, asks the kernel's device-mapper for its tables: etalon itself reads what
# LVM says.
tables_factor() { factor command '{ value = "tables", check = "dmsetup table >>/tmp/tables" }'; }

# carried_out_with_tables NAME: the same, and what was said by a plan with that factor of the volumes.
carried_out_with_tables() {
    carried_out "$1"
    run "$1: tables" sh -c "sed -n 's/^etalon[0-9a-f]*-data: [0-9]* [0-9]* //p' /tmp/tables | sort -u"
}

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
