# Disks whose zones are host-managed, after begin.sh: null_blk refuses what does not go on where its zone was left, as they do.

modprobe configfs && mount -t configfs configfs /sys/kernel/config || die "mount configfs"
modprobe null_blk nr_devices=0 || die "load null_blk"

# zoned NAME CONVENTIONAL: a disk of 64 MiB in zones of 4 MiB, of which the first may be written anywhere.
zoned() {
    mkdir /sys/kernel/config/nullb/$1
    for setting in size=64 blocksize=4096 memory_backed=1 zoned=1 zone_size=4 zone_nr_conv=$2 power=1; do
        echo ${setting#*=} >/sys/kernel/config/nullb/$1/${setting%%=*} || die "set $setting"
    done
}

# measured NAME DISK OPTION...
measured() {
    name=$1
    shift
    run "$name" etalon measure "$@" --runs 1
}

# Before Linux 6.0 it numbers them, and from then on calls them what their directories are called.
FIRST=/dev/nullb0
SECOND=/dev/nullb1
zoned nullb0 0
zoned nullb1 2
[ -b $FIRST ] && [ -b $SECOND ] || die "find the disks"
run "stack" etalon stack $FIRST
measured "random write" $FIRST --op randwrite --time 200ms
measured "trim" $FIRST --op trim --time 200ms
measured "deep write" $FIRST --op write -q 4 --time 200ms
measured "buffered write" $FIRST --op write --buffered --time 200ms
measured "write from within" $FIRST --op write -b 64k --offset 1M --one-pass
measured "write of odd blocks" $FIRST --op write -b 12k --one-pass
measured "write" $FIRST --op write -b 64k --one-pass
run "written" sh -c "dd if=$FIRST bs=1M status=none | tr -d '\\0' | wc -c | sed 's/^6[67].*/nearly all/'"
measured "read" $FIRST --op randread -b 64k --one-pass
measured "several passes" $FIRST --op write -b 256k --bytes 170M
measured "write of a part" $FIRST --op write -b 64k --offset 8M --range 10M --one-pass
measured "conventional" $SECOND --op write -b 64k --one-pass
measured "behind conventional" $SECOND --op write -b 64k --offset 8M --one-pass
