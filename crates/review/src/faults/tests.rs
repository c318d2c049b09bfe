//! Texts of the shapes that were published, each with its fault, and honest ones.

use crate::review;

/// What every text tells, so that only the fault in question is found.
const MACHINE: &str = "Disk: WD10EZEX 7200 rpm, kernel 6.1, ext4, RAM 8 GB\n";
/// Three runs and their spread.
const REPEATED: &str = "mean of 8 runs each, standard deviation 1.1 MB/s\n";

fn codes(text: &str) -> Vec<String> {
    review(text)
        .faults
        .into_iter()
        .map(|fault| fault.code.into_owned())
        .collect()
}

fn read_of(command: &str, result: &str) -> String {
    format!("{MACHINE}{REPEATED}{command}\n{result}\n")
}

/// Each text has its fault, and the line that differs in its twin has not.
const FAULTY: &[(&str, &str, &str)] = &[
    (
        "smaller-than-memory",
        "dd if=/mnt/f of=/dev/null bs=1M\n4294967296 bytes (4.3 GB) copied, 2.1 s, 2.0 GB/s",
        "dd if=/mnt/f of=/dev/null bs=1M iflag=direct\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s",
    ),
    (
        "smaller-than-memory",
        "fio --name=r --rw=read --size=4g --numjobs=16 --filename=/mnt/f\n read: IOPS=500, BW=2000KiB/s (2048kB/s)(20MiB/10240msec)",
        "fio --name=r --rw=read --size=4g --numjobs=16\n read: IOPS=500, BW=2000KiB/s (2048kB/s)(20MiB/10240msec)",
    ),
    (
        "smaller-than-memory",
        "cat /mnt/f > /dev/null\ndd if=/mnt/f of=/dev/null bs=1M\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s",
        "# sync; echo 3 > /proc/sys/vm/drop_caches\n# dd if=/mnt/f of=/dev/null bs=1M\n4096+0 records in\n4096+0 records out\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s",
    ),
    (
        "smaller-than-memory",
        "echo 3 > /proc/sys/vm/drop_caches; dd if=/mnt/f of=/dev/null bs=1M\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s\ndd if=/mnt/f of=/dev/null bs=64k\n4294968320 bytes (4.3 GB) copied, 2.1 s, 2.0 GB/s",
        "echo 3 > /proc/sys/vm/drop_caches; dd if=/mnt/f of=/dev/null bs=1M\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s\nsysctl vm.drop_caches=3\ndd if=/mnt/f of=/dev/null bs=64k\n4294968320 bytes (4.3 GB) copied, 42.1 s, 102 MB/s",
    ),
    (
        "smaller-than-memory",
        "dd if=/mnt/f of=/dev/null bs=1M; echo 3 > /proc/sys/vm/drop_caches\n4294967296 bytes (4.3 GB) copied, 2.1 s, 2.0 GB/s",
        "The caches were emptied (drop_caches) before each read.\n\n\n\n\n\n\n\n\n\ndd if=/mnt/f of=/dev/null bs=1M\n4294967296 bytes (4.3 GB) copied, 42.1 s, 102 MB/s",
    ),
    (
        "smaller-than-memory",
        "fio --name=r --rw=read --size=4g --filename=/mnt/f --time_based --runtime=60\n read: IOPS=500, BW=500MiB/s (524MB/s)(29.3GiB/60001msec)",
        "fio --name=r --rw=read --size=4g --filename=/mnt/f\n read: IOPS=500, BW=500MiB/s (524MB/s)(4096MiB/8192msec)",
    ),
    (
        "smaller-than-memory",
        "fio --name=r --rw=read --size=4g --invalidate=0\n read: IOPS=500, BW=500MiB/s (524MB/s)(4096MiB/8192msec)",
        "fio --name=r --rw=read --size=2g --numjobs=2\n read: IOPS=500, BW=500MiB/s (524MB/s)(4096MiB/8192msec)",
    ),
    (
        "smaller-than-memory",
        "iozone -t 2 -s 2g -r 1m -i 1\n\tChildren see throughput for 2 readers = 97012.33 kB/sec",
        "iozone -t 16 -s 2g -r 1m -i 1\n\tChildren see throughput for 16 readers = 97012.33 kB/sec",
    ),
    (
        "faster-than-device",
        "fio --name=r --rw=randread --bs=4k --size=64g\nr: (g=0): rw=randread, bs=4096B-4096B\n read: IOPS=500k, BW=1953MiB/s (2048MB/s)(4GiB/2097msec)\n Timing O_DIRECT disk reads: 750 MB in  3.00 seconds = 250.00 MB/sec",
        "fio --name=r --rw=randread --bs=4k --size=64g\nr: (g=0): rw=randread, bs=4096B-4096B\n read: IOPS=120, BW=480KiB/s (492kB/s)(4800KiB/10000msec)\n Timing O_DIRECT disk reads: 750 MB in  3.00 seconds = 250.00 MB/sec",
    ),
    (
        "no-fsync",
        "dd if=/dev/zero of=/mnt/f bs=1M count=1024\n1073741824 bytes (1.1 GB) copied, 9.4 s, 114 MB/s",
        "dd if=/dev/zero of=/mnt/f bs=1M count=1024 conv=fsync\n1073741824 bytes (1.1 GB) copied, 9.4 s, 114 MB/s",
    ),
    (
        "no-fsync",
        "fio --name=w --rw=randwrite --size=4G\nw: (g=0): rw=randwrite, bs=4096B-4096B\n write: IOPS=500, BW=2000KiB/s (2048kB/s)(20MiB/10240msec)",
        "fio --name=w --rw=randwrite --size=4G --end_fsync=1\nw: (g=0): rw=randwrite, bs=4096B-4096B\n write: IOPS=500, BW=2000KiB/s (2048kB/s)(20MiB/10240msec)",
    ),
    (
        "no-fsync",
        r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "w", "job options": {"rw": "write", "sync": "0"}, "write": {"io_bytes": 8192, "bw_bytes": 4096}}]}"#,
        r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "w", "job options": {"rw": "write", "sync": "1"}, "write": {"io_bytes": 8192, "bw_bytes": 4096}}, {"jobname": "d", "job options": {"rw": "write", "buffered": "0"}, "write": {"io_bytes": 8192, "bw_bytes": 4096}}]}"#,
    ),
    (
        "no-fsync",
        "iozone -ac -g 16m | grep -e 16384\n16384 1024 150000 151000 160000 161000",
        "iozone -ec -s 16m -r 1m\n16384 1024 150000 151000 160000 161000\niozone -aI -g 16m\n16384 1024 150000 151000 160000 161000",
    ),
    (
        "no-fsync",
        "iozone -c -t 2 -s 32g\n\tChildren see throughput for 2 initial writers = 97012.33 kB/sec",
        "iozone -ce -t 2 -s 32g\n\tChildren see throughput for 2 initial writers = 97012.33 kB/sec",
    ),
    (
        "no-fsync",
        "dd if=/dev/zero of=/mnt/f bs=1M; dd if=/mnt/f of=/dev/null bs=1M iflag=direct\n10737418240 bytes (11 GB) copied, 9.4 s, 1.1 GB/s\n10737418240 bytes (11 GB) copied, 94 s, 114 MB/s",
        "dd if=/dev/zero of=/mnt/f bs=1M conv=fsync\ndd if=/mnt/f of=/mnt/g bs=1M oflag=sync\n10737418240 bytes (11 GB) copied, 94 s, 114 MB/s\n10737418240 bytes (11 GB) copied, 95 s, 113 MB/s",
    ),
    (
        "no-fsync",
        "fio --name=w --rw=write --ioengine=io_uring --filename=/dev/nvme0n1\n write: IOPS=500, BW=500MiB/s (524MB/s)(29.3GiB/60001msec)",
        "fio --name=w --rw=write --ioengine=io_uring_cmd --filename=/dev/ng0n1\n write: IOPS=500, BW=500MiB/s (524MB/s)(29.3GiB/60001msec)",
    ),
    (
        "wrong-rate",
        "dd if=/dev/zero of=/mnt/f bs=1M conv=fsync\n1073741824 bytes (1.1 GB) copied, 9.4 s, 214 MB/s",
        "dd if=/dev/zero of=/mnt/f bs=1M conv=fsync\n1073741824 bytes (1.1 GB) copied, 9.4 s, 114 MB/s",
    ),
    (
        "wrong-rate",
        "dd if=/dev/zero of=/mnt/f bs=512 count=1 oflag=direct\n512 bytes copied, 5 s, 6.2 MB/s",
        "dd if=/dev/zero of=/mnt/f bs=512 count=1 oflag=direct\n512 bytes copied, 8.2875e-05 s, 6.2 MB/s",
    ),
    (
        "wrong-base",
        "EXT4 | 53.6 | 49.1\nBTRFS | 67.1 | 66.1\nchange | +20.12% | +25.72%",
        "EXT4 | 53.6 | 49.1\nBTRFS | 67.1 | 66.1\nchange | +25.19% | +34.62%",
    ),
    (
        "wrong-base",
        "btrfs reaches 67.1 MB/s against 53.6 MB/s of ext4, +20.12% in all",
        "btrfs reaches 67.1 MB/s against 53.6 MB/s of ext4, +25.2% in all",
    ),
    (
        "wrong-mean",
        "noop | 75.78 | 75.85 | 75.87 | 75.83\ncfq | 75.71 | 75.69 | 75.81 | 75.74\n | 75.74 | 75.77 | 75.69 | 75.79",
        "noop | 75.78 | 75.85 | 75.87 | 75.83\ncfq | 75.71 | 75.69 | 75.81 | 75.74\n | 75.75 | 75.77 | 75.84 | 75.79",
    ),
    (
        "wrong-mean",
        "noop | 70.10 | 72.30 | 76.20 | 74.10\ncfq | 71.10 | 72.20 | 73.30 | 72.20",
        "noop | 70.10 | 72.30 | 76.20 | 72.87\ncfq | 71.10 | 72.20 | 73.30 | 72.20",
    ),
    (
        "wrong-mean",
        "/dev/sda:\n Timing buffered disk reads: 308 MB in  3.00 seconds = 102.99 MB/sec\n Timing buffered disk reads: 498 MB in  3.00 seconds = 166.00 MB/sec\n Timing buffered disk reads: 420 MB in  3.00 seconds = 140.00 MB/sec\nAverage: 140.30 MB/sec",
        "/dev/sda:\n Timing buffered disk reads: 308 MB in  3.00 seconds = 102.99 MB/sec\n Timing buffered disk reads: 498 MB in  3.00 seconds = 166.00 MB/sec\n Timing buffered disk reads: 420 MB in  3.00 seconds = 140.00 MB/sec\nAverage: 136.33 MB/sec",
    ),
    (
        "wrong-base",
        "the rate went from 120 MB/s to 103 MB/s, a loss of 16.5 %",
        "the rate went from 120 MB/s to 103 MB/s, a loss of 14.2 %",
    ),
    (
        "wrong-base",
        "btrfs : 103 Mo/s contre 120 Mo/s pour ext4, soit -16,50 %",
        "btrfs : 103 Mo/s contre 120 Mo/s pour ext4, soit -14,17 %",
    ),
    (
        "wrong-base",
        "il passe de 103 Mo/s à 120 Mo/s, un gain de 14,2 %",
        "il passe de 103 Mo/s à 120 Mo/s, un gain de 16,5 %",
    ),
    (
        "mixed-settings",
        "record 16 | 50.1 | 51.2\nrecord 32 | 60.1 | 61.2\nrecord 64 | 70.1 | 71.2\nmean | 60.1 | 61.2",
        "run 1 | 60.0 | 61.2\nrun 2 | 60.1 | 61.2\nrun 3 | 60.2 | 61.2\nmean | 60.1 | 61.2",
    ),
    (
        "repeated-figure",
        "host: real 75m35.505s user 62m16.750s sys 2m4.836s\nguest: real 75m35.505s user 62m16.750s sys 2m4.836s",
        "host: real 75m35.505s user 62m16.750s sys 2m4.836s\nguest: real 76m30.112s user 62m17.750s sys 2m4.136s",
    ),
    (
        "repeated-figure",
        "$ time make\nreal\t75m35.505s\nuser\t62m16.750s\nsys\t2m4.836s\nguest:\n\nreal\t75m35.505s\nuser\t62m16.750s\nsys\t2m4.836s",
        "$ time make\nreal\t75m35.505s\nuser\t62m16.750s\nsys\t2m4.836s\nguest:\n\nreal\t76m30.112s\nuser\t62m17.750s\nsys\t2m4.136s",
    ),
    (
        "repeated-figure",
        "dd if=/a of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s",
        " read: IOPS=500, BW=500MiB/s (524MB/s)(29.3GiB/60001msec)\n read: IOPS=500, BW=500MiB/s (524MB/s)(29.3GiB/60001msec)",
    ),
    (
        "winner-within-noise",
        "noop | 68.91 | 69.31 | 69.29 | 69.17 | X\ncfq | 69.13 | 69.26 | 69.05 | 69.15 |",
        "noop | 78.91 | 79.31 | 79.29 | 79.17 | X\ncfq | 69.13 | 69.26 | 69.05 | 69.15 |",
    ),
    (
        "wild-runs",
        "noop | 154.12 | 202.68 | 204.47 | 187.09\ncfq | 200.10 | 201.20 | 202.30 | 201.20",
        "noop | 201.12 | 202.68 | 204.47 | 202.76\ncfq | 200.10 | 201.20 | 202.30 | 201.20",
    ),
    (
        "winner-within-noise",
        "MB/s | run 1 | run 2 | run 3 | mean\nnoop | 134 | 140 | 137 | 137 (winner)\ncfq | 133 | 139 | 136 | 136",
        "MB/s | run 1 | run 2 | run 3 | mean\nnoop | 144 | 150 | 147 | 147 (winner)\ncfq | 133 | 139 | 136 | 136",
    ),
    (
        "wild-runs",
        "MB/s | run 1 | run 2 | run 3 | mean\nnoop | 134 | 190 | 136 | 153\ncfq | 133 | 139 | 136 | 136",
        "MB/s | read | write | copy | randwrite\nnoop | 134 | 190 | 136 | 153\ncfq | 133 | 139 | 136 | 136",
    ),
    (
        "share-of-total",
        "noop | 33.481%| 225.99 | 75.3\ncfq | 33.231% | 224.30 | 74.8\ndeadline | 33.288% | 224.69 | 74.9",
        "noop | 100.48% | 225.99 | 75.3\ncfq | 99.73% | 224.30 | 74.8\ndeadline | 99.90% | 224.69 | 74.9",
    ),
    (
        "share-of-total",
        "noop | 50.10%| 225.99\ncfq | 49.90% | 224.30",
        "  lat (usec)   : 250=50.10%, 500=0.00%\n  lat (msec)   : 20=49.90%, 50=0.00%",
    ),
    (
        "unlike-rows",
        "dd if=/mnt/f of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s\nPartition 2, reading\n10574102528 bytes (11 GB) copied, 103.173 s, 102 MB/s\nPartition 3, reading\n50574102528 bytes (51 GB) copied, 503.173 s, 101 MB/s",
        "dd if=/mnt/f of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s\nPartition 2, reading\n50574102528 bytes (51 GB) copied, 503.173 s, 101 MB/s",
    ),
    (
        "wrong-size",
        "dd if=/dev/zero of=/f bs=16535 count=9 conv=fsync\n1 bytes",
        "dd if=/dev/zero of=/f bs=16384 count=9 conv=fsync\n1 bytes",
    ),
    (
        "wrong-unit",
        "iozone sweeps: record sizes of 16, 32 and 64 bytes",
        "iozone sweeps: record sizes of 16, 32 and 64 KiB",
    ),
    (
        "idle-half",
        "RAID 1 of /dev/sda and /dev/sdb\nfio --name=r --filename=/dev/sdb --direct=1 --rw=read\nAverage: sda 0.50 20.00 0.00 0.00\nAverage: sdb 309.50 213753.60 0.00 690.64",
        "fio --name=r --filename=/dev/sdb --direct=1 --rw=read\nAverage: sda 0.50 20.00 0.00 0.00\nAverage: sdb 309.50 213753.60 0.00 690.64",
    ),
    (
        "idle-half",
        "A mirror of two disks\nAverage: sde 309.50 213753.60 0.00 690.64\nAverage: sdd 0.00 0.00 0.00 0.00",
        "A mirror of two disks\nAverage: sde 309.50 213753.60 0.00 690.64\nAverage: sdd 280.00 200.00 0.00 0.00",
    ),
    (
        "idle-half",
        "Average: md0 309.50 213753.60 0.00\nAverage: sde 309.50 213753.60 0.00\nAverage: sdd 0.00 0.00 0.00",
        "Average: sde 309.50 213753.60 0.00\nAverage: sdd 0.00 0.00 0.00\n\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-16 0.00 0.00 0.00",
    ),
    (
        "idle-half",
        "dd of=/dev/sda & dd of=/dev/sdb\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-16 0.00 0.00 0.00",
        "dd of=/dev/sda & dd of=/dev/sdbc\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-16 0.00 0.00 0.00",
    ),
    (
        "idle-half",
        "dd of=/dev/nvme0n1p1 & dd of=/dev/nvme1n1p1\nAverage: nvme0n1 309.50 213753.60 0.00\nAverage: nvme1n1 0.00 0.00 0.00",
        "dd of=/dev/nvme0n1p1 & dd of=/dev/nvme1n11\nAverage: nvme0n1 309.50 213753.60 0.00\nAverage: nvme1n1 0.00 0.00 0.00",
    ),
    (
        "idle-half",
        "A mirror of two disks\nAverage: sde 309.50 213753.60 0.00 690.64\nAverage: sdd 0.00 0.00 0.00 0.00",
        "A mirror of two disks\nAverage: md0 309.50 213753.60 0.00 690.64\nAverage: sdd 0.00 0.00 0.00 0.00\nAverage: dev9-1 309.50 213753.60 0.00 690.64",
    ),
    (
        "idle-half",
        "A mirror of two disks\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-16 0.00 0.00 0.00",
        "A mirror of two disks\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-16 305.10 210000.00 0.00",
    ),
    (
        "idle-half",
        "A mirror of two disks\nAverage: dev8-16 309.50 213753.60 0.00\nAverage: dev8-160 0.00 0.00 0.00",
        "A mirror of two disks\nAverage: dev8-0 309.50 213753.60 0.00\nAverage: dev8-1 0.00 0.00 0.00\nAverage: dev259-0 309.50 213753.60 0.00\nAverage: dev259-1 0.00 0.00 0.00",
    ),
    (
        "idle-half",
        "A mirror of two disks\nAverage: sda 309.50 213753.60 0.00\nAverage: sdaa 0.00 0.00 0.00",
        "A mirror of two disks\nAverage: sda 309.50 213753.60 0.00\nAverage: sda1 0.00 0.00 0.00\n\nAverage: nvme0n1 309.50 213753.60 0.00\nAverage: nvme0n1p1 0.00 0.00 0.00",
    ),
    (
        "other-command",
        "a tree of 4 directories of 8 levels each\nfdtree.bash -d 8 -l 4 -f 2",
        "a tree of 4 directories of 8 levels each\nfdtree.bash -d 4 -l 8 -f 2",
    ),
    (
        "wrong-place",
        "Partition 1, the inner one, is the faster",
        "Partition 1, the outer one, is the faster",
    ),
    (
        "no-trim",
        "the SSD is slower than the hard disk",
        "the SSD is slower than the hard disk until fstrim ran",
    ),
    (
        "no-lvm",
        "/dev/mapper/host-root on / type ext4\ndd if=/a of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s",
        "on an LVM volume\n/dev/mapper/host-root on / type ext4\ndd if=/a of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s",
    ),
];

#[test]
fn each_fault_is_found_and_its_honest_twin_is_not_accused() {
    for (code, faulty, honest) in FAULTY {
        let found = codes(&read_of(faulty, ""));
        assert!(
            found.iter().any(|f| f == code),
            "{code} not in {found:?} of\n{faulty}"
        );
        let twin = codes(&read_of(honest, ""));
        assert!(
            !twin.iter().any(|f| f == code),
            "{code} in {twin:?} of\n{honest}"
        );
    }
}

/// What is said of the first fault with this code.
fn said(code: &str, text: &str) -> String {
    let faults = review(text).faults;
    let found = faults.into_iter().find(|fault| fault.code == code);
    found.map(|fault| fault.message).unwrap_or_default()
}

#[test]
fn few_measurements_are_counted_in_words_that_fit() {
    let copy = |size: u32| {
        format!(
            "dd if=/a of=/dev/null iflag=direct\n{size} bytes (1.1 GB) copied, 9.4 s, 114 MB/s\n"
        )
    };
    let (one, other) = (copy(1_073_741_824), copy(1_174_741_824));
    for (text, words) in [
        (one.clone(), "the only measurement was made once"),
        (one.repeat(2), "the only measurement was made twice"),
        (
            format!("{one}{other}"),
            "each of 2 measurements was made once",
        ),
        (
            format!("{one}{one}{other}"),
            "1 of 2 measurements were made once, none more",
        ),
    ] {
        let message = said("one-run", &text);
        assert!(message.starts_with(words), "{message}");
    }
}

#[test]
fn what_varies_within_a_run_tells_nothing_of_runs() {
    let fio = " read: IOPS=500, BW=500MiB/s (524MB/s)(4096MiB/8192msec)\n";
    let json = r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "w", "read": {"io_bytes": 8192, "bw_bytes": 4096, "lat_ns": {
"stddev" : 12.5}}}]}"#;
    for (text, is_found) in [
        (
            format!("{fio}  lat (usec)   : 250=1.95%, 500=0.05%\n"),
            true,
        ),
        (
            format!("{fio}  events (avg/stddev):           11542.0000/0.00\n"),
            true,
        ),
        (json.to_owned(), true),
        (json.replace("fio-3.33", "etalon-0.1.0"), false),
        (format!("{fio}the interval of 95% is narrow\n"), false),
        (format!("{fio}stddev 1.1 MB/s\n"), false),
    ] {
        let found = codes(&text).contains(&"one-run".to_owned());
        assert_eq!(found, is_found, "{text}");
    }
}

#[test]
fn the_ranges_of_winner_and_rival_are_told_apart() {
    let text = "noop | 134.2 | 134.4 | 134.3 | 134.3 | X\ncfq | 130.1 | 134.3 | 135.2 | 133.2 |";
    let message = said("winner-within-noise", text);
    for range in ["from 134.2 to 134.4", "from 130.1 to 135.2"] {
        assert!(message.contains(range), "{message}");
    }
}

#[test]
fn sums_are_told_as_sums_and_a_row_of_totals_is_no_runs() {
    let text = "noop | 100.5 | 150.5 | 149.0 | 400.0\ncfq | 100.5 | 150.5 | 149.0 | 400.0\n";
    assert!(said("wild-runs", text).contains("were added up to 400.0"));
    let total = "noop | 1.0 | 1.0 | 1.0 | 3.0\nTOTAL | 100.5 | 150.5 | 149.0 | 400.0\n";
    assert_eq!(said("wild-runs", total), "");
}

#[test]
fn a_number_of_operations_is_no_speed_of_a_disk() {
    let fast = "r: (groupid=0, jobs=1): err= 0: pid=7200\n read: IOPS=7200, BW=3600MiB/s (3775MB/s)(106GiB/30001msec)\n";
    let of = |device: &str| codes(&format!("{device}\n{fast}"));
    let code = "faster-than-device".to_owned();
    assert!(of("Western Digital, 7200 rpm").contains(&code));
    assert!(of("usb 2.0").contains(&code));
    for device in ["PM9A3", "usb 2-1: new SuperSpeed USB device", "USB 20Gbps"] {
        assert!(!of(device).contains(&code), "{device}");
    }
}

#[test]
fn a_run_of_nothing_is_no_share_of_others() {
    let rows = "noop | 0.00 | 150.5 | 149.0 | 99.83\ncfq | 150.1 | 150.5 | 149.0 | 149.87\n";
    let headed = format!("MB/s | 1 | 2 | 3 | mean\n{rows}");
    let message = said("wild-runs", &headed);
    assert_eq!(
        message,
        "noop: runs from 0.00 to 150 were averaged to 99.83."
    );
    assert_eq!(said("wild-runs", rows), "");
}

/// What `sar -u`, `sar -d` and `mpstat` of sysstat 12 print while a disk is measured.
const MONITORS: [&str; 3] = [
    "Linux 6.1.0-18-amd64 (host)  11/30/26  _x86_64_  (2 CPU)

12:00:01        CPU     %user     %nice   %system   %iowait    %steal     %idle
12:00:02        all     35.10      0.00      5.05     10.30      0.50     49.05
12:00:03        all     34.85      0.00      5.55     10.10      0.00     49.50
Average:        all     34.98      0.00      5.30     10.20      0.25     49.27
",
    "12:00:01 AM       DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
12:00:02 AM       sda    100.00     50.00     25.00     20.00      5.00      0.50      0.50    201.00
12:00:03 AM       sda    100.00     50.00     25.00     20.00      5.00      0.50      0.50    200.00
",
    "14:10:33     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
14:10:34     all   30.15    0.00    7.54    9.05    0.00    1.51    0.00    0.00    0.00   51.76
14:10:34       0   30.00    0.00    7.00    9.00    0.00    2.00    0.00    0.00    0.00   52.00
14:10:34       1   30.30    0.00    8.08    9.09    0.00    1.01    0.00    0.00    0.00   51.52
",
];

#[test]
fn shares_and_rates_of_monitors_are_no_runs() {
    for text in MONITORS {
        // Heads and times may have been cut away.
        let (_, rows) = text.split_once("12:00:02").unwrap_or_default();
        for text in [text.to_owned(), format!("{MACHINE}12:00:02{rows}")] {
            let found = codes(&text);
            let of_runs = |code: &&String| ["wrong-mean", "wild-runs"].contains(&code.as_str());
            assert!(
                !found.iter().any(|code| of_runs(&code)),
                "{found:?}\n{text}"
            );
        }
    }
}

#[test]
fn one_run_no_spread_and_no_description_are_of_the_whole_page() {
    let bare = "dd if=/a of=/dev/null iflag=direct\n50331648000 bytes (50 GB) copied, 487.854 s, 103 MB/s\n";
    assert!(codes(bare).contains(&"one-run".to_owned()));
    assert!(codes(bare).contains(&"no-description".to_owned()));
    assert!(!codes(&format!("{MACHINE}{REPEATED}{bare}")).contains(&"one-run".to_owned()));
    let averaged = format!(
        "{MACHINE}noop | 1.01 | 1.02 | 1.03 | 1.02 | 100.1%\ncfq | 1.01 | 1.02 | 1.03 | 1.02 | 99.9%\n"
    );
    assert!(codes(&averaged).contains(&"no-spread".to_owned()));
}

/// Honest pages of several shapes: nothing is wrong with any of them.
const HONEST: [&str; 10] = [
    "WD10EZEX 7200 rpm, Linux 6.1, ext4, RAM 8 GB; 8 runs each, standard deviation 0.4 MB/s\ndd if=/dev/zero of=/mnt/f bs=1M count=32768 conv=fsync\n34359738368 bytes (34 GB, 32 GiB) copied, 212.5 s, 162 MB/s",
    "Samsung SSD 870, kernel 6.6, xfs, memory 16 GB, trimmed before\nfio --name=r --rw=randread --bs=4k --direct=1 --size=64g, median of 6 runs, 95 % interval 91.1-93.0 k\nr: (g=0): rw=randread, bs=4096B-4096B\n read: IOPS=92.1k, BW=360MiB/s (377MB/s)(10.5GiB/30001msec)",
    "Seagate ST2000, Debian 12, raw device, RAM: 4 GiB\n/dev/sda:\n Timing buffered disk reads: 540 MB in  3.00 seconds = 180.00 MB/sec\n Timing buffered disk reads: 541 MB in  3.00 seconds = 180.33 MB/sec\n Timing buffered disk reads: 540 MB in  3.00 seconds = 180.00 MB/sec",
    "Toshiba HDD, noyau 6.1, ext4, mémoire 8 Go; moyenne et écart-type de 10 exécutions : 110,2 ± 0,9 Mo/s\nAucun autre programme ne tournait.",
    "NVMe disk, Linux 6.8, btrfs, RAM 32 GB\nnoop | 120.1 | 120.3 | 120.2 | 120.2\ncfq | 131.1 | 131.0 | 131.2 | 131.1\nstandard deviation 0.1",
    "Crucial SSD, Ubuntu 24.04, ext4, memory 64 GB\nbtrfs writes 80.0 MB/s against 100.0 MB/s of ext4, -20.0%",
    "RAID 1 of two Hitachi disks, kernel 5.10, ext4, RAM 8 GB\nAverage: sda 102.50 53753.60 0.00 690.64\nAverage: sdb 100.00 52000.00 0.00 690.00",
    "iozone -s 32g -r 1m -I on an HDD, Linux 6.1, xfs, RAM 8 GB, the median of 6 runs with its interval\n33554432 1024 150000 151000 160000 161000",
    "A story of a disk that was bought in 2012 and still works.",
    "fdtree.bash -d 4 -l 8: 4 directories of 8 levels; ext4, HDD, Linux 6.1, RAM 8 GB; 6 runs each, stddev 3 %\n\tDirectory creates per second =  1014",
];

#[test]
fn honest_pages_are_left_alone() {
    for page in HONEST {
        let found = review(page).faults;
        assert!(found.is_empty(), "{page}\n{found:#?}");
    }
}

#[test]
fn the_order_is_that_of_gravity() {
    let text =
        "dd if=/dev/zero of=/a bs=16535 count=9\n16535 bytes (17 kB) copied, 0.1 s, 165 kB/s\n";
    let found = codes(text);
    let at = |code: &str| found.iter().position(|f| f == code);
    assert!(
        at("no-fsync") < at("wrong-size") && at("wrong-size") < at("no-description"),
        "{found:?}"
    );
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_it(text in "(?s)[ -~é\n|%0-9,.<>&;]{0,400}") {
        review(&text);
    }

    #[test]
    fn no_mixture_of_outputs_breaks_it(parts in proptest::collection::vec(0_usize..FAULTY.len(), 0..12), cut in 0_usize..300) {
        let text: String = parts.iter().map(|at| FAULTY[*at].1).collect::<Vec<_>>().join("\n");
        let end = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        review(&text[end..]);
        review(&text[..end]);
    }
}

#[test]
fn every_kind_is_documented_and_tested() {
    let documented = include_str!("../../../../docs/review.md");
    for check in crate::FAULTS {
        assert!(
            documented.contains(&format!("| `{}` |", check.code)),
            "{}",
            check.code
        );
        let tested = FAULTY.iter().any(|(code, _, _)| *code == check.code);
        let whole = ["one-run", "no-spread", "no-description"].contains(&check.code);
        assert!(tested || whole, "{} has no text", check.code);
    }
}
