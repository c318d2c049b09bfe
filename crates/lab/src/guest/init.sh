#!/bin/busybox sh
# The guest's first program: what every system has, the modules, and then /main.sh.
/bin/busybox --install -s /bin
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LC_ALL=C MKE2FS_DEVICE_SECTSIZE=512
export XDG_STATE_HOME=/tmp/state XDG_DATA_HOME=/tmp/data
mkdir -p /proc /sys /dev /tmp /root /etc /run /var/tmp /sbin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs -o size=70%,mode=1777 tmp /tmp
exec </dev/null >/dev/console 2>&1
# Where the kernel looks for what loads a module that it misses.
[ -e /sbin/modprobe ] || ln -s /bin/busybox /sbin/modprobe
while read -r module parameters; do
    modprobe -q $module $parameters
done </modules
# What virtio-blk does not say of a modelled disk: whether it turns, which the kernel supposes, and where udev keeps it its model.
mkdir -p /run/udev/data
while read -r name turns model; do
    [ -e /sys/block/$name ] || continue
    echo $turns >/sys/block/$name/queue/rotational
    echo "E:ID_MODEL_ENC=$model" >/run/udev/data/b$(cat /sys/block/$name/dev)
done </disks
echo 3 >/proc/sys/kernel/printk
. /main.sh
poweroff -f
