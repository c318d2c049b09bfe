### The environment of an experiment in a terminal.

## What most readers ask for first

environment-processor = Processor
environment-memory = Geheugen
environment-kernel = Kernel
environment-distribution = Distributie
environment-machine = Machine
environment-governor = Governor
environment-filesystem = Bestandssysteem
environment-scheduler = Scheduler
environment-disk = Schijf
environment-firmware = Firmware
environment-unknown = onbekend
environment-processors =
    { $count ->
        [one] { $count } processor
       *[other] { $count } processoren
    }
environment-no-swap = { $memory }, geen swap
environment-swap = { $memory }, { $swap } swap
environment-virtual = virtueel
environment-on = { $filesystem } op { $place }
environment-revision = firmware { $revision }

## Headings of its facts

environment-programs = Kernel en programma’s
environment-limits = Limieten van de control group
environment-layer = Opslagstapel: { $device }
environment-other = Overige

## The rest

environment-missing = onbekend: { $what }: { $why }
environment-later = Omgeving { $hash }, van latere metingen, verschilt in:
environment-hash = Omgeving { $hash }
environment-hash-more = Omgeving { $hash }; nog { $count } met --environment --all
environment-differs =
    { $count ->
        [one] Machine en opslagstapel verschillen in { $count } gegeven:
       *[other] Machine en opslagstapel verschillen in { $count } gegevens:
    }
environment-not-there = niet aanwezig
