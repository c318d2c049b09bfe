### The report that opens in a browser.

## The frame of the report

report-word = report
report-title = { $question } – etalon report
report-kept = One file without network access: it can be kept and sent as it is.
report-footer-measured = Measured by etalon { $version }.
report-footer-imported = Measured by others, and read by etalon { $version }.
report-footer-figures = Every figure stands with its interval, its count and its verdict.
report-skip = Skip to the results

## What the script says

script-light = Light
script-dark = Dark
script-copied = Copied
script-turn = arrow keys turn it
script-side = side
script-above = above

## The question

report-question-alternatives = { $alternatives }?
report-question-varies = How much do figures vary on { $path }?
report-question-together = How fast are several at once on { $path }?
report-question-work = How long does { $work } take on { $path }?
report-question-time = How long does it take on { $path }?
report-question-target = How fast is { $path }?
report-question-row = How fast is { $row } on { $path }?

## How many figures are valid

report-none-judged = No figure was judged: it did not come to its end.
report-none-judged-yet = No figure is judged yet: the measurement is still running.
report-still-running = The measurement is still running.
report-was-interrupted = The measurement was interrupted before its end.
report-still-running-of = Still running: { $names }.
report-was-interrupted-of = Interrupted before the end: { $names }.
report-figure-valid = The figure is valid.
report-figure-undecided = The figure is undecided.
report-all-valid = All { $count } figures are valid.
report-all-undecided = All { $count } figures are undecided.
report-other-valid = The other is valid.
report-other-undecided = The other is undecided.
report-others-valid = The other { $count } are valid.
report-others-undecided = The other { $count } are undecided.
report-of-all = Of { $all } figures { $parts }.
report-of-others = Of the others { $parts }.
report-count-valid =
    { $count ->
        [one] 1 is valid
       *[other] { $count } are valid
    }
report-count-invalid =
    { $count ->
        [one] 1 is invalid
       *[other] { $count } are invalid
    }
report-count-undecided =
    { $count ->
        [one] 1 is undecided
       *[other] { $count } are undecided
    }

## What was measured where

report-measured = Measured
report-imported = Imported
report-storage = Storage
report-machine = Machine
report-repeat-row = Repeat
report-copy = Copy
report-measured-when =
    { $count ->
        [one] { $when }. Experiment { $numbers }
       *[other] { $when }. Experiments { $numbers }
    }
report-when-in = { $when }, in { $elapsed }
report-when-running = { $when }, still running
report-when-interrupted = { $when }, interrupted after { $elapsed }
report-when-no-run = { $when }, interrupted before its first run ended

## Headings

report-contents = Contents
report-results = Results
report-comparison = Comparison
report-stack = Storage stack
report-stack-of = Storage stack of { $path }
report-pictures = Pictures
report-each = Runs
report-each-heading = Each run in its order
report-findings = Findings
report-environment = Environment
report-repeat = Repeat
report-repeat-heading = How to repeat it
report-runs = Every run

## The table of results

report-results-note = The result is the median of the runs, ± half its 95 % interval; of older experiments it may be the mean. Every dot is a run.
report-glance-note = Each figure is the median of the runs, ± half its 95 % interval.
report-all-figures = All { $count } figures, a row each: interval, runs, latencies, verdict
report-workload = workload
report-result = result
report-interval = 95 % interval
report-strip = runs, 0 to 200 % of the row’s result
report-from-device = from device
report-verdict = verdict
report-key-valid = valid: nothing contradicts the figure
report-key-invalid = invalid: something spoilt the figure
report-key-undecided = undecided: too few runs for an interval
report-runs-around = { $count } runs around the result
report-needs-more = needs { $time } more

## Tables of sizes

report-grid-caption = { $title }, { $unit }, ± half the 95 % interval
report-grid-gist = { $low } – { $high }, { $valid } of { $all } valid
report-grid-from = { $title }, from { $row }
report-record = record
report-grid-key-shade = the darker, the greater; a scale for each table
report-grid-key-hatched = looks like this: not valid, or known to no better than ± 25 %
report-grid-key-struck = struck through

## Comparison

report-base-note = { $base } is 1.00. A ratio above 1 is faster than { $base }, with its 95 % interval.
report-ratio = ratio, { $base } = 1
report-all-workloads = All { $count } workloads, a row each
report-more-remarks =
    { $count ->
        [one] 1 more remark
       *[other] { $count } more remarks
    }
report-ratio-gist = { $other } faster at { $faster } sizes, slower at { $slower }, of { $all }
report-ratio-caption = { $title }: times as fast as { $base }, with the 95 % interval
report-faster = faster
report-slower = slower
report-equivalent = equivalent
report-no-difference = no difference shown

## The storage stack

report-stack-note = Each box is a layer that the data passes, from the mount point down to the disks. Warnings stand at their layer.
report-stack-drawing = Storage stack of { $path }, from the mount to the disks
report-not-known-of = Not known: { $what }.
report-not-kept = No environment is kept with this experiment: the etalon that made it did not store any, or none of its runs was watched.

## The runs

report-dots-note = From left to right in the order in which they were made, from 0 at the foot; the band is the 95 % interval.
report-dots-left = { $count } further workloads stand in the table above, every run a dot.
report-dots-first = The first { $count } workloads, every run a dot
report-runs-of-row = { $count } runs of { $row }
report-run-tip = run { $number }: { $figure }
report-run-axis = run
report-runs-exported = { $count } runs: `etalon export ID --csv` has them, a line each.
report-runs-summary = { $count } runs in the order in which they were made
report-runs-experiment = experiment
report-runs-run = run
report-runs-block = block
report-runs-at = at
report-runs-lasted = lasted
report-runs-per-second = per second
report-runs-bytes = bytes
report-runs-longest = longest
report-runs-left-out = left out of the figures

## The findings

report-none-found = No check found anything.
report-more-findings = All other findings ({ $count })
report-do = Do:
report-evidence = Evidence
report-found-in = { $count } of { $all } rows: { $names } and { $more } more
report-more-rows = { $count } more rows

## The environment

report-environment-note = Every fact that was read before the first run; their hash is { $hash }.
report-facts = { $group }, { $count } facts
report-changed-later = Changed for later runs
report-not-known = Not known

## How to repeat it

report-repeat-experiment = Experiment { $number }: { $kind } of { $path }
report-repeat-seed = Seed { $seed }, { $count } runs, etalon { $version }.
report-repeat-no-seed = { $count } runs, etalon { $version }.
report-settings = Settings as they were resolved:
report-this = This report
report-no-command = The version that measured it did not keep its command line.

## The pictures

picture-none = There is nothing to draw.
picture-first-workloads = Latencies and the course of runs are drawn of the first { $count } workloads; { $more } more are in the table.
picture-more =
    { $count ->
        [one] 1 more is not drawn.
       *[other] { $count } more are not drawn.
    }
picture-set-from = from { $row }
picture-fold =
    { $count ->
        [one] { $name }: { $count } picture
       *[other] { $name }: { $count } pictures
    }
unit-per-second = per second
axis-from-zero = { $unit }, from 0
axis-latency-log = latency, log axis
axis-round = round

## All figures

picture-results-note = { $unit }: every dot is a run, the band the 95 % interval, the line the result. Experiment { $number }.
picture-results-note-more = { $unit }: every dot is a run, the band the 95 % interval, the line the result. Experiment { $number }; { $more } more are in the table.
picture-results-fold = { $count } of { $all } figures, every run a dot
picture-results-range = From { $low } ({ $low_row }) to { $high } ({ $high_row })
picture-results-one = The runs of { $row } lie between { $low } and { $high }
picture-results-invalid = Every figure here is invalid

## Ratios

picture-ratio-axis = times as fast as { $base }, log axis
picture-ratio-note = Ratio of the speeds, { $base } = 1, with its 95 % interval. Within the grey stripe two count as equal (± { $margin }).
picture-ratio-fold = { $count } of { $all } ratios
picture-ratio-no-interval = { $ratio }, no interval
picture-pairs-axis = % of { $base }, log axis
picture-pairs = From { $before } (left) to { $after } (right)
picture-pairs-note = Each dot is a run in per cent of the mean under { $before }; the lines join the means.

## Pages before and after

picture-pages = { $row }: { $after } is faster on { $faster } of { $all } pages, { $before } on { $slower }
picture-pages-note = Each dot is a page, by the median of its times; below the line { $after } is faster. Filled: every run of one is faster than every run of the other, by chance alone { $chance } pages. Hollow: they overlap.
picture-pages-few = { $row }: { $all } pages before and after, too few runs to tell which are faster
picture-pages-few-note = Each dot is a page, by the median of its times; below the line { $after } is faster. It takes six runs of each side to tell.
picture-pages-tip = page { $number }: { $before }, then { $after }

## Sizes

size-file = file size
size-record = record size
axis-log = { $what }, log axis
picture-surface = { $operation } over file and record size
picture-surface-note = { $unit } over file size and record size; upright lines are 95 % intervals. Grey and dashed: not valid, or an interval wider than ± 25 %.
picture-heat = { $operation }: the same figures as a table
picture-heat-note = { $unit }; the darker, the greater, with one scale for all. Hatched: doubtful.
picture-sizes = { $operation } by { $what }
picture-sizes-note = { $unit }; a line for each { $other }, bands are 95 % intervals, hollow dots doubtful.

## Along the device

axis-device = GiB from the beginning of the device, from 0
picture-position = { $operation } along the device: { $first } in the first part that was measured ({ $begin }), { $last } in the last ({ $end })
picture-position-bare = { $operation } along the device
picture-position-note = Each dot is one of { $count } parts of the device, in its middle, with the 95 % interval of its runs. The first bytes of a disk that turns are on its outer tracks.
picture-position-part = { $range } from { $offset }
picture-position-tip = { $part }: { $figure }

## Latencies

axis-share = share of operations, log axis towards 100 %
axis-density = % of operations per tenth of a decade, from 0
axis-seconds = s since the start
axis-latency-from = latency from
picture-latency = Latency of every operation
picture-latency-slowest = One operation in 100 takes longer than { $latency } in { $row }
picture-latency-note = Distribution of latency over all runs; dots at p50, p99 and p99.9. It ends where fewer than ten operations lie beyond.
picture-histogram = Where most operations lie
picture-histogram-note = Histogram of latency over all runs, in classes of a tenth of a decade.
picture-over-time = Latency of { $row } over one run
picture-over-time-note = Mean latency of slices of 100 ms, { $classes } classes to a decade; the darker, the more slices. Run { $number }, the middle one.
picture-slices = { $count } slices

## Load

axis-load = operations at a time, log axis
picture-load =
    { $low ->
        [one] { $operation }: { $first } with 1 operation at a time, { $last } with { $high }
       *[other] { $operation }: { $first } with { $low } operations at a time, { $last } with { $high }
    }
picture-load-bare = { $operation } by load
picture-load-note = Percentiles of latency by load, over all runs.
picture-load-tip = { $name } at { $depth }: { $latency }

## The course of a run

axis-run-seconds = s since the start of the run
picture-level-changes = level changes
picture-warm-up = warm-up
picture-course-one = { $row } within one run: one level
picture-course = { $row } within one run: { $count } levels
picture-course-note = Rate in slices of 100 ms, in { $unit }; run { $number } of the experiment, the middle one of { $count } runs. Grey: warm-up.

## The machine during a run

axis-recording-seconds = s since the start of the recording
axis-processors = % of all processors, from 0
axis-requests = requests, from 0
picture-machine-cpu = Processor time during { $row }
picture-machine-memory = Memory during { $row }
picture-machine-traffic = Traffic of the layers during { $row }
picture-machine-queue = Requests under way or waiting during { $row }
picture-machine-note = Run { $number } by the kernel's counts.
picture-machine-grey = Grey: not timed, warm-up.
picture-machine-dotted = Dotted: new level.
picture-before-timed = before the timed part
lane-user = user
lane-system = system
lane-interrupts = interrupts
lane-page-cache = page cache
lane-dirty = dirty
lane-writeback = writeback
lane-read = { $device } read
lane-written = { $device } written

## Rebuilds of arrays

axis-rebuild-seconds = seconds since it began, from 0
axis-rebuilt = % rebuilt, from 0
picture-rebuild-note = As md tells it (sync_completed), beside the run in the middle of each workload.
picture-rebuilt = { $device } beside { $row } was rebuilt in { $time }
picture-rebuilt-speed = { $device } beside { $row } was rebuilt in { $time }, { $speed } in the median
picture-would-be-rebuilt = { $device } beside { $row } would be rebuilt in { $time }
picture-would-be-rebuilt-speed = { $device } beside { $row } would be rebuilt in { $time }, { $speed } in the median
picture-being-rebuilt = { $device } beside { $row } was being rebuilt
picture-being-rebuilt-speed = { $device } beside { $row } was being rebuilt, { $speed } in the median
picture-rebuild-tip = { $row }: { $share } % after { $seconds } s

## Times around a middle

picture-radar-steps = Times around a middle: the smaller the figure, the faster
picture-radar-pages = Response times of pages around a middle: the smaller the figure, the faster
picture-radar-steps-note = Time of each step in { $unit } from 0 in the middle, with its 95 % interval.
picture-radar-pages-note = Median time of a page in { $unit } from 0 in the middle, with its 95 % interval.
picture-times = The same times as rows
picture-times-steps = Every dot is a run, the band the 95 % interval.
picture-times-pages = Every dot is the median of a run's pages, the band the 95 % interval over the runs.
picture-ring = outer ring { $most } { $unit }, middle 0

## Rounds of the same

axis-of-mean = % of the mean, not from 0
picture-noise = { $row } varies by { $share } from run to run
picture-noise-bare = { $row } from run to run
picture-noise-note = Each dot is one of { $count } runs; the band is one standard deviation. The axis does not begin at 0.
picture-steady = { $row }: steady over the last { $count } rounds
picture-not-steady = { $row }: not steady over the last { $count } rounds
picture-steady-bare = { $row } over the last { $count } rounds
picture-steady-note = SNIA's rule for the window of { $count } rounds: range { $range } of the mean (20 % allowed, the band), rise of the fitted line { $rise } (10 % allowed).
picture-round-tip = round { $number }: { $figure }
