### The pages of comparisons in a terminal.

## What is compared

compare-heading = { $others } tegenover { $base }
compare-experiment = experiment { $number }
compare-missing = Niet vergeleken, want niet elke kant heeft het: { $rows }.
compare-refused = Niet vergeleken: { $rows }: { $cause }
compare-refused-declare = { $reasons } Om het toch te vergelijken: { $command }
compare-left-out = Weggelaten uit { $rows }: { $cause }
compare-like = Om ze te vergelijken: { $command }
compare-invalid-arm = Wat te veranderen voor { $arm } opnieuw gemeten wordt: { $command }
compare-few-runs = Meer runs van { $arm }: { $command }

## The answer

compare-nothing = Er kon niets vergeleken worden.
compare-best = { $arm } is de beste bij { $rows }.
compare-times = { $ratio } keer
compare-faster = { $winner } is { $times } zo snel als { $loser }.
compare-faster-in = { $winner } is { $times } zo snel als { $loser } bij { $row }.
compare-faster-interval = { $winner } is { $times } zo snel als { $loser } ({ $level }: { $interval }).
compare-faster-in-interval = { $winner } is { $times } zo snel als { $loser } bij { $row } ({ $level }: { $interval }).
compare-also-faster = Ook sneller: { $rows }.
compare-also-slower = Ook trager: { $rows }.
compare-equal = Gelijk binnen { $margin }: { $rows }.
compare-none-at-all = In geen vergeleken rij is een verschil aangetoond; dat betekent niet dat er geen is.
compare-none-in = Geen verschil aangetoond: { $rows }.
compare-too-few-at-all = Te weinig metingen om te zeggen of er iets verschilt.
compare-too-few-in = Te weinig metingen om het te zeggen: { $rows }.

## The table

compare-ratio = verhouding
compare-mean-ratio = gem. verhouding
compare-difference = verschil
compare-none-shown = niet getoond
compare-too-few = te weinig metingen
compare-is-left-out = weggelaten
compare-equal-within = gelijk binnen { $margin }
compare-within = binnen { $margin }

## What cannot be told

compare-of-means = Een gemiddelde verhouding is die van de meetkundige gemiddelden van de metingen; de cijfers ernaast zijn medianen, en hun quotiënt is anders als de metingen scheef verdeeld zijn.
compare-by-chance = { $names }: een verschil als het de enige rij was. Van { $rows } gelijke rijen lijkt er toevallig minstens één verschillend op { $share } van de pagina’s, dus wordt er geen getoond.
compare-screen = Een screening van { $rows } rijen: van de genoemde verschillen kan ongeveer één op de 20 toeval zijn. Meet de rij waar het om gaat nog eens apart.
compare-no-interval = Geen interval, en dus geen conclusie: er zijn minstens zes metingen per kant nodig. etalon continue ID voegt er toe.
compare-no-interval-in-guest = Geen interval, en dus geen conclusie: er zijn minstens zes metingen per kant nodig. Doe het opnieuw met meer --blocks: de schijven van een gast zijn weg.
compare-no-interval-of-one = Geen interval, en dus geen conclusie: er zijn minstens zes metingen per kant nodig. Doe het experiment opnieuw met meer metingen.
compare-not-in-blocks = Na elkaar gemeten: wat intussen op de machine veranderde, maakt deel uit van een verschil.
compare-memory-all = Alle rijen: het geheugen bepaalt deze cijfers, en ze liggen ongeveer { $spread } uiteen van sessie tot sessie op dezelfde opslag. Hun verhoudingen houden daar rekening mee.
compare-memory = { $rows }: het geheugen bepaalt deze cijfers, en ze liggen ongeveer { $spread } uiteen van sessie tot sessie op dezelfde opslag. Hun verhoudingen houden daar rekening mee.

## What differs

compare-workloads-differ = De werklasten verschillen in: { $conditions }.
compare-another-in-each = { $condition } (anders in elke rij)
compare-unknown = Bij { $arms } is geen omgeving bewaard: of machine en opslagstapel verschillen is onbekend.
compare-unread = Van { $arm } niet bekend, omdat wie het mat dit niet mocht lezen: { $facts }.
compare-nothing-differs = Machine en opslagstapel verschillen niet.
compare-differs = Wat verschilt: { $facts }.
compare-all-of-it = Alles: { $command }
compare-undeclared = ! Niet vergeleken, toch anders: { $facts }. Het verschil kan daarvan komen. Maak ze gelijk, of geef ze op met --by.
compare-facts =
    { $count ->
        [one] { $count } gegeven
       *[other] { $count } gegevens
    }
compare-more-facts =
    { $count ->
        [one] nog { $count } gegeven
       *[other] nog { $count } gegevens
    }
compare-filesystem = bestandssysteem ({ $values })
compare-device = apparaat ({ $values })
compare-kernel = kernel ({ $values })
compare-space-in-use = ruimte in gebruik
compare-none = geen

## The gate of a script

gate-word-failed = GEZAKT:
gate-word-not-judged = NIET BEOORDEELD,
gate-word-too-few = Te weinig metingen om te zeggen
gate-word-passed = Geslaagd:
gate-failed = { $word } meer dan { $margin } trager: { $rows }.
gate-not-judged = { $word } want niet vergeleken: { $rows }.
gate-too-few = { $word } of het verlies groter is dan { $margin }: { $rows }.
gate-passed-one = { $word } niet meer dan { $margin } trager.
gate-passed = { $word } geen van { $count } rijen is meer dan { $margin } trager.
gate-some-passed = { $count } van { $all } rijen zijn geslaagd.
gate-row = { $row } (verhouding { $interval })
gate-row-no-interval = { $row } (geen interval)

## Details

details-title = { $row }, de basis is { $base }
details-arm = { $arm }: { $interval }; metingen: { $runs }
details-interval-mean = 95 %-interval van het gemiddelde { $ends }
details-interval-median = 95 %-interval van de mediaan { $ends }
details-of-all = % van alle
details-of-base = % van basis
details-legend-spread = SD en CV: hoe ver een meting van de volgende ligt (standaardafwijking), de CV als deel van het gemiddelde. % van alle: het gemiddelde als deel van het gemiddelde van alle kanten.
details-legend-letters = letters: kanten die er een delen zijn niet te onderscheiden. X: verslaat alle andere. Alle paren van alle rijen samen blijven binnen 5 % (Holm; vanaf 21 rijen Benjamini en Hochberg).
details-legend-equal = gelijk: het 90 %-interval van de verhouding ligt binnen de marge. Verhoudingen zijn van meetkundige gemiddelden.
details-legend-chance = Een verschil telt alleen als het standhoudt tussen alle paren van alle rijen van de pagina (Holm; vanaf { $rows } rijen Benjamini en Hochberg).

## Factors and labels

interactions-none = Van geen twee factoren is aangetoond dat ze van elkaar afhangen ({ $count } geprobeerd).
interactions-one = { $row }: { $change } hangt af van { $factor }: met { $level } is de verhouding { $ratio } keer die met { $base } ({ $interval }, { $blocks } blokken).
interactions-change = { $factor } { $level } tegenover { $base }
plan-expected = Verwacht: { $what }
labels-unknown = { $row }: de spreiding tussen labels is onbekend: { $reason }.
labels-left-out = Buiten de cijfers, want iets bedierf hun meting: { $labels }.
labels-spread = { $row }: { $count } labels verschillen { $between }, metingen van één label { $within }; { $share } van de variantie ligt tussen labels.

## Passports

passport-not-as-then = Niet zoals bij experiment { $experiment }: { $facts }.
passport-of-another = Experiment { $experiment }, het laatste paspoort van dit pad, was van een andere schijf, een ander bestandssysteem of een andere machine: er wordt niets mee vergeleken.
passport-falls = { $row } daalt { $share } van de eerste meting tot de laatste, die { $time } later begon.
passport-rises = { $row } stijgt { $share } van de eerste meting tot de laatste, die { $time } later begon.
