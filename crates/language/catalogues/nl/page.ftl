### The pages of experiments in a terminal.

## The heading of a page

page-heading = { $path }: { $storage } ({ $when })
page-place = { $path }: { $storage }

## Voor de pagina van een experiment met een grens aan de latentie

page-target-met-at-depth = Bij wachtrijdiepte { $depth } duurt { $percent } % van de bewerkingen hoogstens { $limit }: { $reached }, { $latency }.
page-target-met-at-rate = Bij een gevraagde snelheid van { $rate } duurt { $percent } % van de bewerkingen hoogstens { $limit }: { $reached }, { $latency }.
page-target-met-nowhere = Bij geen enkele belasting die is geprobeerd, duurt { $percent } % van de bewerkingen hoogstens { $limit }.
page-target-not-shown = Of { $percent } % van de bewerkingen { $load } hoogstens { $limit } duurt, is niet bekend: p{ $name } vergt { $needed } bewerkingen, en het waren er { $operations }. Maak de metingen langer (--time), of maak er meer (--runs).
page-target-missed-at-depth = Bij wachtrijdiepte { $depth } is het meer: { $reached }, { $latency }.
page-target-missed-at-rate = Bij een gevraagde snelheid van { $rate } is het meer: { $reached }, { $latency }.
page-target-highest = Dat was de hoogste belasting die is geprobeerd.
page-target-invalid = Dit is { $invalid }: de pagina hieronder zegt waarom.
page-target-no-interval = Geen interval { $loads }: één meting heeft te weinig bewerkingen voor een eigen p{ $name }. Maak de metingen langer (--time).
page-target-close = Te dicht bij de grens om te beslissen: { $loads }. Meer metingen geven uitsluitsel (--runs).
page-target-load-depth = bij wachtrijdiepte { $depth }
page-target-load-rate = bij een gevraagde snelheid van { $rate }
page-target-latency = p{ $name } { $latency }
page-target-latency-within = p{ $name } { $latency } (95 %: { $low } tot { $high })
page-target-latency-above = p{ $name } boven { $limit }

## What the figures say

page-invalid-word = ONGELDIG
page-invalid-word-many = ONGELDIG
page-memory = Dit is geheugen, geen schijf: { $found }
page-figure-invalid = Het cijfer is { $invalid }.
page-one-invalid = 1 van { $all } cijfers is { $invalid }.
page-some-invalid = { $count } van { $all } cijfers zijn { $invalid }.
page-large-both = Grote bestanden: gelezen met { $read }, geschreven met { $written }.
page-large-read = Grote bestanden: gelezen met { $read }.
page-large-written = Grote bestanden: geschreven met { $written }.
page-small = Kleine toegangen: { $parts }.
page-small-and = { $first }; { $next }
page-small-both = { $reads } keer lezen en { $writes } keer schrijven per seconde, één tegelijk
page-small-reads = { $reads } keer lezen per seconde, één tegelijk
page-small-writes = { $writes } keer schrijven per seconde, één tegelijk
page-small-both-deep = { $reads } keer lezen en { $writes } keer schrijven per seconde bij wachtrijdiepte { $depth }
page-small-reads-deep = { $reads } keer lezen per seconde bij wachtrijdiepte { $depth }
page-small-writes-deep = { $writes } keer schrijven per seconde bij wachtrijdiepte { $depth }
page-each-durable = { $said }, elke schrijfbewerking duurzaam
page-single = { $row }: { $figure }.
page-single-latencies = { $row }: { $figure }; de helft van de bewerkingen duurde hoogstens { $half }, 99 % hoogstens { $most }.
page-all-steps = Alle stappen samen: { $figure }.
page-range = Van { $low } ({ $low_row }) tot { $high } ({ $high_row }).

## How sure the figures are

page-rate-set = De snelheid was opgelegd: lees uit de latenties wat de opslag doet.
page-within = Nauwkeurig tot op { $reach } op deze machine vandaag.
page-within-but-wide = Nauwkeurig tot op { $reach } op deze machine vandaag, behalve { $wide } (schommelt meer).
page-within-but-few = Nauwkeurig tot op { $reach } op deze machine vandaag, behalve { $few } (te weinig metingen).
page-within-but-both = Nauwkeurig tot op { $reach } op deze machine vandaag, behalve { $wide } (schommelt meer) en { $few } (te weinig metingen).
page-names-and-more = { $names } en nog { $more }
page-not-sure-few = Nauwkeurigheid: onbekend, te weinig metingen.
page-not-sure-wide = Nauwkeurigheid: niet beter dan { $reach } op deze machine vandaag.

## Where reading and writing differ

page-reads-faster-large = Groot lezen gaat { $ratio } keer zo snel als groot schrijven.
page-writes-faster-large = Groot schrijven gaat { $ratio } keer zo snel als groot lezen.
page-reads-faster-small = Klein lezen gaat { $ratio } keer zo snel als klein schrijven, één tegelijk.
page-writes-faster-small = Klein schrijven gaat { $ratio } keer zo snel als klein lezen, één tegelijk.
page-reads-faster-deep = Klein lezen gaat { $ratio } keer zo snel als klein schrijven bij wachtrijdiepte { $depth }.
page-writes-faster-deep = Klein schrijven gaat { $ratio } keer zo snel als klein lezen bij wachtrijdiepte { $depth }.

## The table

column-result = resultaat
column-interval = 95 %-interval
column-mean = gemiddelde
column-median = mediaan
column-runs = metingen
column-cpu = CPU bezet
column-power = vermogen
column-heat = heetste
column-verdict = oordeel
column-device = van schijf
column-step = stap, tot duurzaam
column-returned = terug
column-user = gebruiker
column-system = systeem
column-wait = wachten
column-latency = latentie
page-few-of = ? { $count } van { $needed }
page-verdict-invalid = ongeldig: { $reasons }
page-verdict-needs = onbeslist, nog { $time } nodig

## The remarks

page-remark = { $place }: { $meaning } { $to_do }
page-below-in-memory = { $devices } levert alles uit het geheugen.
page-below-in-memory-advice = Lees het als de snelheid van het geheugen, of zet het bestand op een schijf.
page-direct-behind = O_DIRECT eindigt bij het proces achter dit bestandssysteem: zijn geheugen of de paginacache eronder kan geantwoord hebben.
page-direct-behind-advice = Meet de map die het toont, of lees het cijfer als een met zijn geheugen.
page-remark-invalid = { $place }: { $invalid }: { $meaning } { $to_do }
page-remark-lesser = In mindere mate geldt het ook voor { $rows }.
page-finding = { $severity } [{ $code }] { $place }: { $said } { $advice }
page-all-workloads = alle werklasten

## Figures that are less sure than was asked for

page-too-few = geen ±: een interval vraagt { $needed } metingen. { $to_do }
page-too-few-left-out =
    { $left_out ->
        [one] geen ±: een interval vraagt { $needed } metingen. { $left_out } van { $made } is weggelaten, zie de bevindingen. { $to_do }
       *[other] geen ±: een interval vraagt { $needed } metingen. { $left_out } van { $made } zijn weggelaten, zie de bevindingen. { $to_do }
    }
page-too-wide = ± breder dan de gevraagde { $asked }. { $to_do }
page-too-wide-more = ± breder dan de gevraagde { $asked }. Nog { $more } zou volstaan. { $to_do }
page-finer = Fijner: { $command }
page-more-of-program = Er zijn meer metingen van het programma nodig.
page-repeat-times = Herhaal het { $runs } keer.
page-repeat-options = Herhaal het: { $options }
page-too-variable = Hier te wisselend om nauwkeuriger te maken.
page-too-variable-apart = Hier te wisselend om nauwkeuriger te maken: de snelste meting van { $row } is { $ratio } keer de traagste.
page-wide-rose = { $rows }: breder dan ± { $wide }: steeg van { $first } in de eerste meting naar { $last } in de laatste. { $cause }
page-wide-fell = { $rows }: breder dan ± { $wide }: daalde van { $first } in de eerste meting naar { $last } in de laatste. { $cause }
page-wide-between = { $rows }: breder dan ± { $wide }: lag tussen { $low } en { $high } zonder volgorde. Zoek naar een andere gebruiker van de schijf, en meet langer.
page-wide-rose-widest = { $rows }: breder dan ± { $wide }: { $widest } steeg van { $first } in de eerste meting naar { $last } in de laatste. { $cause }
page-wide-fell-widest = { $rows }: breder dan ± { $wide }: { $widest } daalde van { $first } in de eerste meting naar { $last } in de laatste. { $cause }
page-wide-between-widest = { $rows }: breder dan ± { $wide }: { $widest } lag tussen { $low } en { $high } zonder volgorde. Zoek naar een andere gebruiker van de schijf, en meet langer.
page-wide-faster = Er warmt iets op; meet langer.
page-wide-slower = Een cache loopt vol, of een map groeit; meet langer.
page-wide-known = { $rows }: breder dan ± { $wide }: { $cause }
page-wide-known-widest = { $rows }: breder dan ± { $wide }: { $widest }: { $cause }

## Names that memory took

page-memory-rows-durable = { $rows }: het tempo waarin het geheugen ze aanneemt, want er wordt niets gesynchroniseerd; { $durable } wacht telkens op de schijf.
page-memory-rows-command = { $rows }: het tempo waarin het geheugen ze aanneemt, want er wordt niets gesynchroniseerd; met een fsync van elk: { $command }.

## What was chosen

page-file-size = Bestandsgrootte { $size }: één GiB, of een derde van de bruikbare { $usable }.
page-whole-device = Werkset: alle { $size } van het apparaat, dat alleen gelezen wordt.
page-working-set-device = Werkset: één bestand van { $size } om te lezen en één om te schrijven, het hele apparaat.
page-working-set-space = Werkset: één bestand van { $size } om te lezen en één om te schrijven, een derde van de bruikbare ruimte.
page-working-set-time = Werkset: één bestand van { $size } om te lezen en één om te schrijven, wat binnen de tijd klaargezet kan worden.
page-working-set-memory = Werkset: één bestand van { $size } om te lezen en één om te schrijven, een achtste van het beschikbare geheugen, waarin dit bestandssysteem leeft.
page-working-set-length = Werkset: één bestand van { $size } om te lezen en één om te schrijven, het meeste dat een controle van deze duur gebruikt.
page-working-set-least = Werkset: één bestand van { $size } om te lezen en één om te schrijven, het minste dat het meten waard is.
page-working-set-asked = Werkset: één bestand van { $size } om te lezen en één om te schrijven, zoals gevraagd.
page-working-set-earlier = Werkset: één bestand van { $size } om te lezen en één om te schrijven, zoals in het eerdere experiment.
page-working-set-unfit = Werkset: één bestand van { $size } om te lezen en één om te schrijven, want de grootte van het eerdere experiment past hier niet.
page-choice-memory = De bestanden leven in het geheugen, dus elk cijfer is er een van het geheugen.
page-choice-direct = O_DIRECT gaat langs de paginacache van het doel.
page-choice-dropped = Er is hier geen O_DIRECT: de cache wordt voor elke leesbewerking geleegd, want er zou { $wanted } nodig zijn om { $memory } geheugen te ontgroeien.
page-run-length = Elke meting duurt ongeveer { $time }; blokken van alle werklasten in willekeurige volgorde worden herhaald tot de tijd op is, of tot elk cijfer zo nauwkeurig is als gevraagd.
page-dropped = Te weinig metingen voor een ±: { $rows }. { $runs } metingen van elk duren ongeveer { $needed }: --budget { $budget } zou volstaan.
page-dropped-asked = Minder metingen dan gevraagd: { $rows }. { $runs } metingen van elk duren ongeveer { $needed }: --budget { $budget } zou volstaan.
page-left-out = Te weinig metingen voor een ±, want er zijn er weggelaten, zie de bevindingen: { $rows }. --max-runs { $runs } zou volstaan.
page-continued = Voortgezet: er waren al { $runs } metingen, en ze tellen mee.
page-choice-of = { $workload }: { $choice }

## What stands in no row

page-pairs = Elk blok is vrijgegeven (trim) en daarna geschreven en telt twee keer, zijn bytes ook: een trim duurde { $trim }, een schrijfbewerking { $write } (p50).
page-fsync-each = De { $call } na elke schrijfbewerking telt mee in de doorvoer, niet in de latentie van het schrijven: de eigen latentie is p50 { $half }, over { $count } aanroepen.
page-fsync-each-tail = De { $call } na elke schrijfbewerking telt mee in de doorvoer, niet in de latentie van het schrijven: de eigen latentie is p50 { $half }, p99 { $most }, over { $count } aanroepen.
page-fsync-every = De { $call } na elke { $writes } schrijfbewerkingen telt mee in de doorvoer, niet in de latentie van het schrijven: de eigen latentie is p50 { $half }, over { $count } aanroepen.
page-fsync-every-tail = De { $call } na elke { $writes } schrijfbewerkingen telt mee in de doorvoer, niet in de latentie van het schrijven: de eigen latentie is p50 { $half }, p99 { $most }, over { $count } aanroepen.
page-reach = De willekeurige plaatsen lagen binnen { $set } van { $size } schijf, { $share } ervan; draait de schijf, dan beweegt haar arm minder dan over de hele schijf.
page-verified =
    { $count ->
        [one] Geverifieerd: { $compared } vergeleken in { $count } meting, alles zoals geschreven.
       *[other] Geverifieerd: { $compared } vergeleken in { $count } metingen, alles zoals geschreven.
    }
page-verified-differ =
    { $count ->
        [one] Geverifieerd: { $compared } vergeleken in { $count } meting, waarvan { $bad } afwijkt van wat geschreven is.
       *[other] Geverifieerd: { $compared } vergeleken in { $count } metingen, waarvan { $bad } afwijkt van wat geschreven is.
    }
page-verified-nothing = Geverifieerd: niets. De gelezen { $skipped } dragen geen stempel van deze seed; er is dus niets om ze mee te vergelijken: een ander programma heeft ze geschreven, of wat etalon daar schreef is verloren.
page-verified-skipped = Niet geverifieerd: { $skipped } die gelezen zijn en geen stempel van deze seed dragen: een ander programma heeft ze geschreven, of wat etalon daar schreef is verloren.
page-idle = Voor de eerste meting: { $meters }.
page-processors-busy = processoren { $share } bezet

## Where a figure lies among storage of its class

class-sata-ssd = SATA-ssd’s
class-nvme-3 = NVMe-ssd’s met PCIe 3.0 x4
class-nvme-4 = NVMe-ssd’s met PCIe 4.0 x4
class-hard-disk = harde schijven van 7200 tpm
page-class-below = Sequentieel lezen met { $figure } ({ $decimal }) ligt onder { $class } ({ $low } tot { $high } volgens hun datasheets).
page-class-within = Sequentieel lezen met { $figure } ({ $decimal }) ligt waar { $class } liggen ({ $low } tot { $high } volgens hun datasheets).
page-class-above = Sequentieel lezen met { $figure } ({ $decimal }) ligt boven { $class } ({ $low } tot { $high } volgens hun datasheets).
page-card-below = Willekeurig lezen met { $figure } ligt onder wat A1 van SD-kaarten vraagt: { $low } en { $high }, volgens de SD Association.
page-card-within = Willekeurig lezen met { $figure } ligt tussen wat A1 en A2 van SD-kaarten vragen: { $low } en { $high }, volgens de SD Association.
page-card-above = Willekeurig lezen met { $figure } ligt boven wat A2 van SD-kaarten vraagt: { $low } en { $high }, volgens de SD Association.

## Which checks were done

page-checks-done = Controles: { $done } gedaan, { $not } hier niet mogelijk, { $other } niet van toepassing; zie `{ $command }`.
page-series-unread = De reeksen van de metingen ({ $size }) zijn niet gelezen, en evenmin de controlesommen die ze dekken.
page-runs-unread = De gegevens van de metingen zijn niet gelezen, en evenmin de controlesommen die ze dekken.
page-not-checked = Niet gecontroleerd: { $codes }, want { $reason }.

## How it ended, and where it is kept

page-interrupted-none = Onderbroken voor een meting klaar was, zodat er geen cijfer is. Wat afgebroken werd, is bewaard.
page-interrupted-cut = Onderbroken: de cijfers gaan over de metingen die klaar waren. De afgebroken meting is bewaard, en zit er in geen enkel.
page-interrupted = Onderbroken: de cijfers gaan over de metingen die klaar waren.
page-ended-early = Vroegtijdig geëindigd: { $failure } De cijfers gaan over wat klaar was.
page-kept = Bewaard als experiment { $number }: { $findings }, { $details }
page-with-pictures = Met grafieken: { $command }
page-made =
    { $count ->
        [one] { $kind } { $state }, { $count } meting, seed { $seed }, etalon { $version }
       *[other] { $kind } { $state }, { $count } metingen, seed { $seed }, etalon { $version }
    }
page-made-imported =
    { $count ->
        [one] geïmporteerd, { $count } cijfer, { $from }; etalon { $version } las de tekst. Geen controle kon ernaar kijken: `etalon review { $path }` beoordeelt de tekst
       *[other] geïmporteerd, { $count } cijfers, { $from }; etalon { $version } las de tekst. Geen controle kon ernaar kijken: `etalon review { $path }` beoordeelt de tekst
    }
state-running = bezig
state-finished = klaar
state-interrupted = onderbroken
page-note = Notitie: { $note }
page-tags = Labels: { $tags }

## The list of experiments

list-id = nr.
list-when = wanneer
list-kind = soort
list-valid = geldig
list-runs = metingen
list-figure = waarde
list-target = doel
list-valid-of = { $count } van { $all }
list-none-like = geen experiment voldoet daaraan; `etalon list` toont ze alle
list-nothing = er is nog niets gemeten; `etalon` meet de opslag onder deze map
