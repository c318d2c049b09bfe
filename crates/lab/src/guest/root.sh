# The root filesystem of a disk image, in the words of init.sh: found by its serial number, mounted as it is, and laid beneath a
# filesystem in memory that takes what is written. What runs in /image afterwards has its programs and libraries.
root_partition() {
    for serial in /sys/block/*/serial; do
        [ "$(cat $serial)" = etalon-root ] || continue
        disk=${serial#/sys/block/}
        disk=/dev/${disk%/serial}
        # Without a replay of journals, which would write: ext4(5), xfs(5).
        for part in $(ls -r $disk*); do
            for options in 'ext4 -o ro,noload' 'xfs -o ro,norecovery,nouuid' 'btrfs -o ro' 'btrfs -o ro,subvol=root' \
                'btrfs -o ro,subvol=@' 'squashfs -o ro' 'erofs -o ro'; do
                mount -t $options $part /lower 2>/dev/null || continue
                # A link to usr/bin counts, whatever it says.
                [ -L /lower/bin/sh ] || [ -e /lower/bin/sh ] && return
                umount /lower
            done
        done
    done
    echo 'no partition of the image has a root filesystem (ext4, xfs, btrfs, squashfs or erofs with /bin/sh)' >&2
    return 1
}

mkdir -p /lower /image /tmp/over/upper /tmp/over/work
root_partition || return 1
modprobe -q overlay
mount -t overlay -o lowerdir=/lower,upperdir=/tmp/over/upper,workdir=/tmp/over/work root /image || return 1
for place in proc sys dev run tmp; do
    mkdir -p /image/$place && mount --bind /$place /image/$place || return 1
done
# The modules are those of the kernel that runs.
mkdir -p /image/lib/modules && mount --bind /lib/modules /image/lib/modules
for own in usr/bin/etalon plan.toml command.sh; do
    [ ! -e /$own ] || { mkdir -p /image/usr/bin && cp /$own /image/$own; } || return 1
done
if ! chroot /image /usr/bin/etalon --version >/dev/null 2>&1; then
    echo 'etalon does not start with the libraries of the image, which are older: take the static program (musl), or a newer image' >&2
    return 1
fi
