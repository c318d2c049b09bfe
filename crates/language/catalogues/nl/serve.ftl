### The store in a browser.

## What stands on every page

serve-experiments = Experimenten
serve-live = Nu bezig
serve-watch = Meekijken
serve-title = { $page } – etalon
serve-lost = De verbinding is weg; wat er staat is oud.
serve-stale = De verzameling is niet te lezen; wat er staat is oud.

## The list

serve-none = Er is nog niets gemeten; `etalon` meet de opslag onder een map.
serve-one = In de verzameling zit één experiment.
serve-all = In de verzameling zitten { $count } experimenten, het nieuwste eerst.
serve-some = { $count } van { $all } experimenten zijn zo.
serve-show-all = Alles tonen
serve-damaged = Nog { $count } zijn beschadigd; `etalon list` zegt welke.
serve-filter-target = Doel bevat
serve-filter-kind = Soort
serve-filter-state = Toestand
serve-filter-tag = Label
serve-filter-any = alle
serve-filter = Filteren
serve-column-compare = vergelijken
serve-column-number = nr.
serve-column-begun = begonnen
serve-column-kind = soort
serve-column-first = eerste cijfer
serve-column-valid = geldig
serve-column-target = doel
serve-compare = Aangevinkte vergelijken
serve-tick-two = Vink er minstens twee aan; de bovenste is de basis.
serve-tick = Experiment { $number } vergelijken
serve-valid-of = { $count } van { $all }
serve-newer = Nieuwere
serve-older = Oudere

## The live session

serve-live-nothing = Er wordt niets in deze verzameling gemeten.
serve-live-damaged = Experiment { $number } is beschadigd en staat hier niet; `etalon show { $number }` zegt waar.
serve-live-note = Een meting staat hier zodra ze klaar is en bewaard is; de verzameling wordt eens per seconde gelezen zolang er iemand kijkt. Dat kost deze machine een beetje; sluit de pagina waar elk procent telt.
serve-live-experiment = Experiment { $number }
serve-live-of = : { $kind } van { $target }
serve-column-newest = nieuwste meting
serve-column-ends = laagste – hoogste
serve-column-median = p50 van de nieuwste
serve-live-progress = { $block }, bezig sinds { $elapsed }{ $left }.
serve-live-no-block = Er is nog geen meting klaar
serve-live-block = Blok { $number }
serve-live-block-of = Blok { $number } van { $all }
serve-live-at-most = ; nog hoogstens { $time }
serve-live-about = ; nog ongeveer { $time }

## What the disks do

serve-watch-scripts = De grafieken vragen JavaScript; de tabel niet.
serve-watch-charts = De laatste twee minuten
serve-watch-note = Eens per seconde zolang er iemand kijkt, zoals `etalon watch` telt.
serve-watch-soon = De eerste cijfers komen over een seconde.
serve-watch-layer = laag
serve-watch-reads = leesacties/s
serve-watch-read = gelezen
serve-watch-wait = wachttijd
serve-watch-writes = schrijfacties/s
serve-watch-written = geschreven
serve-watch-queue = wachtrij
serve-watch-busy = bezet
serve-watch-not-counted = niet geteld
serve-watch-memory = Geheugen
serve-watch-shares = gebruiker { $user }, systeem { $system }, interrupts { $interrupts }, iowait { $iowait }, steal { $steal }, rust { $idle }
serve-watch-sizes = beschikbaar { $available }, in cache { $cached }, gewijzigd { $dirty }, wordt weggeschreven { $writeback }
serve-chart-throughput = Doorvoer van { $layer }
serve-chart-busy = Tijd dat { $layer } bezet was
serve-chart-processors = Processoren
serve-chart-percent = procent
serve-chart-percent-all = procent van alle
serve-chart-from = { $unit }, vanaf 0: { $lines }
serve-chart-now = nu

## Why there is no page

refused-heading = Geen pagina: { $reason }
refused-status = HTTP-status { $status }.
refused-all = Alle experimenten
refused-too-often = Er kwamen te veel verzoeken van dit adres; wacht een seconde.
refused-streams = Er kijken zoveel browsers mee als er mogen; sluit er een.
refused-pages = Er worden zoveel pagina’s tegelijk gemaakt als er mogen; vraag het zo nog eens.
refused-no-host = Het verzoek zegt niet voor welke host het is.
refused-host = Deze server heet niet '{ $host }'; gebruik zijn adres, of geef de naam met --name.
refused-cross-site = Een pagina van een andere site vroeg dit; open deze zelf.
refused-method = Hier worden pagina’s gelezen en wordt niets verstuurd; gebruik GET.
refused-body = Hier worden pagina’s gelezen en wordt niets verstuurd; laat de inhoud weg.
refused-long = Het adres is langer dan { $bytes } bytes; maak de filters korter.
refused-token = Geef het token als wachtwoord, met een willekeurige naam; het staat in het bestand van --token.
refused-page = Deze pagina is er niet; de lijst van experimenten staat op /.
refused-number = '{ $value }' is geen nummer van een experiment.
refused-list-page = '{ $value }' is geen pagina.
refused-count = Aangevinkte experimenten: { $count }; ga terug en vink er twee aan, of hoogstens { $most }.
refused-unknown = de verzameling heeft geen experiment { $number }.
