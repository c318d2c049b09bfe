# Disks that fail in the middle of the work, in the words of begin.sh.
#
# /dev/mapper/bad   read errors in its middle
# /disk             ext4 on /dev/mapper/disk, whose table a case replaces by one that fails
# /good             ext4 that stays well

MIB=2048 # sectors
mkdir /good /disk
# What is written reaches the disk soon, also where nothing syncs it.
echo 20 >/proc/sys/vm/dirty_writeback_centisecs
echo 20 >/proc/sys/vm/dirty_expire_centisecs

# table DEVICE: replaces the table of a device by standard input, also in the middle of its work.
table() {
    dmsetup suspend --noudevsync --nolockfs --noflush "$1"
    dmsetup reload --noudevsync "$1"
    dmsetup resume --noudevsync --noudevrules "$1"
}

all_good() { echo "0 $((256 * MIB)) linear /dev/vdb 0"; }
all_bad() { echo "0 $((256 * MIB)) error"; }

# A new and well filesystem at /disk.
fresh() {
    umount /disk 2>/dev/null
    all_good | table disk
    blockdev --flushbufs /dev/mapper/disk
    mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 /dev/mapper/disk
    mount /dev/mapper/disk /disk
}

# The disk is well again, and so is its filesystem.
mended() {
    umount /disk
    all_good | table disk
    blockdev --flushbufs /dev/mapper/disk
    mount /dev/mapper/disk /disk
}

# Written to the disk, in sectors; read from it (/sys/block/*/stat).
written() { awk '{ print $7 }' /sys/block/dm-1/stat; }
have_read() { awk '{ print $3 }' /sys/block/dm-1/stat; }

# swap WHAT MIB: takes the disk away once so much more was moved, however slow this machine is; `after` ends the
# waiting where the command ends first.
swap() {
    end=$(($($1) + $2 * MIB))
    (
        until [ "$($1)" -ge $end ]; do
            sleep 0.05
        done
        all_bad | table disk
    ) &
    swapper=$!
}

# What restore does after a disk went away, and after it came back.
after() {
    kill $swapper 2>/dev/null
    wait
    run "$1: restore" etalon restore
    ls -A /disk >/tmp/left 2>&1
    run "$1: left" ls -A /disk
    mended
    run "$1: restore later" etalon restore
    run "$1: left later" ls -A /disk
    fresh
}

# 1.5 MiB and 4 KiB are good, then 12 KiB are not; in all 4 MiB.
{
    echo "0 3080 linear /dev/vda 0"
    echo "3080 24 error"
    echo "3104 5088 linear /dev/vda 3104"
} >/tmp/bad.table
dd if=/dev/urandom of=/dev/vda bs=1M count=4 status=none
dmsetup create --noudevsync --noudevrules bad </tmp/bad.table
all_good | dmsetup create --noudevsync --noudevrules disk
# What udev would do.
ln -s ../dm-0 /dev/mapper/bad
ln -s ../dm-1 /dev/mapper/disk
mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 /dev/vdc
mount /dev/vdc /good || die "mount /dev/vdc"
fresh
grep -q ' /disk ext4 ' /proc/mounts || die "mount /dev/mapper/disk"

