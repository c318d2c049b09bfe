# A server and its client, in the words of init.sh: both in one guest, over its own loopback interface, or each in its own, with a
# cable between their cards. serve_NAME DISK serves DISK, reach_NAME puts a filesystem that is reached over the network at NET,
# over NAME DISK does both here; DELAY_US holds every packet back by so many microseconds.
NET=/net
SRV=/srv
SERVER=127.0.0.1
CLIENT=127.0.0.1
CARD=lo

cannot() {
    echo "cannot $*" >&2
    return 1
}

# load MODULE...: a module that is not there may be built in; what it gives is looked for next.
load() {
    for module; do
        modprobe -q $module 2>/dev/null
    done
    true
}

# interface ADDRESS: the one that is spoken over, which has this address here, with the delay that was asked for.
interface() {
    ip link set lo up || return 1
    if [ $CARD != lo ]; then
        load virtio_net
        await /sys/class/net/$CARD && ip addr add $1/24 dev $CARD && ip link set $CARD up ||
            cannot "speak over $CARD: the kernel needs the module virtio_net" || return 1
    fi
    [ "${DELAY_US:-0}" != 0 ] || return 0
    load sch_netem
    # By its path: busybox has another one of this name.
    /usr/sbin/tc qdisc add dev $CARD root netem limit 100000 delay ${DELAY_US}us ||
        cannot "delay packets: the kernel needs the module sch_netem"
}

over() {
    interface $SERVER && serve_$1 $2 && reach_$1
}

# filesystem DISK DIRECTORY: made whole at once, so that nothing goes on behind it.
filesystem() {
    mkdir -p $2
    mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 $1 &&
        mount -t ext4 $1 $2 || cannot "make a filesystem on $1"
}

# await FILE: until it is there, for ten seconds at most.
await() {
    for try in $(seq 200); do
        [ ! -e $1 ] || return 0
        sleep 0.05
    done
    cannot "see $1"
}

# configfs, where the targets are told what to serve.
configure() {
    load configfs
    [ -d /sys/kernel/config ] || cannot "serve it: the kernel has no configfs" || return 1
    grep -q ' /sys/kernel/config ' /proc/mounts || mount -t configfs configfs /sys/kernel/config
}
