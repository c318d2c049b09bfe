### What `etalon review` says of what others published.

## The page

review-found = { $source }: { $figures } of benchmark programs, { $tables } of figures.
review-figures =
    { $count ->
        [one] { $count } figure
       *[other] { $count } figures
    }
review-tables =
    { $count ->
        [one] { $count } table
       *[other] { $count } tables
    }
review-nothing = No measurement was found in it.
review-sound = Nothing is wrong with it that a reader can see.
review-kinds =
    { $count ->
        [one] { $count } kind of fault was found, the gravest first.
       *[other] { $count } kinds of fault were found, the gravest first.
    }
review-line = line { $line }: { $message }
review-more = and { $count } more: --all shows them

## The faults, with what shows them

fault-faster-than-device-random = { $label } at { $rate }/s, where the same page streams { $stream }/s: a disk is not faster at random.
fault-faster-than-device-kind = { $label } at { $rate }/s ({ $quoted }): { $why }.
fault-limit-disk = the fastest hard disks stream 300 MB/s
fault-limit-sata = SATA at 6 Gbit/s carries 600 MB/s
fault-limit-usb2 = USB 2 carries 60 MB/s
fault-idle-half = { $busy } moved { $transfers } transfers a second while { $other } stood still: one disk served everything.
fault-mixed-settings-rows = '{ $label }' stands under { $count } rows of different sizes.
fault-mixed-settings-said = a standard deviation is given over a sweep of record sizes ({ $sizes }), each measured once.
fault-no-description = the page does not tell { $missing }.
fault-missing-disk = the disk
fault-missing-memory = the memory
fault-missing-kernel = the kernel
fault-missing-filesystem = the filesystem
fault-no-fsync = { $label } ({ $quoted }) has no fsync: its end may still be in memory.
fault-no-lvm = a logical volume lies below what was measured, and the description of the system does not tell of it.
fault-no-spread = a mean is given without the spread of its runs.
fault-no-trim = an SSD is called slow here, with no word of TRIM: one that was never trimmed writes slowly.
fault-one-run = { $counted } ({ $label } { $quoted }).
fault-one-run-admitted = the page says itself that it measured once.
fault-one-run-only-once = the only measurement was made once
fault-one-run-only-twice = the only measurement was made twice
fault-one-run-all-once = each of { $all } measurements was made once
fault-one-run-all-twice = each of { $all } measurements was made twice
fault-one-run-some-once = { $single } of { $all } measurements were made once, none more than twice
fault-other-command = the text tells of { $told_levels } levels and { $told_directories } directories, the command makes { $levels } levels (-l) and { $directories } directories (-d).
fault-repeated-figure-line = '{ $time }' stands on line { $line } too, to the digit.
fault-repeated-figure-twice = '{ $time }' stands twice on this line, to the digit.
fault-repeated-figure-copy = { $seconds } s for the same bytes as on line { $line }, to the digit.
fault-share-of-total = { $shares } are shares of a total: equals would have { $equal }% each, which reads as if they differed from 100%.
fault-smaller-than-memory = { $label } of { $size } ({ $quoted }) on a machine with { $memory } of memory: the page cache can have served it.
fault-unlike-rows = { $size } ({ $quoted }) is put beside { $other_size } ({ $other_quoted }) of line { $line }.
fault-wild-runs = { $label }: runs from { $low } to { $high } ({ $apart }% apart) were { $said } to { $result }.
fault-wild-runs-averaged = averaged
fault-wild-runs-added = added up
fault-wild-runs-of-nothing = { $label }: runs from { $low } to { $high } were { $said } to { $result }.
fault-winner-within-noise = { $best } is marked before { $rival } by { $gap }%, while its own runs reach from { $own_low } to { $own_high } and those of the other from { $low } to { $high }.
fault-wrong-base-rows = { $changes } ({ $second } against { $first }).
fault-wrong-base-change = { $said }% is said of { $new } against { $old }, which is { $change }%
fault-wrong-base-said = { $said }% is said of { $first } and { $second }, which differ by { $of_smaller }% of the smaller and { $of_larger }% of the larger.
fault-wrong-mean-row = { $label }: { $said } stands as the { $what } of { $count } runs, which is { $right }.
fault-wrong-mean-column = column { $column }: { $said } stands under { $count } rows whose { $what } is { $right }.
fault-wrong-mean-mean = mean
fault-wrong-mean-sum = sum
fault-wrong-mean-said = { $said } is said to be the mean of the { $count } figures from line { $line } on, which is { $right }.
fault-wrong-place = '{ $text }': the first partition lies at the rim, where a disk is fastest.
fault-wrong-rate = { $bytes } in { $seconds } s are { $rate }/s, and { $quoted } is printed.
fault-wrong-size = bs={ $typed } is not { $kib } KiB, which are { $meant } bytes: each block lies across two.
fault-wrong-unit = '{ $text }' counts records in bytes; iozone's are of 1024 bytes.
