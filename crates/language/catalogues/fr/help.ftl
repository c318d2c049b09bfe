### L'aide des commandes et des options, par leurs noms.

help = Mesurer le stockage sous Linux et dire jusqu’où chaque valeur est fiable
    .long =
        Mesurer le stockage sous Linux et dire jusqu’où chaque valeur est fiable.

        Sans sous-commande, TARGET est contrôlé pendant environ une minute : rien n’est
        abîmé, il ne faut ni option ni root.
    .foot = Codes de sortie : 0 fait, 1 échec, 2 mauvais usage, 3 fait mais une valeur est invalide, une promesse a été rompue ou rien n’a pu être comparé, 4 refusé car dangereux, 5 fait mais moins précis que demandé par --precision, 6 un autre etalon mesure là (--wait l’attend) ou --wait=quiet n’a pas trouvé de calme, 7 plus lent que compare --fail-if-slower ne le permet, 130 interrompu.
    .longfoot =
        Exemples :
          etalon                              contrôler le stockage sous ce répertoire
          etalon /srv --budget 10m            prendre dix minutes pour /srv
          etalon quick /mnt --json            la même chose en un document JSON
          etalon measure /mnt --op randread --block-size 4k --queue-depth 32
          etalon list                         ce qui a été mesuré jusqu’ici

        Codes de sortie : 0 fait, 1 échec, 2 mauvais usage, 3 fait mais une valeur est
        invalide, une promesse a été rompue ou rien n’a pu être comparé, 4 refusé car
        dangereux, 5 fait mais moins précis que demandé par --precision, 6 un autre
        etalon mesure là (--wait l’attend) ou --wait=quiet n’a pas trouvé de calme,
        7 plus lent que compare --fail-if-slower ne le permet, 130 interrompu.
help--precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur : finir dès que chaque charge l’atteint, et dire laquelle ne l’atteint pas [défaut : tout le temps imparti est utilisé]
help--json = Afficher un document JSON au lieu de la page

help-quick = Contrôler le stockage sous TARGET pendant environ une minute (ce que fait `etalon TARGET`)
    .longfoot =
        Exemples :
          etalon quick
          etalon quick /mnt/usb --budget 3m --precision 2.5%
          etalon quick /dev/sdb            (lit seulement)
help-quick--precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur : finir dès que chaque charge l’atteint, et dire laquelle ne l’atteint pas [défaut : tout le temps imparti est utilisé]
help-quick--json = Afficher un document JSON au lieu de la page

help-measure = Mesurer une charge avec toutes les options de mesure
    .longfoot =
        Exemples :
          etalon measure /mnt --op read --block-size 1M --queue-depth 8
          etalon measure /dev/nvme0n1 --op randread -b 4k -q 128 --runs 6 --json
          etalon measure /mnt --op randwrite --fsync 1 --time 30s
          etalon measure /mnt --op randread --rate 500 --arrival poisson
          etalon measure /mnt --op randread --block-size 4k:60,64k:40
          etalon measure /mnt --op randread -q 1,4,16 -b 4k,64k --runs 6 --time 3s
          etalon measure /mnt --op create --files 10000
          etalon measure /mnt --op randread --latency-target 5ms
          etalon measure /mnt --op randread --latency-target 2ms@p99.9 --arrival poisson

        Des virgules font un balayage : -q 1,4,16 -b 4k,64k mesure les six combinaisons
        en ordre aléatoire, bloc par bloc.
        --op, --block-size, --queue-depth et --jobs s’y prêtent, sauf pour les
        opérations de métadonnées ; un même moteur sert toutes les cellules.

        Tailles : 4k, 1M et 2GiB sont binaires, 4kB et 1MB décimales. Temps : 500ms,
        60s, 3h.
help-measure--target = Un répertoire, un fichier existant (seulement lu) ou un périphérique bloc (écrit seulement si rien ne l’utilise et s’il ne contient rien)
help-measure--destroy = Renoncer à ce que contient le périphérique bloc de ce numéro de série ou de ce nom by-id, pour pouvoir y écrire
help-measure--json = Afficher un document JSON au lieu de la page
help-measure--file_size = Taille de chaque fichier, ou de la plage utilisée d’un périphérique [défaut : 1 GiB ou un tiers de l’espace utilisable ; tout le fichier ou le périphérique]

help-together = Mesurer plusieurs charges à la fois, chacune avec ses propres valeurs
    .longfoot =
        Exemples :
          etalon together -- /srv --op read -- /srv --op read   deux lecteurs
          etalon together --alone -- /srv --op randread -j 4 -- /srv --op write -b 1M
          etalon together -- /dev/sda --op randread -- /dev/sdb --op randread

        Chaque charge prend les options de `etalon measure` qui en décrivent une, et
        --name. Elle a ses propres fichiers, et ses propres valeurs. Toutes commencent
        au même moment ; ce qu’ont transporté les périphériques partagés est réparti
        entre elles selon ce que chacune a demandé.
help-together--time = Terminer après ce temps chaque charge qui n’a pas de fin à elle
help-together--json = Afficher un document JSON au lieu de la page

help-continue = Ajouter des passages à un contrôle ou à une mesure, dans les mêmes conditions ou pas du tout
    .foot =
        Exemples :
          etalon continue 7              une minute de contrôle ou six passages de plus
          etalon continue 7 --budget 5m
          etalon continue 8 --runs 20

        La machine, ses réglages et la pile de stockage doivent être ceux du dernier
        passage ; ce qui a changé est nommé.
        Les expériences d’autres genres sont refaites en entier, et comparées :
        etalon compare 7 8
help-continue--runs = Nombre de passages de plus pour chaque cellule d’une mesure [défaut : 6]
help-continue--budget = Durée maximale de la suite d’un contrôle [défaut : 60s]
help-continue--precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur [défaut : ce qui était demandé au départ]
help-continue--json = Afficher un document JSON au lieu de la page

help-passport = Apprendre combien TARGET varie quand rien n’est changé, en dix passages de chaque charge
    .foot =
        Exemples :
          etalon passport /srv
          etalon passport /srv --budget 10m      (plus de fichiers, plus longtemps)
help-passport--target = Un répertoire du système de fichiers, ou un périphérique bloc à lire
help-passport--budget = Le temps à prendre, au plus
help-passport--json = Afficher un document JSON au lieu de la page

help-run = Exécuter un plan : varier une chose, en blocs aléatoires, et la remettre
    .long =
        Exécuter un plan : varier une chose, en blocs aléatoires, et la remettre

        Un plan est un fichier (TOML, docs/plans.md) ou le nom d’un plan prédéfini
        (`etalon presets`). Ce qui a été tué reprend par `etalon resume`.
    .foot =
        Exemples :
          etalon run scheduler-duel /srv --dry-run   ce qui se ferait, et sa durée
          etalon run scheduler-duel /srv --budget 30m
          etalon run plan.toml --seed 7
          etalon run plan.toml --at 22:00            commencer ce soir
          etalon resume                              reprendre, même après redémarrage
help-run--budget = Le temps à prendre, au plus, par exemple 30m ou 3h
help-run--precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur
help-run--seed = Le nombre qui décide de chaque choix aléatoire [défaut : celui du plan, ou un nouveau, qui est conservé]
help-run--json = Afficher un document JSON au lieu de la page

help-resume = Reprendre un plan tué ou interrompu
    .long =
        Reprendre un plan tué ou interrompu

        Ce qui a été changé est d’abord remis ; les passages conservés ne sont pas
        refaits.
    .foot =
        Exemples :
          etalon resume       le dernier plan qui n’est pas allé à son terme
          etalon resume 7
          etalon resume --print-unit     une unité systemd qui le fait au redémarrage
help-resume--id = Le numéro de l’expérience [défaut : la dernière qui a été interrompue]
help-resume--json = Afficher un document JSON au lieu de la page

help-rerun = Refaire ici le plan d’une expérience, sous un nouveau numéro
    .foot =
        Exemples :
          etalon rerun 7 && etalon compare 7 8
help-rerun--id = Le numéro de l’expérience
help-rerun--budget = Le temps à prendre, au plus, par exemple 30m ou 3h
help-rerun--precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur
help-rerun--seed = Le nombre qui décide de chaque choix aléatoire [défaut : celui du plan, ou un nouveau, qui est conservé]
help-rerun--json = Afficher un document JSON au lieu de la page

help-plan = Écrire le plan d’une expérience
    .foot =
        Exemples :
          etalon plan from 7 > plan.toml

help-plan-from = Afficher le plan d’une expérience, même de celle qui a été faite à la main
help-plan-from--id = Le numéro de l’expérience

help-presets = Lister les plans fournis avec etalon, ou en afficher un
    .foot =
        Exemples :
          etalon presets
          etalon presets --json
          etalon presets scheduler-duel > plan.toml      pour le modifier
help-presets--json = Afficher un document JSON, avec les plans

help-list = Lister les expériences du dépôt
    .foot =
        Exemples :
          etalon list
          etalon list --last 5
          etalon list --target /srv --kind quick
          etalon list --tag baseline
          etalon list --json --store /srv/results.sqlite
help-list--target = Seulement les expériences sur cette cible

help-show = Afficher à nouveau une expérience du dépôt
    .foot =
        Exemples :
          etalon show 7
          etalon show 7 --findings
          etalon show 7 --findings --json
          etalon show 7 --details
          etalon show 7 --percentiles 50,90,99,99.9,99.99 --si
          etalon show 7 --dots --width 72
          etalon show 7 --stack
          etalon show 7 --environment
help-show--json = Afficher un document JSON ; avec --environment ou --stack, celui de la machine et de la pile de stockage

help-compare = Mettre côte à côte des expériences ou des cellules et dire quelles différences sont réelles
    .longfoot =
        Exemples :
          etalon compare 3 5                         chaque charge de deux contrôles
          etalon compare 3 5 7 --base 5              trois cibles, rapports à 5
          etalon compare '3/random read 4 KiB QD1' '5/random read 4 KiB QD1'
          etalon compare 3 5 --by queue-depth        si c’est la profondeur qui diffère
          etalon compare 3 5 --fail-if-slower 5%     pour les scripts : code 7
          etalon compare old.sqlite:3 5              avec un autre dépôt
          etalon compare 3@1-6 3@7-12                premiers passages et suivants
          etalon compare --by label                  machines à côté des passages

        Un côté s’écrit [FILE:]ID[/CELL][@RUNS] ; CELL est une ligne telle que les
        pages l’affichent, comme 'random read 4 KiB QD32' ; FILE seul est la dernière
        expérience de ce dépôt, ou celle qu’a écrite `etalon export --json`. Les
        passages d’une cellule se comptent à partir de 1. Un passage seul n’a pas
        d’intervalle et n’est comparé à rien.

        Cible, stockage, noyau et réglages peuvent différer : les côtés sont nommés par
        ce qui les distingue, et toute autre différence est signalée sur la page, sauf
        si --by la déclare. La charge doit être la même ; une ligne dont la charge
        diffère est refusée, elle seule, sauf si --by le déclare. Des ensembles de
        travail jusqu’à deux fois plus grands sont comparés, et nommés.

        --by accepte : operation, block-size, file-size, offset, range, stride,
        read-percent, jobs, layout, queue-depth, backend, direct, cache, sync, fsync,
        distribution, arrival, et les paramètres des opérations de métadonnées, du
        travail réel et d’iozone (size, record, workers, bcopy, level ...) ; de la
        machine : kernel, filesystem, device, beneath (tout ce qui est sous la cible),
        et tout élément par sa clé ou la fin de celle-ci (scheduler, read-ahead-bytes).
        --by capped compare aussi les lignes qu’une limite de cette machine a tenues.
        --by label (run --label, merge --label) dit de combien diffèrent les
        étiquettes, à côté des passages d’une même étiquette : écarts types entre elles
        et en elles, et part de la variance qui est entre elles (coefficient de
        corrélation intraclasse).
help-compare--margin = Tenir pour nulles les différences relatives jusqu’à celle-ci
help-compare--strict = Sortir avec 3 s’il y a trop peu de passages pour dire
help-compare--details = Afficher chaque valeur, dispersion, lettre et élément qui diffère, avec une légende
help-compare--dots = Sous la page, afficher chaque passage, l’intervalle et le résultat de chaque côté en points à partir de 0, et les passages en mini-courbe
help-compare--json = Afficher un document JSON au lieu de la page

help-report = Écrire un rapport qui s’ouvre dans un navigateur : un fichier avec tableau, graphiques et constats
    .long =
        Écrire un rapport qui s’ouvre dans un navigateur : un fichier avec tableau,
        graphiques et constats

        Plusieurs expériences sont confrontées à la première : leurs charges de même
        nom sont comparées.
    .foot =
        Exemples :
          etalon report 7 -o report.html
          etalon report 7 8 -o report.html --open
          etalon report 7 --charts charts
          etalon report 7 --charts charts -o report.html

help-serve = Montrer le dépôt dans un navigateur : expériences, comparaisons, mesure en cours, activité des disques
    .long =
        Montrer le dépôt dans un navigateur : expériences, comparaisons, mesure en
        cours, activité des disques

        Tout est en lecture seule. L’écoute se limite à cette machine, sauf si un
        jeton, un certificat et sa clé sont donnés.
    .foot =
        Exemples :
          etalon serve
          etalon serve --listen 127.0.0.1:0 --watch /srv
          etalon serve --listen 10.0.0.5:7979 --token t --certificate c.pem --key k.pem

        Ctrl-C y met fin. Depuis une autre machine, 'ssh -L 7979:127.0.0.1:7979 HOST'
        ne demande ni jeton ni certificat.
help-serve--name = Un nom par lequel les navigateurs peuvent appeler cette machine, outre son adresse ; peut être répété

help-export = Écrire une expérience, avec passages, histogrammes et séries
    .foot =
        Exemples :
          etalon export 7 --json > experiment.json
          etalon export 7 --csv > runs.csv
          etalon export 7 --markdown
          etalon export 7 --fio-files fio
          etalon export 7 --xlsx -o results.xlsx
          etalon export 7 --bundle -o results.etalon
          etalon export 7 --bundle -o results.etalon --without-identities

        Un export contient numéros de série, UUID, adresses, chemins, la ligne de
        commande du noyau et les noms des processus d’autres utilisateurs ;
        --without-identities les cache.
help-export--json = Un document JSON avec tout
help-export--output = Écrire dans ce fichier, en le remplaçant s’il existe, au lieu de la sortie standard

help-review = Juger une mesure publiée par d’autres : texte, sortie d’un outil ou page web enregistrée
    .foot =
        Est lu ce qu’affichent dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree,
        elbencho, la Phoronix Test Suite, sar et iostat, ainsi que des tableaux de
        valeurs, en anglais et en français. Le code de sortie 3 dit qu’un défaut a été
        trouvé, 1 qu’il n’y avait aucune mesure à juger.

        Exemples :
          etalon review page.html
          etalon review results.txt --all
          xclip -o | etalon review -
help-review--all = Afficher tous les défauts, pas seulement trois de chaque sorte

help-import = Prendre dans le dépôt, sous un nouveau numéro, une expérience exportée ou la sortie d’un autre programme
    .foot =
        Exemples :
          etalon import results.etalon
          etalon import experiment.json --store all.sqlite
          etalon import fio.json
          etalon import iozone.txt

        Une archive de `etalon export --bundle` revient octet pour octet ; de
        `etalon export --json`, l’intervalle de moyenne ou de médiane qui ne parle pas
        pour une cellule n’est pas gardé.

        Sont lus les textes de dd, hdparm, iozone, fio (JSON aussi), bonnie++,
        sysbench, fdtree, elbencho (CSV), la Phoronix Test Suite (XML), sar et iostat,
        en anglais et en français, aussi en pages web enregistrées, ainsi que le CSV et
        le JSON de fio de `etalon export`. Leur expérience est du genre 'imported' :
        aucune de ses valeurs n’est dite valide, car aucun contrôle n’a pu voir comment
        elle a été mesurée. `etalon review FILE` juge le texte.
help-import--file = Une archive, un document de `etalon export --json`, ou un texte ; - est un texte de l’entrée standard

help-verify = Recalculer une expérience publiée d’après ses passages, et nommer ce qui ne concorde pas
    .foot =
        Exemples :
          etalon verify results.etalon
          etalon verify experiment.json
          etalon verify results.etalon --json

        Le code de sortie 3 dit que quelque chose ne concorde pas.
help-verify--file = Une archive, ou un document de `etalon export --json`

help-note = Donner à une expérience une note, que disent `list --json` et `show`
    .foot =
        Exemples :
          etalon note 7 'before the new firmware'
          etalon note 7 ''                            retirer la note

help-tag = Étiqueter une expérience, pour que `list --tag` la trouve
    .foot =
        Exemples :
          etalon tag 7 baseline
          etalon list --tag baseline
          etalon tag 7 baseline --remove

help-rm = Supprimer des expériences du dépôt, définitivement
    .foot =
        Exemples :
          etalon rm 7
          etalon rm 7 8 9 --store /srv/results.sqlite

        Toutes sont supprimées, ou aucune. Une expérience encore en cours est refusée.
        `etalon export ID --json` en garde auparavant une copie, que lit
        `etalon compare`.

help-merge = Copier dans ce dépôt les expériences d’autres dépôts, sous de nouveaux numéros
    .foot =
        Exemples :
          etalon merge /mnt/usb/other-machine.sqlite
          etalon merge old.sqlite --store all.sqlite
          etalon merge a.sqlite b.sqlite --label north,south --store all.sqlite

        Les autres dépôts sont seulement lus. Ce qui est déjà ici n’est pas copié deux
        fois, et ce qui est encore en cours sur cette machine est omis ; ce qu’une autre
        machine n’a pas terminé est copié comme interrompu. Les expériences gardent
        l’étiquette de leur exécution, sauf si --label en donne une autre ;
        `etalon compare --by label` dit ensuite de combien les machines diffèrent.
help-merge--label = Une étiquette pour les expériences de chaque dépôt, dans l’ordre des dépôts

help-stack = Dessiner la pile de stockage de TARGET, du montage aux disques
    .foot =
        Exemples :
          etalon stack
          etalon stack /dev/sdb --json
help-stack--target = Un répertoire, un fichier ou un périphérique bloc
help-stack--json = Afficher un document JSON au lieu du dessin

help-watch = Montrer ce que font en ce moment les disques de TARGET et la machine
    .foot =
        Exemples :
          etalon watch /srv
          etalon watch /srv --plain
help-watch--target = Un répertoire, un fichier ou un périphérique bloc
help-watch--json = Afficher à la fin un document JSON avec chaque relevé

help-dd = Copier comme dd, avec les opérandes de dd, et dire ce qui en est durable
    .foot =
        Exemples :
          etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
          etalon dd --help      (les opérandes de dd)
    .options =
        Utilisation : etalon dd [OPÉRANDE]...
                      etalon dd --parallel [OPÉRANDE]... -- [OPÉRANDE]... [-- ...]

        Copie comme dd(1), affiche ses trois lignes sur la sortie d’erreur, puis ce que
        dd ne dit pas : le temps jusqu’à ce que les données soient durables, les données
        restées en mémoire, ce que chaque disque a transféré. Chaque ligne propre à
        etalon commence par 'etalon'.

        Opérandes : if= of= bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv=
                    iflag= oflag= status=
          conv=    fsync fdatasync notrunc sparse noerror sync excl nocreat swab lcase
                   ucase ascii ebcdic ibm block unblock
                   (avec cbs=, la longueur d’un enregistrement)
          iflag=   append direct directory dsync sync fullblock nonblock noatime
                   nocache noctty nofollow count_bytes skip_bytes
          oflag=   les mêmes sans fullblock, et seek_bytes
          status=  none noxfer progress
          Nombres : c=1 w=2 b=512 kB=1000 K=1024 MB M GB G T P E ; un nombre avec B
                    compte des octets

        Options propres à etalon :
          --runs N         le faire N fois et donner l’intervalle du débit (il faut if=
                           et of=)
          --parallel       plusieurs copies à la fois, leurs opérandes séparés par --
          --destroy NOM    écrire sur le périphérique bloc de ce numéro de série ou de
                           ce nom de by-id, bien qu’il porte des données ; ce qui est
                           monté ou tenu est refusé
          --wait           avec --runs : attendre un autre etalon qui mesure sur les
                           mêmes périphériques
          --json           un document JSON sur la sortie standard (il faut of=)
          --store FICHIER  avec --runs : les garder dans ce dépôt
          --help           ce texte

        On n’écrit sur un périphérique bloc que si rien ne l’utilise et qu’il ne porte
        aucune signature.

help-hdparm = Lire des périphériques comme hdparm -t, -T et --direct, avec répétitions et intervalles
    .foot =
        Exemples :
          etalon hdparm -t /dev/sda
          etalon hdparm --help      (ses options)
    .options =
        Utilisation : etalon hdparm [-t] [-T] [--direct] [--offset GIB] [--runs N]
        {"                            "}[--seed N] [--wait] [--json] [--store FICHIER]
                                    PÉRIPHÉRIQUE...

        Chronomètre des lectures comme hdparm(8), plusieurs fois, et donne l’intervalle.
        Rien n’est écrit. Chaque ligne propre à etalon commence par 'etalon:'.

          -t             lecture séquentielle du périphérique pendant 3 secondes
          -T             les 2 premiers MiB encore et encore pendant 2 secondes : la
                         mémoire, et non le périphérique
          --direct       sans le cache de pages (O_DIRECT)
          --offset GIB   -t commence à tant de GiB du début du périphérique
          --runs N       combien de fois (6) ; plusieurs périphériques sont lus dans un
                         ordre aléatoire à chaque passage
          --seed N       décide de cet ordre
          --wait         attendre un autre etalon qui mesure sur les mêmes périphériques
          --json         un document JSON sur la sortie standard
          --store FICHIER  garder les passages dans ce dépôt
          --help         ce texte

help-iozone = Lancer les tests d’iozone, avec ses options, sa présentation et son tableau
    .foot =
        Exemples :
          etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
          etalon iozone --help      (les options d’iozone)
    .options =
        Utilisation : etalon iozone [OPTIONS]

        Écrit et lit un fichier enregistrement par enregistrement, comme iozone, et dit
        jusqu’où chaque valeur est fiable. Chaque ligne propre à etalon commence par
        'etalon:'.
          etalon iozone -a                                tous les tests, des tailles
          etalon iozone -s 1G -r 64k -i 0 -i 1 -e -I      écrire et lire, sur le disque
          etalon iozone -t 2 -F a/one b/two -s 256m -i 0  deux exécutants, 2 fichiers

        Chaque valeur est mesurée jusqu’à ce que son intervalle soit à moins de 5 %,
        dans le temps de trois passages (une seconde au moins par taille de fichier et
        d’enregistrement), ou comme le disent --runs ou --precision. Sans -s, un fichier
        a 512 kB. SIZE est un nombre de kilo-octets, ou un nombre avec k, m ou g.

          -a               une grille de tailles de fichiers (64 kB à 512 MB) et
                           d’enregistrements (4 kB à 16 MB)
          -A               de même, écriture et lecture seulement, avec de petits
                           enregistrements aussi dans les grands fichiers
          -b FILE          écrire les valeurs dans FILE, un classeur XLSX
          -B               projeter les fichiers en mémoire, sauf pour les tests pread
                           et pwrite, fwrite et fread
          -c               fermer dans le temps mesuré
          -C               montrer la part de chaque exécutant
          -d #             microsecondes entre les départs des exécutants
          -D               avec -B : demander l’écriture de ce qui a été écrit, dans le
                           temps mesuré (MS_ASYNC)
          -e               fsync dans le temps mesuré
          -E               les tests pread et pwrite aussi
          -f FILE          le fichier de travail (iozone.tmp)
          -F FILE...       les fichiers d’un groupe, un par exécutant
          -g SIZE          le plus grand fichier de la grille
          -G               avec -B : attendre l’écriture de ce qui a été écrit, dans le
                           temps mesuré (MS_SYNC)
          -h               cette aide
          -H #             E/S asynchrones : tant d’enregistrements en cours à la fois,
                           chacun copié de ou vers la mémoire du test
          -i TEST          un test, plusieurs fois pour plusieurs : 0 écrire et
                           réécrire, 1 lire et relire, 2 lire et écrire au hasard, 3
                           lire à rebours, 4 réécrire un enregistrement, 5 lire par pas,
                           6 fwrite et encore, 7 fread et encore, 8 mélange au hasard, 9
                           pwrite, 10 pread, 11 pwritev, 12 preadv
          -I               contourner le cache de pages (O_DIRECT)
          -j #             pas de la lecture par pas, en enregistrements (17)
          -J #             millisecondes de calcul avant chaque enregistrement, hors du
                           temps mesuré
          -k #             comme -H sans la copie
          -K               troubler les lectures par de courtes lectures ailleurs
          -l #             le moins d’exécutants d’un groupe
          -L #             la ligne de cache du processeur en octets, dite dans
                           l’en-tête
          -m               utiliser plusieurs tampons à tour de rôle
          -M               nommer la machine dans l’en-tête
          -n SIZE          le plus petit fichier de la grille
          -N               des microsecondes par opération
          -o               chaque écriture revient une fois durable (O_SYNC)
          -O               des opérations par seconde
          -p               vider le cache du processeur avant chaque test
          -P #             lier les exécutants aux processeurs, à partir de celui-ci
          -q SIZE          le plus grand enregistrement de la grille
          -Q               écrire la latence de chaque enregistrement dans wol.dat,
                           rwol.dat, rol.dat et rrol.dat, celle d’un groupe dans
                           Child_0_wol.dat et ainsi de suite, qui doivent être nouveaux
          -r SIZE          taille d’un enregistrement (4 kB) ; plusieurs font une grille
          -R               répéter les valeurs en rapport pour un tableur
          -s SIZE          taille du fichier (512 kB) ; plusieurs font une grille
          -S #             taille du cache du processeur en kilo-octets, pour -p
          -t #             un groupe de tant d’exécutants, un fichier chacun ; plusieurs
                           sont mesurés tour à tour
          -T               les exécutants sont des threads et non des processus
          -u #             le plus d’exécutants d’un groupe ; sans -l, à partir d’un
                           seul
          -U MOUNTPOINT    démonter et remonter avant chaque test
          -v               la version
          -V #             remplir les enregistrements de cet octet et comparer ce qui
                           est lu
          -w               laisser les fichiers à la fin
          -W               verrouiller le fichier tant qu’il sert
          -x               sans arrêt commun : chaque exécutant fait tout son fichier
          -X FILE          écrire comme FILE le dit, ligne par ligne : position et
                           taille en octets, millisecondes de calcul avant
          -y SIZE          le plus petit enregistrement de la grille
          -Y FILE          lire comme FILE le dit, de même
          -z               avec -a : de petits enregistrements aussi dans les grands
                           fichiers
          -Z               avec -B : un enregistrement sur deux passe par un appel
          -+A #            annoncer les accès au noyau : 0 normal, 1 au hasard, 2
                           séquentiel, 3 inutile, 4 utile
          -+b #,#          reposer après chaque rafale : kilo-octets d’une rafale,
                           millisecondes de sommeil, hors du temps mesuré
          -+B              le groupe mêlé (-i 8) lit et écrit du début à la fin
          -+C #            avec -+y : pour cent des données répétées que seul le fichier
                           lui-même a
          -+d              écrire ce que dit la place dans le fichier, comparer chaque
                           octet lu, nommer le premier qui est faux
          -+D              chaque écriture revient une fois ses données durables
                           (O_DSYNC)
          -+J              les calculs et repos de -J, -X, -Y et -+b sont dans le temps
                           mesuré
          -+k              -s est la somme sur tous les exécutants
          -+l              verrouiller chaque enregistrement pendant son transfert
          -+L              de même, et tous les exécutants ont un seul fichier
          -+n              pas de deuxième passage
          -+N              écrire sur l’ancien fichier et non dans un nouveau
          -+p #            pour cent d’un groupe mêlé qui lisent, arrondi vers le bas à
                           des exécutants entiers (un sur deux)
          -+q #            secondes entre les tests
          -+r              lire et écrire avec O_SYNC
          -+S #            avec -+w : un nombre ; seuls les fichiers écrits avec le même
                           partagent des données
          -+T              écrire quand chaque exécutant d’un groupe a commencé et fini
                           chaque test, dans Child_0.log et ainsi de suite, qui doivent
                           être nouveaux
          -+u              dire le temps de processeur
          -+w #            pour cent de chaque enregistrement que les autres fichiers
                           ont aussi, à la même place
          -+x #            d’une taille de la grille à la suivante (2)
          -+y #            avec -+w : pour cent de cela que chaque enregistrement a
          --runs N         mesurer chaque valeur tant de fois
          --precision P%   mesurer chaque valeur jusqu’à un intervalle aussi étroit, 30
                           fois au plus
          --overwrite FILE écrire sur ce fichier et le supprimer à la fin, là où -f, -F
                           ou -U le nomme
          --fill           ne pas garder libre un dixième du système de fichiers
          --help           cette aide
          --wait           attendre un autre etalon qui mesure sur les mêmes
                           périphériques
          --json           un document JSON sur la sortie standard
          --store FILE     garder les passages dans ce dépôt

        Options d’iozone qui ne sont pas offertes (chacune dit pourquoi à l’usage) :
          -+h -+m -+t -+X

help-metadata = Chronométrer des opérations de métadonnées : mkdir, create, stat, rename, unlink et d’autres
    .longfoot =
        Exemples :
          etalon metadata /srv --files 100 --depth 2 --breadth 8 --precision 2%
          etalon metadata /srv --operations create,stat,unlink --jobs 4
help-metadata--target = Un répertoire du système de fichiers à mesurer
help-metadata--files = Nombre de fichiers dans chaque répertoire
help-metadata--file_size = Ce que `write` met dans chaque fichier
help-metadata--jobs = Nombre de threads, chacun avec sa propre arborescence
help-metadata--shared = Faire travailler tous les threads dans une même arborescence
help-metadata--json = Afficher un document JSON au lieu de la page

help-work = Chronométrer un travail réel : archives, compilations, copies, recherches, bases, pages web, commandes
    .longfoot =
        Exemples :
          etalon work list
          etalon work archive /srv --runs 10
          etalon work copy-tree /srv --set files=photos
          etalon work command /srv --set 'step=make -j2'
help-work--name = Quel travail ; `list` les donne tous avec leurs paramètres
help-work--target = Un répertoire du système de fichiers à mesurer
help-work--json = Afficher un document JSON au lieu de la page

help-fdtree = Créer et supprimer une arborescence de répertoires et de fichiers, avec les options de fdtree
    .foot =
        Exemples :
          etalon fdtree -d 5 -l 3 -f 10 -s 2
          etalon fdtree --help  (les options de fdtree)
    .options =
        Utilisation : etalon fdtree [-C] [-R] [-D] [-l NIVEAUX] [-d RÉP] [-f FICHIERS]
        {"                            "}[-s BLOCS] [-o RÉP] [--runs N] [--sync] [--zero]
        {"                            "}[--wait] [--json] [--store FICHIER]

        Crée une arborescence de répertoires et de fichiers, la supprime, et affiche
        combien par seconde. Chaque ligne propre à etalon commence par 'etalon:'.

          -l NIVEAUX  niveaux de répertoires sous la racine (4)
          -d RÉP      répertoires dans chaque répertoire au-dessus du dernier (10)
          -f FICHIERS fichiers dans chaque répertoire (10)
          -s BLOCS    taille de chaque fichier en blocs de 4096 octets (10)
          -o RÉP      où l’arborescence est créée (.), ou elle-même avec -R
          -C          créer seulement, et laisser l’arborescence
          -R          supprimer seulement : ce que -C a laissé dans RÉP, avec les mêmes
                      -l -d -f
          -D          dire ce qui est fait, avec chaque durée en nanosecondes
          --runs N    le faire N fois ; à partir de 6, chaque débit a son intervalle à
                      95 %
          --sync      finir chaque phase par syncfs dans le temps mesuré : ce qui est
                      compté est sur le disque
          --wait      attendre un autre etalon qui mesure sur les mêmes périphériques
          --json      un document JSON sur la sortie standard
          --store FICHIER  garder les passages dans ce dépôt
          --zero      remplir les fichiers de zéros, et non de données incompressibles

        Le nombre de répertoires croît comme RÉP à la puissance NIVEAUX ; ce qui ne
        tient pas est refusé.
        Exemple : fdtree -d 8 -l 4 -f 16 -s 1

help-lab = Mesurer dans des invités à disques modélisés ; en simuler des grappes, les servir et les lister
    .foot =
        Exemples :
          etalon lab list                                modèles de disques, noyaux
          etalon lab simulate                            dispositions de md, 4 disques
          etalon lab simulate raid5 f2 --disk hdd-10k --disks 5
          etalon lab simulate raid5 --rebuild --size 1T  retour d’un membre mort
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          etalon lab powercut                            ce que laissent 200 coupures
          etalon lab run quick --disk hdd-7200:8G        le contrôle, dans un invité
          etalon lab run nfs --delay 1ms                 le même, par NFS dans l’invité
          etalon lab run raid-layouts                    les agencements de md sur 4 disques
          etalon lab check                               ce qui manque à la machine

help-lab-simulate = Faire passer lectures, écritures et reconstructions par des grappes de disques modélisés, sur une horloge virtuelle
help-lab-simulate--disks = Nombre de disques
help-lab-simulate--seed = Décide de chaque endroit aléatoire

help-lab-run = Exécuter un plan dans un invité à disques modélisés, et garder ici ses expériences
    .foot =
        Exemples :
          etalon lab run quick --disk hdd-7200:8G
          etalon lab run plan.toml --disk sd:4G --disk usb:4G -- /dev/vda /dev/vdb
          etalon lab run plan.toml --kernel ./unpacked -- --budget 10m --seed 7
          etalon lab run plan.toml --kernel ./linux-6.1 --kernel ./linux-6.12
          etalon lab run plan.toml --kernel host --kernel 'host mitigations=off'
          etalon lab run nfs --delay 1ms               le contrôle, par NFS
          etalon lab run plan.toml --over nvme-tcp --apart
          etalon lab run raid-layouts                  un plan prédéfini, sur ses disques
          etalon lab run host-vs-guest -- /srv         cette machine et ses invités
          etalon lab run quick --root debian.qcow2     avec les programmes d’une image

        Les disques y sont /dev/vda, /dev/vdb et ainsi de suite, et contiennent du
        bruit ; sans nom derrière --, le premier est mesuré. Sans --disk, un plan
        prédéfini a ses propres disques, avec un système de fichiers ou une grappe
        dessus là où il mesure des fichiers. Par un réseau, l’invité lui-même sert et
        atteint le premier disque, ou avec --apart celui d’un autre invité, et c’est
        /net qui est mesuré, un système de fichiers sur ce disque. Plusieurs noyaux sont
        un facteur du plan : chaque bloc démarre chacun d’eux, et une seule expérience
        les compare ; de même cette machine à côté d’invités dont les disques sont des
        fichiers du répertoire derrière --. Les expériences sont gardées ici, chaque
        passage avec l’invité où il a été fait.
help-lab-run--plan = Le fichier d’un plan, le nom d’un plan prédéfini, quick, ou un réseau pour y faire quick
help-lab-run--json = Afficher un document JSON pour chaque expérience au lieu de sa page
help-lab-run--seed = Décide de chaque temps aléatoire des modèles

help-lab-shell = Ouvrir sur ce terminal la console d’un tel invité
    .foot =
        Exemples :
          etalon lab shell --disk hdd-7200:8G --disk hdd-7200:8G
          etalon lab shell --kernel ./unpacked

        `exit` ou Ctrl-] termine l’invité ; ce qui a été écrit sur ses disques est
        alors perdu.
help-lab-shell--seed = Décide de chaque temps aléatoire des modèles

help-lab-powercut = Couper le courant d’un disque pendant des écritures d’enregistrements, et dire ce qui était promis et perdu
    .foot =
        Exemples :
          etalon lab powercut                            un disque honnête
          etalon lab powercut --disk ssd-sata:ignores-flush
          etalon lab powercut --durability none --cuts 20
          etalon lab powercut --filesystem ext4 --disk ssd-sata:1G
          etalon lab powercut --filesystem ext4 --mount-options barrier=0
          etalon lab powercut --filesystem ext4 --write store
          etalon lab powercut --filesystem xfs --write postgresql

        Des enregistrements numérotés sont écrits l’un après l’autre. Chaque coupure
        tombe à son propre moment et fait perdre ce que le disque n’a pas mis sur son
        support, secteur par secteur au hasard ; puis chaque enregistrement promis est
        relu.

        Sans système de fichiers, le disque est un modèle sur une horloge virtuelle, et
        chaque coupure en prend un neuf : il ne faut pas d’invité. Avec un système de
        fichiers, un invité écrit dans un fichier, puis monte et lit, sur un autre
        disque, ce que chaque coupure a laissé.

        Le code de sortie 3 dit que quelque chose de promis a été perdu.
help-lab-powercut--disk = Le disque, sous la forme MODEL ou MODEL:SIZE, et :ignores-flush s’il ment [défaut : hdd-7200:8G]
help-lab-powercut--durability = Quand un enregistrement est tenu pour durable
help-lab-powercut--seed = Décide des moments, de ce que laisse chaque coupure, et de chaque temps aléatoire du modèle

help-lab-serve = Servir un disque qui répond selon son modèle, en temps réel, à des clients NBD
    .foot =
        Exemples :
          etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
          qemu-io -f raw nbd+unix:///?socket=/tmp/disk -c 'read 0 4k'
          nbd-client -unix /tmp/disk /dev/nbd0          en root, avec le module nbd

        Les clients sont servis l’un après l’autre, jusqu’à Ctrl-C. Ce qui a été écrit
        est gardé en mémoire jusque-là, puis perdu.
help-lab-serve--size = Taille du disque
help-lab-serve--seed = Décide de chaque temps aléatoire du modèle
help-lab-serve--json = Afficher un document JSON à la fin

help-lab-list = Lister les modèles de disques avec la source de chaque valeur
help-lab-list--json = Afficher un document JSON, avec chaque valeur

help-lab-check = Dire ce qu’il faut aux invités et ce qui en manque ici
help-lab-check--kernel = Le noyau que les machines invitées doivent avoir, avec lequel KVM est essayé [défaut : host, le noyau de cette machine]

help-restore = Supprimer ce qu’un etalon tué a laissé, et remettre ce qu’il a changé
    .foot =
        Exemples :
          etalon restore      (chaque mesure commence par là)

help-checks = Lister les contrôles que subit chaque passage
    .foot =
        Exemples :
          etalon checks
          etalon checks page-cache

help-schema = Afficher le schéma JSON de tous les documents qu’écrit --json, ou celui d’un plan
    .foot =
        Exemples :
          etalon schema > etalon.schema.json
          etalon schema plan > plan.schema.json

help-completions = Afficher les complétions pour un shell
    .foot =
        Exemples :
          etalon completions bash > /etc/bash_completion.d/etalon
          etalon completions zsh > ~/.zfunc/_etalon
          etalon completions fish > ~/.config/fish/completions/etalon.fish

help-man = Écrire les pages de manuel dans un répertoire
    .foot =
        Exemples :
          etalon man /usr/local/share/man/man1

help-help = Afficher ce message ou l’aide des sous-commandes données

help-arg-accelerator = Façon dont tourne son processeur ; auto prend KVM si un essai montre qu’il fonctionne
help-arg-after_reboot = Ne reprendre qu’un plan interrompu avant le redémarrage de la machine, et finir sans erreur s’il n’y en a pas
help-arg-all = Avec --environment : chaque élément, même ceux qui ne décident guère d’une valeur
help-arg-alone = Mesurer aussi chaque charge seule, en ordre aléatoire, et donner le rapport ensemble/seule
help-arg-apart = Confier à un autre invité, avec les disques, le rôle de serveur du réseau
help-arg-arms = Ce qu’il faut comparer, au moins deux [défaut avec --by label : chaque expérience qui a une étiquette]
help-arg-arrival = Avec --rate : écarts fixed ou poisson, ou repaced (attend chaque réponse, ce qui cache les blocages)
help-arg-as_begun = Poursuivre le plan tel qu’il était, si son fichier dit autre chose depuis
help-arg-ascii = Afficher de l’ASCII seulement, comme avec LC_ALL=C
help-arg-at = Commencer à cette heure, aujourd’hui ou sinon demain, ou à un moment comme 2026-11-27T22:00
help-arg-backend = Moteur des E/S : sync, io_uring, mmap, stdio, null ou fake [défaut : sync à profondeur 1, io_uring au-delà]
help-arg-base = Le côté auquel se réfèrent rapports et pourcentages [défaut : le premier]
help-arg-batch = Opérations remises à io_uring à la fois, au plus [défaut : chacune seule]
help-arg-block_size = Taille d’une opération ; un mélange en pour cent des opérations (4k:60,64k:40), ou une plage de tailles équiprobables : par doublement (4k-64k) ou par pas (4k-64k/4k)
help-arg-blocks = Mesurer ce nombre de blocs
help-arg-breadth = Répertoires dans chaque répertoire au-dessus du dernier niveau
help-arg-budget = Le temps imparti
help-arg-buffered = Passer par le cache de pages au lieu de demander O_DIRECT
help-arg-bundle = Un fichier compressé avec tout, que reprend `import` et que contrôle `verify` ; demande -o
help-arg-by = Ce qui peut différer entre les côtés, séparé par des virgules
help-arg-bytes = Terminer après ce nombre d’octets, toutes tâches ensemble
help-arg-cache = État du cache de pages avant chaque passage : direct (écarté, sinon pas de passage), cold, warm, limited:SIZE (un cgroup) [défaut : écarté là où c’est possible]
help-arg-certificate = Le certificat pour TLS, avec sa chaîne, en PEM
help-arg-charts = Écrire chaque graphique en SVG et en PNG dans ce répertoire, créé s’il manque, et un rapport seulement où -o le nomme
help-arg-chunk = Bloc de bande de la grappe
help-arg-code = Seulement ce contrôle, par le code que porte un constat
help-arg-color = Colorer la page ; auto : sur un terminal, sauf si NO_COLOR est défini ou si TERM vaut dumb
help-arg-count = Terminer après ce nombre de relevés
help-arg-cpus = Lier les tâches à ces processeurs à tour de rôle, par exemple 0-3,8
help-arg-csv = Une ligne par passage
help-arg-cuts = Nombre de coupures de courant [défaut : 200, avec un système de fichiers 20]
help-arg-delay = Retenir chaque paquet du réseau pendant ce temps ; un aller-retour prend le double
help-arg-depth = Niveaux de répertoires sous la racine de chaque arborescence
help-arg-destroy = Permettre la destruction d’un périphérique, nommé par son numéro de série ou son nom dans /dev/disk/by-id
help-arg-details = Afficher toutes les colonnes, tous les constats et les réglages de la pile de stockage
help-arg-direct = Échouer au lieu de passer par le cache de pages si O_DIRECT est refusé
help-arg-directory = Où les écrire ; il doit exister
help-arg-disk = Le modèle de tous les disques, tel que le donne `etalon lab list`
help-arg-disks = Un disque, sous la forme MODEL ou MODEL:SIZE, et derrière, sa façon de tomber en panne, comme :dies-after=30s ; à répéter pour le suivant [défaut : hdd-7200:8G]
help-arg-distribution = Tirage des positions aléatoires : permutation (chaque bloc une fois), uniform, zipf:1.1, pareto:0.8
help-arg-done = L’étape manuelle que le plan attend (facteur pause) est faite ; personne n’est donc interrogé à son sujet
help-arg-dots = Afficher chaque passage, l’intervalle et le résultat en points à partir de 0, et les passages en mini-courbe
help-arg-dry_run = Dire seulement ce qui se ferait : cellules, ordre, changements, espace et temps
help-arg-durability = Ce qui rend les noms durables dans le temps mesuré : never, phase (un syncfs à la fin de la phase de chaque opération) ou each (fsync de chaque fichier créé ou écrit)
help-arg-environment = Afficher la machine et ses réglages d’alors : processeur, mémoire, noyau, système de fichiers, files
help-arg-experiments = Des expériences, telles que `etalon list` les montre, ou des fichiers de `etalon export --json` [défaut : la dernière]
help-arg-fail_if_slower = Sortir avec 7 s’il est établi qu’un côté est plus lent que la base de plus que cette marge, pour les scripts : un débit qui baisse ou un temps qui croît, de tout son intervalle
help-arg-fake_servers = Moteur fake : opérations servies à la fois
help-arg-fake_service = Moteur fake : temps d’une opération
help-arg-fake_stall = Moteur fake : durée d’un blocage
help-arg-fake_stall_every = Moteur fake : se bloquer à chaque multiple de ce temps
help-arg-fdatasync = Appeler fdatasync au lieu de fsync : never, end, ou toutes les N écritures
help-arg-figures = Donner chaque valeur avec sa source
help-arg-file = Le texte ou la page enregistrée ; - est l’entrée standard
help-arg-file_size = Taille du fichier à lire et de celui à écrire [défaut : celle du dernier contrôle de TARGET, ou d’une autre cible si TARGET la permet aussi, sinon de 1 MiB à 4 GiB selon la vitesse et l’espace]
help-arg-files = Nombre de fichiers d’une opération de métadonnées, toutes tâches ensemble ; de répertoires pour mkdir et rmdir
help-arg-filesystem = Écrire dans un fichier d’un système de fichiers de ce type, dans un invité
help-arg-findings = Afficher chaque constat avec son code et ses valeurs, pas seulement ceux qui changent ce qu’il faut faire, et quels contrôles étaient impossibles ; avec --json, ce qu’a donné chaque contrôle
help-arg-fio = Du JSON comme l’affiche fio, pour ce qui en tire des graphiques ; E/S seulement
help-arg-fio_files = De même en un fichier par charge, dans un répertoire par taille de bloc et condition sous celui-ci, créé s’il manque : pour fio-plot
help-arg-fsync = Appeler fsync dans le temps mesuré : never, end, ou toutes les N écritures
help-arg-given = Des mots pour la commande dans l’invité : cibles et options d’etalon run, ou d’etalon quick
help-arg-help = Afficher l’aide
help-arg-huge_pages = Mettre les tampons dans de grandes pages
help-arg-id = Le numéro de l’expérience, tel que `etalon list` le montre
help-arg-ids = Les numéros des expériences, tels que `etalon list` les montre
help-arg-interval = Temps entre deux relevés
help-arg-jobs = Nombre de threads
help-arg-json = Afficher un document JSON
help-arg-kernel = Une image, ou le répertoire d’un paquet extrait ; des mots de sa ligne de commande peuvent suivre entre les mêmes guillemets [défaut : host, le noyau de cette machine]
help-arg-key = La clé du certificat, en PEM
help-arg-kind = Seulement les expériences faites par cette commande : quick, measure, passport, together, metadata, work, dd, hdparm, iozone ou fdtree
help-arg-label = Garder ceci avec le résultat, pour le distinguer du même plan ailleurs
help-arg-lang = Écrire la page dans cette langue [défaut : celle de LC_ALL, LC_MESSAGES ou LANG]
help-arg-last = Seulement les N plus récentes de celles-là
help-arg-latency_target = Chercher la plus grande profondeur de file, ou avec --arrival la plus haute cadence, où un percentile de la latence reste sous ce temps : 5ms est 5ms@p99
help-arg-layouts = raid0, raid1, raid4, raid5, raid6, n2, n3, o2, f2 [défaut : les plus courants]
help-arg-like = Prendre la taille de fichier, la profondeur des flux et les lignes de cette expérience, pour comparer les deux
help-arg-listen = L’adresse et le port où écouter ; le port 0 en prend un libre
help-arg-margin = Avec --alone : tenir pour nulles les différences relatives jusqu’à celle-ci
help-arg-markdown = Le tableau pour un forum ou un README
help-arg-max_runs = Répéter chaque charge ce nombre de fois au plus
help-arg-memory = Mémoire de l’invité
help-arg-metrics = Du texte OpenMetrics pour Prometheus
help-arg-min_runs = Répéter chaque charge ce nombre de fois au moins
help-arg-model = Le modèle, tel que le donne `etalon lab list`, et derrière, sa façon de tomber en panne, comme :dies-after=30s
help-arg-mount_options = Le monter avec ces options, comme les prend mount -o
help-arg-name = Afficher ce plan prédéfini
help-arg-numa_node = Lier les tâches à la mémoire et, sans --cpus, aux processeurs de ce nœud NUMA
help-arg-of = Ce qu’il faut décrire [défaut : ce qu’écrit --json]
help-arg-offset = Où commence la plage utilisée
help-arg-one_pass = Terminer après un parcours de la plage
help-arg-op = Que faire : read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread ou stridewrite ; trim, randtrim, trimwrite ou randtrimwrite, seulement d’un périphérique bloc ; opérations de métadonnées : mkdir, create, stat, open, rename, link, symlink, setxattr, getxattr, unlink ou rmdir, comme les fait `etalon metadata`
help-arg-open = L’ouvrir dans le navigateur
help-arg-operations = Ce qu’il faut chronométrer, séparé par des virgules [défaut : tout]
help-arg-others = Les fichiers des autres dépôts
help-arg-output = Le fichier à écrire ; s’il existe, il est remplacé [défaut : etalon-ID.html, qui ne doit pas exister]
help-arg-over = Atteindre le premier disque par un réseau, dont cet invité est aussi le serveur
help-arg-percentiles = Afficher ces percentiles de la latence, avec opérations et octets par seconde côte à côte
help-arg-pilot = Avec --dry-run : faire un passage de chaque charge sans durée, ce qui dit le temps qu’il prend ; rien n’est réglé, et aucun périphérique n’est écrit
help-arg-plain = Afficher des lignes comme sar, avec une moyenne à la fin, au lieu de prendre l’écran
help-arg-plan = Le fichier d’un plan, ou le nom d’un plan prédéfini
help-arg-poll = io_uring : scruter les achèvements
help-arg-precision = Demander un intervalle aussi étroit, en moitié de sa largeur sur la valeur, et dire où il est plus large
help-arg-print_unit = Afficher une unité systemd qui le fait à chaque démarrage de la machine, et comment l’installer
help-arg-processors = Processeurs de l’invité
help-arg-queue_depth = Opérations en cours par tâche
help-arg-range = Longueur de la plage utilisée [défaut : jusqu’à la fin]
help-arg-rate = Opérations par seconde (500) ou octets par seconde (50MiB/s), toutes tâches ensemble, que la cible suive ou non
help-arg-read_percent = Part des lectures dans rw et randrw
help-arg-rebuild = Remplacer un disque mort, et dire la vitesse et le temps restant au fur et à mesure
help-arg-remove = Retirer l’étiquette
help-arg-root = Exécuter avec les programmes et bibliothèques de cette image de disque (qcow2 ou brute), qui n’est que lue
help-arg-runs = Répéter ce nombre de fois ; il en faut au moins six pour un intervalle [défaut : 6, puis davantage jusqu’à ce que chaque valeur ait un intervalle et la précision demandée, au plus 30 ou deux minutes]
help-arg-seed = Le nombre qui décide de chaque choix aléatoire [défaut : un nouveau, qui est conservé]
help-arg-set = Un paramètre du travail, sous la forme NAME=VALUE ; peut être répété
help-arg-shared = Faire partager un seul fichier à toutes les tâches au lieu d’en donner un à chacune
help-arg-shell = Le shell
help-arg-si = Avec --percentiles : compter les octets en MB (10^6) au lieu de MiB (2^20)
help-arg-size = Taille de chaque disque
help-arg-socket = Nom du socket Unix ; il doit être libre
help-arg-sqpoll = io_uring : laisser un thread du noyau soumettre
help-arg-stack = Dessiner la pile de stockage telle qu’elle était
help-arg-store = Le fichier du dépôt [défaut : celui que nomme la variable ETALON_STORE, sinon etalon/store.sqlite dans le répertoire de données XDG]
help-arg-strict = Sortir avec 3 aussi quand une valeur n’a pas d’intervalle ou n’atteint pas la précision demandée
help-arg-stride = Distance entre deux blocs d’un parcours par pas, en blocs
help-arg-sync = Ouvrir les fichiers avec O_DSYNC ou O_SYNC : none, dsync ou sync
help-arg-tag = Seulement les expériences qui ont cette étiquette
help-arg-target = Un répertoire du système de fichiers à mesurer, ou un périphérique bloc à lire
help-arg-targets = Répertoires, fichiers ou périphériques à mesurer, à la place de ceux du plan [défaut : ceux du plan, ou .]
help-arg-text = La note, à la place de celle qui existe ; un texte vide la retire
help-arg-think = Pause de chaque tâche entre les opérations, hors de leurs latences
help-arg-think_every = Avec --think : faire une pause toutes les N opérations d’une tâche
help-arg-time = Terminer après ce temps, préchauffage compris
help-arg-time_limit = Terminer l’invité après ce temps
help-arg-token = Un fichier dont la première ligne est le mot de passe exigé des navigateurs ; 32 caractères ou plus
help-arg-verify = Comparer ce qui est lu à ce qui a été écrit
help-arg-version = Afficher la version
help-arg-wait = Attendre un autre etalon qui mesure sur les mêmes périphériques, au lieu de refuser ; =quiet : aussi que rien d’autre n’occupe leurs disques ni les processeurs, une heure au plus, ou =quiet:4h
help-arg-warm_up = Écarter des valeurs la première partie
help-arg-watch = Le répertoire, le fichier ou le périphérique bloc dont les disques sont surveillés
help-arg-width = Afficher sur ce nombre de colonnes, quel que soit le terminal
help-arg-without_identities = Remplacer par des pseudonymes ce qui nomme disques, machine, réseau, répertoires et processus, pour publier : les mêmes dans chacun de vos exports
help-arg-word = L’étiquette : un mot
help-arg-words = Les options propres à l’outil
help-arg-workloads = Les charges : une cible et ses options pour chacune, avec -- devant chacune
help-arg-write = Ce qui y est écrit
help-arg-xlsx = Un classeur : résumé, passages, grille et environnement, avec graphiques ; demande -o
