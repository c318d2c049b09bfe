### The storage stack as text and as a picture.

## What is wrong with a layer

warning-misaligned = begint op byte { $offset }, geen veelvoud van { $block }: kleine schrijfacties worden lezen-wijzigen-schrijven; maak de partitie opnieuw op een veelvoud van 1 MiB
warning-degraded = { $missing } van { $all } leden ontbreken: de cijfers zijn die van een onvolledige array; vervang eerst de schijf
warning-busy = '{ $action }' loopt en kost doorvoer; wacht tot het klaar is, of stop het
warning-paths = { $down } van { $all } paden liggen eruit; zie multipath -ll
warning-usb = USB { $version }-apparaat op een verbinding van { $speed } Mbit/s; neem een USB 3-poort en -kabel
warning-usb-able = USB-apparaat dat { $able } Mbit/s kan, op een verbinding van { $speed } Mbit/s; neem een USB 3-poort en -kabel
warning-usb-maybe = USB { $version }-apparaat op een verbinding van { $speed } Mbit/s, zoals USB 3-apparaten op USB 2; is het er een, neem dan een USB 3-poort en -kabel
warning-link = { $link } loopt op { $now }, onder zijn { $able }; controleer slot, kabel en energiebesparing
warning-write-cache = de schrijfcache staat uit: elke schrijfactie wacht op het medium (duurzaam, maar traag)
warning-write-cache-unknown = de kernel kent geen schrijfcache achter deze USB-brug, die er een kan verbergen: of fsync het medium bereikt, is niet bekend
warning-smart = volgens SMART begeeft de schijf het{ $why }: red de gegevens en vervang haar
warning-spare = er is nog { $spare } van de reserveblokken, onder de drempel van { $threshold }: vervang de schijf
warning-endurance = { $used } van de opgegeven levensduur is verbruikt: ze kan traag schrijven en het begeven; plan de vervanging
warning-sectors = { $pending } wachtende en { $uncorrectable } onherstelbare sectoren: ze lezen wordt seconden lang geprobeerd; red de gegevens, zie smartctl -a
warning-temperature = de schijf zegt dat haar temperatuur buiten de grenzen ligt{ $now } en kan vertragen; koel haar
warning-no-discard = discard kan hier niet: vrijgekomen blokken worden nooit aan de schijf gemeld; controleer elke laag erboven
warning-full = { $used } vol: boven { $most } % raakt de toewijzing verspreid; maak ruimte vrij
warning-deleted = het bestand is verwijderd en verdwijnt als het apparaat wordt losgekoppeld
warning-sparse = het bestand beslaat { $allocated } van { $size }: wat nooit geschreven is wordt als nullen gelezen zonder schijf
warning-memory = de gegevens staan in het geheugen: er wordt geen schijf gemeten
warning-no-counters = de kernel telt zijn I/O niet; schrijf 1 in queue/iostats om te bewijzen waar bytes vandaan komen

## Sentences on layers

stack-partition = partitie { $number }
stack-raid = software-RAID, { $level }
stack-loop = loop-apparaat
stack-zram = gecomprimeerd geheugen (zram)
stack-host = de host van deze machine
stack-served-maybe = de server heeft een adres van deze machine; of hij hier is, is niet bekend
stack-not-examined = niet onderzocht: { $why }
stack-read-only = alleen-lezen
stack-removable = verwisselbaar
stack-disk = { $transport }-schijf
stack-drawn-above = hierboven getekend
stack-block-device = blokapparaat
stack-place = { $from } tot { $to } van de schijf
stack-byte = byte { $offset }
stack-aligned = uitgelijnd
stack-misaligned = { $bytes } B verschoven
stack-members = { $present } van { $all } leden
stack-direct = directe I/O naar zijn bestand
stack-buffered = door de paginacache van zijn bestand
stack-rotational = draaiend
stack-non-rotational = niet draaiend
stack-no-discard = geen discard
stack-discard = discard tot { $most }
stack-blocks = { $logical } logisch, { $physical } fysiek
stack-mount = { $kind } op { $point } van { $source } ({ $options }; { $own })
stack-mount-part = { $mount }, de map { $root } ervan
stack-room = { $free } vrij van { $all }
stack-full = { $share } vol
stack-inodes = { $free } van { $all } inodes vrij
stack-odirect = O_DIRECT, geheugen uitgelijnd op { $memory }, posities op { $offset }
stack-odirect-refused = O_DIRECT kan niet op dit bestand
stack-odirect-memory = O_DIRECT wordt aanvaard, maar het geheugen antwoordt
stack-no-journal = geen journaal
stack-mounts = { $count } keer sinds de laatste controle
stack-pieces = en nog { $count } stukken
stack-queues = verzoeken wachten als er geen pad meer is
stack-fails = verzoeken mislukken als er geen pad meer is
