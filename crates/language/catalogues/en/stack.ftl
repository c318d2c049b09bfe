### The storage stack as text and as a picture.

## What is wrong with a layer

warning-misaligned = begins at byte { $offset }, which is no multiple of { $block }: small writes become read-modify-write; make the partition anew at a multiple of 1 MiB
warning-degraded = { $missing } of { $all } members missing: figures are those of a degraded array; replace the disk first
warning-busy = '{ $action }' is running and takes bandwidth; wait until it has ended, or stop it
warning-paths = { $down } of { $all } paths are down; see multipath -ll
warning-usb = USB { $version } device on a link of { $speed } Mbit/s; use a USB 3 port and cable
warning-usb-able = USB device capable of { $able } Mbit/s on a link of { $speed } Mbit/s; use a USB 3 port and cable
warning-usb-maybe = USB { $version } device on a link of { $speed } Mbit/s, as USB 3 devices are on USB 2; if it is one, use a USB 3 port and cable
warning-link = { $link } runs at { $now }, below its ability of { $able }; check slot, cable and power saving
warning-write-cache = write cache is off: each write waits for the medium (durable, but slow)
warning-write-cache-unknown = the kernel knows of no write cache behind this USB bridge, which may hide one: whether fsync reaches the medium is not known
warning-smart = SMART says the disk is failing{ $why }: save its data and replace it
warning-spare = { $spare } of its spare blocks are left, below its threshold of { $threshold }: replace the disk
warning-endurance = { $used } of its rated endurance is used: it may write slowly, and fail; plan to replace it
warning-sectors = { $pending } pending and { $uncorrectable } uncorrectable sectors: reads of them are tried for seconds; save its data, see smartctl -a
warning-temperature = the disk says that its temperature is out of bounds{ $now } and may slow itself down; cool it
warning-no-discard = discard is impossible here: freed blocks are never told to the disk; check every layer above it
warning-full = { $used } full: allocation scatters above { $most } %; free some space
warning-deleted = its file is deleted and goes when the device is detached
warning-sparse = its file occupies { $allocated } of { $size }: parts never written are read as zeros without any disk
warning-memory = data is held in memory: no disk is measured
warning-no-counters = the kernel does not count its I/O; write 1 to queue/iostats to prove where bytes came from

## Sentences on layers

stack-partition = partition { $number }
stack-raid = software RAID, { $level }
stack-loop = loop device
stack-zram = compressed memory (zram)
stack-host = the host of this machine
stack-served-maybe = the server has an address of this machine; whether it is here is not known
stack-not-examined = not examined: { $why }
stack-read-only = read-only
stack-removable = removable
stack-disk = { $transport } disk
stack-drawn-above = drawn above
stack-block-device = block device
stack-place = { $from } to { $to } of the disk
stack-byte = byte { $offset }
stack-aligned = aligned
stack-misaligned = misaligned by { $bytes } B
stack-members = { $present } of { $all } members
stack-direct = direct I/O to its file
stack-buffered = through the page cache of its file
stack-rotational = rotational
stack-non-rotational = non-rotational
stack-no-discard = no discard
stack-discard = discard up to { $most }
stack-blocks = { $logical } logical, { $physical } physical
stack-mount = { $kind } on { $point } from { $source } ({ $options }; { $own })
stack-mount-part = { $mount }, directory { $root } of it
stack-room = { $free } free of { $all }
stack-full = { $share } full
stack-inodes = { $free } of { $all } inodes free
stack-odirect = O_DIRECT with memory aligned to { $memory }, offsets to { $offset }
stack-odirect-refused = O_DIRECT is not supported on this file
stack-odirect-memory = O_DIRECT is accepted, but memory serves it
stack-no-journal = no journal
stack-mounts = { $count } times since the last check
stack-pieces = and { $count } more pieces
stack-queues = requests wait when no path is left
stack-fails = requests fail when no path is left
