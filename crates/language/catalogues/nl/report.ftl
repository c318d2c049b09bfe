### The report that opens in a browser.

## The frame of the report

report-word = rapport
report-title = { $question } – etalon-rapport
report-kept = Eén bestand zonder netwerktoegang: het kan zo bewaard en verstuurd worden.
report-footer-measured = Gemeten door etalon { $version }.
report-footer-imported = Door anderen gemeten, en gelezen door etalon { $version }.
report-footer-figures = Bij elk cijfer staan het interval, het aantal metingen en het oordeel.
report-skip = Naar de resultaten

## What the script says

script-light = Licht
script-dark = Donker
script-copied = Gekopieerd
script-turn = pijltjestoetsen draaien het
script-side = opzij
script-above = van boven

## The question

report-question-alternatives = { $alternatives }?
report-question-varies = Hoeveel schommelen de cijfers op { $path }?
report-question-together = Hoe snel zijn er meer tegelijk op { $path }?
report-question-work = Hoe lang duurt { $work } op { $path }?
report-question-time = Hoe lang duurt het op { $path }?
report-question-target = Hoe snel is { $path }?
report-question-row = Hoe snel is { $row } op { $path }?

## How many figures are valid

report-none-judged = Geen cijfer werd beoordeeld: de meting kwam niet tot een einde.
report-none-judged-yet = Nog geen cijfer is beoordeeld: de meting loopt nog.
report-still-running = De meting loopt nog.
report-was-interrupted = De meting werd voor het einde onderbroken.
report-still-running-of = Nog bezig: { $names }.
report-was-interrupted-of = Voor het einde onderbroken: { $names }.
report-figure-valid = Het cijfer is geldig.
report-figure-undecided = Het cijfer is onbeslist.
report-all-valid = Alle { $count } cijfers zijn geldig.
report-all-undecided = Alle { $count } cijfers zijn onbeslist.
report-other-valid = Het andere is geldig.
report-other-undecided = Het andere is onbeslist.
report-others-valid = De andere { $count } zijn geldig.
report-others-undecided = De andere { $count } zijn onbeslist.
report-of-all = Van { $all } cijfers: { $parts }.
report-of-others = Van de andere: { $parts }.
report-count-valid =
    { $count ->
        [one] { $count } is geldig
       *[other] { $count } zijn geldig
    }
report-count-invalid =
    { $count ->
        [one] { $count } is ongeldig
       *[other] { $count } zijn ongeldig
    }
report-count-undecided =
    { $count ->
        [one] { $count } is onbeslist
       *[other] { $count } zijn onbeslist
    }

## What was measured where

report-measured = Gemeten
report-imported = Geïmporteerd
report-storage = Opslag
report-machine = Machine
report-repeat-row = Herhalen
report-copy = Kopiëren
report-measured-when =
    { $count ->
        [one] { $when }. Experiment { $numbers }
       *[other] { $when }. Experimenten { $numbers }
    }
report-when-in = { $when }, in { $elapsed }
report-when-running = { $when }, loopt nog
report-when-interrupted = { $when }, onderbroken na { $elapsed }
report-when-no-run = { $when }, onderbroken voor het einde van de eerste meting

## Headings

report-contents = Inhoud
report-results = Resultaten
report-comparison = Vergelijking
report-stack = Opslagstapel
report-stack-of = Opslagstapel van { $path }
report-pictures = Grafieken
report-each = Metingen
report-each-heading = Elke meting op volgorde
report-findings = Bevindingen
report-environment = Omgeving
report-repeat = Herhalen
report-repeat-heading = Hoe dit te herhalen
report-runs = Alle metingen

## The table of results

report-results-note = Het resultaat is de mediaan van de metingen, ± de helft van het 95 %-interval; bij oudere experimenten kan het het gemiddelde zijn. Elke stip is een meting.
report-glance-note = Elk cijfer is de mediaan van de metingen, ± de helft van het 95 %-interval.
report-all-figures = Alle { $count } cijfers, elk op een rij: interval, metingen, latenties, oordeel
report-workload = werklast
report-result = resultaat
report-interval = 95 %-interval
report-strip = metingen, 0 tot 200 % van het resultaat van de rij
report-from-device = van schijf
report-verdict = oordeel
report-key-valid = geldig: niets spreekt het cijfer tegen
report-key-invalid = ongeldig: iets heeft het cijfer bedorven
report-key-undecided = onbeslist: te weinig metingen voor een interval
report-runs-around =
    { $count ->
        [one] { $count } meting rond het resultaat
       *[other] { $count } metingen rond het resultaat
    }
report-needs-more = nog { $time } nodig

## Tables of sizes

report-grid-caption = { $title }, { $unit }, ± de helft van het 95 %-interval
report-grid-gist = { $low } – { $high }, { $valid } van { $all } geldig
report-grid-from = { $title }, vanaf { $row }
report-record = record
report-grid-key-shade = hoe donkerder, hoe groter; een schaal per tabel
report-grid-key-hatched = zo: niet geldig, of niet nauwkeuriger bekend dan ± 25 %
report-grid-key-struck = doorgehaald

## Comparison

report-base-note = { $base } is 1,00. Een verhouding boven 1 is sneller dan { $base }, met het 95 %-interval.
report-ratio = verhouding, { $base } = 1
report-all-workloads = Alle { $count } werklasten, elk op een rij
report-more-remarks =
    { $count ->
        [one] nog { $count } opmerking
       *[other] nog { $count } opmerkingen
    }
report-ratio-gist = { $other } sneller bij { $faster } groottes, trager bij { $slower }, van { $all }
report-ratio-caption = { $title }: zoveel keer zo snel als { $base }, met het 95 %-interval
report-faster = sneller
report-slower = trager
report-equivalent = gelijkwaardig
report-no-difference = geen verschil aangetoond

## The storage stack

report-stack-note = Elk vak is een laag waar de gegevens doorheen gaan, van het koppelpunt tot de schijven. Waarschuwingen staan bij hun laag.
report-stack-drawing = Opslagstapel van { $path }, van het koppelpunt tot de schijven
report-not-known-of = Onbekend: { $what }.
report-not-kept = Bij dit experiment is geen omgeving bewaard: de etalon die het deed bewaarde er geen, of geen van de metingen werd gevolgd.

## The runs

report-dots-note = Van links naar rechts in de volgorde waarin ze gedaan zijn, vanaf 0 onderaan; de band is het 95 %-interval.
report-dots-left = { $count } verdere werklasten staan in de tabel hierboven, elke meting een stip.
report-dots-first = De eerste { $count } werklasten, elke meting een stip
report-runs-of-row = { $count } metingen van { $row }
report-run-tip = meting { $number }: { $figure }
report-run-axis = meting
report-runs-exported = { $count } metingen: `etalon export ID --csv` geeft ze, elk op een regel.
report-runs-summary = { $count } metingen in de volgorde waarin ze gedaan zijn
report-runs-experiment = experiment
report-runs-run = meting
report-runs-block = blok
report-runs-at = op
report-runs-lasted = duur
report-runs-per-second = per seconde
report-runs-bytes = bytes
report-runs-longest = langste
report-runs-left-out = buiten de cijfers gelaten

## The findings

report-none-found = Geen controle heeft iets gevonden.
report-more-findings = Alle andere bevindingen ({ $count })
report-do = Doen:
report-evidence = Bewijs
report-found-in = { $count } van { $all } rijen: { $names } en nog { $more }
report-more-rows =
    { $count ->
        [one] nog { $count } rij
       *[other] nog { $count } rijen
    }

## The environment

report-environment-note = Elk gegeven dat voor de eerste meting gelezen is; de hash ervan is { $hash }.
report-facts =
    { $count ->
        [one] { $group }, { $count } gegeven
       *[other] { $group }, { $count } gegevens
    }
report-changed-later = Veranderd voor latere metingen
report-not-known = Onbekend

## How to repeat it

report-repeat-experiment = Experiment { $number }: { $kind } van { $path }
report-repeat-seed = Seed { $seed }, { $count } metingen, etalon { $version }.
report-repeat-no-seed = { $count } metingen, etalon { $version }.
report-settings = Instellingen zoals ze bepaald zijn:
report-this = Dit rapport
report-no-command = De versie die gemeten heeft, heeft de opdrachtregel niet bewaard.

## The pictures

picture-none = Er is niets te tekenen.
picture-first-workloads = Latenties en het verloop van metingen zijn getekend voor de eerste { $count } werklasten; nog { $more } staan in de tabel.
picture-more =
    { $count ->
        [one] Nog { $count } is niet getekend.
       *[other] Nog { $count } zijn niet getekend.
    }
picture-set-from = vanaf { $row }
picture-fold =
    { $count ->
        [one] { $name }: { $count } grafiek
       *[other] { $name }: { $count } grafieken
    }
unit-per-second = per seconde
axis-from-zero = { $unit }, vanaf 0
axis-latency-log = latentie, logaritmische as
axis-round = ronde

## All figures

picture-results-note = { $unit }: elke stip is een meting, de band het 95 %-interval, de lijn het resultaat. Experiment { $number }.
picture-results-note-more = { $unit }: elke stip is een meting, de band het 95 %-interval, de lijn het resultaat. Experiment { $number }; nog { $more } staan in de tabel.
picture-results-fold = { $count } van { $all } cijfers, elke meting een stip
picture-results-range = Van { $low } ({ $low_row }) tot { $high } ({ $high_row })
picture-results-one = De metingen van { $row } liggen tussen { $low } en { $high }
picture-results-invalid = Elk cijfer is hier ongeldig

## Ratios

picture-ratio-axis = zoveel keer zo snel als { $base }, logaritmische as
picture-ratio-note = Verhouding van de snelheden, { $base } = 1, met het 95 %-interval. Binnen de grijze strook gelden twee als gelijk (± { $margin }).
picture-ratio-fold = { $count } van { $all } verhoudingen
picture-ratio-no-interval = { $ratio }, geen interval
picture-pairs-axis = % van { $base }, logaritmische as
picture-pairs = Van { $before } (links) naar { $after } (rechts)
picture-pairs-note = Elke stip is een meting in procenten van het gemiddelde onder { $before }; de lijnen verbinden de gemiddelden.

## Pages before and after

picture-pages = { $row }: { $after } is sneller bij { $faster } van { $all } pagina’s, { $before } bij { $slower }
picture-pages-note = Elke stip is een pagina, volgens de mediaan van haar tijden; onder de lijn is { $after } sneller. Gevuld: elke meting van de ene is sneller dan elke meting van de andere, door toeval alleen { $chance } pagina’s. Hol: ze overlappen.
picture-pages-few = { $row }: { $all } pagina’s voor en na, te weinig metingen om te zeggen welke sneller zijn
picture-pages-few-note = Elke stip is een pagina, volgens de mediaan van haar tijden; onder de lijn is { $after } sneller. Er zijn zes metingen van elke kant nodig om dat te zeggen.
picture-pages-tip = pagina { $number }: { $before }, dan { $after }

## Sizes

size-file = bestandsgrootte
size-record = recordgrootte
axis-log = { $what }, logaritmische as
picture-surface = { $operation } naar bestands- en recordgrootte
picture-surface-note = { $unit } naar bestands- en recordgrootte; staande lijnen zijn 95 %-intervallen. Grijs en gestreept: niet geldig, of een interval breder dan ± 25 %.
picture-heat = { $operation }: dezelfde cijfers als tabel
picture-heat-note = { $unit }; hoe donkerder, hoe groter, met één schaal voor alles. Gearceerd: twijfelachtig.
picture-sizes = { $operation } naar { $what }
picture-sizes-note = { $unit }; een lijn per { $other }, banden zijn 95 %-intervallen, holle stippen twijfelachtig.

## Along the device

axis-device = GiB vanaf het begin van het apparaat, vanaf 0
picture-position = { $operation } langs het apparaat: { $first } in het eerste gemeten deel ({ $begin }), { $last } in het laatste ({ $end })
picture-position-bare = { $operation } langs het apparaat
picture-position-note = Elke stip is een van { $count } delen van het apparaat, in het midden ervan, met het 95 %-interval van de metingen. De eerste bytes van een draaiende schijf liggen op de buitenste sporen.
picture-position-part = { $range } vanaf { $offset }
picture-position-tip = { $part }: { $figure }

## Latencies

axis-share = aandeel van de bewerkingen, logaritmische as naar 100 %
axis-density = % van de bewerkingen per tiende van een decade, vanaf 0
axis-seconds = s sinds het begin
axis-latency-from = latentie vanaf
picture-latency = Latentie van elke bewerking
picture-latency-slowest = Eén bewerking op 100 duurt langer dan { $latency } bij { $row }
picture-latency-note = Verdeling van de latentie over alle metingen; stippen bij p50, p99 en p99.9. Ze eindigt waar minder dan tien bewerkingen verder liggen.
picture-histogram = Waar de meeste bewerkingen liggen
picture-histogram-note = Histogram van de latentie over alle metingen, in klassen van een tiende decade.
picture-over-time = Latentie van { $row } tijdens één meting
picture-over-time-note = Gemiddelde latentie per 100 ms, { $classes } klassen per decade; hoe donkerder, hoe meer tijdvakken. Meting { $number }, de middelste.
picture-slices =
    { $count ->
        [one] { $count } tijdvak
       *[other] { $count } tijdvakken
    }

## Load

axis-load = bewerkingen tegelijk, logaritmische as
picture-load =
    { $low ->
        [one] { $operation }: { $first } met 1 bewerking tegelijk, { $last } met { $high }
       *[other] { $operation }: { $first } met { $low } bewerkingen tegelijk, { $last } met { $high }
    }
picture-load-bare = { $operation } naar belasting
picture-load-note = Percentielen van de latentie naar belasting, over alle metingen.
picture-load-tip = { $name } bij { $depth }: { $latency }

## The course of a run

axis-run-seconds = s sinds het begin van de meting
picture-level-changes = niveauwissel
picture-warm-up = opwarming
picture-course-one = { $row } binnen één meting: één niveau
picture-course = { $row } binnen één meting: { $count } niveaus
picture-course-note = Doorvoer per 100 ms, in { $unit }; meting { $number } van het experiment, de middelste van { $count } metingen. Grijs: opwarming.

## The machine during a run

axis-recording-seconds = s sinds het begin van de opname
axis-processors = % van alle processoren, vanaf 0
axis-requests = verzoeken, vanaf 0
picture-machine-cpu = Processortijd tijdens { $row }
picture-machine-memory = Geheugen tijdens { $row }
picture-machine-traffic = Verkeer van de lagen tijdens { $row }
picture-machine-queue = Verzoeken onderweg of in de wacht tijdens { $row }
picture-machine-note = Meting { $number } volgens de tellers van de kernel.
picture-machine-grey = Grijs: niet geklokt, opwarming.
picture-machine-dotted = Gestippeld: nieuw niveau.
picture-before-timed = voor het geklokte deel
lane-user = gebruiker
lane-system = systeem
lane-interrupts = interrupts
lane-page-cache = paginacache
lane-dirty = gewijzigde pagina’s
lane-writeback = wordt weggeschreven
lane-read = { $device } gelezen
lane-written = { $device } geschreven

## Rebuilds of arrays

axis-rebuild-seconds = seconden sinds het begin, vanaf 0
axis-rebuilt = % herbouwd, vanaf 0
picture-rebuild-note = Zoals md het meldt (sync_completed), naast de middelste meting van elke werklast.
picture-rebuilt = { $device } naast { $row } was herbouwd in { $time }
picture-rebuilt-speed = { $device } naast { $row } was herbouwd in { $time }, mediaan { $speed }
picture-would-be-rebuilt = { $device } naast { $row } zou herbouwd zijn in { $time }
picture-would-be-rebuilt-speed = { $device } naast { $row } zou herbouwd zijn in { $time }, mediaan { $speed }
picture-being-rebuilt = { $device } naast { $row } werd herbouwd
picture-being-rebuilt-speed = { $device } naast { $row } werd herbouwd, mediaan { $speed }
picture-rebuild-tip = { $row }: { $share } % na { $seconds } s

## Times around a middle

picture-radar-steps = Tijden rond een midden: hoe kleiner de figuur, hoe sneller
picture-radar-pages = Responstijden van pagina’s rond een midden: hoe kleiner de figuur, hoe sneller
picture-radar-steps-note = Tijd van elke stap in { $unit }, vanaf 0 in het midden, met het 95 %-interval.
picture-radar-pages-note = Mediane tijd van een pagina in { $unit }, vanaf 0 in het midden, met het 95 %-interval.
picture-times = Dezelfde tijden als rijen
picture-times-steps = Elke stip is een meting, de band het 95 %-interval.
picture-times-pages = Elke stip is de mediaan van de pagina’s van een meting, de band het 95 %-interval over de metingen.
picture-ring = buitenste ring { $most } { $unit }, midden 0

## Rounds of the same

axis-of-mean = % van het gemiddelde, niet vanaf 0
picture-noise = { $row } schommelt { $share } van meting tot meting
picture-noise-bare = { $row } van meting tot meting
picture-noise-note = Elke stip is een van { $count } metingen; de band is één standaardafwijking. De as begint niet bij 0.
picture-steady = { $row }: stabiel over de laatste { $count } ronden
picture-not-steady = { $row }: niet stabiel over de laatste { $count } ronden
picture-steady-bare = { $row } over de laatste { $count } ronden
picture-steady-note = Regel van SNIA voor het venster van { $count } ronden: spreiding { $range } van het gemiddelde (20 % toegestaan, de band), stijging van de gepaste lijn { $rise } (10 % toegestaan).
picture-round-tip = ronde { $number }: { $figure }
