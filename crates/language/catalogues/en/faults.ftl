### What would make each fault right that `etalon review` finds, by their codes. The English ones are those of the faults themselves.

advice-smaller-than-memory = Bypass the page cache (O_DIRECT), or use a file of at least twice the memory.
advice-faster-than-device = Find out what was measured: most often the page cache, or a device's own.
advice-no-fsync = Count the fsync: conv=fsync with dd, -e with iozone, end_fsync=1 with fio.
advice-wrong-rate = Copy the program's output whole; compute the rate again from bytes and seconds.
advice-wrong-base = Name the base: (new - old) / old.
advice-wrong-mean = Compute it again from the runs, by a program.
advice-mixed-settings = Repeat each setting, and take mean and deviation of its own runs.
advice-repeated-figure = Look up both results: one was most likely copied from the other.
advice-winner-within-noise = Repeat more often, and mark a best only where the intervals of the means stay apart.
advice-wild-runs = Find out why they differ; show every run, and the median with its interval.
advice-one-run = Repeat each measurement at least six times; one run tells nothing of how far it varies.
advice-no-spread = Say beside each mean how far the runs vary: standard deviation or interval, and their number.
advice-share-of-total = Give each as a ratio to a named base, for example the first row.
advice-unlike-rows = Measure both with the same size, or say beside each which size it has.
advice-wrong-size = Write block sizes with their unit (bs=16K), which no finger can slip in.
advice-wrong-unit = Write KiB: iozone's -r and its columns count 1024 bytes.
advice-idle-half = Say that one disk was measured, or use several streams so that both work.
advice-other-command = Take the description from the command: fdtree's -l are levels, -d directories a level, -f files a directory.
advice-wrong-place = Disks count from the rim: the first sectors lie outermost and are the fastest.
advice-no-trim = Trim it (fstrim, blkdiscard) and measure again, before and after.
advice-no-lvm = Describe every layer from the mount down to the disks (lsblk shows them).
advice-no-description = Name the disk, the memory, the kernel and the filesystem: without them nobody can repeat or place the figures.
