### What the plans that come with etalon are about, by their names. The English ones are those of the plans themselves.

preset-record-sweep = Comment le débit dépend-il de la taille d’un enregistrement ?
    .time = 4 min
    .space = 256 MiB de fichiers
    .rights = tout le monde
    .risk = aucun : seulement ses propres fichiers

preset-direct-or-not = Que change le cache de pages ?
    .time = 5 min
    .space = 1 GiB de fichiers
    .rights = tout le monde
    .risk = aucun : seulement ses propres fichiers

preset-disk-profile = Que peut ce stockage, d’une requête à la fois jusqu’à beaucoup ?
    .time = 4 min
    .space = 1 GiB de fichiers
    .rights = tout le monde
    .risk = aucun : seulement ses propres fichiers

preset-position-profile = Quelle est la vitesse de chaque partie de ce disque ?
    .time = 4 min
    .space = aucun fichier
    .rights = root
    .risk = aucun : lit un périphérique bloc

preset-classroom = De combien ce stockage est-il plus rapide en séquentiel qu’au hasard, et avec quelle certitude ?
    .time = 2 à 9 min
    .space = 1 GiB de fichiers
    .rights = tout le monde
    .risk = aucun : seulement ses propres fichiers

preset-steady-state = Que reste-t-il des écritures au hasard quand elles durent longtemps ?
    .time = 20 min
    .space = 4 GiB de fichiers
    .rights = tout le monde
    .risk = écrit 20 min sans pause ; seulement ses propres fichiers

preset-database-durability = Que gagne une base de données qui n’attend pas le disque, et à quel prix ?
    .time = 5 min
    .space = 500 MiB de fichiers
    .rights = tout le monde
    .risk = aucun : son propre serveur PostgreSQL

preset-database-seeds = Que fait une base de données sur ce stockage, et InnoDB gagne-t-il à contourner le cache de pages ?
    .time = 8 min
    .space = 600 MiB de fichiers
    .rights = tout le monde
    .risk = aucun : son propre serveur MariaDB

preset-web-cache-on-off = Qu’apportent le cache de pages et le cache de fichiers ouverts de nginx à qui attend des pages ?
    .time = 6 min
    .space = 50 MiB de fichiers
    .rights = tout le monde
    .risk = aucun : son propre nginx, sur l’interface loopback

preset-trim-before-after = Un TRIM du système de fichiers rend-il son disque plus rapide ?
    .time = 3 min
    .space = 1 GiB de fichiers
    .rights = root
    .risk = fait un TRIM du système de fichiers, ce qui ne perd aucune donnée

preset-scheduler-duel = Quel ordonnanceur d’E/S est le plus rapide ici ?
    .time = 2 min
    .space = 1 GiB de fichiers
    .rights = root
    .risk = change l’ordonnanceur du disque, puis le remet

preset-readahead = De combien le noyau doit-il lire à l’avance ?
    .time = 5 min
    .space = 512 MiB de fichiers
    .rights = root
    .risk = change la lecture anticipée du disque, puis la remet

preset-mount-options = Que changent les options de montage ?
    .time = 2 min
    .space = 512 MiB de fichiers
    .rights = root
    .risk = remonte le système de fichiers, puis remet le montage d’avant

preset-virtual-disk-cache = Que change le cache du disque, tel que le noyau le connaît ?
    .time = 2 min
    .space = 512 MiB de fichiers
    .rights = root
    .risk = avec write through, une coupure de courant peut perdre ce qui devait être durable sur tous les systèmes de fichiers du disque ; remis ensuite

preset-filesystem-duel = Quel système de fichiers est le plus rapide sur le même disque ?
    .time = 5 min
    .space = 1 GiB de mémoire
    .rights = root
    .risk = aucun : ses propres disques virtuels

preset-raid-layouts = Que coûte et que donne chaque profil de btrfs ?
    .time = 8 min
    .space = 1 GiB de mémoire
    .rights = root
    .risk = aucun : ses propres disques virtuels

preset-md-layouts = Que coûte et que donne chaque disposition de md ?
    .time = 9 min
    .space = 1 GiB de mémoire
    .rights = root
    .risk = aucun : ses propres disques virtuels

preset-mirror-btrfs-vs-md = Un miroir de btrfs est-il aussi rapide que btrfs sur un miroir de md ?
    .time = 4 min
    .space = 1 GiB de mémoire
    .rights = root
    .risk = aucun : ses propres disques virtuels

preset-snia-throughput = À quelle vitesse ce périphérique lit-il et écrit-il en séquentiel, une fois stable ?
    .time = 1 à 5 h
    .space = tout le périphérique
    .rights = root
    .risk = DÉTRUIT le périphérique, à nommer avec --destroy sauf s’il est vide

preset-snia-iops = Combien d’opérations par seconde ce périphérique fait-il, une fois stable ?
    .time = 2 à 7 h
    .space = tout le périphérique
    .rights = root
    .risk = DÉTRUIT le périphérique, à nommer avec --destroy sauf s’il est vide

preset-snia-latency = Combien de temps prend une opération sur ce périphérique, une fois stable ?
    .time = 2 à 7 h
    .space = tout le périphérique
    .rights = root
    .risk = DÉTRUIT le périphérique, à nommer avec --destroy sauf s’il est vide

preset-snia-wsat = Comment les écritures au hasard ralentissent-elles sur ce périphérique à partir du neuf ?
    .time = 6 h
    .space = tout le périphérique
    .rights = root
    .risk = DÉTRUIT le périphérique, à nommer avec --destroy sauf s’il est vide
