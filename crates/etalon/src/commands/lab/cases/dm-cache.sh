# The first disk behind a cache on the second, whose first 16 MiB tell what it holds; the third stays bare.
# Nobody but dmsetup makes the nodes.
export DM_DISABLE_UDEV=1
sectors() { cat /sys/block/$1/size; }
meta=32768
modprobe dm-cache && modprobe dm-cache-smq || { echo "cannot cache: the kernel needs dm-cache-smq" >&2; return 1; }
dmsetup create cache-meta --table "0 $meta linear /dev/vdb 0" &&
    dmsetup create cache-fast --table "0 $(($(sectors vdb) - meta)) linear /dev/vdb $meta" &&
    dd if=/dev/zero of=/dev/mapper/cache-meta bs=4096 count=1 2>/dev/null &&
    dmsetup create cached --table "0 $(sectors vda) cache /dev/mapper/cache-meta /dev/mapper/cache-fast /dev/vda 128 1 writeback smq 0" >&2 ||
    return 1
