### What would make each fault right that `etalon review` finds, by their codes. The English ones are those of the faults themselves.

advice-smaller-than-memory = Ga om de paginacache heen (O_DIRECT), of neem een bestand van minstens twee keer het geheugen.
advice-faster-than-device = Zoek uit wat er gemeten is: meestal de paginacache, of die van een apparaat.
advice-no-fsync = Tel de fsync mee: conv=fsync bij dd, -e bij iozone, end_fsync=1 bij fio.
advice-wrong-rate = Neem de uitvoer van het programma in haar geheel over; reken de snelheid opnieuw uit met bytes en seconden.
advice-wrong-base = Noem de basis: (nieuw - oud) / oud.
advice-wrong-mean = Reken het opnieuw uit met de metingen, met een programma.
advice-mixed-settings = Herhaal elke instelling, en neem gemiddelde en afwijking van haar eigen metingen.
advice-repeated-figure = Zoek beide resultaten op: het ene is waarschijnlijk van het andere overgenomen.
advice-winner-within-noise = Herhaal vaker, en wijs alleen een beste aan als de intervallen van de gemiddelden elkaar niet raken.
advice-wild-runs = Zoek uit waarom ze verschillen; toon elke meting, en de mediaan met haar interval.
advice-one-run = Herhaal elke meting minstens zes keer; één meting zegt niets over hoe ver ze varieert.
advice-no-spread = Zeg bij elk gemiddelde hoe ver de metingen variëren: standaardafwijking of interval, en hun aantal.
advice-share-of-total = Geef elk als verhouding tot een genoemde basis, bijvoorbeeld de eerste rij.
advice-unlike-rows = Meet beide met dezelfde grootte, of zeg bij elk welke grootte het heeft.
advice-wrong-size = Schrijf blokgroottes met hun eenheid (bs=16K): daarin valt een tikfout op.
advice-wrong-unit = Schrijf KiB: -r van iozone en zijn kolommen tellen 1024 bytes.
advice-idle-half = Zeg dat er één schijf gemeten is, of gebruik meerdere stromen zodat beide werken.
advice-other-command = Haal de beschrijving uit de opdracht: bij fdtree is -l het aantal niveaus, -d mappen per niveau, -f bestanden per map.
advice-wrong-place = Schijven tellen vanaf de rand: de eerste sectoren liggen buitenaan en zijn het snelst.
advice-no-trim = Geef een TRIM (fstrim, blkdiscard) en meet opnieuw, ervoor en erna.
advice-no-lvm = Beschrijf elke laag, van de koppeling tot de schijven (lsblk toont ze).
advice-no-description = Noem de schijf, het geheugen, de kernel en het bestandssysteem: zonder die kan niemand de cijfers herhalen of plaatsen.
