### Words and counts that several pages share.

## Verdicts

verdict-valid = valide
verdict-invalid = invalide
verdict-undecided = indécis

## Severities of findings

severity-note = remarque
severity-warning = avertissement
severity-invalid = invalide

## Counts

count-runs =
    { $count ->
        [one] { $count } passage
       *[other] { $count } passages
    }
count-runs-of-needed = aucun : { $count } passages sur { $needed }
count-runs-of = { $count } passages sur { $needed }
count-rows-of = { $count } lignes sur { $all }
count-jobs =
    { $count ->
        [one] { $count } tâche
       *[other] { $count } tâches
    }
count-processors = { $count } processeurs

## What stands for a place or a figure

all-rows = toutes les lignes
the-disk = le disque
experiment-number = expérience { $number }
no-interval = pas d’intervalle
not-measured = non mesuré
word-or = ou

## Where the page cache spoilt a figure

page-cache-meaning = c’est le cache de pages, pas le disque.
page-cache-meaning-share = c’est le cache de pages, pas le disque ({ $share } des octets venaient de { $devices }).
page-cache-larger-file = Prenez un fichier de 20 fois la mémoire.
page-cache-direct = Omettez --buffered, ou prenez un fichier de 20 fois la mémoire.
page-cache-server = c’est le cache de pages du serveur, pas le disque.
page-cache-server-share = c’est le cache de pages du serveur, pas le disque ({ $share } des octets venaient de { $devices }).
page-cache-either = c’est le cache de pages de cette machine, le client, ou du serveur, pas le disque.
page-cache-either-share = c’est le cache de pages de cette machine, le client, ou du serveur, pas le disque ({ $share } des octets venaient de { $devices }).
page-cache-stripes-share = c’est le cache de bandes de { $array }, pas le disque ({ $share } des octets venaient de { $devices }).
page-cache-server-larger-file = Prenez un fichier de 20 fois la mémoire du serveur.
page-cache-once = Ce qui est relu n’est plus froid : lisez chaque endroit une seule fois (--one-pass ; one_pass dans un plan).
finding-some-runs = { $said } (dans { $count } passages sur { $runs }).
finding-some-runs-left-out = { $said } (dans { $count } passages sur { $runs }, exclus des valeurs).

## The line of progress

progress-measuring = mesure de { $target } : { $beneath }
progress-laying-out = préparation de { $size } de fichiers
progress-block = bloc { $number }
progress-block-of = bloc { $number }/{ $all }
progress-left = reste { $time }

usage-heading = Utilisation :
usage-commands = Commandes
usage-arguments = Arguments
usage-options = Options
usage-workload = Charge
