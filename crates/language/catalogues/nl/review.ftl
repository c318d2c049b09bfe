### What `etalon review` says of what others published.

## The page

review-found = { $source }: { $figures } van meetprogramma’s, { $tables } met cijfers.
review-figures =
    { $count ->
        [one] { $count } cijfer
       *[other] { $count } cijfers
    }
review-tables =
    { $count ->
        [one] { $count } tabel
       *[other] { $count } tabellen
    }
review-nothing = Er is geen meting in gevonden.
review-sound = Een lezer ziet er niets verkeerds in.
review-kinds =
    { $count ->
        [one] { $count } soort fout gevonden.
       *[other] { $count } soorten fouten gevonden, de ernstigste eerst.
    }
review-line = regel { $line }: { $message }
review-more = en nog { $count }: --all toont ze

## The faults, with what shows them

fault-faster-than-device-random = { $label } met { $rate }/s, terwijl dezelfde pagina sequentieel { $stream }/s haalt: willekeurig is een schijf niet sneller.
fault-faster-than-device-kind = { $label } met { $rate }/s ({ $quoted }): { $why }.
fault-limit-disk = de snelste harde schijven halen sequentieel 300 MB/s
fault-limit-sata = SATA met 6 Gbit/s haalt 600 MB/s
fault-limit-usb2 = USB 2 haalt 60 MB/s
fault-idle-half = { $busy } deed { $transfers } overdrachten per seconde terwijl { $other } stilstond: één schijf deed alles.
fault-mixed-settings-rows = ‘{ $label }’ staat onder { $count } rijen van verschillende grootte.
fault-mixed-settings-said = er staat een standaardafwijking over verschillende recordgroottes ({ $sizes }), die elk één keer gemeten zijn.
fault-no-description = de pagina vermeldt dit niet: { $missing }.
fault-missing-disk = de schijf
fault-missing-memory = het geheugen
fault-missing-kernel = de kernel
fault-missing-filesystem = het bestandssysteem
fault-no-fsync = { $label } ({ $quoted }) is zonder fsync: het einde kan nog in het geheugen staan.
fault-no-lvm = onder wat gemeten is ligt een logisch volume, en de beschrijving van het systeem vermeldt het niet.
fault-no-spread = er staat een gemiddelde zonder de spreiding van de metingen.
fault-no-trim = een SSD heet hier traag, zonder een woord over TRIM: zonder TRIM schrijft een SSD op den duur traag.
fault-one-run = { $counted } ({ $label } { $quoted }).
fault-one-run-admitted = de pagina zegt zelf dat er één keer gemeten is.
fault-one-run-only-once = de enige meting is één keer gedaan
fault-one-run-only-twice = de enige meting is twee keer gedaan
fault-one-run-all-once = elk van { $all } metingen is één keer gedaan
fault-one-run-all-twice = elk van { $all } metingen is twee keer gedaan
fault-one-run-some-once = { $single } van { $all } metingen zijn één keer gedaan, geen enkele meer dan twee keer
fault-other-command = de tekst spreekt van { $told_levels } niveaus en { $told_directories } mappen, de opdracht maakt { $levels } niveaus (-l) en { $directories } mappen (-d).
fault-repeated-figure-line = ‘{ $time }’ staat ook op regel { $line }, op het cijfer gelijk.
fault-repeated-figure-twice = ‘{ $time }’ staat twee keer op deze regel, op het cijfer gelijk.
fault-repeated-figure-copy = { $seconds } s voor dezelfde bytes als op regel { $line }, op het cijfer gelijk.
fault-share-of-total = { $shares } zijn delen van een totaal: gelijke zouden elk { $equal } % hebben, wat leest alsof ze van 100 % verschillen.
fault-smaller-than-memory = { $label } van { $size } ({ $quoted }) op een machine met { $memory } geheugen: de paginacache kan het geleverd hebben.
fault-unlike-rows = { $size } ({ $quoted }) staat naast { $other_size } ({ $other_quoted }) van regel { $line }.
fault-wild-runs = { $label }: van metingen van { $low } tot { $high } ({ $apart } % uiteen) is { $said }: { $result }.
fault-wild-runs-averaged = het gemiddelde genomen
fault-wild-runs-added = de som genomen
fault-wild-runs-of-nothing = { $label }: van metingen van { $low } tot { $high } is { $said }: { $result }.
fault-winner-within-noise = { $best } heet { $gap } % beter dan { $rival }, terwijl de eigen metingen van { $own_low } tot { $own_high } gaan en die van de ander van { $low } tot { $high }.
fault-wrong-base-rows = { $changes } ({ $second } tegenover { $first }).
fault-wrong-base-change = { $said } % staat er voor { $new } tegenover { $old }, en dat is { $change } %
fault-wrong-base-said = { $said } % staat er voor { $first } en { $second }, die { $of_smaller } % van het kleinste en { $of_larger } % van het grootste verschillen.
fault-wrong-mean-row = { $label }: { $said } staat er als { $what } van { $count } metingen; het juiste cijfer is { $right }.
fault-wrong-mean-column = kolom { $column }: { $said } staat onder { $count } rijen; als { $what } klopt { $right }.
fault-wrong-mean-mean = gemiddelde
fault-wrong-mean-sum = som
fault-wrong-mean-said = { $said } heet het gemiddelde van de { $count } cijfers vanaf regel { $line }, maar dat is { $right }.
fault-wrong-place = ‘{ $text }’: de eerste partitie ligt aan de rand, waar een schijf het snelst is.
fault-wrong-rate = { $bytes } in { $seconds } s is { $rate }/s, en er staat { $quoted }.
fault-wrong-size = bs={ $typed } is geen { $kib } KiB, dat zijn { $meant } bytes: elk blok ligt over twee heen.
fault-wrong-unit = ‘{ $text }’ telt records in bytes; die van iozone zijn van 1024 bytes.
