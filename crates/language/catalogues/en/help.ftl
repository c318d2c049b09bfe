### The help of commands and options, by their names. The English ones are those of the definitions.

help = Measures storage on Linux and tells how far each number can be trusted
    .long =
        Measures storage on Linux and tells how far each number can be trusted.

        Without a subcommand, TARGET is checked for about a minute: nothing is harmed, no option and no root is needed.
    .foot = Exit codes: 0 done, 1 failed, 2 bad usage, 3 done but a figure is invalid, a promise was broken or nothing could be compared, 4 refused as dangerous, 5 done but less precise than --precision asked for, 6 another etalon measures there (--wait waits for it) or --wait=quiet found no quiet, 7 slower than compare --fail-if-slower allows, 130 interrupted.
    .longfoot =
        Examples:
          etalon                              check the storage beneath this directory
          etalon /srv --budget 10m            take ten minutes for /srv
          etalon quick /mnt --json            the same as one JSON document
          etalon measure /mnt --op randread --block-size 4k --queue-depth 32
          etalon list                         what has been measured so far

        Exit codes: 0 done, 1 failed, 2 bad usage, 3 done but a figure is invalid, a promise was broken or nothing could be compared, 4 refused as dangerous, 5 done but less precise than --precision asked for, 6 another etalon measures there (--wait waits for it) or --wait=quiet found no quiet, 7 slower than compare --fail-if-slower allows, 130 interrupted.
help--precision = Ask for an interval this narrow, half the width over the value: end as soon as every workload has it, and say so where one has not [default: all of the budget is used]
help--json = Print one JSON document instead of the page

help-quick = Check the storage beneath TARGET for about a minute (what `etalon TARGET` does)
    .longfoot =
        Examples:
          etalon quick
          etalon quick /mnt/usb --budget 3m --precision 2.5%
          etalon quick /dev/sdb            (reads only)
help-quick--precision = Ask for an interval this narrow, half the width over the value: end as soon as every workload has it, and say so where one has not [default: all of the budget is used]
help-quick--json = Print one JSON document instead of the page

help-measure = Measure one workload with every option of the engine
    .longfoot =
        Examples:
          etalon measure /mnt --op read --block-size 1M --queue-depth 8
          etalon measure /dev/nvme0n1 --op randread -b 4k -q 128 --runs 6 --json
          etalon measure /mnt --op randwrite --fsync 1 --time 30s
          etalon measure /mnt --op randread --rate 500 --arrival poisson
          etalon measure /mnt --op randread --block-size 4k:60,64k:40
          etalon measure /mnt --op randread -q 1,4,16 -b 4k,64k --runs 6 --time 3s
          etalon measure /mnt --op create --files 10000
          etalon measure /mnt --op randread --latency-target 5ms
          etalon measure /mnt --op randread --latency-target 2ms@p99.9 --arrival poisson

        Commas make a sweep: -q 1,4,16 -b 4k,64k measures all six combinations in random order, block by block.
        --op, --block-size, --queue-depth and --jobs can be swept, but not for metadata operations; one backend serves all cells.

        Sizes: 4k, 1M and 2GiB are binary, 4kB and 1MB decimal. Times: 500ms, 60s, 3h.
help-measure--target = A directory, an existing file (only read) or a block device (written only where nothing uses it and nothing lies on it)
help-measure--destroy = Give up what lies on the block device with this serial number or by-id name, so that it can be written
help-measure--json = Print one JSON document instead of the page
help-measure--file_size = Size of each file, or of the range used of a device [default: 1 GiB or a third of the usable space; all of a file or device]

help-together = Measure several workloads at once, each with its own figures
    .longfoot =
        Examples:
          etalon together -- /srv --op read -- /srv --op read   two readers
          etalon together --alone -- /srv --op randread -j 4 -- /srv --op write -b 1M
          etalon together -- /dev/sda --op randread -- /dev/sdb --op randread

        Each workload takes the options of `etalon measure` that describe one, and --name. Its files are its own, and its figures too. All begin at the same moment; what devices that several share moved is divided among them by what each asked for.
help-together--time = End each workload that has no end of its own after this time
help-together--json = Print one JSON document instead of the page

help-continue = Add runs to a check or a measurement, under the same conditions or not at all
    .foot =
        Examples:
          etalon continue 7              another minute of a check, or six runs more
          etalon continue 7 --budget 5m
          etalon continue 8 --runs 20

        The machine, its settings and the storage stack must be those of the last run; what has changed is named.
        Experiments of other kinds are repeated as a whole, and compared: etalon compare 7 8
help-continue--runs = How many runs more of each cell of a measurement [default: 6]
help-continue--budget = How long a check may go on [default: 60s]
help-continue--precision = Ask for an interval this narrow, half the width over the value [default: what was asked for at first]
help-continue--json = Print one JSON document instead of the page

help-passport = Learn how much TARGET varies when nothing is changed, ten runs of each workload
    .foot =
        Examples:
          etalon passport /srv
          etalon passport /srv --budget 10m      (more files, longer runs)
help-passport--target = A directory on the filesystem, or a block device to read from
help-passport--budget = The most time that it may take
help-passport--json = Print one JSON document instead of the page

help-run = Carry out a plan: one thing varied, in random blocks, and put back
    .long =
        Carry out a plan: one thing varied, in random blocks, and put back

        A plan is a file (TOML, docs/plans.md) or the name of a preset (`etalon presets`). What is killed goes on with `etalon resume`.
    .foot =
        Examples:
          etalon run scheduler-duel /srv --dry-run   what would happen, and for how long
          etalon run scheduler-duel /srv --budget 30m
          etalon run plan.toml --seed 7
          etalon run plan.toml --at 22:00            begin tonight
          etalon resume                              go on after a kill or a reboot
help-run--budget = The most time that it may take, for example 30m or 3h
help-run--precision = Ask for an interval this narrow, half the width over the value
help-run--seed = The number that decides every random choice [default: the plan's, or a new one, which is stored]
help-run--json = Print one JSON document instead of the page

help-resume = Go on with a plan that was killed or interrupted
    .long =
        Go on with a plan that was killed or interrupted

        What was changed is put back first; runs that were kept are not made again.
    .foot =
        Examples:
          etalon resume       the newest plan that did not come to its end
          etalon resume 7
          etalon resume --print-unit     a unit of systemd that does so after reboots
help-resume--id = The number of the experiment [default: the newest that was interrupted]
help-resume--json = Print one JSON document instead of the page

help-rerun = Repeat the plan of an experiment here, under a new number
    .foot =
        Examples:
          etalon rerun 7 && etalon compare 7 8
help-rerun--id = The number of the experiment
help-rerun--budget = The most time that it may take, for example 30m or 3h
help-rerun--precision = Ask for an interval this narrow, half the width over the value
help-rerun--seed = The number that decides every random choice [default: the plan's, or a new one, which is stored]
help-rerun--json = Print one JSON document instead of the page

help-plan = Write the plan of an experiment
    .foot =
        Examples:
          etalon plan from 7 > plan.toml

help-plan-from = Print the plan of an experiment, also of one that was made by hand
help-plan-from--id = The number of the experiment

help-presets = List the plans that come with etalon, or print one
    .foot =
        Examples:
          etalon presets
          etalon presets --json
          etalon presets scheduler-duel > plan.toml      to change it
help-presets--json = Print one JSON document, with the plans

help-list = List the experiments in the store
    .foot =
        Examples:
          etalon list
          etalon list --last 5
          etalon list --target /srv --kind quick
          etalon list --tag baseline
          etalon list --json --store /srv/results.sqlite
help-list--target = Only experiments on this target

help-show = Show one experiment of the store again
    .foot =
        Examples:
          etalon show 7
          etalon show 7 --findings
          etalon show 7 --findings --json
          etalon show 7 --details
          etalon show 7 --percentiles 50,90,99,99.9,99.99 --si
          etalon show 7 --dots --width 72
          etalon show 7 --stack
          etalon show 7 --environment
help-show--json = Print one JSON document; with --environment or --stack of machine and storage stack

help-compare = Put experiments or cells side by side and say which differences are real
    .longfoot =
        Examples:
          etalon compare 3 5                         every workload of two checks
          etalon compare 3 5 7 --base 5              three targets, ratios to 5
          etalon compare '3/random read 4 KiB QD1' '5/random read 4 KiB QD1'
          etalon compare 3 5 --by queue-depth        where the depth is what differs
          etalon compare 3 5 --fail-if-slower 5%     a gate for scripts: exit code 7
          etalon compare old.sqlite:3 5              against another store
          etalon compare 3@1-6 3@7-12                first runs and later ones
          etalon compare --by label                  machines beside runs

        An arm is [FILE:]ID[/CELL][@RUNS]; CELL is a row as pages print it, such as 'random read 4 KiB QD32'; FILE alone is the newest experiment of that store, or one that `etalon export --json` wrote. The runs of a cell count from 1. A single run has no interval and is compared with nothing.

        Target, storage, kernel and settings may differ: the arms are called by what tells them apart, and whatever else differs is marked on the page, unless --by declares it. The workload must be the same; a row whose workload differs is refused by itself, unless --by declares it. Working sets up to twice as large are compared and named.

        --by takes: operation, block-size, file-size, offset, range, stride, read-percent, jobs, layout, queue-depth, backend, direct, cache, sync, fsync, distribution, arrival, and the parameters of metadata operations, of real work and of iozone (size, record, workers, bcopy, level ...); of the machine kernel, filesystem, device, beneath (all below the target), and any fact by its key or the end of it (scheduler, read-ahead-bytes). --by capped compares rows that a limit set on this machine held too. --by label (run --label, merge --label) tells how far labels lie apart beside how far runs of one label do: standard deviations between and within, and the share of the variance that lies between (the intraclass correlation).
help-compare--margin = Relative differences up to this count as none
help-compare--strict = Exit with 3 where there are too few runs to tell
help-compare--details = Print every figure, spread, letter and fact that differs, with a legend
help-compare--dots = Below the page print every run, the interval and the result of each arm as dots from 0, with the runs as a sparkline
help-compare--json = Print one JSON document instead of the page

help-report = Write a report that opens in a browser: one file with table, pictures and findings
    .long =
        Write a report that opens in a browser: one file with table, pictures and findings

        Several experiments are held against the first: their workloads of the same name are compared.
    .foot =
        Examples:
          etalon report 7 -o report.html
          etalon report 7 8 -o report.html --open
          etalon report 7 --charts charts
          etalon report 7 --charts charts -o report.html

help-serve = Show the store in a browser: experiments, comparisons, what is being measured, what the disks do
    .long =
        Show the store in a browser: experiments, comparisons, what is being measured, what the disks do

        Everything is read only. It listens on this machine alone, unless a token, a certificate and its key are given.
    .foot =
        Examples:
          etalon serve
          etalon serve --listen 127.0.0.1:0 --watch /srv
          etalon serve --listen 10.0.0.5:7979 --token t --certificate c.pem --key k.pem

        Ctrl-C ends it. From another machine 'ssh -L 7979:127.0.0.1:7979 HOST' needs neither token nor certificate.
help-serve--name = A name by which browsers may call this machine, beside its address; may be given again

help-export = Write one experiment out, with runs, histograms and series
    .foot =
        Examples:
          etalon export 7 --json > experiment.json
          etalon export 7 --csv > runs.csv
          etalon export 7 --markdown
          etalon export 7 --fio-files fio
          etalon export 7 --xlsx -o results.xlsx
          etalon export 7 --bundle -o results.etalon
          etalon export 7 --bundle -o results.etalon --without-identities

        An export holds serial numbers, UUIDs, addresses, paths, the kernel's command line and names of other users' processes; --without-identities hides them.
help-export--json = One JSON document with everything
help-export--output = Write to this file, replacing what is there, instead of standard output

help-review = Judge a measurement that others published: text, tool output or a saved web page
    .foot =
        Read are what dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree, elbencho, the Phoronix Test Suite, sar and iostat print, and tables of figures, in English and French. Exit code 3 says that a fault was found, 1 that there was no measurement to judge.

        Examples:
          etalon review page.html
          etalon review results.txt --all
          xclip -o | etalon review -
help-review--all = Show every fault, not only three of each kind

help-import = Take an exported experiment, or what another program printed, into the store under a new number
    .foot =
        Examples:
          etalon import results.etalon
          etalon import experiment.json --store all.sqlite
          etalon import fio.json
          etalon import iozone.txt

        A bundle of `etalon export --bundle` comes back byte for byte; of `etalon export --json` the interval of mean or median that does not speak for a cell is not kept.

        Texts of dd, hdparm, iozone, fio (JSON too), bonnie++, sysbench, fdtree, elbencho (CSV), the Phoronix Test Suite (XML), sar and iostat are read, English and French, also saved web pages, and the CSV and fio's JSON of `etalon export`. Their experiment is of the kind 'imported': no figure of it is called valid, because no check could look at how it was measured. `etalon review FILE` judges the text.
help-import--file = A bundle, a document of `etalon export --json`, or a text; - is a text from standard input

help-verify = Compute a published experiment again from its runs, and name what does not match
    .foot =
        Examples:
          etalon verify results.etalon
          etalon verify experiment.json
          etalon verify results.etalon --json

        Exit code 3 says that something does not match.
help-verify--file = A bundle, or a document of `etalon export --json`

help-note = Give an experiment a note, which `list --json` and `show` tell
    .foot =
        Examples:
          etalon note 7 'before the new firmware'
          etalon note 7 ''                            takes the note away

help-tag = Tag an experiment, so that `list --tag` finds it
    .foot =
        Examples:
          etalon tag 7 baseline
          etalon list --tag baseline
          etalon tag 7 baseline --remove

help-rm = Remove experiments from the store, for good
    .foot =
        Examples:
          etalon rm 7
          etalon rm 7 8 9 --store /srv/results.sqlite

        All of them are removed or none. An experiment that still runs is refused. `etalon export ID --json` before it keeps a copy that `etalon compare` reads.

help-merge = Copy the experiments of other stores into this one, with new numbers
    .foot =
        Examples:
          etalon merge /mnt/usb/other-machine.sqlite
          etalon merge old.sqlite --store all.sqlite
          etalon merge a.sqlite b.sqlite --label north,south --store all.sqlite

        The other stores are only read. What is here already is not copied twice, and what still runs on this machine is left out; what another machine did not end is copied as interrupted. Experiments keep the label that they were run with, unless --label gives another one; `etalon compare --by label` then tells how far machines lie apart.
help-merge--label = A label for the experiments of each store, in the order of the stores

help-stack = Draw the storage stack of TARGET, from the mount down to the disks
    .foot =
        Examples:
          etalon stack
          etalon stack /dev/sdb --json
help-stack--target = A directory, a file or a block device
help-stack--json = Print one JSON document instead of the drawing

help-watch = Show what the disks of TARGET and the machine do at this moment
    .foot =
        Examples:
          etalon watch /srv
          etalon watch /srv --plain
help-watch--target = A directory, a file or a block device
help-watch--json = Print one JSON document with every sample at the end

help-dd = Copy as dd does, with dd's operands, and say what of it is durable
    .foot =
        Examples:
          etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
          etalon dd --help      (dd's operands)
    .options =
        Usage: etalon dd [OPERAND]...
               etalon dd --parallel [OPERAND]... -- [OPERAND]... [-- ...]

        Copies as dd(1) does, prints its three lines on standard error, then what dd
        does not tell: the time until the data was durable, data left in memory, what
        each disk moved. Each line of etalon's own begins with 'etalon'.

        Operands: if= of= bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv=
                  iflag= oflag= status=
          conv=    fsync fdatasync notrunc sparse noerror sync excl nocreat swab lcase
                   ucase ascii ebcdic ibm block unblock
                   (with cbs=, the length of a record)
          iflag=   append direct directory dsync sync fullblock nonblock noatime
                   nocache noctty nofollow count_bytes skip_bytes
          oflag=   the same without fullblock, and seek_bytes
          status=  none noxfer progress
          Numbers: c=1 w=2 b=512 kB=1000 K=1024 MB M GB G T P E; a number with B counts
                   bytes

        Options of etalon's own:
          --runs N         do it N times and give the interval of the rate (needs if=
                           and of=)
          --parallel       several copies at once, their operands separated by --
          --destroy NAME   write to the block device with this serial number or by-id
                           name, although it carries data; what is mounted or held is
                           refused
          --wait           with --runs: wait for another etalon that measures on the
                           same devices
          --json           one JSON document on standard output (needs of=)
          --store FILE     with --runs: keep them in this store
          --help           this text

        A block device is written to only when nothing uses it and no signature stands
        on it.

help-hdparm = Read devices as hdparm -t, -T and --direct do, repeated and with intervals
    .foot =
        Examples:
          etalon hdparm -t /dev/sda
          etalon hdparm --help      (its options)
    .options =
        Usage: etalon hdparm [-t] [-T] [--direct] [--offset GIB] [--runs N] [--seed N]
        {"                     "}[--wait] [--json] [--store FILE] DEVICE...

        Times reads as hdparm(8) does, several times over, and gives the interval.
        Nothing is written. Each line of etalon's own begins with 'etalon:'.

          -t             sequential read of the device for 3 seconds
          -T             the first 2 MiB again and again for 2 seconds: memory, not the
                         device
          --direct       past the page cache (O_DIRECT)
          --offset GIB   -t starts so many GiB into the device
          --runs N       how often (6); several devices are taken in random order within
                         each run
          --seed N       decides that order
          --wait         wait for another etalon that measures on the same devices
          --json         one JSON document on standard output
          --store FILE   keep the runs in this store
          --help         this text

help-iozone = Run iozone's tests with iozone's options, its layout and its spreadsheet
    .foot =
        Examples:
          etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
          etalon iozone --help      (iozone's options)
    .options =
        Usage: etalon iozone [OPTIONS]

        Writes and reads a file record by record, as iozone does, and says how far each
        figure can be trusted. Each line of etalon's own begins with 'etalon:'.
          etalon iozone -a                                every test, a grid of sizes
          etalon iozone -s 1G -r 64k -i 0 -i 1 -e -I      write and read, on the disk
          etalon iozone -t 2 -F a/one b/two -s 256m -i 0  two workers, a file each

        Each figure is measured until its interval is within 5 %, as far as the time of
        three passes goes (a second at least for one size of file and record), or as
        --runs or --precision says. Without -s a file has 512 kB.
        SIZE is a number of kilobytes, or one with k, m or g.

          -a               a grid of file sizes (64 kB to 512 MB) and record sizes (4 kB
                           to 16 MB)
          -A               the same, write and read only, with small records on large
                           files too
          -b FILE          write the figures to FILE as an XLSX workbook
          -B               map the files into memory, but for the pread and pwrite
                           tests, fwrite and fread
          -c               close within the clock
          -C               show each worker's part
          -d #             microseconds between the workers' starts
          -D               with -B: ask for the write-back of what was written, within
                           the clock (MS_ASYNC)
          -e               fsync within the clock
          -E               the pread and pwrite tests too
          -f FILE          the file to work on (iozone.tmp)
          -F FILE...       the files of a group, one for each worker
          -g SIZE          largest file of the grid
          -G               with -B: wait for the write-back of what was written, within
                           the clock (MS_SYNC)
          -h               this help
          -H #             asynchronous I/O: so many records under way at once, each
                           copied from or to the test's own memory
          -i TEST          a test, more than once for several: 0 write and rewrite, 1
                           read and reread, 2 random read and write, 3 backward read, 4
                           record rewrite, 5 strided read, 6 fwrite and again, 7 fread
                           and again, 8 mixed random, 9 pwrite, 10 pread, 11 pwritev, 12
                           preadv
          -I               bypass the page cache (O_DIRECT)
          -j #             stride of the strided read, in records (17)
          -J #             milliseconds of computing before each record, outside the
                           clock
          -k #             the same without the copy
          -K               disturb reads by short reads elsewhere
          -l #             fewest workers of a group
          -L #             the processor's cache line in bytes, told in the header
          -m               use several buffers in turn
          -M               tell the machine in the header
          -n SIZE          smallest file of the grid
          -N               microseconds per operation
          -o               each write returns when durable (O_SYNC)
          -O               operations per second
          -p               empty the processor's cache before each test
          -P #             bind the workers to processors, from this one on
          -q SIZE          largest record of the grid
          -Q               write each record's latency to wol.dat, rwol.dat, rol.dat and
                           rrol.dat, of a group to Child_0_wol.dat and so on, which must
                           be new
          -r SIZE          size of a record (4 kB); several make a grid
          -R               repeat the figures as a report for a spreadsheet
          -s SIZE          size of the file (512 kB); several make a grid
          -S #             size of the processor's cache in kilobytes, for -p
          -t #             a group of so many workers, a file each; several are measured
                           in turn
          -T               the workers are threads, not processes
          -u #             most workers of a group; without -l from one on
          -U MOUNTPOINT    unmount and mount again before each test
          -v               the version
          -V #             fill records with this byte and compare what is read
          -w               leave the files at the end
          -W               lock the file while it is used
          -x               no stonewall: each worker does its whole file
          -X FILE          write as FILE says, line by line: offset and size in bytes,
                           milliseconds of computing before it
          -y SIZE          smallest record of the grid
          -Y FILE          read as FILE says, likewise
          -z               with -a: small records on large files too
          -Z               with -B: every other record goes by a call
          -+A #            tell the kernel the accesses: 0 normal, 1 random, 2
                           sequential, 3 not needed, 4 needed
          -+b #,#          rest after every burst: kilobytes of a burst, milliseconds of
                           sleep, outside the clock
          -+B              the mixed group (-i 8) reads and writes from the start to the
                           end
          -+C #            with -+y: percent of the repeated data that only the file
                           itself has
          -+d              write what the place in the file says, compare every byte
                           that is read, name the first wrong one
          -+D              each write returns when its data are durable (O_DSYNC)
          -+J              computing and rests of -J, -X, -Y and -+b are within the
                           clock
          -+k              -s is the sum over all workers
          -+l              lock each record while it is moved
          -+L              the same, and all workers use one file
          -+n              no retests
          -+N              write over the old file instead of a new one
          -+p #            percent of a mixed group that reads, rounded down to whole
                           workers (every other one)
          -+q #            seconds between tests
          -+r              reads and writes with O_SYNC
          -+S #            with -+w: a number; only files written with the same one
                           share data
          -+T              write when each worker of a group began and ended each test
                           to Child_0.log and so on, which must be new
          -+u              tell the processor time
          -+w #            percent of each record that the other files have too, at the
                           same place
          -+x #            from one size of the grid to the next (2)
          -+y #            with -+w: percent of that which every record has
          --runs N         measure each figure so many times
          --precision P%   measure each figure until its interval is so narrow, 30 times
                           at most
          --overwrite FILE write over this file of yours and remove it at the end, where
                           -f, -F or -U names it
          --fill           do not keep a tenth of the filesystem free
          --help           this help
          --wait           wait for another etalon that measures on the same devices
          --json           one JSON document on standard output
          --store FILE     keep the runs in this store

        Options of iozone that are not offered (each says why when used):
          -+h -+m -+t -+X

help-metadata = Time metadata operations: mkdir, create, stat, rename, unlink and more
    .longfoot =
        Examples:
          etalon metadata /srv --files 100 --depth 2 --breadth 8 --precision 2%
          etalon metadata /srv --operations create,stat,unlink --jobs 4
help-metadata--target = A directory on the filesystem to measure
help-metadata--files = Files in each directory
help-metadata--file_size = What `write` puts into each file
help-metadata--jobs = Number of threads, each with a tree of its own
help-metadata--shared = Let all threads work in one tree
help-metadata--json = Print one JSON document instead of the page

help-work = Time real work: archives, builds, copies, searches, databases, web pages, command lines
    .longfoot =
        Examples:
          etalon work list
          etalon work archive /srv --runs 10
          etalon work copy-tree /srv --set files=photos
          etalon work command /srv --set 'step=make -j2'
help-work--name = Which work; `list` tells them all with their parameters
help-work--target = A directory on the filesystem to measure
help-work--json = Print one JSON document instead of the page

help-fdtree = Create and remove a tree of directories and files, with fdtree's options
    .foot =
        Examples:
          etalon fdtree -d 5 -l 3 -f 10 -s 2
          etalon fdtree --help  (fdtree's options)
    .options =
        Usage: fdtree [-C] [-R] [-D] [-l LEVELS] [-d DIRS] [-f FILES] [-s BLOCKS]
        {"              "}[-o DIR] [--runs N] [--sync] [--zero] [--wait] [--json]
        {"              "}[--store FILE]

        Creates a tree of directories and files, removes it, and prints how many of them
        per second. Each line of etalon's own begins with 'etalon:'.

          -l LEVELS  levels of directories below the root (4)
          -d DIRS    directories in each directory above the last level (10)
          -f FILES   files in each directory (10)
          -s BLOCKS  size of each file in blocks of 4096 bytes (10)
          -o DIR     where the tree is made (.), or the tree itself with -R
          -C         create only, and leave the tree
          -R         remove only: the tree that -C left in DIR, of the same -l -d -f
          -D         say what is done, with every time in nanoseconds
          --runs N   do it N times; from 6 on each rate has its 95 % interval
          --sync     end each phase with syncfs inside its clock: what is counted is on
                     the disk
          --wait     wait for another etalon that measures on the same devices
          --json     one JSON document on standard output
          --store FILE  keep the runs in this store
          --zero     fill the files with zeros and not with data that do not compress

        The number of directories grows as DIRS to the power of LEVELS; what does not
        fit is refused.
        Example: fdtree -d 8 -l 4 -f 16 -s 1

help-lab = Measure in guests with modelled disks; simulate arrays of them, serve and list them
    .foot =
        Examples:
          etalon lab list                                disk models and kernels
          etalon lab simulate                            md's layouts on four disks
          etalon lab simulate raid5 f2 --disk hdd-10k --disks 5
          etalon lab simulate raid5 --rebuild --size 1T  how a dead member comes back
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          etalon lab powercut                            what 200 power cuts leave
          etalon lab run quick --disk hdd-7200:8G        the quick check, in a guest
          etalon lab run nfs --delay 1ms                 the same, over NFS in there
          etalon lab run raid-layouts                    md's layouts on four disks
          etalon lab check                               what this machine lacks

help-lab-simulate = Carry reads, writes and rebuilds through arrays of modelled disks, on a virtual clock
help-lab-simulate--disks = Number of disks
help-lab-simulate--seed = Decides every random place

help-lab-run = Carry out a plan in a guest with modelled disks, and keep its experiments here
    .foot =
        Examples:
          etalon lab run quick --disk hdd-7200:8G
          etalon lab run plan.toml --disk sd:4G --disk usb:4G -- /dev/vda /dev/vdb
          etalon lab run plan.toml --kernel ./unpacked -- --budget 10m --seed 7
          etalon lab run plan.toml --kernel ./linux-6.1 --kernel ./linux-6.12
          etalon lab run plan.toml --kernel host --kernel 'host mitigations=off'
          etalon lab run nfs --delay 1ms               the quick check over NFS
          etalon lab run plan.toml --over nvme-tcp --apart
          etalon lab run raid-layouts                  a preset, on disks of its own
          etalon lab run host-vs-guest -- /srv         this machine and its guests
          etalon lab run quick --root debian.qcow2     with the programs of an image

        The disks are /dev/vda, /dev/vdb and so on there, and hold noise; without a
        name behind -- the first of them is measured. A preset has disks of its own
        where no --disk is given, and a filesystem or an array on them where it measures
        files. Over a network the guest itself serves the first disk and reaches it, or
        reaches that of another guest with --apart; measured is /net, a filesystem on
        it. Several kernels are a factor of the plan: each block boots each of them, and
        one experiment compares them; so is this machine beside guests whose disks are
        files in the directory behind --. The experiments are kept here, each run with
        the guest that it was made in.
help-lab-run--plan = A plan's file, the name of a preset, quick, or a network for quick over it
help-lab-run--json = Print one JSON document for each experiment instead of its page
help-lab-run--seed = Decides every random time of the models

help-lab-shell = Open the console of such a guest on this terminal
    .foot =
        Examples:
          etalon lab shell --disk hdd-7200:8G --disk hdd-7200:8G
          etalon lab shell --kernel ./unpacked

        `exit` or Ctrl-] ends the guest; what was written to its disks is gone then.
help-lab-shell--seed = Decides every random time of the models

help-lab-powercut = Cut a disk's power while records are written, and tell what was promised and lost
    .foot =
        Examples:
          etalon lab powercut                            an honest disk
          etalon lab powercut --disk ssd-sata:ignores-flush
          etalon lab powercut --durability none --cuts 20
          etalon lab powercut --filesystem ext4 --disk ssd-sata:1G
          etalon lab powercut --filesystem ext4 --mount-options barrier=0
          etalon lab powercut --filesystem ext4 --write store
          etalon lab powercut --filesystem xfs --write postgresql

        Numbered records are written one after the other. Each cut falls at a moment of
        its own and loses what the disk has not put on its medium, sector by sector by
        chance; then every record that was promised is read again.

        Without a filesystem the disk is a model on a virtual clock, and each cut takes
        a fresh one: no guest is needed. With one, a guest writes to a file, and mounts
        and reads what each cut has left, on another disk.

        Exit code 3 says that something was lost which had been promised.
help-lab-powercut--disk = The disk, as MODEL or MODEL:SIZE, and :ignores-flush for one that lies [default: hdd-7200:8G]
help-lab-powercut--durability = When a record is taken for durable
help-lab-powercut--seed = Decides the moments, what each cut leaves, and every random time of the model

help-lab-serve = Serve a disk that answers as its model says, in real time, to clients of NBD
    .foot =
        Examples:
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          qemu-io -f raw nbd+unix:///?socket=/tmp/disk -c 'read 0 4k'
          nbd-client -unix /tmp/disk /dev/nbd0          as root, with the module nbd

        It serves one client after the other, until Ctrl-C. What was written is kept in
        memory until then, and is gone afterwards.
help-lab-serve--size = Size of the disk
help-lab-serve--seed = Decides every random time of the model
help-lab-serve--json = Print one JSON document at the end

help-lab-list = List the disk models with the source of each figure
help-lab-list--json = Print one JSON document, with every figure

help-lab-check = Tell what guests need and what of it is missing here
help-lab-check--kernel = The kernel that guests are to have, by which KVM is tried [default: host, the kernel of this machine]

help-restore = Remove what a killed etalon left behind, and put back what it changed
    .foot =
        Examples:
          etalon restore      (every measurement begins with the same)

help-checks = List the checks that every run goes through
    .foot =
        Examples:
          etalon checks
          etalon checks page-cache

help-schema = Print the JSON Schema of every document that --json writes, or that of a plan
    .foot =
        Examples:
          etalon schema > etalon.schema.json
          etalon schema plan > plan.schema.json

help-completions = Print the completions for a shell
    .foot =
        Examples:
          etalon completions bash > /etc/bash_completion.d/etalon
          etalon completions zsh > ~/.zfunc/_etalon
          etalon completions fish > ~/.config/fish/completions/etalon.fish

help-man = Write the manual pages into a directory
    .foot =
        Examples:
          etalon man /usr/local/share/man/man1

help-help = Print this message or the help of the given subcommand(s)

help-arg-accelerator = How its processor runs; auto takes KVM where a trial shows that it works
help-arg-after_reboot = Go on only with a plan that was interrupted before the machine was started anew, and end well where there is none
help-arg-all = With --environment: every fact, also those that hardly decide a figure
help-arg-alone = Measure each workload also alone, in random order, and tell together over alone
help-arg-apart = Let another guest be the server of the network, with the disks
help-arg-arms = What to compare, at least two [default with --by label: every experiment that has a label]
help-arg-arrival = With --rate: fixed or poisson gaps, or repaced (waits for each answer, hiding stalls)
help-arg-as_begun = Go on with the plan as it was, where its file says something else by now
help-arg-ascii = Print ASCII only, as with LC_ALL=C
help-arg-at = Begin at this time of day, today or else tomorrow, or at a moment such as 2026-11-27T22:00
help-arg-backend = How to issue I/O: sync, io_uring, mmap, stdio, null or fake [default: sync at depth 1, io_uring above]
help-arg-base = The arm that ratios and percentages refer to [default: the first]
help-arg-batch = Most operations handed to io_uring at once [default: each by itself]
help-arg-block_size = Size of one operation; a mix by percent of the operations (4k:60,64k:40), or a range of equally likely sizes: doubled (4k-64k) or by a step (4k-64k/4k)
help-arg-blocks = Measure so many blocks
help-arg-breadth = Directories in each directory above the last level
help-arg-budget = How long it may take
help-arg-buffered = Go through the page cache instead of asking for O_DIRECT
help-arg-bundle = One compressed file with everything, which `import` takes back and `verify` checks; needs -o
help-arg-by = What may differ between the arms, separated by commas
help-arg-bytes = End after this many bytes over all jobs
help-arg-cache = State of the page cache before each run: direct (bypassed, or no run), cold, warm, limited:SIZE (a control group) [default: bypassed where it can be]
help-arg-certificate = The certificate for TLS, with its chain, in PEM
help-arg-charts = Write each picture as SVG and as PNG into this directory, which is made where it is missing; and a report only where -o names it
help-arg-chunk = Chunk of the array
help-arg-code = Only this check, by the code that a finding has
help-arg-color = Colour the page; auto: on a terminal, unless NO_COLOR is set or TERM is dumb
help-arg-count = End after this many samples
help-arg-cpus = Bind jobs to these processors in turn, for example 0-3,8
help-arg-csv = One line per run
help-arg-cuts = How often the power fails [default: 200, with a filesystem 20]
help-arg-delay = Hold each packet of the network back for so long; a round trip takes twice as long
help-arg-depth = Levels of directories below the root of each tree
help-arg-destroy = Allow a device to be destroyed, named by its serial number or its name in /dev/disk/by-id
help-arg-details = Print all columns, all findings and the storage stack's settings
help-arg-direct = Fail instead of going through the page cache where O_DIRECT is refused
help-arg-directory = Where to write them; it must exist
help-arg-disk = The model of every disk, as `etalon lab list` has it
help-arg-disks = A disk, as MODEL or MODEL:SIZE, and behind it how it fails, as :dies-after=30s; again for the next one [default: hdd-7200:8G]
help-arg-distribution = How random offsets are drawn: permutation (every block once), uniform, zipf:1.1, pareto:0.8
help-arg-done = The manual step that the plan waits for (factor pause) is done, so that nobody is asked about it
help-arg-dots = Print every run, the interval and the result as dots from 0, with the runs as a sparkline
help-arg-dry_run = Only say what would be done: cells, order, changes, space and time
help-arg-durability = What makes names durable inside the clock: never, phase (one syncfs at the end of each operation's phase) or each (fsync of each file that is created or written)
help-arg-environment = Print the machine and its settings as they were: processor, memory, kernel, filesystem, queues
help-arg-experiments = Experiments, as `etalon list` shows them, or files of `etalon export --json` [default: the newest]
help-arg-fail_if_slower = Exit with 7 where an arm is shown to be slower than the base by more than this, for scripts: a rate that falls or a time that grows, by all of its interval
help-arg-fake_servers = Backend fake: operations served at once
help-arg-fake_service = Backend fake: time of one operation
help-arg-fake_stall = Backend fake: length of a stall
help-arg-fake_stall_every = Backend fake: stall at every multiple of this time
help-arg-fdatasync = Call fdatasync in place of fsync: never, end, or after every N writes
help-arg-figures = Tell each figure with its source
help-arg-file = The text or saved page; - is standard input
help-arg-file_size = Size of the file to read and of the one to write [default: that of the last check of TARGET, or of another target where TARGET can do it too, else 1 MiB to 4 GiB by speed and space]
help-arg-files = Number of files of a metadata operation, over all jobs; of directories of mkdir and rmdir
help-arg-filesystem = Write to a file on a filesystem of this kind, in a guest
help-arg-findings = Print every finding with its code and its figures, not only what changes what to do, and which checks could not be done; with --json what became of every check
help-arg-fio = JSON as fio prints it, for what draws from that; I/O only
help-arg-fio_files = The same in a file for each workload, in a directory for each block size and condition below this one, which is made where it is missing: for fio-plot
help-arg-fsync = Call fsync inside the clock: never, end, or after every N writes
help-arg-given = Words for the command in the guest: targets and options of etalon run, or of etalon quick
help-arg-help = Print help
help-arg-huge_pages = Put buffers into huge pages
help-arg-id = The experiment's number, as `etalon list` shows it
help-arg-ids = The experiments' numbers, as `etalon list` shows them
help-arg-interval = Time between two samples
help-arg-jobs = Number of threads
help-arg-json = Print one JSON document
help-arg-kernel = An image, or the directory of an unpacked package; words of its command line may follow in the same quotes [default: host, the kernel of this machine]
help-arg-key = The key of the certificate, in PEM
help-arg-kind = Only experiments that this command made: quick, measure, passport, together, metadata, work, dd, hdparm, iozone or fdtree
help-arg-label = Keep this with the result, to tell it from the same plan elsewhere
help-arg-lang = Write the page in this language [default: that of LC_ALL, LC_MESSAGES or LANG]
help-arg-last = Only the newest N of those
help-arg-latency_target = Find the highest queue depth, or with --arrival the highest rate, at which a percentile of the latency stays below this time: 5ms is 5ms@p99
help-arg-layouts = raid0, raid1, raid4, raid5, raid6, n2, n3, o2, f2 [default: those that are usual]
help-arg-like = Take the file size, the depth of streams and the rows of this experiment, to compare the two
help-arg-listen = The address and port to listen at; port 0 takes a free one
help-arg-margin = With --alone: relative differences up to this count as none
help-arg-markdown = The table for a forum or a README
help-arg-max_runs = Repeat each workload at most this often
help-arg-memory = Memory of the guest
help-arg-metrics = OpenMetrics text for Prometheus
help-arg-min_runs = Repeat each workload at least this often
help-arg-model = The model, as `etalon lab list` has it, and behind it how it fails, as :dies-after=30s
help-arg-mount_options = Mount it with these options, as mount -o has them
help-arg-name = Print the plan of this preset
help-arg-numa_node = Bind jobs to the memory and, without --cpus, the processors of this NUMA node
help-arg-of = What to describe [default: what --json writes]
help-arg-offset = Where the used range starts
help-arg-one_pass = End after one pass over the range
help-arg-op = What to do: read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread or stridewrite; trim, randtrim, trimwrite or randtrimwrite, of a block device alone; metadata operations: mkdir, create, stat, open, rename, link, symlink, setxattr, getxattr, unlink or rmdir, as `etalon metadata` does them
help-arg-open = Open it in the browser
help-arg-operations = What to time, separated by commas [default: all]
help-arg-others = The files of the other stores
help-arg-output = The file to write; one that is there is replaced [default: etalon-ID.html, which must not be there]
help-arg-over = Reach the first disk over a network, whose server is this guest as well
help-arg-percentiles = Print these latency percentiles, with operations and bytes per second side by side
help-arg-pilot = With --dry-run: make one run of each workload that has no time, which tells how long it takes; nothing is set, and no device is written
help-arg-plain = Print lines as sar does, with an average at the end, instead of taking the screen
help-arg-plan = A plan's file, or the name of a preset
help-arg-poll = io_uring: poll for completions
help-arg-precision = Ask for an interval this narrow, half the width over the value, and say so where it is wider
help-arg-print_unit = Print a unit of systemd that does so at each start of the machine, and how it is installed
help-arg-processors = Processors of the guest
help-arg-queue_depth = Operations in flight per job
help-arg-range = Length of the used range [default: to the end]
help-arg-rate = Operations per second (500) or bytes per second (50MiB/s) over all jobs, whether or not the target keeps up
help-arg-read_percent = Share of reads in rw and randrw
help-arg-rebuild = Replace a dead disk, and tell speed and time left on the way
help-arg-remove = Take the tag away
help-arg-root = Run with the programs and libraries of this disk image (qcow2 or raw), which is only read
help-arg-runs = Repeat this often; six are the fewest with an interval [default: 6, then on until every figure has an interval and the precision that was asked for, up to 30 or two minutes]
help-arg-seed = The number that decides every random choice [default: a new one, which is stored]
help-arg-set = A parameter of the work, as NAME=VALUE; may be repeated
help-arg-shared = Let all jobs share one file instead of giving each its own
help-arg-shell = The shell
help-arg-si = With --percentiles: count bytes in MB (10^6) instead of MiB (2^20)
help-arg-size = Size of each disk
help-arg-socket = Name of the Unix socket; it must be free
help-arg-sqpoll = io_uring: let a kernel thread submit
help-arg-stack = Draw the storage stack as it was
help-arg-store = The store's file [default: the one that the variable ETALON_STORE names, else etalon/store.sqlite in the XDG data directory]
help-arg-strict = Exit with 3 also where a figure has no interval or misses the precision that was asked for
help-arg-stride = Distance between two blocks of a strided pass, in blocks
help-arg-sync = Open files with O_DSYNC or O_SYNC: none, dsync or sync
help-arg-tag = Only experiments with this tag
help-arg-target = A directory on the filesystem to measure, or a block device to read from
help-arg-targets = Directories, files or devices to measure, in the place of the plan's [default: the plan's, or .]
help-arg-text = The note, in place of the one that is there; an empty text takes it away
help-arg-think = Pause of each job between operations, outside of their latencies
help-arg-think_every = With --think: pause after every N operations of a job
help-arg-time = End after this time, warm-up included
help-arg-time_limit = End the guest after this time
help-arg-token = A file whose first line browsers must give as the password; 32 characters or more
help-arg-verify = Compare what is read with what was written
help-arg-version = Print version
help-arg-wait = Wait for another etalon that measures on the same devices, instead of refusing; =quiet: also until nothing else keeps their disks or the processors busy, for an hour at most, or =quiet:4h
help-arg-warm_up = Leave the first part out of the figures
help-arg-watch = The directory, file or block device whose disks are watched
help-arg-width = Print this many columns, whatever the terminal has
help-arg-without_identities = Put pseudonyms in the place of what names disks, machine, network, directories and processes, to publish it: the same in each export of yours
help-arg-word = The tag: one word
help-arg-words = The tool's own options
help-arg-workloads = The workloads: a target and its options each, with -- before each
help-arg-write = What is written there
help-arg-xlsx = A workbook: summary, runs, grid and environment, with charts; needs -o
