### What `etalon review` says of what others published.

## The page

review-found = { $source } : { $figures } de programmes de mesure, { $tables } de valeurs.
review-figures =
    { $count ->
        [one] { $count } valeur
       *[other] { $count } valeurs
    }
review-tables =
    { $count ->
        [one] { $count } tableau
       *[other] { $count } tableaux
    }
review-nothing = Aucune mesure n’y a été trouvée.
review-sound = Un lecteur n’y voit rien d’incorrect.
review-kinds =
    { $count ->
        [one] { $count } sorte de défaut trouvée.
       *[other] { $count } sortes de défauts trouvées, les plus graves d’abord.
    }
review-line = ligne { $line } : { $message }
review-more = et { $count } de plus : --all les montre

## The faults, with what shows them

fault-faster-than-device-random = { $label } à { $rate }/s, alors que la même page donne { $stream }/s en séquentiel : un disque n’est pas plus rapide au hasard.
fault-faster-than-device-kind = { $label } à { $rate }/s ({ $quoted }) : { $why }.
fault-limit-disk = les disques durs les plus rapides donnent 300 MB/s en séquentiel
fault-limit-sata = SATA à 6 Gbit/s transporte 600 MB/s
fault-limit-usb2 = USB 2 transporte 60 MB/s
fault-idle-half = { $busy } a fait { $transfers } transferts par seconde pendant que { $other } ne faisait rien : un seul disque a tout servi.
fault-mixed-settings-rows = « { $label } » se trouve sous { $count } lignes de tailles différentes.
fault-mixed-settings-said = un écart type est donné sur plusieurs tailles d’enregistrement ({ $sizes }), mesurées une seule fois chacune.
fault-no-description = la page ne dit rien de ceci : { $missing }.
fault-missing-disk = le disque
fault-missing-memory = la mémoire
fault-missing-kernel = le noyau
fault-missing-filesystem = le système de fichiers
fault-no-fsync = { $label } ({ $quoted }) est sans fsync : la fin peut être encore en mémoire.
fault-no-lvm = un volume logique se trouve sous ce qui a été mesuré, et la description du système n’en dit rien.
fault-no-spread = une moyenne est donnée sans la dispersion de ses passages.
fault-no-trim = un SSD est dit lent ici, sans un mot sur TRIM : sans TRIM, un SSD finit par écrire lentement.
fault-one-run = { $counted } ({ $label } { $quoted }).
fault-one-run-admitted = la page dit elle-même n’avoir mesuré qu’une fois.
fault-one-run-only-once = la seule mesure a été faite une fois
fault-one-run-only-twice = la seule mesure a été faite deux fois
fault-one-run-all-once = chacune des { $all } mesures a été faite une fois
fault-one-run-all-twice = chacune des { $all } mesures a été faite deux fois
fault-one-run-some-once = sur { $all } mesures, { $single } n’ont été faites qu’une fois, et aucune plus de deux fois
fault-other-command = le texte parle de { $told_levels } niveaux et de { $told_directories } répertoires, la commande fait { $levels } niveaux (-l) et { $directories } répertoires (-d).
fault-repeated-figure-line = « { $time } » est aussi à la ligne { $line }, au chiffre près.
fault-repeated-figure-twice = « { $time } » est deux fois dans cette ligne, au chiffre près.
fault-repeated-figure-copy = { $seconds } s pour les mêmes octets qu’à la ligne { $line }, au chiffre près.
fault-share-of-total = { $shares } sont des parts d’un total : à égalité, chacun aurait { $equal } %, ce qui se lit comme un écart à 100 %.
fault-smaller-than-memory = { $label } de { $size } ({ $quoted }) sur une machine qui a { $memory } de mémoire : le cache de pages peut avoir répondu.
fault-unlike-rows = { $size } ({ $quoted }) est mis à côté de { $other_size } ({ $other_quoted }) de la ligne { $line }.
fault-wild-runs = { $label } : des passages de { $low } à { $high } ({ $apart } % d’écart) ont été { $said } : { $result }.
fault-wild-runs-averaged = réduits à leur moyenne
fault-wild-runs-added = additionnés
fault-wild-runs-of-nothing = { $label } : des passages de { $low } à { $high } ont été { $said } : { $result }.
fault-winner-within-noise = { $best } est donné vainqueur de { $rival } avec { $gap } % d’avance, alors que ses passages vont de { $own_low } à { $own_high } et ceux de l’autre de { $low } à { $high }.
fault-wrong-base-rows = { $changes } ({ $second } par rapport à { $first }).
fault-wrong-base-change = { $said } % annoncés pour { $new } par rapport à { $old }, alors que c’est { $change } %
fault-wrong-base-said = { $said } % annoncés pour { $first } et { $second }, qui diffèrent de { $of_smaller } % du plus petit et de { $of_larger } % du plus grand.
fault-wrong-mean-row = { $label } : { $said } est donné comme { $what } de { $count } passages, qui est { $right }.
fault-wrong-mean-column = colonne { $column } : { $said } est sous { $count } lignes dont la { $what } est { $right }.
fault-wrong-mean-mean = moyenne
fault-wrong-mean-sum = somme
fault-wrong-mean-said = { $said } est donné comme moyenne des { $count } valeurs à partir de la ligne { $line }, qui est { $right }.
fault-wrong-place = « { $text } » : la première partition est au bord, là où un disque est le plus rapide.
fault-wrong-rate = { $bytes } en { $seconds } s font { $rate }/s, et { $quoted } est affiché.
fault-wrong-size = bs={ $typed } n’est pas { $kib } KiB, qui font { $meant } octets : chaque bloc est à cheval sur deux.
fault-wrong-unit = « { $text } » compte les enregistrements en octets ; ceux d’iozone sont de 1024 octets.
