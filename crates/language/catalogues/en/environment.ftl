### The environment of an experiment in a terminal.

## What most readers ask for first

environment-processor = Processor
environment-memory = Memory
environment-kernel = Kernel
environment-distribution = Distribution
environment-machine = Machine
environment-governor = Governor
environment-filesystem = Filesystem
environment-scheduler = Scheduler
environment-disk = Disk
environment-firmware = Firmware
environment-unknown = not known
environment-processors =
    { $count ->
        [one] 1 processor
       *[other] { $count } processors
    }
environment-no-swap = { $memory }, no swap
environment-swap = { $memory }, { $swap } swap
environment-virtual = virtual
environment-on = { $filesystem } on { $place }
environment-revision = firmware { $revision }

## Headings of its facts

environment-programs = Kernel and programs
environment-limits = Limits of the control group
environment-layer = Storage stack: { $device }
environment-other = Other

## The rest

environment-missing = not known: { $what }: { $why }
environment-later = Environment { $hash }, of later runs, differs in:
environment-hash = Environment { $hash }
environment-hash-more = Environment { $hash }; { $count } more with --environment --all
environment-differs =
    { $count ->
        [one] Machine and storage stack differ in 1 fact:
       *[other] Machine and storage stack differ in { $count } facts:
    }
environment-not-there = not there
