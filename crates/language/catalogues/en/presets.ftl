### What the plans that come with etalon are about, by their names. The English ones are those of the plans themselves.

preset-record-sweep = How does throughput depend on the size of a record?
    .time = 4 min
    .space = 256 MiB of files
    .rights = anybody
    .risk = none: files of its own only

preset-direct-or-not = What does the page cache change?
    .time = 5 min
    .space = 1 GiB of files
    .rights = anybody
    .risk = none: files of its own only

preset-disk-profile = What can this storage do, from one request at a time to many?
    .time = 4 min
    .space = 1 GiB of files
    .rights = anybody
    .risk = none: files of its own only

preset-position-profile = How fast is each part of this disk?
    .time = 4 min
    .space = no files
    .rights = root
    .risk = none: reads a block device

preset-classroom = How much faster is this storage in sequence than at random, and how sure are we?
    .time = 2 to 9 min
    .space = 1 GiB of files
    .rights = anybody
    .risk = none: files of its own only

preset-steady-state = What is left of the random writes once they have gone on for long?
    .time = 20 min
    .space = 4 GiB of files
    .rights = anybody
    .risk = writes for 20 min without a pause; files of its own only

preset-database-durability = What does a database gain that does not wait for the disk, and what does it cost?
    .time = 5 min
    .space = 500 MiB of files
    .rights = anybody
    .risk = none: a PostgreSQL server of its own

preset-database-seeds = What does a database do on this storage, and does InnoDB gain by going past the page cache?
    .time = 8 min
    .space = 600 MiB of files
    .rights = anybody
    .risk = none: a MariaDB server of its own

preset-web-cache-on-off = What do the page cache and nginx's own cache of open files do for somebody who waits for pages?
    .time = 6 min
    .space = 50 MiB of files
    .rights = anybody
    .risk = none: an nginx of its own, on the loopback interface

preset-trim-before-after = Does trimming the filesystem make its disk faster?
    .time = 3 min
    .space = 1 GiB of files
    .rights = root
    .risk = trims the filesystem, which loses no data

preset-scheduler-duel = Which I/O scheduler is the fastest here?
    .time = 2 min
    .space = 1 GiB of files
    .rights = root
    .risk = changes the disk's scheduler, put back

preset-readahead = How much should the kernel read ahead?
    .time = 5 min
    .space = 512 MiB of files
    .rights = root
    .risk = changes the disk's read-ahead, put back

preset-mount-options = What do mount options change?
    .time = 2 min
    .space = 512 MiB of files
    .rights = root
    .risk = mounts the filesystem anew, put back

preset-virtual-disk-cache = What does the cache of the disk, as the kernel is told of it, change?
    .time = 2 min
    .space = 512 MiB of files
    .rights = root
    .risk = with write through, a power cut may lose what was to be durable on every filesystem of the disk; put back

preset-filesystem-duel = Which filesystem is the fastest on the same disk?
    .time = 5 min
    .space = 1 GiB of memory
    .rights = root
    .risk = none: virtual disks of its own

preset-raid-layouts = What does each profile of btrfs cost and give?
    .time = 8 min
    .space = 1 GiB of memory
    .rights = root
    .risk = none: virtual disks of its own

preset-md-layouts = What does each layout of md cost and give?
    .time = 9 min
    .space = 1 GiB of memory
    .rights = root
    .risk = none: virtual disks of its own

preset-mirror-btrfs-vs-md = Is a mirror of btrfs as fast as btrfs on a mirror of md?
    .time = 4 min
    .space = 1 GiB of memory
    .rights = root
    .risk = none: virtual disks of its own

preset-snia-throughput = How fast does this device read and write in sequence once it is steady?
    .time = 1 to 5 h
    .space = the whole device
    .rights = root
    .risk = DESTROYS the device, which has to be named by --destroy unless it is empty

preset-snia-iops = How many operations a second does this device do once it is steady?
    .time = 2 to 7 h
    .space = the whole device
    .rights = root
    .risk = DESTROYS the device, which has to be named by --destroy unless it is empty

preset-snia-latency = How long does one operation take on this device once it is steady?
    .time = 2 to 7 h
    .space = the whole device
    .rights = root
    .risk = DESTROYS the device, which has to be named by --destroy unless it is empty

preset-snia-wsat = How do random writes fall off on this device from fresh on?
    .time = 6 h
    .space = the whole device
    .rights = root
    .risk = DESTROYS the device, which has to be named by --destroy unless it is empty
