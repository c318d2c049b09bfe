### The pages of experiments in a terminal.

## The heading of a page

page-heading = { $path } : { $storage } ({ $when })
page-place = { $path } : { $storage }

## Avant la page d’une expérience avec une latence à tenir

page-target-met-at-depth = À profondeur de file { $depth }, { $percent } % des opérations prennent au plus { $limit } : { $reached }, { $latency }.
page-target-met-at-rate = Au débit demandé de { $rate }, { $percent } % des opérations prennent au plus { $limit } : { $reached }, { $latency }.
page-target-met-nowhere = À aucune des charges essayées, { $percent } % des opérations ne tiennent en { $limit }.
page-target-not-shown = On ne sait pas si { $percent } % des opérations prennent au plus { $limit } { $load } : p{ $name } demande { $needed } opérations, et il y en a eu { $operations }. Faites des passages plus longs (--time) ou plus nombreux (--runs).
page-target-missed-at-depth = À profondeur de file { $depth }, c’est plus : { $reached }, { $latency }.
page-target-missed-at-rate = Au débit demandé de { $rate }, c’est plus : { $reached }, { $latency }.
page-target-highest = C’était la plus forte des charges essayées.
page-target-invalid = Ce résultat est { $invalid } : la page ci-dessous dit pourquoi.
page-target-no-interval = Pas d’intervalle { $loads } : un passage seul a trop peu d’opérations pour avoir son p{ $name }. Faites des passages plus longs (--time).
page-target-close = Trop serré pour trancher : { $loads }. Plus de passages en décideront (--runs).
page-target-load-depth = à profondeur de file { $depth }
page-target-load-rate = au débit demandé de { $rate }
page-target-latency = p{ $name } { $latency }
page-target-latency-within = p{ $name } { $latency } (95 % : { $low } à { $high })
page-target-latency-above = p{ $name } au-dessus de { $limit }

## What the figures say

page-invalid-word = INVALIDE
page-invalid-word-many = INVALIDES
page-memory = C’est de la mémoire, pas un disque : { $found }
page-figure-invalid = La valeur est { $invalid }.
page-one-invalid = 1 valeur sur { $all } est { $invalid }.
page-some-invalid = { $count } valeurs sur { $all } : { $invalid }.
page-large-both = Grands fichiers : lus à { $read }, écrits à { $written }.
page-large-read = Grands fichiers : lus à { $read }.
page-large-written = Grands fichiers : écrits à { $written }.
page-small = Petits accès : { $parts }.
page-small-and = { $first } ; { $next }
page-small-both = { $reads } lectures et { $writes } écritures par seconde, une à la fois
page-small-reads = { $reads } lectures par seconde, une à la fois
page-small-writes = { $writes } écritures par seconde, une à la fois
page-small-both-deep = { $reads } lectures et { $writes } écritures par seconde à profondeur de file { $depth }
page-small-reads-deep = { $reads } lectures par seconde à profondeur de file { $depth }
page-small-writes-deep = { $writes } écritures par seconde à profondeur de file { $depth }
page-each-durable = { $said }, chaque écriture étant durable
page-single = { $row } : { $figure }.
page-single-latencies = { $row } : { $figure } ; la moitié des opérations ont pris jusqu’à { $half }, 99 % jusqu’à { $most }.
page-all-steps = Toutes les étapes ensemble : { $figure }.
page-range = De { $low } ({ $low_row }) à { $high } ({ $high_row }).

## How sure the figures are

page-rate-set = Le débit était imposé : ce que fait le stockage se lit dans les latences.
page-within = Exact à { $reach } près sur cette machine aujourd’hui.
page-within-but-wide = Exact à { $reach } près sur cette machine aujourd’hui, sauf { $wide } (varie davantage).
page-within-but-few = Exact à { $reach } près sur cette machine aujourd’hui, sauf { $few } (trop peu de passages).
page-within-but-both = Exact à { $reach } près sur cette machine aujourd’hui, sauf { $wide } (varie davantage) et { $few } (trop peu de passages).
page-names-and-more = { $names } et { $more } autres
page-not-sure-few = Précision : inconnue, trop peu de passages.
page-not-sure-wide = Précision : pas mieux que { $reach } sur cette machine aujourd’hui.

## Where reading and writing differ

page-reads-faster-large = Les grandes lectures sont { $ratio } fois plus rapides que les grandes écritures.
page-writes-faster-large = Les grandes écritures sont { $ratio } fois plus rapides que les grandes lectures.
page-reads-faster-small = Les petites lectures sont { $ratio } fois plus rapides que les petites écritures, une à la fois.
page-writes-faster-small = Les petites écritures sont { $ratio } fois plus rapides que les petites lectures, une à la fois.
page-reads-faster-deep = Les petites lectures sont { $ratio } fois plus rapides que les petites écritures à profondeur de file { $depth }.
page-writes-faster-deep = Les petites écritures sont { $ratio } fois plus rapides que les petites lectures à profondeur de file { $depth }.

## The table

column-result = résultat
column-interval = intervalle 95 %
column-mean = moyenne
column-median = médiane
column-runs = passages
column-cpu = CPU occupé
column-power = puissance
column-heat = max. temp.
column-verdict = verdict
column-device = du disque
column-step = étape, jusqu’à durable
column-returned = retour
column-user = utilisateur
column-system = système
column-wait = attente
column-latency = latence
page-few-of = ? { $count } sur { $needed }
page-verdict-invalid = invalide : { $reasons }
page-verdict-needs = indécis, il faut encore { $time }

## The remarks

page-remark = { $place } : { $meaning } { $to_do }
page-below-in-memory = { $devices } sert tout depuis la mémoire.
page-below-in-memory-advice = Lisez-le comme la vitesse de la mémoire, ou placez le fichier sur un disque.
page-direct-behind = O_DIRECT s’arrête au processus derrière ce système de fichiers : sa mémoire, ou le cache de pages en dessous, peut avoir répondu.
page-direct-behind-advice = Mesurez le répertoire qu’il montre, ou lisez la valeur comme une valeur avec sa mémoire.
page-remark-invalid = { $place } : { $invalid } : { $meaning } { $to_do }
page-remark-lesser = Cela vaut aussi, à un moindre degré, pour { $rows }.
page-finding = { $severity } [{ $code }] { $place } : { $said } { $advice }
page-all-workloads = toutes les charges

## Figures that are less sure than was asked for

page-too-few = pas de ± : un intervalle demande { $needed } passages. { $to_do }
page-too-few-left-out =
    { $left_out ->
        [one] pas de ± : un intervalle demande { $needed } passages. { $left_out } sur { $made } a été exclu, voir les constats. { $to_do }
       *[other] pas de ± : un intervalle demande { $needed } passages. { $left_out } sur { $made } ont été exclus, voir les constats. { $to_do }
    }
page-too-wide = ± plus large que les { $asked } demandés. { $to_do }
page-too-wide-more = ± plus large que les { $asked } demandés. { $more } de plus suffiraient. { $to_do }
page-finer = Plus fin : { $command }
page-more-of-program = Il faut plus de passages du programme.
page-repeat-times = Répétez-la { $runs } fois.
page-repeat-options = Répétez : { $options }
page-too-variable = Trop variable ici pour être rendu plus précis.
page-too-variable-apart = Trop variable ici pour être rendu plus précis : le passage le plus rapide de { $row } vaut { $ratio } fois le plus lent.
page-wide-rose = { $rows } : plus large que ± { $wide } : a monté de { $first } au premier passage à { $last } au dernier. { $cause }
page-wide-fell = { $rows } : plus large que ± { $wide } : a baissé de { $first } au premier passage à { $last } au dernier. { $cause }
page-wide-between = { $rows } : plus large que ± { $wide } : était entre { $low } et { $high } sans ordre. Cherchez un autre utilisateur du disque, et mesurez plus longtemps.
page-wide-rose-widest = { $rows } : plus large que ± { $wide } : { $widest } a monté de { $first } au premier passage à { $last } au dernier. { $cause }
page-wide-fell-widest = { $rows } : plus large que ± { $wide } : { $widest } a baissé de { $first } au premier passage à { $last } au dernier. { $cause }
page-wide-between-widest = { $rows } : plus large que ± { $wide } : { $widest } était entre { $low } et { $high } sans ordre. Cherchez un autre utilisateur du disque, et mesurez plus longtemps.
page-wide-faster = Quelque chose se préchauffe ; mesurez plus longtemps.
page-wide-slower = Un cache se remplit, ou un répertoire grandit ; mesurez plus longtemps.
page-wide-known = { $rows } : plus large que ± { $wide } : { $cause }
page-wide-known-widest = { $rows } : plus large que ± { $wide } : { $widest } : { $cause }

## Names that memory took

page-memory-rows-durable = { $rows } : le rythme auquel la mémoire les prend, car rien n’est synchronisé ; { $durable } attend le disque à chaque fois.
page-memory-rows-command = { $rows } : le rythme auquel la mémoire les prend, car rien n’est synchronisé ; avec un fsync de chacun : { $command }.

## What was chosen

page-file-size = Taille de fichier { $size } : un GiB, ou un tiers des { $usable } utilisables.
page-whole-device = Données : les { $size } du périphérique, qui n’est que lu.
page-working-set-device = Données : un fichier de { $size } à lire et un à écrire, tout le périphérique.
page-working-set-space = Données : un fichier de { $size } à lire et un à écrire, un tiers de l’espace utilisable.
page-working-set-time = Données : un fichier de { $size } à lire et un à écrire, ce qui peut être préparé dans le temps imparti.
page-working-set-memory = Données : un fichier de { $size } à lire et un à écrire, un huitième de la mémoire disponible, où réside ce système de fichiers.
page-working-set-length = Données : un fichier de { $size } à lire et un à écrire, le plus qu’emploie un contrôle de cette durée.
page-working-set-least = Données : un fichier de { $size } à lire et un à écrire, le moins qui vaille la peine d’être mesuré.
page-working-set-asked = Données : un fichier de { $size } à lire et un à écrire, comme demandé.
page-working-set-earlier = Données : un fichier de { $size } à lire et un à écrire, comme dans l’expérience précédente.
page-working-set-unfit = Données : un fichier de { $size } à lire et un à écrire, car la taille de l’expérience précédente ne tient pas ici.
page-choice-memory = Les fichiers résident en mémoire ; chaque valeur est donc celle de la mémoire.
page-choice-direct = O_DIRECT passe à côté du cache de pages de la cible.
page-choice-dropped = Il n’y a pas d’O_DIRECT ici : le cache est vidé avant chaque lecture, car il faudrait { $wanted } pour dépasser { $memory } de mémoire.
page-run-length = Chaque passage dure environ { $time } ; des blocs de toutes les charges en ordre aléatoire sont répétés jusqu’à épuisement du temps imparti, ou jusqu’à ce que chaque valeur soit aussi précise que demandé.
page-dropped = Trop peu de passages pour un ± : { $rows }. { $runs } passages de chaque prennent environ { $needed } : --budget { $budget } suffirait.
page-dropped-asked = Moins de passages que demandé : { $rows }. { $runs } passages de chaque prennent environ { $needed } : --budget { $budget } suffirait.
page-left-out = Trop peu de passages pour un ±, car certains ont été exclus, voir les constats : { $rows }. --max-runs { $runs } suffirait.
page-continued = Poursuivi : { $runs } passages existaient déjà, et comptent.
page-choice-of = { $workload } : { $choice }

## What stands in no row

page-pairs = Chaque bloc a été libéré (trim) puis écrit et compte deux fois, ses octets aussi : un trim a pris { $trim }, une écriture { $write } (p50).
page-fsync-each = Le { $call } après chaque écriture compte dans le débit, pas dans la latence des écritures : la sienne est p50 { $half }, sur { $count } appels.
page-fsync-each-tail = Le { $call } après chaque écriture compte dans le débit, pas dans la latence des écritures : la sienne est p50 { $half }, p99 { $most }, sur { $count } appels.
page-fsync-every = Le { $call } toutes les { $writes } écritures compte dans le débit, pas dans la latence des écritures : la sienne est p50 { $half }, sur { $count } appels.
page-fsync-every-tail = Le { $call } toutes les { $writes } écritures compte dans le débit, pas dans la latence des écritures : la sienne est p50 { $half }, p99 { $most }, sur { $count } appels.
page-reach = Les accès aléatoires se tenaient dans { $set } sur { $size } de disque, soit { $share } ; si le disque tourne, sa tête s’y déplace moins que sur le disque entier.
page-verified =
    { $count ->
        [one] Vérifié : { $compared } comparés en { $count } passage, tout est tel qu’écrit.
       *[other] Vérifié : { $compared } comparés en { $count } passages, tout est tel qu’écrit.
    }
page-verified-differ =
    { $count ->
        [one] Vérifié : { $compared } comparés en { $count } passage, dont { $bad } diffèrent de ce qui a été écrit.
       *[other] Vérifié : { $compared } comparés en { $count } passages, dont { $bad } diffèrent de ce qui a été écrit.
    }
page-verified-nothing = Vérifié : rien. Les { $skipped } lus ne portent pas de marque de cette graine ; il n’y a donc rien à quoi les comparer : un autre programme les a écrits, ou ce qu’etalon y avait écrit est perdu.
page-verified-skipped = Non vérifié : { $skipped } lus qui ne portent pas de marque de cette graine : un autre programme les a écrits, ou ce qu’etalon y avait écrit est perdu.
page-idle = Avant le premier passage : { $meters }.
page-processors-busy = processeurs occupés à { $share }

## Where a figure lies among storage of its class

class-sata-ssd = les SSD SATA
class-nvme-3 = les SSD NVMe en PCIe 3.0 x4
class-nvme-4 = les SSD NVMe en PCIe 4.0 x4
class-hard-disk = les disques durs à 7200 tr/min
page-class-below = Des lectures séquentielles de { $figure } ({ $decimal }) sont en dessous de { $class } ({ $low } à { $high } selon leurs fiches techniques).
page-class-within = Des lectures séquentielles de { $figure } ({ $decimal }) sont là où se situent { $class } ({ $low } à { $high } selon leurs fiches techniques).
page-class-above = Des lectures séquentielles de { $figure } ({ $decimal }) sont au-dessus de { $class } ({ $low } à { $high } selon leurs fiches techniques).
page-card-below = Des lectures aléatoires de { $figure } sont en dessous de ce que A1 demande aux cartes SD : { $low } et { $high }, selon la SD Association.
page-card-within = Des lectures aléatoires de { $figure } sont entre ce que A1 et A2 demandent aux cartes SD : { $low } et { $high }, selon la SD Association.
page-card-above = Des lectures aléatoires de { $figure } sont au-dessus de ce que A2 demande aux cartes SD : { $low } et { $high }, selon la SD Association.

## Which checks were done

page-checks-done = Contrôles : { $done } faits, { $not } impossibles ici, { $other } sans objet ; voir `{ $command }`.
page-series-unread = Les séries de ses passages ({ $size }) n’ont pas été lues, ni les sommes de contrôle qui les couvrent.
page-runs-unread = Les enregistrements de ses passages n’ont pas été lus, ni les sommes de contrôle qui les couvrent.
page-not-checked = Non contrôlé : { $codes }, car { $reason }.

## How it ended, and where it is kept

page-interrupted-none = Interrompu avant la fin d’un passage ; il n’y a donc aucune valeur. Ce qui a été coupé est conservé.
page-interrupted-cut = Interrompu : les valeurs couvrent les passages terminés. Celui qui a été coupé est conservé, et n’entre dans aucune.
page-interrupted = Interrompu : les valeurs couvrent les passages terminés.
page-ended-early = Terminé prématurément : { $failure } Les valeurs couvrent ce qui était terminé.
page-kept = Conservé comme expérience { $number } : { $findings }, { $details }
page-with-pictures = Avec graphiques : { $command }
page-made =
    { $count ->
        [one] { $kind } { $state }, { $count } passage, graine { $seed }, etalon { $version }
       *[other] { $kind } { $state }, { $count } passages, graine { $seed }, etalon { $version }
    }
page-made-imported =
    { $count ->
        [one] importé, { $count } valeur, { $from } ; etalon { $version } en a lu le texte. Aucun contrôle n’a pu l’examiner : `etalon review { $path }` juge le texte
       *[other] importé, { $count } valeurs, { $from } ; etalon { $version } en a lu le texte. Aucun contrôle n’a pu les examiner : `etalon review { $path }` juge le texte
    }
state-running = en cours
state-finished = terminé
state-interrupted = interrompu
page-note = Note : { $note }
page-tags = Étiquettes : { $tags }

## The list of experiments

list-id = n°
list-when = quand
list-kind = genre
list-valid = valides
list-runs = passages
list-figure = valeur
list-target = cible
list-valid-of = { $count } sur { $all }
list-none-like = aucune expérience n’y répond ; `etalon list` les montre toutes
list-nothing = rien n’a encore été mesuré ; `etalon` mesure le stockage sous ce répertoire
