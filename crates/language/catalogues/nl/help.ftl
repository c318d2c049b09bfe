### De hulp bij opdrachten en opties, op naam.

help = Meet opslag op Linux en zegt hoe ver elk cijfer te vertrouwen is
    .long =
        Meet opslag op Linux en zegt hoe ver elk cijfer te vertrouwen is.

        Zonder subopdracht wordt TARGET ongeveer een minuut gecontroleerd: er wordt
        niets beschadigd, en opties of root zijn niet nodig.
    .foot = Exitcodes: 0 klaar, 1 mislukt, 2 verkeerd gebruik, 3 klaar maar een cijfer is ongeldig, een belofte is gebroken of er kon niets vergeleken worden, 4 geweigerd als gevaarlijk, 5 klaar maar minder nauwkeurig dan --precision vroeg, 6 een andere etalon meet daar (--wait wacht erop) of --wait=quiet vond geen rust, 7 trager dan compare --fail-if-slower toestaat, 130 onderbroken.
    .longfoot =
        Voorbeelden:
          etalon                              controleer de opslag onder deze map
          etalon /srv --budget 10m            neem tien minuten voor /srv
          etalon quick /mnt --json            hetzelfde als één JSON-document
          etalon measure /mnt --op randread --block-size 4k --queue-depth 32
          etalon list                         wat er tot nu toe gemeten is

        Exitcodes: 0 klaar, 1 mislukt, 2 verkeerd gebruik, 3 klaar maar een cijfer is
        ongeldig, een belofte is gebroken of er kon niets vergeleken worden,
        4 geweigerd als gevaarlijk, 5 klaar maar minder nauwkeurig dan --precision
        vroeg, 6 een andere etalon meet daar (--wait wacht erop) of --wait=quiet vond
        geen rust, 7 trager dan compare --fail-if-slower toestaat, 130 onderbroken.
help--precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde: stop zodra elke werklast het heeft, en zeg waar een werklast het niet heeft [standaard: het hele budget wordt gebruikt]
help--json = Toon één JSON-document in plaats van de pagina

help-quick = Controleer de opslag onder TARGET ongeveer een minuut lang (wat `etalon TARGET` doet)
    .longfoot =
        Voorbeelden:
          etalon quick
          etalon quick /mnt/usb --budget 3m --precision 2.5%
          etalon quick /dev/sdb            (leest alleen)
help-quick--precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde: stop zodra elke werklast het heeft, en zeg waar een werklast het niet heeft [standaard: het hele budget wordt gebruikt]
help-quick--json = Toon één JSON-document in plaats van de pagina

help-measure = Meet één werklast, met alle opties voor het meten
    .longfoot =
        Voorbeelden:
          etalon measure /mnt --op read --block-size 1M --queue-depth 8
          etalon measure /dev/nvme0n1 --op randread -b 4k -q 128 --runs 6 --json
          etalon measure /mnt --op randwrite --fsync 1 --time 30s
          etalon measure /mnt --op randread --rate 500 --arrival poisson
          etalon measure /mnt --op randread --block-size 4k:60,64k:40
          etalon measure /mnt --op randread -q 1,4,16 -b 4k,64k --runs 6 --time 3s
          etalon measure /mnt --op create --files 10000
          etalon measure /mnt --op randread --latency-target 5ms
          etalon measure /mnt --op randread --latency-target 2ms@p99.9 --arrival poisson

        Komma’s maken een reeks: -q 1,4,16 -b 4k,64k meet alle zes combinaties in
        willekeurige volgorde, blok voor blok.
        Dat kan met --op, --block-size, --queue-depth en --jobs, maar niet voor
        metadatabewerkingen; één backend bedient alle cellen.

        Groottes: 4k, 1M en 2GiB binair, 4kB en 1MB decimaal. Tijden: 500ms, 60s, 3h.
help-measure--target = Een map, een bestaand bestand (alleen gelezen) of een blokapparaat (alleen beschreven als niets het gebruikt en er niets op staat)
help-measure--destroy = Geef op wat er staat op het blokapparaat met dit serienummer of deze naam in by-id, zodat het beschreven kan worden
help-measure--json = Toon één JSON-document in plaats van de pagina
help-measure--file_size = Grootte van elk bestand, of van het gebruikte bereik van een apparaat [standaard: 1 GiB of een derde van de bruikbare ruimte; een bestand of apparaat geheel]

help-together = Meet meerdere werklasten tegelijk, elk met eigen cijfers
    .longfoot =
        Voorbeelden:
          etalon together -- /srv --op read -- /srv --op read   twee lezers
          etalon together --alone -- /srv --op randread -j 4 -- /srv --op write -b 1M
          etalon together -- /dev/sda --op randread -- /dev/sdb --op randread

        Elke werklast neemt de opties van `etalon measure` die er een beschrijven, en
        --name. Elke heeft eigen bestanden, en ook eigen cijfers. Alle beginnen op
        hetzelfde moment; wat gedeelde apparaten verplaatsten, wordt verdeeld naar wat
        elke werklast vroeg.
help-together--time = Beëindig na deze tijd elke werklast die zelf geen einde heeft
help-together--json = Toon één JSON-document in plaats van de pagina

help-continue = Voeg metingen toe aan een controle of meting, onder dezelfde omstandigheden of helemaal niet
    .foot =
        Voorbeelden:
          etalon continue 7              nog een minuut controle, of zes metingen
          etalon continue 7 --budget 5m
          etalon continue 8 --runs 20

        De machine, haar instellingen en de opslagstapel moeten die van de laatste
        meting zijn; wat veranderd is, wordt genoemd.
        Andere soorten worden geheel herhaald, en vergeleken: etalon compare 7 8
help-continue--runs = Hoeveel metingen erbij voor elke cel van een meting [standaard: 6]
help-continue--budget = Hoelang een controle mag doorgaan [standaard: 60s]
help-continue--precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde [standaard: wat eerst gevraagd was]
help-continue--json = Toon één JSON-document in plaats van de pagina

help-passport = Bepaal hoeveel TARGET schommelt als er niets verandert, met tien metingen van elke werklast
    .foot =
        Voorbeelden:
          etalon passport /srv
          etalon passport /srv --budget 10m      (meer bestanden, langere metingen)
help-passport--target = Een map op het bestandssysteem, of een blokapparaat om van te lezen
help-passport--budget = De tijd die het hoogstens mag duren
help-passport--json = Toon één JSON-document in plaats van de pagina

help-run = Voer een plan uit: één ding gevarieerd, in willekeurige blokken, en teruggezet
    .long =
        Voer een plan uit: één ding gevarieerd, in willekeurige blokken, en teruggezet

        Een plan is een bestand (TOML, docs/plans.md) of de naam van een preset
        (`etalon presets`). Wat gedood werd, gaat verder met `etalon resume`.
    .foot =
        Voorbeelden:
          etalon run scheduler-duel /srv --dry-run   wat er zou gebeuren, en hoelang
          etalon run scheduler-duel /srv --budget 30m
          etalon run plan.toml --seed 7
          etalon run plan.toml --at 22:00            begin vanavond
          etalon resume                              ga verder na kill of herstart
help-run--budget = De tijd die het hoogstens mag duren, bijvoorbeeld 30m of 3h
help-run--precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde
help-run--seed = Het getal dat elke willekeurige keuze bepaalt [standaard: dat van het plan, of een nieuw, dat bewaard wordt]
help-run--json = Toon één JSON-document in plaats van de pagina

help-resume = Ga verder met een plan dat gedood of onderbroken werd
    .long =
        Ga verder met een plan dat gedood of onderbroken werd

        Wat veranderd was, wordt eerst teruggezet; bewaarde metingen worden niet
        opnieuw gedaan.
    .foot =
        Voorbeelden:
          etalon resume       het nieuwste plan dat niet tot zijn einde kwam
          etalon resume 7
          etalon resume --print-unit     een systemd-unit die dit na herstarts doet
help-resume--id = Het nummer van het experiment [standaard: het nieuwste dat onderbroken werd]
help-resume--json = Toon één JSON-document in plaats van de pagina

help-rerun = Herhaal het plan van een experiment hier, onder een nieuw nummer
    .foot =
        Voorbeelden:
          etalon rerun 7 && etalon compare 7 8
help-rerun--id = Het nummer van het experiment
help-rerun--budget = De tijd die het hoogstens mag duren, bijvoorbeeld 30m of 3h
help-rerun--precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde
help-rerun--seed = Het getal dat elke willekeurige keuze bepaalt [standaard: dat van het plan, of een nieuw, dat bewaard wordt]
help-rerun--json = Toon één JSON-document in plaats van de pagina

help-plan = Schrijf het plan van een experiment
    .foot =
        Voorbeelden:
          etalon plan from 7 > plan.toml

help-plan-from = Toon het plan van een experiment, ook van een dat met de hand gemaakt is
help-plan-from--id = Het nummer van het experiment

help-presets = Toon de plannen die bij etalon horen, of geef er een
    .foot =
        Voorbeelden:
          etalon presets
          etalon presets --json
          etalon presets scheduler-duel > plan.toml      om het aan te passen
help-presets--json = Toon één JSON-document, met de plannen

help-list = Toon de experimenten in de verzameling
    .foot =
        Voorbeelden:
          etalon list
          etalon list --last 5
          etalon list --target /srv --kind quick
          etalon list --tag baseline
          etalon list --json --store /srv/results.sqlite
help-list--target = Alleen experimenten op dit doel

help-show = Toon één experiment uit de verzameling opnieuw
    .foot =
        Voorbeelden:
          etalon show 7
          etalon show 7 --findings
          etalon show 7 --findings --json
          etalon show 7 --details
          etalon show 7 --percentiles 50,90,99,99.9,99.99 --si
          etalon show 7 --dots --width 72
          etalon show 7 --stack
          etalon show 7 --environment
help-show--json = Toon één JSON-document; met --environment of --stack dat van machine en opslagstapel

help-compare = Zet experimenten of cellen naast elkaar en zeg welke verschillen echt zijn
    .longfoot =
        Voorbeelden:
          etalon compare 3 5                         elke werklast van twee controles
          etalon compare 3 5 7 --base 5              drie doelen, verhouding tot 5
          etalon compare '3/random read 4 KiB QD1' '5/random read 4 KiB QD1'
          etalon compare 3 5 --by queue-depth        alleen de diepte verschilt
          etalon compare 3 5 --fail-if-slower 5%     toets in scripts: exitcode 7
          etalon compare old.sqlite:3 5              met een andere verzameling
          etalon compare 3@1-6 3@7-12                eerste metingen en latere
          etalon compare --by label                  machines naast metingen

        Een kant is [FILE:]ID[/CELL][@RUNS]; CELL is een rij zoals pagina’s haar tonen,
        bijvoorbeeld 'random read 4 KiB QD32'; FILE alleen is het nieuwste experiment
        van die verzameling, of een dat `etalon export --json` schreef. De metingen van
        een cel tellen vanaf 1. Een enkele meting heeft geen interval en wordt met
        niets vergeleken.

        Doel, opslag, kernel en instellingen mogen verschillen: de kanten heten naar
        wat hen onderscheidt, en wat verder verschilt wordt op de pagina gemarkeerd,
        tenzij --by het opgeeft. De werklast moet gelijk zijn; alleen een rij waarvan
        de werklast verschilt wordt geweigerd, tenzij --by het opgeeft. Werksets die
        tot twee keer zo groot zijn, worden vergeleken en genoemd.

        Voor --by gelden: operation, block-size, file-size, offset, range, stride,
        read-percent, jobs, layout, queue-depth, backend, direct, cache, sync, fsync,
        distribution, arrival, en de parameters van metadatabewerkingen, van echt werk
        en van iozone (size, record, workers, bcopy, level ...); van de machine kernel,
        filesystem, device, beneath (alles onder het doel), en elk gegeven met zijn
        sleutel of het eind ervan (scheduler, read-ahead-bytes). --by capped vergelijkt
        ook rijen die een grens op deze machine tegenhield. --by label (run
        --label, merge --label) zegt hoe ver labels uiteenliggen naast hoe ver metingen
        van één label dat doen: standaardafwijkingen tussen en binnen labels, en het
        deel van de variantie dat ertussen ligt (de intraklassecorrelatie).
help-compare--margin = Relatieve verschillen tot hier gelden als geen
help-compare--strict = Eindig met 3 waar er te weinig metingen zijn om het te zeggen
help-compare--details = Toon alle cijfers, spreidingen, letters en gegevens die verschillen, met een legenda
help-compare--dots = Toon onder de pagina elke meting, het interval en het resultaat van elke kant als stippen vanaf 0, met de metingen als sparkline
help-compare--json = Toon één JSON-document in plaats van de pagina

help-report = Schrijf een rapport dat in een browser opent: één bestand met tabel, grafieken en bevindingen
    .long =
        Schrijf een rapport dat in een browser opent: één bestand met tabel, grafieken
        en bevindingen

        Meerdere experimenten worden naast het eerste gelegd: hun werklasten met
        dezelfde naam worden vergeleken.
    .foot =
        Voorbeelden:
          etalon report 7 -o report.html
          etalon report 7 8 -o report.html --open
          etalon report 7 --charts charts
          etalon report 7 --charts charts -o report.html

help-serve = Toon de verzameling in een browser: experimenten, vergelijkingen, wat gemeten wordt, wat de schijven doen
    .long =
        Toon de verzameling in een browser: experimenten, vergelijkingen, wat gemeten
        wordt, wat de schijven doen

        Alles is alleen-lezen. De server luistert alleen op deze machine, tenzij een
        token, een certificaat en de sleutel ervan gegeven zijn.
    .foot =
        Voorbeelden:
          etalon serve
          etalon serve --listen 127.0.0.1:0 --watch /srv
          etalon serve --listen 10.0.0.5:7979 --token t --certificate c.pem --key k.pem

        Ctrl-C beëindigt het. Vanaf een andere machine vraagt
        'ssh -L 7979:127.0.0.1:7979 HOST' geen token en geen certificaat.
help-serve--name = Een naam die browsers voor deze machine mogen gebruiken, naast haar adres; mag herhaald worden

help-export = Exporteer één experiment, met metingen, histogrammen en reeksen
    .foot =
        Voorbeelden:
          etalon export 7 --json > experiment.json
          etalon export 7 --csv > runs.csv
          etalon export 7 --markdown
          etalon export 7 --fio-files fio
          etalon export 7 --xlsx -o results.xlsx
          etalon export 7 --bundle -o results.etalon
          etalon export 7 --bundle -o results.etalon --without-identities

        Een export bevat serienummers, UUID’s, adressen, paden, de opdrachtregel van de
        kernel en namen van processen van andere gebruikers; --without-identities
        verbergt ze.
help-export--json = Eén JSON-document met alles
help-export--output = Schrijf naar dit bestand, in plaats van wat er staat, en niet naar de standaarduitvoer

help-review = Beoordeel een meting die anderen publiceerden: tekst, uitvoer van een programma of een bewaarde webpagina
    .foot =
        Gelezen wordt wat dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree,
        elbencho, de Phoronix Test Suite, sar en iostat tonen, en tabellen met cijfers,
        in het Engels en het Frans. Exitcode 3 betekent dat er een fout gevonden is, 1
        dat er geen meting te beoordelen was.

        Voorbeelden:
          etalon review page.html
          etalon review results.txt --all
          xclip -o | etalon review -
help-review--all = Toon elke fout, niet slechts drie van elke soort

help-import = Neem een geëxporteerd experiment, of de uitvoer van een ander programma, in de verzameling op onder een nieuw nummer
    .foot =
        Voorbeelden:
          etalon import results.etalon
          etalon import experiment.json --store all.sqlite
          etalon import fio.json
          etalon import iozone.txt

        Een bundel van `etalon export --bundle` komt byte voor byte terug; van
        `etalon export --json` wordt het interval van gemiddelde of mediaan dat niet
        voor een cel geldt, niet bewaard.

        Teksten van dd, hdparm, iozone, fio (ook JSON), bonnie++, sysbench, fdtree,
        elbencho (CSV), de Phoronix Test Suite (XML), sar en iostat worden gelezen,
        Engels en Frans, ook bewaarde webpagina’s, en de CSV en de JSON van fio uit
        `etalon export`. Hun experiment is van de soort 'imported': geen cijfer ervan
        heet geldig, want geen controle kon zien hoe het gemeten werd.
        `etalon review FILE` beoordeelt de tekst.
help-import--file = Een bundel, een document van `etalon export --json`, of een tekst; - is een tekst uit de standaardinvoer

help-verify = Bereken een gepubliceerd experiment opnieuw uit zijn metingen, en noem wat niet klopt
    .foot =
        Voorbeelden:
          etalon verify results.etalon
          etalon verify experiment.json
          etalon verify results.etalon --json

        Exitcode 3 betekent dat er iets niet klopt.
help-verify--file = Een bundel, of een document van `etalon export --json`

help-note = Geef een experiment een notitie, die `list --json` en `show` tonen
    .foot =
        Voorbeelden:
          etalon note 7 'before the new firmware'
          etalon note 7 ''                            haalt de notitie weg

help-tag = Geef een experiment een label (tag), zodat `list --tag` het vindt
    .foot =
        Voorbeelden:
          etalon tag 7 baseline
          etalon list --tag baseline
          etalon tag 7 baseline --remove

help-rm = Verwijder experimenten uit de verzameling, voorgoed
    .foot =
        Voorbeelden:
          etalon rm 7
          etalon rm 7 8 9 --store /srv/results.sqlite

        Ze worden alle verwijderd of geen. Een experiment dat nog loopt, wordt
        geweigerd. `etalon export ID --json` vooraf bewaart een kopie die
        `etalon compare` leest.

help-merge = Kopieer de experimenten van andere verzamelingen in deze, met nieuwe nummers
    .foot =
        Voorbeelden:
          etalon merge /mnt/usb/other-machine.sqlite
          etalon merge old.sqlite --store all.sqlite
          etalon merge a.sqlite b.sqlite --label north,south --store all.sqlite

        De andere verzamelingen worden alleen gelezen. Wat hier al is, wordt niet
        nogmaals gekopieerd, en wat op deze machine nog loopt, wordt weggelaten; wat een
        andere machine niet beëindigd heeft, wordt als onderbroken gekopieerd. Experimenten
        houden het label waarmee ze gedaan zijn, tenzij --label een ander geeft;
        `etalon compare --by label` zegt dan hoe ver machines uiteenliggen.
help-merge--label = Een label voor de experimenten van elke verzameling, in de volgorde van de verzamelingen

help-stack = Teken de opslagstapel van TARGET, van het koppelpunt tot de schijven
    .foot =
        Voorbeelden:
          etalon stack
          etalon stack /dev/sdb --json
help-stack--target = Een map, een bestand of een blokapparaat
help-stack--json = Toon één JSON-document in plaats van de tekening

help-watch = Toon wat de schijven van TARGET en de machine op dit moment doen
    .foot =
        Voorbeelden:
          etalon watch /srv
          etalon watch /srv --plain
help-watch--target = Een map, een bestand of een blokapparaat
help-watch--json = Toon aan het eind één JSON-document met elke waarneming

help-dd = Kopieer zoals dd, met de operanden van dd, en zeg wat daarvan duurzaam is
    .foot =
        Voorbeelden:
          etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
          etalon dd --help      (de operanden van dd)
    .options =
        Gebruik: etalon dd [OPERAND]...
                 etalon dd --parallel [OPERAND]... -- [OPERAND]... [-- ...]

        Kopieert zoals dd(1), toont de drie regels daarvan op de foutuitvoer, en dan wat
        dd niet zegt: de tijd tot de gegevens duurzaam waren, gegevens die in het
        geheugen bleven, wat elke schijf overdroeg. Elke regel van etalon zelf begint
        met 'etalon'.

        Operanden: if= of= bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv=
                   iflag= oflag= status=
          conv=    fsync fdatasync notrunc sparse noerror sync excl nocreat swab lcase
                   ucase ascii ebcdic ibm block unblock
                   (met cbs=, de lengte van een record)
          iflag=   append direct directory dsync sync fullblock nonblock noatime
                   nocache noctty nofollow count_bytes skip_bytes
          oflag=   dezelfde zonder fullblock, en seek_bytes
          status=  none noxfer progress
          Getallen: c=1 w=2 b=512 kB=1000 K=1024 MB M GB G T P E; een getal met B telt
                    bytes

        Opties van etalon zelf:
          --runs N         doe het N keer en geef het interval van het tempo (if= en of=
                           zijn nodig)
          --parallel       verscheidene kopieën tegelijk, hun operanden gescheiden
                           door --
          --destroy NAAM   schrijf op het blokapparaat met dit serienummer of deze naam
                           in by-id, hoewel het gegevens draagt; wat aangekoppeld of in
                           gebruik is wordt geweigerd
          --wait           met --runs: wacht op een andere etalon die op dezelfde
                           apparaten meet
          --json           één JSON-document op de standaarduitvoer (of= is nodig)
          --store BESTAND  met --runs: bewaar ze in deze verzameling
          --help           deze tekst

        Op een blokapparaat wordt alleen geschreven als niets het gebruikt en er geen
        signatuur op staat.

help-hdparm = Lees apparaten zoals hdparm -t, -T en --direct, herhaald en met intervallen
    .foot =
        Voorbeelden:
          etalon hdparm -t /dev/sda
          etalon hdparm --help      (de opties ervan)
    .options =
        Gebruik: etalon hdparm [-t] [-T] [--direct] [--offset GIB] [--runs N]
        {"                       "}[--seed N] [--wait] [--json] [--store BESTAND]
                               APPARAAT...

        Klokt leesacties zoals hdparm(8) dat doet, een aantal keren, en geeft het
        interval. Er wordt niets geschreven. Elke regel van etalon zelf begint met
        'etalon:'.

          -t             lees het apparaat 3 seconden lang op volgorde
          -T             de eerste 2 MiB steeds opnieuw, 2 seconden lang: geheugen, niet
                         het apparaat
          --direct       buiten de page cache om (O_DIRECT)
          --offset GIB   -t begint zoveel GiB vanaf het begin van het apparaat
          --runs N       hoe vaak (6); meer apparaten worden in elke run in willekeurige
                         volgorde gelezen
          --seed N       bepaalt die volgorde
          --wait         wacht op een andere etalon die op dezelfde apparaten meet
          --json         één JSON-document op de standaarduitvoer
          --store BESTAND  bewaar de runs in deze verzameling
          --help         deze tekst

help-iozone = Doe de tests van iozone met de opties, de indeling en het rekenblad van iozone
    .foot =
        Voorbeelden:
          etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
          etalon iozone --help      (de opties van iozone)
    .options =
        Gebruik: etalon iozone [OPTIES]

        Schrijft en leest een bestand record voor record, zoals iozone, en zegt hoever
        elk cijfer te vertrouwen is. Elke regel van etalon zelf begint met 'etalon:'.
          etalon iozone -a                                alle tests, een rooster
          etalon iozone -s 1G -r 64k -i 0 -i 1 -e -I      schrijf en lees, op de schijf
          etalon iozone -t 2 -F a/one b/two -s 256m -i 0  twee werkers, elk een bestand

        Elk cijfer wordt gemeten tot zijn interval binnen 5 % ligt, zover de tijd van
        drie doorgangen reikt (minstens een seconde per grootte van bestand en record),
        of zoals --runs of --precision zegt. Zonder -s heeft een bestand 512 kB.
        SIZE is een aantal kilobytes, of een getal met k, m of g.

          -a               een rooster van groottes van bestanden (64 kB tot 512 MB) en
                           records (4 kB tot 16 MB)
          -A               hetzelfde, alleen schrijven en lezen, met kleine records ook
                           in grote bestanden
          -b FILE          schrijf de cijfers in FILE, een XLSX-werkmap
          -B               beeld de bestanden af in het geheugen, behalve bij de tests
                           pread en pwrite, fwrite en fread
          -c               sluit binnen de gemeten tijd
          -C               toon het deel van elke werker
          -d #             microseconden tussen het begin van de werkers
          -D               met -B: vraag binnen de gemeten tijd om het wegschrijven van
                           wat geschreven is (MS_ASYNC)
          -e               fsync binnen de gemeten tijd
          -E               ook de tests pread en pwrite
          -f FILE          het bestand waarop gewerkt wordt (iozone.tmp)
          -F FILE...       de bestanden van een groep, één voor elke werker
          -g SIZE          het grootste bestand van het rooster
          -G               met -B: wacht binnen de gemeten tijd op het wegschrijven van
                           wat geschreven is (MS_SYNC)
          -h               deze hulp
          -H #             asynchrone I/O: zoveel records tegelijk onderweg, elk van of
                           naar het geheugen van de test gekopieerd
          -i TEST          een test, meermaals voor meer: 0 schrijven en herschrijven, 1
                           lezen en herlezen, 2 willekeurig lezen en schrijven, 3
                           achteruit lezen, 4 een record herschrijven, 5 met stappen
                           lezen, 6 fwrite en nog eens, 7 fread en nog eens, 8
                           willekeurig gemengd, 9 pwrite, 10 pread, 11 pwritev, 12
                           preadv
          -I               buiten de page cache om (O_DIRECT)
          -j #             stap van het lezen met stappen, in records (17)
          -J #             milliseconden rekenen voor elk record, buiten de gemeten tijd
          -k #             zoals -H zonder de kopie
          -K               stoor het lezen door elders even te lezen
          -l #             het kleinste aantal werkers van een groep
          -L #             de cacheregel van de processor in bytes, in de kop genoemd
          -m               gebruik verscheidene buffers om beurten
          -M               noem de machine in de kop
          -n SIZE          het kleinste bestand van het rooster
          -N               microseconden per bewerking
          -o               elke schrijfactie keert terug zodra ze duurzaam is (O_SYNC)
          -O               bewerkingen per seconde
          -p               leeg de cache van de processor voor elke test
          -P #             bind de werkers aan processors, vanaf deze
          -q SIZE          het grootste record van het rooster
          -Q               schrijf de latentie van elk record in wol.dat, rwol.dat,
                           rol.dat en rrol.dat, die van een groep in Child_0_wol.dat
                           enzovoort, die nieuw moeten zijn
          -r SIZE          grootte van een record (4 kB); meerdere vormen een rooster
          -R               herhaal de cijfers als rapport voor een rekenblad
          -s SIZE          grootte van het bestand (512 kB); meerdere vormen een rooster
          -S #             grootte van de cache van de processor in kilobytes, voor -p
          -t #             een groep van zoveel werkers, elk een bestand; meerdere
                           worden na elkaar gemeten
          -T               de werkers zijn threads en geen processen
          -u #             het grootste aantal werkers van een groep; zonder -l vanaf
                           één
          -U MOUNTPOINT    koppel voor elke test af en weer aan
          -v               de versie
          -V #             vul de records met deze byte en vergelijk wat gelezen wordt
          -w               laat de bestanden aan het eind staan
          -W               vergrendel het bestand zolang het gebruikt wordt
          -x               zonder gezamenlijk einde: elke werker doet zijn hele bestand
          -X FILE          schrijf zoals FILE zegt, regel voor regel: plaats en grootte
                           in bytes, milliseconden rekenen vooraf
          -y SIZE          het kleinste record van het rooster
          -Y FILE          lees zoals FILE zegt, evenzo
          -z               met -a: kleine records ook in grote bestanden
          -Z               met -B: om het andere record gaat door een aanroep
          -+A #            kondig de toegang aan de kernel aan: 0 normaal, 1
                           willekeurig, 2 op volgorde, 3 niet nodig, 4 nodig
          -+b #,#          rust na elke vlaag: kilobytes van een vlaag, milliseconden
                           slaap, buiten de gemeten tijd
          -+B              de gemengde groep (-i 8) leest en schrijft van begin tot eind
          -+C #            met -+y: procent van de herhaalde gegevens dat alleen het
                           bestand zelf heeft
          -+d              schrijf wat de plaats in het bestand zegt, vergelijk elke
                           gelezen byte, noem de eerste die fout is
          -+D              elke schrijfactie keert terug zodra haar gegevens duurzaam
                           zijn (O_DSYNC)
          -+J              rekenen en rusten van -J, -X, -Y en -+b vallen binnen de
                           gemeten tijd
          -+k              -s is de som over alle werkers
          -+l              vergrendel elk record terwijl het overgaat
          -+L              hetzelfde, en alle werkers gebruiken één bestand
          -+n              geen tweede doorgang
          -+N              schrijf over het oude bestand in plaats van in een nieuw
          -+p #            procent van een gemengde groep dat leest, naar beneden
                           afgerond op hele werkers (om de andere)
          -+q #            seconden tussen de tests
          -+r              lees en schrijf met O_SYNC
          -+S #            met -+w: een getal; alleen bestanden die met hetzelfde zijn
                           geschreven delen gegevens
          -+T              schrijf wanneer elke werker van een groep elke test begon en
                           eindigde in Child_0.log enzovoort, die nieuw moeten zijn
          -+u              noem de processortijd
          -+w #            procent van elk record dat de andere bestanden ook hebben, op
                           dezelfde plaats
          -+x #            van de ene grootte van het rooster naar de volgende (2)
          -+y #            met -+w: procent daarvan dat elk record heeft
          --runs N         meet elk cijfer zoveel keer
          --precision P%   meet elk cijfer tot zijn interval zo smal is, hoogstens 30
                           keer
          --overwrite FILE schrijf over dit eigen bestand en verwijder het aan het eind,
                           waar -f, -F of -U het noemt
          --fill           houd geen tiende van het bestandssysteem vrij
          --help           deze hulp
          --wait           wacht op een andere etalon die op dezelfde apparaten meet
          --json           één JSON-document op de standaarduitvoer
          --store FILE     bewaar de runs in deze verzameling

        Opties van iozone die niet geboden worden (elk zegt bij gebruik waarom):
          -+h -+m -+t -+X

help-metadata = Klok metadatabewerkingen: mkdir, create, stat, rename, unlink en meer
    .longfoot =
        Voorbeelden:
          etalon metadata /srv --files 100 --depth 2 --breadth 8 --precision 2%
          etalon metadata /srv --operations create,stat,unlink --jobs 4
help-metadata--target = Een map op het te meten bestandssysteem
help-metadata--files = Bestanden in elke map
help-metadata--file_size = Hoeveel `write` in elk bestand schrijft
help-metadata--jobs = Aantal threads, elk met een eigen boom
help-metadata--shared = Laat alle threads in één boom werken
help-metadata--json = Toon één JSON-document in plaats van de pagina

help-work = Klok echt werk: archieven, builds, kopieën, zoekacties, databases, webpagina’s, opdrachtregels
    .longfoot =
        Voorbeelden:
          etalon work list
          etalon work archive /srv --runs 10
          etalon work copy-tree /srv --set files=photos
          etalon work command /srv --set 'step=make -j2'
help-work--name = Welk werk; `list` noemt ze alle met hun parameters
help-work--target = Een map op het te meten bestandssysteem
help-work--json = Toon één JSON-document in plaats van de pagina

help-fdtree = Maak en verwijder een boom van mappen en bestanden, met de opties van fdtree
    .foot =
        Voorbeelden:
          etalon fdtree -d 5 -l 3 -f 10 -s 2
          etalon fdtree --help  (de opties van fdtree)
    .options =
        Gebruik: etalon fdtree [-C] [-R] [-D] [-l NIVEAUS] [-d MAPPEN] [-f BESTANDEN]
        {"                       "}[-s BLOKKEN] [-o MAP] [--runs N] [--sync] [--zero]
        {"                       "}[--wait] [--json] [--store BESTAND]

        Maakt een boom van mappen en bestanden, verwijdert hem, en toont hoeveel daarvan
        per seconde. Elke regel van etalon zelf begint met 'etalon:'.

          -l NIVEAUS    niveaus van mappen onder de wortel (4)
          -d MAPPEN     mappen in elke map boven het laatste niveau (10)
          -f BESTANDEN  bestanden in elke map (10)
          -s BLOKKEN    grootte van elk bestand in blokken van 4096 bytes (10)
          -o MAP        waar de boom komt (.), of met -R de boom zelf
          -C            alleen maken, en de boom laten staan
          -R            alleen verwijderen: de boom die -C in MAP liet staan, met
                        dezelfde -l -d -f
          -D            zeg wat er gedaan wordt, met elke tijd in nanoseconden
          --runs N      doe het N keer; vanaf 6 heeft elk tempo zijn 95 %-interval
          --sync        eindig elke fase met syncfs binnen de gemeten tijd: wat geteld
                        wordt staat op de schijf
          --wait        wacht op een andere etalon die op dezelfde apparaten meet
          --json        één JSON-document op de standaarduitvoer
          --store BESTAND  bewaar de runs in deze verzameling
          --zero        vul de bestanden met nullen in plaats van met gegevens die niet
                        te comprimeren zijn

        Het aantal mappen groeit als MAPPEN tot de macht NIVEAUS; wat niet past wordt
        geweigerd.
        Voorbeeld: fdtree -d 8 -l 4 -f 16 -s 1

help-lab = Meet in gasten met gemodelleerde schijven; simuleer arrays ervan, bied ze aan en toon ze
    .foot =
        Voorbeelden:
          etalon lab list                                schijfmodellen en kernels
          etalon lab simulate                            md-indelingen, vier schijven
          etalon lab simulate raid5 f2 --disk hdd-10k --disks 5
          etalon lab simulate raid5 --rebuild --size 1T  hoe een dood lid terugkomt
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          etalon lab powercut                            wat 200 storingen achterlaten
          etalon lab run quick --disk hdd-7200:8G        de snelle controle in een gast
          etalon lab run nfs --delay 1ms                 hetzelfde, daar over NFS
          etalon lab run raid-layouts                    indelingen van md op 4 schijven
          etalon lab check                               wat deze machine mist

help-lab-simulate = Voer lezen, schrijven en herbouwen door arrays van gemodelleerde schijven, op een virtuele klok
help-lab-simulate--disks = Aantal schijven
help-lab-simulate--seed = Bepaalt elke willekeurige plaats

help-lab-run = Voer een plan uit in een gast met gemodelleerde schijven, en bewaar zijn experimenten hier
    .foot =
        Voorbeelden:
          etalon lab run quick --disk hdd-7200:8G
          etalon lab run plan.toml --disk sd:4G --disk usb:4G -- /dev/vda /dev/vdb
          etalon lab run plan.toml --kernel ./unpacked -- --budget 10m --seed 7
          etalon lab run plan.toml --kernel ./linux-6.1 --kernel ./linux-6.12
          etalon lab run plan.toml --kernel host --kernel 'host mitigations=off'
          etalon lab run nfs --delay 1ms               de snelle controle over NFS
          etalon lab run plan.toml --over nvme-tcp --apart
          etalon lab run raid-layouts                  een preset, op eigen schijven
          etalon lab run host-vs-guest -- /srv         deze machine en haar gasten
          etalon lab run quick --root debian.qcow2     met de programma’s van een image

        De schijven zijn daar /dev/vda, /dev/vdb enzovoort, en bevatten ruis; zonder
        een naam achter -- wordt de eerste ervan gemeten. Een preset heeft zonder --disk
        eigen schijven, met een bestandssysteem of een array erop waar hij bestanden
        meet. Over een netwerk wordt de eerste schijf door de gast zelf aangeboden en
        benaderd, of met --apart door een andere gast aangeboden; gemeten wordt /net,
        een bestandssysteem erop. Meerdere kernels zijn een factor van het plan: elk
        blok start elk ervan, en één experiment vergelijkt ze; zo ook deze machine naast
        gasten waarvan de schijven bestanden in de map achter -- zijn. De experimenten
        worden hier bewaard, elke meting met de gast waarin ze gedaan is.
help-lab-run--plan = Het bestand van een plan, de naam van een preset, quick, of een netwerk voor quick daarover
help-lab-run--json = Toon één JSON-document voor elk experiment in plaats van zijn pagina
help-lab-run--seed = Bepaalt elke willekeurige tijd van de modellen

help-lab-shell = Open de console van zo’n gast op deze terminal
    .foot =
        Voorbeelden:
          etalon lab shell --disk hdd-7200:8G --disk hdd-7200:8G
          etalon lab shell --kernel ./unpacked

        `exit` of Ctrl-] beëindigt de gast; wat op zijn schijven staat, is dan weg.
help-lab-shell--seed = Bepaalt elke willekeurige tijd van de modellen

help-lab-powercut = Laat de stroom van een schijf uitvallen tijdens het schrijven van records, en zeg wat beloofd was en verloren ging
    .foot =
        Voorbeelden:
          etalon lab powercut                            een eerlijke schijf
          etalon lab powercut --disk ssd-sata:ignores-flush
          etalon lab powercut --durability none --cuts 20
          etalon lab powercut --filesystem ext4 --disk ssd-sata:1G
          etalon lab powercut --filesystem ext4 --mount-options barrier=0
          etalon lab powercut --filesystem ext4 --write store
          etalon lab powercut --filesystem xfs --write postgresql

        Genummerde records worden na elkaar geschreven. Elke stroomstoring valt op een
        eigen moment en wist wat de schijf niet op haar medium heeft gezet, sector voor
        sector naar toeval; daarna wordt elk beloofd record teruggelezen.

        Zonder bestandssysteem is de schijf een model op een virtuele klok, en krijgt
        elke storing een nieuwe: er is geen gast nodig. Met een bestandssysteem
        schrijft een gast naar een bestand, en koppelt en leest hij wat elke storing
        heeft achtergelaten, op een andere schijf.

        Exitcode 3 betekent dat er iets verloren ging wat beloofd was.
help-lab-powercut--disk = De schijf, als MODEL of MODEL:SIZE, en :ignores-flush voor een die liegt [standaard: hdd-7200:8G]
help-lab-powercut--durability = Wanneer een record als duurzaam geldt
help-lab-powercut--seed = Bepaalt de momenten, wat elke storing achterlaat, en elke willekeurige tijd van het model

help-lab-serve = Bied een schijf die antwoordt zoals haar model zegt, in echte tijd, aan clients van NBD aan
    .foot =
        Voorbeelden:
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          qemu-io -f raw nbd+unix:///?socket=/tmp/disk -c 'read 0 4k'
          nbd-client -unix /tmp/disk /dev/nbd0          als root, met de module nbd

        Clients worden na elkaar bediend, tot Ctrl-C. Wat geschreven is, wordt tot dan
        in het geheugen bewaard, en is daarna weg.
help-lab-serve--size = Grootte van de schijf
help-lab-serve--seed = Bepaalt elke willekeurige tijd van het model
help-lab-serve--json = Toon aan het eind één JSON-document

help-lab-list = Toon de schijfmodellen met de bron van elk cijfer
help-lab-list--json = Toon één JSON-document, met elk cijfer

help-lab-check = Zeg wat gasten nodig hebben en wat daarvan hier ontbreekt
help-lab-check--kernel = De kernel die gasten moeten hebben, waarmee KVM wordt geprobeerd [standaard: host, de kernel van deze machine]

help-restore = Verwijder wat een gedode etalon achterliet, en zet terug wat hij veranderde
    .foot =
        Voorbeelden:
          etalon restore      (elke meting begint hiermee)

help-checks = Toon de controles die elke meting doorloopt
    .foot =
        Voorbeelden:
          etalon checks
          etalon checks page-cache

help-schema = Toon het JSON Schema van elk document dat --json schrijft, of dat van een plan
    .foot =
        Voorbeelden:
          etalon schema > etalon.schema.json
          etalon schema plan > plan.schema.json

help-completions = Toon de aanvullingen voor een shell
    .foot =
        Voorbeelden:
          etalon completions bash > /etc/bash_completion.d/etalon
          etalon completions zsh > ~/.zfunc/_etalon
          etalon completions fish > ~/.config/fish/completions/etalon.fish

help-man = Schrijf de manpagina’s in een map
    .foot =
        Voorbeelden:
          etalon man /usr/local/share/man/man1

help-help = Toon dit bericht of de hulp van de genoemde subopdracht(en)

help-arg-accelerator = Hoe zijn processor werkt; auto neemt KVM waar een proef toont dat het werkt
help-arg-after_reboot = Ga alleen verder met een plan dat onderbroken werd voordat de machine opnieuw startte, en eindig goed waar er geen is
help-arg-all = Met --environment: elk gegeven, ook die welke zelden een cijfer bepalen
help-arg-alone = Meet elke werklast ook alleen, in willekeurige volgorde, en geef de verhouding van samen tot alleen
help-arg-apart = Laat een andere gast, met de schijven, de server van het netwerk zijn
help-arg-arms = Wat te vergelijken, minstens twee [standaard met --by label: elk experiment dat een label heeft]
help-arg-arrival = Met --rate: tussenpozen fixed (vast) of poisson, of repaced (wacht op elk antwoord, wat haperingen verbergt)
help-arg-as_begun = Ga verder met het plan zoals het was, als zijn bestand intussen iets anders zegt
help-arg-ascii = Toon alleen ASCII, zoals met LC_ALL=C
help-arg-at = Begin op dit tijdstip, vandaag of anders morgen, of op een moment als 2026-11-27T22:00
help-arg-backend = Hoe I/O te doen: sync, io_uring, mmap, stdio, null of fake [standaard: sync bij diepte 1, io_uring daarboven]
help-arg-base = De kant waarop verhoudingen en procenten betrekking hebben [standaard: de eerste]
help-arg-batch = Aantal bewerkingen dat io_uring hoogstens tegelijk krijgt [standaard: elke apart]
help-arg-block_size = Grootte van één bewerking; een mengsel in procenten van de bewerkingen (4k:60,64k:40), of een bereik van even waarschijnlijke groottes: telkens verdubbeld (4k-64k) of met een stap (4k-64k/4k)
help-arg-blocks = Meet zoveel blokken
help-arg-breadth = Mappen in elke map boven het laatste niveau
help-arg-budget = Hoelang het mag duren
help-arg-buffered = Ga door de paginacache in plaats van O_DIRECT te vragen
help-arg-bundle = Eén gecomprimeerd bestand met alles, dat `import` terugneemt en `verify` controleert; vraagt -o
help-arg-by = Wat tussen de kanten mag verschillen, gescheiden door komma’s
help-arg-bytes = Eindig na zoveel bytes over alle taken
help-arg-cache = Toestand van de paginacache voor elke meting: direct (omzeild, of geen meting), cold, warm, limited:SIZE (een control group) [standaard: omzeild waar dat kan]
help-arg-certificate = Het certificaat voor TLS, met zijn keten, in PEM
help-arg-charts = Schrijf elke grafiek als SVG en als PNG in deze map, die zo nodig gemaakt wordt, en een rapport alleen waar -o het noemt
help-arg-chunk = Chunk van de array
help-arg-code = Alleen deze controle, volgens de code die een bevinding heeft
help-arg-color = Kleur de pagina; auto: op een terminal, tenzij NO_COLOR gezet is of TERM dumb is
help-arg-count = Eindig na zoveel waarnemingen
help-arg-cpus = Bind taken om de beurt aan deze processoren, bijvoorbeeld 0-3,8
help-arg-csv = Eén regel per meting
help-arg-cuts = Hoe vaak de stroom uitvalt [standaard: 200, met een bestandssysteem 20]
help-arg-delay = Houd elk pakket van het netwerk zo lang tegen; heen en terug duurt twee keer zo lang
help-arg-depth = Niveaus van mappen onder de wortel van elke boom
help-arg-destroy = Sta toe dat een apparaat gewist wordt, genoemd met zijn serienummer of zijn naam in /dev/disk/by-id
help-arg-details = Toon alle kolommen, alle bevindingen en de instellingen van de opslagstapel
help-arg-direct = Breek af in plaats van door de paginacache te gaan waar O_DIRECT geweigerd wordt
help-arg-directory = Waar ze te schrijven; de map moet bestaan
help-arg-disk = Het model van elke schijf, zoals `etalon lab list` het noemt
help-arg-disks = Een schijf, als MODEL of MODEL:SIZE, en daarachter hoe ze faalt, zoals :dies-after=30s; nogmaals voor de volgende [standaard: hdd-7200:8G]
help-arg-distribution = Hoe willekeurige offsets getrokken worden: permutation (elk blok één keer), uniform, zipf:1.1, pareto:0.8
help-arg-done = De handmatige stap waarop het plan wacht (factor pause) is gedaan, zodat er niemand naar gevraagd wordt
help-arg-dots = Toon elke meting, het interval en het resultaat als stippen vanaf 0, met de metingen als sparkline
help-arg-dry_run = Zeg alleen wat er gedaan zou worden: cellen, volgorde, veranderingen, ruimte en tijd
help-arg-durability = Wat namen duurzaam maakt binnen de gemeten tijd: never, phase (één syncfs aan het eind van de fase van elke bewerking) of each (fsync van elk bestand dat gemaakt of geschreven wordt)
help-arg-environment = Toon de machine en haar instellingen zoals ze waren: processor, geheugen, kernel, bestandssysteem, wachtrijen
help-arg-experiments = Experimenten, zoals `etalon list` ze toont, of bestanden van `etalon export --json` [standaard: het nieuwste]
help-arg-fail_if_slower = Eindig met 7 waar van een kant is aangetoond dat ze meer dan dit trager is dan de basis, voor scripts: een snelheid die daalt of een tijd die stijgt, met heel haar interval
help-arg-fake_servers = Backend fake: bewerkingen die tegelijk bediend worden
help-arg-fake_service = Backend fake: tijd van één bewerking
help-arg-fake_stall = Backend fake: duur van een hapering
help-arg-fake_stall_every = Backend fake: haper bij elk veelvoud van deze tijd
help-arg-fdatasync = Roep fdatasync aan in plaats van fsync: never, end, of na elke N schrijfbewerkingen
help-arg-figures = Toon elk cijfer met zijn bron
help-arg-file = De tekst of bewaarde pagina; - is de standaardinvoer
help-arg-file_size = Grootte van het bestand om te lezen en van dat om te schrijven [standaard: die van de laatste controle van TARGET, of van een ander doel als TARGET die ook aankan, anders 1 MiB tot 4 GiB naar snelheid en ruimte]
help-arg-files = Aantal bestanden van een metadatabewerking, over alle taken; bij mkdir en rmdir van mappen
help-arg-filesystem = Schrijf naar een bestand op zo’n bestandssysteem, in een gast
help-arg-findings = Toon elke bevinding met haar code en haar cijfers, niet alleen wat verandert wat er te doen is, en welke controles niet mogelijk waren; met --json wat van elke controle geworden is
help-arg-fio = JSON zoals fio die toont, voor wat daaruit tekent; alleen I/O
help-arg-fio_files = Hetzelfde in een bestand voor elke werklast, in een map voor elke blokgrootte en omstandigheid onder deze, die zo nodig gemaakt wordt: voor fio-plot
help-arg-fsync = Roep fsync aan binnen de gemeten tijd: never, end, of na elke N schrijfbewerkingen
help-arg-given = Woorden voor de opdracht in de gast: doelen en opties van etalon run, of van etalon quick
help-arg-help = Toon de hulp
help-arg-huge_pages = Zet buffers in grote pagina’s
help-arg-id = Het nummer van het experiment, zoals `etalon list` het toont
help-arg-ids = De nummers van de experimenten, zoals `etalon list` ze toont
help-arg-interval = Tijd tussen twee waarnemingen
help-arg-jobs = Aantal threads
help-arg-json = Toon één JSON-document
help-arg-kernel = Een image, of de map van een uitgepakt pakket; woorden voor de opdrachtregel ervan mogen volgen binnen dezelfde aanhalingstekens [standaard: host, de kernel van deze machine]
help-arg-key = De sleutel van het certificaat, in PEM
help-arg-kind = Alleen experimenten die deze opdracht maakte: quick, measure, passport, together, metadata, work, dd, hdparm, iozone of fdtree
help-arg-label = Bewaar dit bij het resultaat, om het te onderscheiden van hetzelfde plan elders
help-arg-lang = Schrijf de pagina in deze taal [standaard: die van LC_ALL, LC_MESSAGES of LANG]
help-arg-last = Daarvan alleen de nieuwste N
help-arg-latency_target = Zoek de hoogste wachtrijdiepte, of met --arrival het hoogste tempo, waarbij een percentiel van de latentie onder deze tijd blijft: 5ms is 5ms@p99
help-arg-layouts = raid0, raid1, raid4, raid5, raid6, n2, n3, o2, f2 [standaard: die gebruikelijk zijn]
help-arg-like = Neem de bestandsgrootte, de diepte van stromen en de rijen van dit experiment, om de twee te vergelijken
help-arg-listen = Het adres en de poort om op te luisteren; poort 0 neemt een vrije
help-arg-margin = Met --alone: relatieve verschillen tot hier gelden als geen
help-arg-markdown = De tabel voor een forum of een README
help-arg-max_runs = Herhaal elke werklast hoogstens zo vaak
help-arg-memory = Geheugen van de gast
help-arg-metrics = OpenMetrics-tekst voor Prometheus
help-arg-min_runs = Herhaal elke werklast minstens zo vaak
help-arg-model = Het model, zoals `etalon lab list` het noemt, en daarachter hoe het faalt, zoals :dies-after=30s
help-arg-mount_options = Koppel het met deze opties, zoals bij mount -o
help-arg-name = Toon het plan van deze preset
help-arg-numa_node = Bind taken aan het geheugen en, zonder --cpus, de processoren van deze NUMA-node
help-arg-of = Wat te beschrijven [standaard: wat --json schrijft]
help-arg-offset = Waar het gebruikte bereik begint
help-arg-one_pass = Eindig na één ronde over het bereik
help-arg-op = Wat te doen: read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread of stridewrite; trim, randtrim, trimwrite of randtrimwrite, alleen van een blokapparaat; metadatabewerkingen: mkdir, create, stat, open, rename, link, symlink, setxattr, getxattr, unlink of rmdir, zoals `etalon metadata` ze doet
help-arg-open = Open het in de browser
help-arg-operations = Wat te klokken, gescheiden door komma’s [standaard: alle]
help-arg-others = De bestanden van de andere verzamelingen
help-arg-output = Het bestand om te schrijven; een bestaand wordt vervangen [standaard: etalon-ID.html, dat er niet mag zijn]
help-arg-over = Bereik de eerste schijf over een netwerk, waarvan deze gast ook de server is
help-arg-percentiles = Toon deze percentielen van de latentie, met bewerkingen en bytes per seconde naast elkaar
help-arg-pilot = Met --dry-run: doe één meting van elke werklast zonder opgegeven tijd, die zegt hoelang ze duurt; er wordt niets ingesteld en geen apparaat beschreven
help-arg-plain = Toon regels zoals sar, met een gemiddelde aan het eind, in plaats van het scherm te nemen
help-arg-plan = Het bestand van een plan, of de naam van een preset
help-arg-poll = io_uring: poll op voltooiingen
help-arg-precision = Vraag een interval van deze breedte, de helft ervan als deel van de waarde, en zeg waar het breder is
help-arg-print_unit = Toon een systemd-unit die dit bij elke start van de machine doet, en hoe ze geïnstalleerd wordt
help-arg-processors = Processoren van de gast
help-arg-queue_depth = Bewerkingen tegelijk onderweg per taak
help-arg-range = Lengte van het gebruikte bereik [standaard: tot het eind]
help-arg-rate = Bewerkingen per seconde (500) of bytes per seconde (50MiB/s) over alle taken, of het doel het bijhoudt of niet
help-arg-read_percent = Aandeel leesbewerkingen in rw en randrw
help-arg-rebuild = Vervang een dode schijf, en zeg onderweg snelheid en resterende tijd
help-arg-remove = Haal het label weg
help-arg-root = Voer uit met de programma’s en bibliotheken van deze schijfimage (qcow2 of raw), die alleen gelezen wordt
help-arg-runs = Herhaal zo vaak; zes is het minste met een interval [standaard: 6, daarna door tot elk cijfer een interval heeft en de gevraagde nauwkeurigheid, tot 30 of twee minuten]
help-arg-seed = Het getal dat elke willekeurige keuze bepaalt [standaard: een nieuw, dat bewaard wordt]
help-arg-set = Een parameter van het werk, als NAME=VALUE; mag herhaald worden
help-arg-shared = Laat alle taken één bestand delen in plaats van elk een eigen te geven
help-arg-shell = De shell
help-arg-si = Met --percentiles: tel bytes in MB (10^6) in plaats van MiB (2^20)
help-arg-size = Grootte van elke schijf
help-arg-socket = Naam van de Unix-socket; hij moet vrij zijn
help-arg-sqpoll = io_uring: laat een thread van de kernel indienen
help-arg-stack = Teken de opslagstapel zoals hij was
help-arg-store = Het bestand van de verzameling [standaard: dat wat de variabele ETALON_STORE noemt, anders etalon/store.sqlite in de XDG-gegevensmap]
help-arg-strict = Eindig ook met 3 waar een cijfer geen interval heeft of de gevraagde nauwkeurigheid mist
help-arg-stride = Afstand tussen twee blokken van een ronde met stride, in blokken
help-arg-sync = Open bestanden met O_DSYNC of O_SYNC: none, dsync of sync
help-arg-tag = Alleen experimenten met dit label (tag)
help-arg-target = Een map op het te meten bestandssysteem, of een blokapparaat om van te lezen
help-arg-targets = Mappen, bestanden of apparaten om te meten, in plaats van die van het plan [standaard: die van het plan, of .]
help-arg-text = De notitie, in plaats van die er al is; een lege tekst haalt haar weg
help-arg-think = Pauze van elke taak tussen bewerkingen, buiten hun latenties
help-arg-think_every = Met --think: pauzeer na elke N bewerkingen van een taak
help-arg-time = Eindig na deze tijd, opwarming inbegrepen
help-arg-time_limit = Beëindig de gast na deze tijd
help-arg-token = Een bestand waarvan browsers de eerste regel als wachtwoord moeten geven; 32 tekens of meer
help-arg-verify = Vergelijk wat gelezen wordt met wat geschreven is
help-arg-version = Toon de versie
help-arg-wait = Wacht op een andere etalon die op dezelfde apparaten meet, in plaats van te weigeren; =quiet: ook tot niets anders hun schijven of de processoren bezig houdt, hoogstens een uur, of =quiet:4h
help-arg-warm_up = Laat het eerste deel buiten de cijfers
help-arg-watch = De map, het bestand of het blokapparaat waarvan de schijven gevolgd worden
help-arg-width = Toon zoveel kolommen, wat de terminal ook heeft
help-arg-without_identities = Zet schuilnamen in de plaats van wat schijven, machine, netwerk, mappen en processen noemt, om te publiceren: in elke export van u dezelfde
help-arg-word = Het label: één woord
help-arg-words = De eigen opties van het programma
help-arg-workloads = De werklasten: elk een doel en zijn opties, met -- ervoor
help-arg-write = Wat daar geschreven wordt
help-arg-xlsx = Een werkmap: samenvatting, metingen, tabellen van groottes en omgeving, met grafieken; vraagt -o
