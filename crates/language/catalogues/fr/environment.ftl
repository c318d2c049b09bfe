### The environment of an experiment in a terminal.

## What most readers ask for first

environment-processor = Processeur
environment-memory = Mémoire
environment-kernel = Noyau
environment-distribution = Distribution
environment-machine = Machine
environment-governor = Gouverneur
environment-filesystem = Système de fichiers
environment-scheduler = Ordonnanceur
environment-disk = Disque
environment-firmware = Micrologiciel
environment-unknown = inconnu
environment-processors =
    { $count ->
        [one] { $count } processeur
       *[other] { $count } processeurs
    }
environment-no-swap = { $memory }, sans swap
environment-swap = { $memory }, { $swap } de swap
environment-virtual = virtuelle
environment-on = { $filesystem } sur { $place }
environment-revision = micrologiciel { $revision }

## Headings of its facts

environment-programs = Noyau et programmes
environment-limits = Limites du groupe de contrôle
environment-layer = Pile de stockage : { $device }
environment-other = Autres

## The rest

environment-missing = inconnu : { $what } : { $why }
environment-later = L’environnement { $hash }, celui de passages ultérieurs, diffère par :
environment-hash = Environnement { $hash }
environment-hash-more = Environnement { $hash } ; { $count } de plus avec --environment --all
environment-differs =
    { $count ->
        [one] La machine et la pile de stockage diffèrent par { $count } élément :
       *[other] La machine et la pile de stockage diffèrent par { $count } éléments :
    }
environment-not-there = absent
