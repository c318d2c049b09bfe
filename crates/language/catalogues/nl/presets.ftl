### What the plans that come with etalon are about, by their names. The English ones are those of the plans themselves.

preset-record-sweep = Hoe hangt de doorvoer af van de grootte van een record?
    .time = 4 min
    .space = 256 MiB aan bestanden
    .rights = iedereen
    .risk = geen: alleen eigen bestanden

preset-direct-or-not = Wat verandert de paginacache?
    .time = 5 min
    .space = 1 GiB aan bestanden
    .rights = iedereen
    .risk = geen: alleen eigen bestanden

preset-disk-profile = Wat kan deze opslag, van één verzoek tegelijk tot vele?
    .time = 4 min
    .space = 1 GiB aan bestanden
    .rights = iedereen
    .risk = geen: alleen eigen bestanden

preset-position-profile = Hoe snel is elk deel van deze schijf?
    .time = 4 min
    .space = geen bestanden
    .rights = root
    .risk = geen: leest een blokapparaat

preset-classroom = Hoeveel sneller is deze opslag sequentieel dan willekeurig, en hoe zeker is dat?
    .time = 2 tot 9 min
    .space = 1 GiB aan bestanden
    .rights = iedereen
    .risk = geen: alleen eigen bestanden

preset-steady-state = Wat blijft er van willekeurig schrijven over als het lang doorgaat?
    .time = 20 min
    .space = 4 GiB aan bestanden
    .rights = iedereen
    .risk = schrijft 20 min zonder pauze; alleen eigen bestanden

preset-database-durability = Wat wint een database die niet op de schijf wacht, en wat kost het?
    .time = 5 min
    .space = 500 MiB aan bestanden
    .rights = iedereen
    .risk = geen: een eigen PostgreSQL-server

preset-database-seeds = Wat doet een database op deze opslag, en wint InnoDB erbij om de paginacache heen te gaan?
    .time = 8 min
    .space = 600 MiB aan bestanden
    .rights = iedereen
    .risk = geen: een eigen MariaDB-server

preset-web-cache-on-off = Wat doen de paginacache en nginx’ eigen cache van open bestanden voor wie op pagina’s wacht?
    .time = 6 min
    .space = 50 MiB aan bestanden
    .rights = iedereen
    .risk = geen: een eigen nginx, op de loopback-interface

preset-trim-before-after = Maakt een TRIM van het bestandssysteem zijn schijf sneller?
    .time = 3 min
    .space = 1 GiB aan bestanden
    .rights = root
    .risk = geeft een TRIM aan het bestandssysteem, waarbij geen gegevens verloren gaan

preset-scheduler-duel = Welke I/O-planner is hier het snelst?
    .time = 2 min
    .space = 1 GiB aan bestanden
    .rights = root
    .risk = verandert de planner van de schijf, en zet hem terug

preset-readahead = Hoeveel moet de kernel vooruitlezen?
    .time = 5 min
    .space = 512 MiB aan bestanden
    .rights = root
    .risk = verandert het vooruitlezen van de schijf, en zet het terug

preset-mount-options = Wat veranderen koppelopties?
    .time = 2 min
    .space = 512 MiB aan bestanden
    .rights = root
    .risk = koppelt het bestandssysteem opnieuw, en zet het terug

preset-virtual-disk-cache = Wat verandert de cache van de schijf, zoals de kernel die kent?
    .time = 2 min
    .space = 512 MiB aan bestanden
    .rights = root
    .risk = met write through kan een stroomuitval op elk bestandssysteem van de schijf kosten wat duurzaam moest zijn; wordt teruggezet

preset-filesystem-duel = Welk bestandssysteem is het snelst op dezelfde schijf?
    .time = 5 min
    .space = 1 GiB geheugen
    .rights = root
    .risk = geen: eigen virtuele schijven

preset-raid-layouts = Wat kost en wat geeft elk profiel van btrfs?
    .time = 8 min
    .space = 1 GiB geheugen
    .rights = root
    .risk = geen: eigen virtuele schijven

preset-md-layouts = Wat kost en wat geeft elke indeling van md?
    .time = 9 min
    .space = 1 GiB geheugen
    .rights = root
    .risk = geen: eigen virtuele schijven

preset-mirror-btrfs-vs-md = Is een spiegel van btrfs even snel als btrfs op een spiegel van md?
    .time = 4 min
    .space = 1 GiB geheugen
    .rights = root
    .risk = geen: eigen virtuele schijven

preset-snia-throughput = Hoe snel leest en schrijft dit apparaat sequentieel als het eenmaal stabiel is?
    .time = 1 tot 5 h
    .space = het hele apparaat
    .rights = root
    .risk = VERNIETIGT het apparaat, dat met --destroy genoemd moet worden tenzij het leeg is

preset-snia-iops = Hoeveel bewerkingen per seconde doet dit apparaat als het eenmaal stabiel is?
    .time = 2 tot 7 h
    .space = het hele apparaat
    .rights = root
    .risk = VERNIETIGT het apparaat, dat met --destroy genoemd moet worden tenzij het leeg is

preset-snia-latency = Hoe lang duurt één bewerking op dit apparaat als het eenmaal stabiel is?
    .time = 2 tot 7 h
    .space = het hele apparaat
    .rights = root
    .risk = VERNIETIGT het apparaat, dat met --destroy genoemd moet worden tenzij het leeg is

preset-snia-wsat = Hoe loopt willekeurig schrijven op dit apparaat terug, van nieuw af?
    .time = 6 h
    .space = het hele apparaat
    .rights = root
    .risk = VERNIETIGT het apparaat, dat met --destroy genoemd moet worden tenzij het leeg is
