### Words and counts that several pages share.

## Verdicts

verdict-valid = geldig
verdict-invalid = ongeldig
verdict-undecided = onbeslist

## Severities of findings

severity-note = opmerking
severity-warning = waarschuwing
severity-invalid = ongeldig

## Counts

count-runs =
    { $count ->
        [one] { $count } meting
       *[other] { $count } metingen
    }
count-runs-of-needed = geen: { $count } van { $needed } metingen
count-runs-of = { $count } van { $needed } metingen
count-rows-of = { $count } van { $all } rijen
count-jobs =
    { $count ->
        [one] { $count } taak
       *[other] { $count } taken
    }
count-processors = { $count } processoren

## What stands for a place or a figure

all-rows = alle rijen
the-disk = de schijf
experiment-number = experiment { $number }
no-interval = geen interval
not-measured = niet gemeten
word-or = of

## Where the page cache spoilt a figure

page-cache-meaning = dit is de paginacache, niet de schijf.
page-cache-meaning-share = dit is de paginacache, niet de schijf ({ $share } van de bytes kwam van { $devices }).
page-cache-larger-file = Neem een bestand van 20 keer het geheugen.
page-cache-direct = Laat --buffered weg, of neem een bestand van 20 keer het geheugen.
page-cache-server = dit is de paginacache van de server, niet de schijf.
page-cache-server-share = dit is de paginacache van de server, niet de schijf ({ $share } van de bytes kwam van { $devices }).
page-cache-either = dit is de paginacache van deze machine, de client, of van de server, niet de schijf.
page-cache-either-share = dit is de paginacache van deze machine, de client, of van de server, niet de schijf ({ $share } van de bytes kwam van { $devices }).
page-cache-stripes-share = dit is de stripecache van { $array }, niet de schijf ({ $share } van de bytes kwam van { $devices }).
page-cache-server-larger-file = Neem een bestand van 20 keer het geheugen van de server.
page-cache-once = Wat opnieuw wordt gelezen is niet meer koud: lees elke plaats één keer (--one-pass; one_pass in een plan).
finding-some-runs = { $said } (in { $count } van { $runs } metingen).
finding-some-runs-left-out = { $said } (in { $count } van { $runs } metingen, buiten de cijfers gelaten).

## The line of progress

progress-measuring = meten van { $target }: { $beneath }
progress-laying-out = { $size } aan bestanden klaarzetten
progress-block = blok { $number }
progress-block-of = blok { $number }/{ $all }
progress-left = nog { $time }

usage-heading = Gebruik:
usage-commands = Opdrachten
usage-arguments = Argumenten
usage-options = Opties
usage-workload = Werklast
