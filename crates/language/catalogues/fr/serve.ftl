### The store in a browser.

## What stands on every page

serve-experiments = Expériences
serve-live = En cours
serve-watch = Surveillance
serve-title = { $page } – etalon
serve-lost = La connexion est perdue ; ce qui est affiché est ancien.
serve-stale = Le dépôt est illisible ; ce qui est affiché est ancien.

## The list

serve-none = Rien n’a encore été mesuré ; `etalon` mesure le stockage sous un répertoire.
serve-one = Le dépôt contient une expérience.
serve-all = Le dépôt contient { $count } expériences, la plus récente d’abord.
serve-some = { $count } expériences sur { $all } y répondent.
serve-show-all = Tout afficher
serve-damaged = { $count } autres sont endommagées ; `etalon list` dit lesquelles.
serve-filter-target = La cible contient
serve-filter-kind = Genre
serve-filter-state = État
serve-filter-tag = Étiquette
serve-filter-any = tous
serve-filter = Filtrer
serve-column-compare = comparer
serve-column-number = n°
serve-column-begun = début
serve-column-kind = genre
serve-column-first = première valeur
serve-column-valid = valides
serve-column-target = cible
serve-compare = Comparer les cochées
serve-tick-two = Cochez-en au moins deux ; la plus haute dans la liste est la base.
serve-tick = Comparer l’expérience { $number }
serve-valid-of = { $count } sur { $all }
serve-newer = Plus récentes
serve-older = Plus anciennes

## The live session

serve-live-nothing = Rien n’est en cours de mesure dans ce dépôt.
serve-live-damaged = L’expérience { $number } est endommagée et n’est pas affichée ; `etalon show { $number }` dit où.
serve-live-note = Un passage est affiché une fois terminé et inscrit dans le dépôt, qui est lu une fois par seconde tant que quelqu’un regarde. Cela occupe un peu cette machine ; fermez la page là où chaque pour cent compte.
serve-live-experiment = Expérience { $number }
serve-live-of =  : { $kind } de { $target }
serve-column-newest = dernier passage
serve-column-ends = min. – max.
serve-column-median = p50 du dernier
serve-live-progress = { $block }, en cours depuis { $elapsed }{ $left }.
serve-live-no-block = Aucun passage n’est encore terminé
serve-live-block = Bloc { $number }
serve-live-block-of = Bloc { $number } sur { $all }
serve-live-at-most =  ; il reste { $time } au plus
serve-live-about =  ; il reste environ { $time }

## What the disks do

serve-watch-scripts = Les graphiques ont besoin de JavaScript ; le tableau, non.
serve-watch-charts = Les deux dernières minutes
serve-watch-note = Une fois par seconde tant que quelqu’un regarde, comme compte `etalon watch`.
serve-watch-soon = Les premières valeurs arrivent dans une seconde.
serve-watch-layer = couche
serve-watch-reads = lectures/s
serve-watch-read = lu
serve-watch-wait = attente
serve-watch-writes = écritures/s
serve-watch-written = écrit
serve-watch-queue = file
serve-watch-busy = occupé
serve-watch-not-counted = non compté
serve-watch-memory = Mémoire
serve-watch-shares = utilisateur { $user }, système { $system }, interruptions { $interrupts }, iowait { $iowait }, steal { $steal }, repos { $idle }
serve-watch-sizes = disponible { $available }, en cache { $cached }, modifiée { $dirty }, en cours d’écriture { $writeback }
serve-chart-throughput = Débit de { $layer }
serve-chart-busy = Temps d’occupation de { $layer }
serve-chart-processors = Processeurs
serve-chart-percent = pour cent
serve-chart-percent-all = pour cent du total
serve-chart-from = { $unit }, à partir de 0 : { $lines }
serve-chart-now = à présent

## Why there is no page

refused-heading = Pas de page : { $reason }
refused-status = Statut HTTP { $status }.
refused-all = Toutes les expériences
refused-too-often = Trop de demandes sont venues de cette adresse ; attendez une seconde.
refused-streams = Il n’y a plus de place pour un navigateur de plus ; fermez-en un.
refused-pages = Trop de pages sont en préparation à la fois ; redemandez dans un instant.
refused-no-host = La demande ne dit pas à quel hôte elle s’adresse.
refused-host = Ce serveur ne s’appelle pas « { $host } » ; utilisez son adresse, ou donnez ce nom par --name.
refused-cross-site = La demande vient d’une page d’un autre site ; ouvrez celle-ci vous-même.
refused-method = Ici on lit des pages, et rien n’est envoyé ; utilisez GET.
refused-body = Ici on lit des pages, et rien n’est envoyé ; retirez le corps de la demande.
refused-long = L’adresse dépasse { $bytes } octets ; raccourcissez les filtres.
refused-token = Donnez le jeton comme mot de passe, avec n’importe quel nom ; il est dans le fichier de --token.
refused-page = Cette page n’existe pas ; la liste des expériences est à l’adresse /.
refused-number = « { $value } » n’est pas le numéro d’une expérience.
refused-list-page = « { $value } » n’est pas une page.
refused-count = Expériences cochées : { $count } ; revenez en arrière et cochez-en deux, ou jusqu’à { $most }.
refused-unknown = le dépôt n’a pas d’expérience { $number }.
