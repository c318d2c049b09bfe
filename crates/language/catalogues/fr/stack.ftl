### The storage stack as text and as a picture.

## What is wrong with a layer

warning-misaligned = commence à l’octet { $offset }, qui n’est pas un multiple de { $block } : les petites écritures deviennent lecture-modification-écriture ; refaites la partition à un multiple de 1 MiB
warning-degraded = il manque { $missing } membres sur { $all } : les valeurs sont celles d’une grappe dégradée ; remplacez d’abord le disque
warning-busy = « { $action } » est en cours et prend du débit ; attendez la fin, ou arrêtez-le
warning-paths = { $down } chemins sur { $all } sont coupés ; voyez multipath -ll
warning-usb = périphérique USB { $version } sur un lien de { $speed } Mbit/s ; prenez un port et un câble USB 3
warning-usb-able = périphérique USB capable de { $able } Mbit/s sur un lien de { $speed } Mbit/s ; prenez un port et un câble USB 3
warning-usb-maybe = périphérique USB { $version } sur un lien de { $speed } Mbit/s, comme ceux d’USB 3 sur USB 2 ; si c’en est un, prenez un port et un câble USB 3
warning-link = { $link } va à { $now }, moins que ses { $able } ; vérifiez emplacement, câble et économies d’énergie
warning-write-cache = le cache d’écriture est désactivé : chaque écriture attend le support (durable, mais lent)
warning-write-cache-unknown = le noyau ne connaît aucun cache d’écriture derrière ce pont USB, qui peut en cacher un : on ne sait pas si fsync atteint le support
warning-smart = SMART dit que le disque est en train de lâcher{ $why } : sauvez ses données et remplacez-le
warning-spare = il reste { $spare } de ses blocs de réserve, sous son seuil de { $threshold } : remplacez le disque
warning-endurance = { $used } de son endurance prévue est consommée : il peut écrire lentement, et lâcher ; prévoyez de le remplacer
warning-sectors = { $pending } secteurs en attente et { $uncorrectable } irrécupérables : leur lecture est tentée pendant des secondes ; sauvez ses données, voyez smartctl -a
warning-temperature = le disque dit que sa température sort des limites{ $now } et peut se ralentir ; refroidissez-le
warning-no-discard = discard est impossible ici : les blocs libérés ne sont jamais annoncés au disque ; vérifiez chaque couche au-dessus
warning-full = plein à { $used } : au-delà de { $most } % l’allocation se disperse ; libérez de la place
warning-deleted = son fichier est supprimé et disparaît quand le périphérique est détaché
warning-sparse = son fichier occupe { $allocated } de { $size } : ce qui n’a jamais été écrit se lit comme des zéros sans aucun disque
warning-memory = les données sont en mémoire : aucun disque n’est mesuré
warning-no-counters = le noyau ne compte pas ses E/S ; écrivez 1 dans queue/iostats pour prouver d’où viennent les octets

## Sentences on layers

stack-partition = partition { $number }
stack-raid = RAID logiciel, { $level }
stack-loop = périphérique loop
stack-zram = mémoire compressée (zram)
stack-host = l'hôte de cette machine
stack-served-maybe = le serveur a une adresse de cette machine ; on ignore s'il est ici
stack-not-examined = non examiné : { $why }
stack-read-only = lecture seule
stack-removable = amovible
stack-disk = disque { $transport }
stack-drawn-above = dessiné plus haut
stack-block-device = périphérique bloc
stack-place = { $from } à { $to } du disque
stack-byte = octet { $offset }
stack-aligned = aligné
stack-misaligned = décalé de { $bytes } o
stack-members = { $present } membres sur { $all }
stack-direct = E/S directes vers son fichier
stack-buffered = par le cache de pages de son fichier
stack-rotational = rotatif
stack-non-rotational = non rotatif
stack-no-discard = sans discard
stack-discard = discard jusqu’à { $most }
stack-blocks = { $logical } logiques, { $physical } physiques
stack-mount = { $kind } sur { $point } depuis { $source } ({ $options } ; { $own })
stack-mount-part = { $mount }, son répertoire { $root }
stack-room = { $free } libres sur { $all }
stack-full = plein à { $share }
stack-inodes = { $free } inodes libres sur { $all }
stack-odirect = O_DIRECT, mémoire alignée sur { $memory }, positions sur { $offset }
stack-odirect-refused = O_DIRECT n’est pas possible sur ce fichier
stack-odirect-memory = O_DIRECT est accepté, mais la mémoire y répond
stack-no-journal = sans journal
stack-mounts = { $count } fois depuis le dernier contrôle
stack-pieces = et { $count } autres morceaux
stack-queues = les requêtes attendent quand il n’y a plus de chemin
stack-fails = les requêtes échouent quand il n’y a plus de chemin
