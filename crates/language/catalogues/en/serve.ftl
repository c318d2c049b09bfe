### The store in a browser.

## What stands on every page

serve-experiments = Experiments
serve-live = Live
serve-watch = Watch
serve-title = { $page } – etalon
serve-lost = The connection is lost; what is shown is old.
serve-stale = The store cannot be read; what is shown is old.

## The list

serve-none = Nothing has been measured yet; `etalon` measures the storage below a directory.
serve-one = One experiment is in the store.
serve-all = { $count } experiments are in the store, the newest first.
serve-some = { $count } of { $all } experiments are like that.
serve-show-all = Show all
serve-damaged = { $count } more are damaged; `etalon list` says which.
serve-filter-target = Target has
serve-filter-kind = Kind
serve-filter-state = State
serve-filter-tag = Tag
serve-filter-any = all
serve-filter = Filter
serve-column-compare = compare
serve-column-number = no.
serve-column-begun = begun
serve-column-kind = kind
serve-column-first = first figure
serve-column-valid = valid
serve-column-target = target
serve-compare = Compare the ticked
serve-tick-two = Tick two or more; the one with the higher place is the base.
serve-tick = Compare experiment { $number }
serve-valid-of = { $count } of { $all }
serve-newer = Newer
serve-older = Older

## The live session

serve-live-nothing = Nothing is being measured into this store.
serve-live-damaged = Experiment { $number } is damaged and is not shown; `etalon show { $number }` says where.
serve-live-note = A run is shown once it has ended and stands in the store, which is read once a second while somebody looks. That takes a little of this machine; close the page where every percent counts.
serve-live-experiment = Experiment { $number }
serve-live-of = : { $kind } of { $target }
serve-column-newest = newest run
serve-column-ends = lowest – highest
serve-column-median = p50 of the newest
serve-live-progress = { $block }, running for { $elapsed }{ $left }.
serve-live-no-block = No run has ended yet
serve-live-block = Block { $number }
serve-live-block-of = Block { $number } of { $all }
serve-live-at-most = ; at most { $time } left
serve-live-about = ; about { $time } left

## What the disks do

serve-watch-scripts = The charts need JavaScript; the table does not.
serve-watch-charts = The last two minutes
serve-watch-note = Once a second while somebody looks, as `etalon watch` counts.
serve-watch-soon = The first figures come in a second.
serve-watch-layer = layer
serve-watch-reads = reads/s
serve-watch-read = read
serve-watch-wait = wait
serve-watch-writes = writes/s
serve-watch-written = written
serve-watch-queue = queue
serve-watch-busy = busy
serve-watch-not-counted = not counted
serve-watch-memory = Memory
serve-watch-shares = user { $user }, system { $system }, interrupts { $interrupts }, iowait { $iowait }, steal { $steal }, idle { $idle }
serve-watch-sizes = available { $available }, cached { $cached }, dirty { $dirty }, writing back { $writeback }
serve-chart-throughput = Throughput of { $layer }
serve-chart-busy = Time that { $layer } was busy
serve-chart-processors = Processors
serve-chart-percent = per cent
serve-chart-percent-all = per cent of all
serve-chart-from = { $unit }, from 0: { $lines }
serve-chart-now = now

## Why there is no page

refused-heading = { $reason }
refused-status = HTTP status { $status }.
refused-all = All experiments
refused-too-often = Too many requests came from this address; wait a second.
refused-streams = As many browsers watch as may at once; close one of them.
refused-pages = As many pages are being made as may at once; ask again in a moment.
refused-no-host = The request does not say which host it is for.
refused-host = This server is not called '{ $host }'; use its address, or give the name with --name.
refused-cross-site = A page of another site asked; open this one yourself.
refused-method = Pages are read here, and nothing is sent; use GET.
refused-body = Pages are read here, and nothing is sent; leave the body out.
refused-long = The address is longer than { $bytes } bytes; shorten the filters.
refused-token = Give the token as the password, with any user name; it stands in the file of --token.
refused-page = There is no such page; the list of experiments is at /.
refused-number = '{ $value }' is no number of an experiment.
refused-list-page = '{ $value }' is no page.
refused-count = { $count } experiments are ticked; go back and tick two, or up to { $most }.
refused-unknown = the store has no experiment { $number }.
