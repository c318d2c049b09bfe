### Words and counts that several pages share.

## Verdicts

verdict-valid = valid
verdict-invalid = invalid
verdict-undecided = undecided

## Severities of findings

severity-note = note
severity-warning = warning
severity-invalid = invalid

## Counts

count-runs = { $count } runs
count-runs-of-needed = none: { $count } of { $needed } runs
count-runs-of = { $count } of { $needed } runs
count-rows-of = { $count } of { $all } rows
count-jobs = { $count } jobs
count-processors = { $count } processors

## What stands for a place or a figure

all-rows = all rows
the-disk = the disk
experiment-number = experiment { $number }
no-interval = no interval
not-measured = not measured
word-or = or

## Where the page cache spoilt a figure

page-cache-meaning = this is the page cache, not the disk.
page-cache-meaning-share = this is the page cache, not the disk ({ $share } of the bytes came from { $devices }).
page-cache-larger-file = Use a file of 20 times the memory.
page-cache-direct = Leave --buffered out, or use a file of 20 times the memory.
page-cache-server = this is the page cache of the server, not the disk.
page-cache-server-share = this is the page cache of the server, not the disk ({ $share } of the bytes came from { $devices }).
page-cache-either = this is the page cache of this machine, the client, or of the server, not the disk.
page-cache-either-share = this is the page cache of this machine, the client, or of the server, not the disk ({ $share } of the bytes came from { $devices }).
page-cache-stripes-share = this is the stripe cache of { $array }, not the disk ({ $share } of the bytes came from { $devices }).
page-cache-server-larger-file = Use a file of 20 times the server's memory.
page-cache-once = What is read again is no longer cold: read each place once (--one-pass; one_pass in a plan).
finding-some-runs = { $said } (in { $count } of { $runs } runs).
finding-some-runs-left-out = { $said } (in { $count } of { $runs } runs, left out of the figures).

## The line of progress

progress-measuring = measuring { $target }: { $beneath }
progress-laying-out = laying out { $size } of files
progress-block = block { $number }
progress-block-of = block { $number }/{ $all }
progress-left = { $time } left

usage-heading = Usage:
usage-commands = Commands
usage-arguments = Arguments
usage-options = Options
usage-workload = Workload
