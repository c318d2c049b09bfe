### The pages of experiments in a terminal.

## The heading of a page

page-heading = { $path }: { $storage } ({ $when })
page-place = { $path }: { $storage }

## Before the page of an experiment with a latency target

page-target-met-at-depth = At queue depth { $depth }, { $percent } % of the operations take at most { $limit }: { $reached }, { $latency }.
page-target-met-at-rate = At { $rate } asked for, { $percent } % of the operations take at most { $limit }: { $reached }, { $latency }.
page-target-met-nowhere = At no load that was tried do { $percent } % of the operations take at most { $limit }.
page-target-not-shown = Whether { $percent } % of the operations take at most { $limit } { $load } is not known: p{ $name } takes { $needed } operations, and there were { $operations }. Make the runs longer (--time), or make more of them (--runs).
page-target-missed-at-depth = At queue depth { $depth } it is more: { $reached }, { $latency }.
page-target-missed-at-rate = At { $rate } asked for it is more: { $reached }, { $latency }.
page-target-highest = That was the highest load that was tried.
page-target-invalid = That is { $invalid }: the page below says why.
page-target-no-interval = No interval { $loads }: single runs have too few operations for a p{ $name } of their own. Make the runs longer (--time).
page-target-close = Too close to call: { $loads }. More runs decide it (--runs).
page-target-load-depth = at queue depth { $depth }
page-target-load-rate = at { $rate } asked for
page-target-latency = p{ $name } { $latency }
page-target-latency-within = p{ $name } { $latency } (95 %: { $low }-{ $high })
page-target-latency-above = p{ $name } above { $limit }

## What the figures say

page-invalid-word = INVALID
page-invalid-word-many = INVALID
page-memory = This is memory, not a disk: { $found }
page-figure-invalid = The figure is { $invalid }.
page-one-invalid = 1 of { $all } figures is { $invalid }.
page-some-invalid = { $count } of { $all } figures are { $invalid }.
page-large-both = Large files: read at { $read }, written at { $written }.
page-large-read = Large files: read at { $read }.
page-large-written = Large files: written at { $written }.
page-small = Small accesses: { $parts }.
page-small-and = { $first }; { $next }
page-small-both = { $reads } reads and { $writes } writes a second one at a time
page-small-reads = { $reads } reads a second one at a time
page-small-writes = { $writes } writes a second one at a time
page-small-both-deep = { $reads } reads and { $writes } writes a second at queue depth { $depth }
page-small-reads-deep = { $reads } reads a second at queue depth { $depth }
page-small-writes-deep = { $writes } writes a second at queue depth { $depth }
page-each-durable = { $said }, each write durable
page-single = { $row }: { $figure }.
page-single-latencies = { $row }: { $figure }; half of the operations took up to { $half }, 99 % up to { $most }.
page-all-steps = All steps together: { $figure }.
page-range = From { $low } ({ $low_row }) to { $high } ({ $high_row }).

## How sure the figures are

page-rate-set = The rate was set: read what the storage does from the latencies.
page-within = Good to within { $reach } on this machine today.
page-within-but-wide = Good to within { $reach } on this machine today, except { $wide } (varies by more).
page-within-but-few = Good to within { $reach } on this machine today, except { $few } (too few runs).
page-within-but-both = Good to within { $reach } on this machine today, except { $wide } (varies by more) and { $few } (too few runs).
page-names-and-more = { $names } and { $more } more
page-not-sure-few = How sure: not known, too few runs.
page-not-sure-wide = How sure: to no better than { $reach } on this machine today.

## Where reading and writing differ

page-reads-faster-large = Large reads are { $ratio } times as fast as large writes.
page-writes-faster-large = Large writes are { $ratio } times as fast as large reads.
page-reads-faster-small = Small reads are { $ratio } times as fast as small writes, one at a time.
page-writes-faster-small = Small writes are { $ratio } times as fast as small reads, one at a time.
page-reads-faster-deep = Small reads are { $ratio } times as fast as small writes at queue depth { $depth }.
page-writes-faster-deep = Small writes are { $ratio } times as fast as small reads at queue depth { $depth }.

## The table

column-result = result
column-interval = 95 % interval
column-mean = mean
column-median = median
column-runs = runs
column-cpu = CPU busy
column-power = power
column-heat = hottest
column-verdict = verdict
column-device = from device
column-step = step, until durable
column-returned = returned
column-user = user
column-system = system
column-wait = wait
column-latency = latency
page-few-of = ? { $count } of { $needed }
page-verdict-invalid = invalid: { $reasons }
page-verdict-needs = undecided, needs { $time } more

## The remarks

page-remark = { $place }: { $meaning } { $to_do }
page-below-in-memory = { $devices } serves everything from memory.
page-below-in-memory-advice = Read it as the speed of memory, or put the file on a disk.
page-direct-behind = O_DIRECT ends at the process behind this filesystem: its memory or the page cache below it may have answered.
page-direct-behind-advice = Measure the directory that it shows, or read the figure as one with its memory.
page-remark-invalid = { $place }: { $invalid }: { $meaning } { $to_do }
page-remark-lesser = To a lesser degree it holds for { $rows } too.
page-finding = { $severity } [{ $code }] { $place }: { $said } { $advice }
page-all-workloads = all workloads

## Figures that are less sure than was asked for

page-too-few = no ±: an interval takes { $needed } runs. { $to_do }
page-too-few-left-out =
    { $left_out ->
        [one] no ±: an interval takes { $needed } runs. { $left_out } of { $made } was left out, see the findings. { $to_do }
       *[other] no ±: an interval takes { $needed } runs. { $left_out } of { $made } were left out, see the findings. { $to_do }
    }
page-too-wide = ± wider than the { $asked } asked for. { $to_do }
page-too-wide-more = ± wider than the { $asked } asked for. { $more } more would do. { $to_do }
page-finer = Finer: { $command }
page-more-of-program = It takes more of the program's runs.
page-repeat-times = Repeat it { $runs } times.
page-repeat-options = Repeat it: { $options }
page-too-variable = Too variable here to be made more precise.
page-too-variable-apart = Too variable here to be made more precise: the fastest run of { $row } is { $ratio } times the slowest.
page-wide-rose = { $rows }: wider than ± { $wide }: rose from { $first } in the first run to { $last } in the last. { $cause }
page-wide-fell = { $rows }: wider than ± { $wide }: fell from { $first } in the first run to { $last } in the last. { $cause }
page-wide-between = { $rows }: wider than ± { $wide }: lay between { $low } and { $high } in no order. Look for another user of the disk, and measure longer.
page-wide-rose-widest = { $rows }: wider than ± { $wide }: { $widest } rose from { $first } in the first run to { $last } in the last. { $cause }
page-wide-fell-widest = { $rows }: wider than ± { $wide }: { $widest } fell from { $first } in the first run to { $last } in the last. { $cause }
page-wide-between-widest = { $rows }: wider than ± { $wide }: { $widest } lay between { $low } and { $high } in no order. Look for another user of the disk, and measure longer.
page-wide-faster = Something warms up; measure longer.
page-wide-slower = A cache fills up, or a directory grows; measure longer.
page-wide-known = { $rows }: wider than ± { $wide }: { $cause }
page-wide-known-widest = { $rows }: wider than ± { $wide }: { $widest }: { $cause }

## Names that memory took

page-memory-rows-durable = { $rows }: the rate at which memory takes them, as nothing is synced; { $durable } waits for the disk each time.
page-memory-rows-command = { $rows }: the rate at which memory takes them, as nothing is synced; with an fsync of each: { $command }.

## What was chosen

page-file-size = File size { $size }: one GiB, or a third of the usable { $usable }.
page-whole-device = Working set: all { $size } of the device, which is only read.
page-working-set-device = Working set: one file of { $size } to read and one to write, all of the device.
page-working-set-space = Working set: one file of { $size } to read and one to write, a third of the usable space.
page-working-set-time = Working set: one file of { $size } to read and one to write, what can be laid out in the budget.
page-working-set-memory = Working set: one file of { $size } to read and one to write, an eighth of the available memory, in which this filesystem lives.
page-working-set-length = Working set: one file of { $size } to read and one to write, the most that a check of this length uses.
page-working-set-least = Working set: one file of { $size } to read and one to write, the least that is worth measuring.
page-working-set-asked = Working set: one file of { $size } to read and one to write, as asked for.
page-working-set-earlier = Working set: one file of { $size } to read and one to write, as in the earlier experiment.
page-working-set-unfit = Working set: one file of { $size } to read and one to write, as the size of the earlier experiment does not fit here.
page-choice-memory = The files live in memory, so every figure is one of memory.
page-choice-direct = O_DIRECT goes past the page cache of the target.
page-choice-dropped = There is no O_DIRECT here: the cache is dropped before each read, because { $wanted } would be needed to outgrow { $memory } of memory.
page-run-length = Each run lasts about { $time }; blocks of all workloads in random order are repeated until the budget is spent, or until every figure is as precise as was asked for.
page-dropped = Too few runs for a ±: { $rows }. { $runs } runs of each take about { $needed }: --budget { $budget } would do.
page-dropped-asked = Fewer runs than asked for: { $rows }. { $runs } runs of each take about { $needed }: --budget { $budget } would do.
page-left-out = Too few runs for a ±, since some were left out, see the findings: { $rows }. --max-runs { $runs } would do.
page-continued = Continued: { $runs } runs stood already, and count.
page-choice-of = { $workload }: { $choice }

## What stands in no row

page-pairs = Each block was trimmed and then written, and counts twice, as do its bytes: a trim took { $trim }, a write { $write } (p50).
page-fsync-each = The { $call } after each write counts in the rate, not in the latency of the writes: its own is p50 { $half }, over { $count } calls.
page-fsync-each-tail = The { $call } after each write counts in the rate, not in the latency of the writes: its own is p50 { $half }, p99 { $most }, over { $count } calls.
page-fsync-every = The { $call } after every { $writes } writes counts in the rate, not in the latency of the writes: its own is p50 { $half }, over { $count } calls.
page-fsync-every-tail = The { $call } after every { $writes } writes counts in the rate, not in the latency of the writes: its own is p50 { $half }, p99 { $most }, over { $count } calls.
page-reach = Random places lay within { $set } of { $size } of disk, { $share } of it; where a disk turns, its arm moves less than over all of it.
page-verified =
    { $count ->
        [one] Verified: { $compared } compared in one run, all as written.
       *[other] Verified: { $compared } compared in { $count } runs, all as written.
    }
page-verified-differ =
    { $count ->
        [one] Verified: { $compared } compared in one run, of which { $bad } differ from what was written.
       *[other] Verified: { $compared } compared in { $count } runs, of which { $bad } differ from what was written.
    }
page-verified-nothing = Verified: nothing. The { $skipped } that were read bear no stamp of this seed, and so there is nothing to compare them with: another program wrote them, or what etalon wrote there was lost.
page-verified-skipped = Not verified: { $skipped } that were read and bear no stamp of this seed: another program wrote them, or what etalon wrote there was lost.
page-idle = Before the first run: { $meters }.
page-processors-busy = processors { $share } busy

## Where a figure lies among storage of its class

class-sata-ssd = SATA SSDs
class-nvme-3 = NVMe SSDs of PCIe 3.0 x4
class-nvme-4 = NVMe SSDs of PCIe 4.0 x4
class-hard-disk = hard disks of 7200 rpm
page-class-below = Sequential reads of { $figure } ({ $decimal }) lie below where { $class } lie ({ $low } to { $high } by their data sheets).
page-class-within = Sequential reads of { $figure } ({ $decimal }) lie where { $class } lie ({ $low } to { $high } by their data sheets).
page-class-above = Sequential reads of { $figure } ({ $decimal }) lie above where { $class } lie ({ $low } to { $high } by their data sheets).
page-card-below = Random reads of { $figure } lie below what A1 asks for of SD cards: { $low } and { $high }, by the SD Association.
page-card-within = Random reads of { $figure } lie between what A1 and A2 ask for of SD cards: { $low } and { $high }, by the SD Association.
page-card-above = Random reads of { $figure } lie above what A2 asks for of SD cards: { $low } and { $high }, by the SD Association.

## Which checks were done

page-checks-done = Checks: { $done } done, { $not } not possible here, { $other } do not apply; see `{ $command }`.
page-series-unread = The series of its runs ({ $size }) were left unread, and so were the checksums that cover them.
page-runs-unread = The records of its runs were left unread, and so were the checksums that cover them.
page-not-checked = Not checked: { $codes }, as { $reason }.

## How it ended, and where it is kept

page-interrupted-none = Interrupted before a run had ended, so that there is no figure. What was cut short is kept.
page-interrupted-cut = Interrupted: the figures cover the runs that had ended. The one that was cut short is kept, and is in none of them.
page-interrupted = Interrupted: the figures cover the runs that had ended.
page-ended-early = Ended early: { $failure } The figures cover what had ended.
page-kept = Kept as experiment { $number }: { $findings }, { $details }
page-with-pictures = With pictures: { $command }
page-made = { $kind } { $state }, { $count } runs, seed { $seed }, etalon { $version }
page-made-imported =
    { $count ->
        [one] imported, 1 figure, { $from }; etalon { $version } read their text. No check could look at it: `etalon review { $path }` judges the text
       *[other] imported, { $count } figures, { $from }; etalon { $version } read their text. No check could look at them: `etalon review { $path }` judges the text
    }
state-running = running
state-finished = finished
state-interrupted = interrupted
page-note = Note: { $note }
page-tags = Tags: { $tags }

## The list of experiments

list-id = id
list-when = when
list-kind = kind
list-valid = valid
list-runs = runs
list-figure = figure
list-target = target
list-valid-of = { $count } of { $all }
list-none-like = no experiment is like that; `etalon list` shows all
list-nothing = nothing has been measured yet; `etalon` measures the storage beneath this directory
