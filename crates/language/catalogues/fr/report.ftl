### The report that opens in a browser.

## The frame of the report

report-word = rapport
report-title = { $question } – rapport etalon
report-kept = Un seul fichier, sans accès au réseau : il peut être gardé et envoyé tel quel.
report-footer-measured = Mesuré par etalon { $version }.
report-footer-imported = Mesuré par d’autres, et lu par etalon { $version }.
report-footer-figures = Chaque valeur est donnée avec son intervalle, son nombre de passages et son verdict.
report-skip = Aller aux résultats

## What the script says

script-light = Clair
script-dark = Sombre
script-copied = Copié
script-turn = les flèches la font tourner
script-side = de côté
script-above = d’en haut

## The question

report-question-alternatives = { $alternatives } ?
report-question-varies = De combien les valeurs varient-elles sur { $path } ?
report-question-together = Quelle vitesse à plusieurs en même temps sur { $path } ?
report-question-work = Combien de temps { $work } prend-il sur { $path } ?
report-question-time = Combien de temps faut-il sur { $path } ?
report-question-target = Quelle est la vitesse de { $path } ?
report-question-row = Quelle est la vitesse de { $row } sur { $path } ?

## How many figures are valid

report-none-judged = Aucune valeur n’a été jugée : la mesure n’est pas allée à son terme.
report-none-judged-yet = Aucune valeur n’est encore jugée : la mesure est en cours.
report-still-running = La mesure est en cours.
report-was-interrupted = La mesure a été interrompue avant son terme.
report-still-running-of = Encore en cours : { $names }.
report-was-interrupted-of = Interrompu avant la fin : { $names }.
report-figure-valid = La valeur est valide.
report-figure-undecided = La valeur est indécise.
report-all-valid = Les { $count } valeurs sont toutes valides.
report-all-undecided = Les { $count } valeurs sont toutes indécises.
report-other-valid = L’autre est valide.
report-other-undecided = L’autre est indécise.
report-others-valid = Les { $count } autres sont valides.
report-others-undecided = Les { $count } autres sont indécises.
report-of-all = Sur { $all } valeurs, { $parts }.
report-of-others = Parmi les autres, { $parts }.
report-count-valid =
    { $count ->
        [one] { $count } est valide
       *[other] { $count } sont valides
    }
report-count-invalid =
    { $count ->
        [one] { $count } n’est pas valide
       *[other] { $count } ne sont pas valides
    }
report-count-undecided =
    { $count ->
        [one] { $count } est indécise
       *[other] { $count } sont indécises
    }

## What was measured where

report-measured = Mesuré
report-imported = Importé
report-storage = Stockage
report-machine = Machine
report-repeat-row = Répéter
report-copy = Copier
report-measured-when =
    { $count ->
        [one] { $when }. Expérience { $numbers }
       *[other] { $when }. Expériences { $numbers }
    }
report-when-in = { $when }, en { $elapsed }
report-when-running = { $when }, en cours
report-when-interrupted = { $when }, interrompue après { $elapsed }
report-when-no-run = { $when }, interrompue avant la fin du premier passage

## Headings

report-contents = Sommaire
report-results = Résultats
report-comparison = Comparaison
report-stack = Pile de stockage
report-stack-of = Pile de stockage de { $path }
report-pictures = Graphiques
report-each = Passages
report-each-heading = Chaque passage dans son ordre
report-findings = Constats
report-environment = Environnement
report-repeat = Répéter
report-repeat-heading = Comment la répéter
report-runs = Tous les passages

## The table of results

report-results-note = Le résultat est la médiane des passages, ± la moitié de son intervalle à 95 % ; pour d’anciennes expériences, ce peut être la moyenne. Chaque point est un passage.
report-glance-note = Chaque valeur est la médiane des passages, ± la moitié de son intervalle à 95 %.
report-all-figures = Les { $count } valeurs, une par ligne : intervalle, passages, latences, verdict
report-workload = charge
report-result = résultat
report-interval = intervalle à 95 %
report-strip = passages, de 0 à 200 % du résultat de la ligne
report-from-device = du disque
report-verdict = verdict
report-key-valid = valide : rien ne contredit la valeur
report-key-invalid = invalide : quelque chose a faussé la valeur
report-key-undecided = indécis : trop peu de passages pour un intervalle
report-runs-around =
    { $count ->
        [one] { $count } passage autour du résultat
       *[other] { $count } passages autour du résultat
    }
report-needs-more = il faut encore { $time }

## Tables of sizes

report-grid-caption = { $title }, { $unit }, ± la moitié de l’intervalle à 95 %
report-grid-gist = { $low } – { $high }, { $valid } valides sur { $all }
report-grid-from = { $title }, à partir de { $row }
report-record = enregistrement
report-grid-key-shade = plus c’est foncé, plus c’est grand ; une échelle par tableau
report-grid-key-hatched = ainsi : invalide, ou connu à ± 25 % au mieux
report-grid-key-struck = barré

## Comparison

report-base-note = { $base } vaut 1,00. Un rapport supérieur à 1 est plus rapide que { $base }, avec son intervalle à 95 %.
report-ratio = rapport, { $base } = 1
report-all-workloads = Les { $count } charges, une par ligne
report-more-remarks =
    { $count ->
        [one] { $count } autre remarque
       *[other] { $count } autres remarques
    }
report-ratio-gist = { $other } plus rapide à { $faster } tailles, plus lent à { $slower }, sur { $all }
report-ratio-caption = { $title } : nombre de fois la vitesse de { $base }, avec l’intervalle à 95 %
report-faster = plus rapide
report-slower = plus lent
report-equivalent = équivalent
report-no-difference = aucune différence établie

## The storage stack

report-stack-note = Chaque cadre est une couche que traversent les données, du point de montage aux disques. Les avertissements figurent à leur couche.
report-stack-drawing = Pile de stockage de { $path }, du montage aux disques
report-not-known-of = Inconnu : { $what }.
report-not-kept = Aucun environnement n’est conservé avec cette expérience : l’etalon qui l’a faite n’en gardait pas, ou aucun de ses passages n’a été observé.

## The runs

report-dots-note = De gauche à droite dans l’ordre où ils ont été faits, à partir de 0 en bas ; la bande est l’intervalle à 95 %.
report-dots-left = { $count } autres charges figurent dans le tableau ci-dessus, chaque passage étant un point.
report-dots-first = Les { $count } premières charges, chaque passage étant un point
report-runs-of-row = { $count } passages de { $row }
report-run-tip = passage { $number } : { $figure }
report-run-axis = passage
report-runs-exported = { $count } passages : `etalon export ID --csv` les donne, un par ligne.
report-runs-summary = { $count } passages dans l’ordre où ils ont été faits
report-runs-experiment = expérience
report-runs-run = passage
report-runs-block = bloc
report-runs-at = à
report-runs-lasted = durée
report-runs-per-second = par seconde
report-runs-bytes = octets
report-runs-longest = maximum
report-runs-left-out = exclu des valeurs

## The findings

report-none-found = Aucun contrôle n’a rien trouvé.
report-more-findings = Tous les autres constats ({ $count })
report-do = À faire :
report-evidence = Éléments de preuve
report-found-in = { $count } lignes sur { $all } : { $names } et { $more } autres
report-more-rows =
    { $count ->
        [one] { $count } autre ligne
       *[other] { $count } autres lignes
    }

## The environment

report-environment-note = Tout ce qui a été relevé avant le premier passage ; l’empreinte en est { $hash }.
report-facts =
    { $count ->
        [one] { $group }, { $count } élément
       *[other] { $group }, { $count } éléments
    }
report-changed-later = Modifié pour des passages ultérieurs
report-not-known = Inconnu

## How to repeat it

report-repeat-experiment = Expérience { $number } : { $kind } de { $path }
report-repeat-seed = Graine { $seed }, { $count } passages, etalon { $version }.
report-repeat-no-seed = { $count } passages, etalon { $version }.
report-settings = Réglages tels qu’ils ont été résolus :
report-this = Ce rapport
report-no-command = La version qui a mesuré n’a pas gardé sa ligne de commande.

## The pictures

picture-none = Il n’y a rien à dessiner.
picture-first-workloads = Les latences et le déroulement des passages sont dessinés pour les { $count } premières charges ; { $more } autres sont dans le tableau.
picture-more =
    { $count ->
        [one] { $count } de plus n’est pas dessiné.
       *[other] { $count } de plus ne sont pas dessinés.
    }
picture-set-from = à partir de { $row }
picture-fold =
    { $count ->
        [one] { $name } : { $count } graphique
       *[other] { $name } : { $count } graphiques
    }
unit-per-second = par seconde
axis-from-zero = { $unit }, à partir de 0
axis-latency-log = latence, axe logarithmique
axis-round = tour

## All figures

picture-results-note = { $unit } : chaque point est un passage, la bande l’intervalle à 95 %, le trait le résultat. Expérience { $number }.
picture-results-note-more = { $unit } : chaque point est un passage, la bande l’intervalle à 95 %, le trait le résultat. Expérience { $number } ; { $more } autres sont dans le tableau.
picture-results-fold = { $count } valeurs sur { $all }, chaque passage étant un point
picture-results-range = De { $low } ({ $low_row }) à { $high } ({ $high_row })
picture-results-one = Les passages de { $row } vont de { $low } à { $high }
picture-results-invalid = Chaque valeur est ici invalide

## Ratios

picture-ratio-axis = nombre de fois la vitesse de { $base }, axe logarithmique
picture-ratio-note = Rapport des vitesses, { $base } = 1, avec son intervalle à 95 %. Dans la bande grise, deux sont tenus pour égaux (± { $margin }).
picture-ratio-fold = { $count } rapports sur { $all }
picture-ratio-no-interval = { $ratio }, pas d’intervalle
picture-pairs-axis = % de { $base }, axe logarithmique
picture-pairs = De { $before } (à gauche) à { $after } (à droite)
picture-pairs-note = Chaque point est un passage en pour cent de la moyenne sous { $before } ; les traits joignent les moyennes.

## Pages before and after

picture-pages = { $row } : { $after } est plus rapide sur { $faster } pages sur { $all }, { $before } sur { $slower }
picture-pages-note = Chaque point est une page, par la médiane de ses temps ; sous la ligne, { $after } est plus rapide. Plein : chaque passage de l’un est plus rapide que chaque passage de l’autre, par seul hasard { $chance } pages. Creux : ils se recouvrent.
picture-pages-few = { $row } : { $all } pages avant et après, trop peu de passages pour dire lesquelles sont plus rapides
picture-pages-few-note = Chaque point est une page, par la médiane de ses temps ; sous la ligne, { $after } est plus rapide. Il faut six passages de chaque côté pour le dire.
picture-pages-tip = page { $number } : { $before }, puis { $after }

## Sizes

size-file = taille de fichier
size-record = taille d’enregistrement
axis-log = { $what }, axe logarithmique
picture-surface = { $operation } selon la taille de fichier et d’enregistrement
picture-surface-note = { $unit } selon la taille de fichier et d’enregistrement ; les traits verticaux sont des intervalles à 95 %. Gris et tireté : invalide, ou intervalle plus large que ± 25 %.
picture-heat = { $operation } : les mêmes valeurs en tableau
picture-heat-note = { $unit } ; plus c’est foncé, plus c’est grand, avec une échelle pour tous. Hachuré : douteux.
picture-sizes = { $operation } selon { $what }
picture-sizes-note = { $unit } ; un trait par { $other }, les bandes sont des intervalles à 95 %, les points creux sont douteux.

## Along the device

axis-device = GiB depuis le début du périphérique, à partir de 0
picture-position = { $operation } le long du périphérique : { $first } dans la première partie mesurée ({ $begin }), { $last } dans la dernière ({ $end })
picture-position-bare = { $operation } le long du périphérique
picture-position-note = Chaque point est l’une des { $count } parties du périphérique, en son milieu, avec l’intervalle à 95 % de ses passages. Les premiers octets d’un disque rotatif sont sur ses pistes extérieures.
picture-position-part = { $range } à partir de { $offset }
picture-position-tip = { $part } : { $figure }

## Latencies

axis-share = part des opérations, axe logarithmique vers 100 %
axis-density = % des opérations par dixième de décade, à partir de 0
axis-seconds = s depuis le début
axis-latency-from = latence à partir de
picture-latency = Latence de chaque opération
picture-latency-slowest = Une opération sur 100 prend plus de { $latency } dans { $row }
picture-latency-note = Répartition de la latence sur tous les passages ; points à p50, p99 et p99.9. Elle s’arrête là où il reste moins de dix opérations au-delà.
picture-histogram = Où se trouvent la plupart des opérations
picture-histogram-note = Histogramme de la latence sur tous les passages, par classes d’un dixième de décade.
picture-over-time = Latence de { $row } au cours d’un passage
picture-over-time-note = Latence moyenne par tranches de 100 ms, { $classes } classes par décade ; plus c’est foncé, plus il y a de tranches. Passage { $number }, celui du milieu.
picture-slices =
    { $count ->
        [one] { $count } tranche
       *[other] { $count } tranches
    }

## Load

axis-load = opérations à la fois, axe logarithmique
picture-load =
    { $low ->
        [one] { $operation } : { $first } avec 1 opération à la fois, { $last } avec { $high }
       *[other] { $operation } : { $first } avec { $low } opérations à la fois, { $last } avec { $high }
    }
picture-load-bare = { $operation } selon la charge
picture-load-note = Percentiles de la latence selon la charge, sur tous les passages.
picture-load-tip = { $name } à { $depth } : { $latency }

## The course of a run

axis-run-seconds = s depuis le début du passage
picture-level-changes = changement de niveau
picture-warm-up = préchauffage
picture-course-one = { $row } au cours d’un passage : un seul niveau
picture-course = { $row } au cours d’un passage : { $count } niveaux
picture-course-note = Débit par tranches de 100 ms, en { $unit } ; passage { $number } de l’expérience, celui du milieu de { $count } passages. Gris : préchauffage.

## The machine during a run

axis-recording-seconds = s depuis le début de l’enregistrement
axis-processors = % de tous les processeurs, à partir de 0
axis-requests = requêtes, à partir de 0
picture-machine-cpu = Temps processeur pendant { $row }
picture-machine-memory = Mémoire pendant { $row }
picture-machine-traffic = Trafic des couches pendant { $row }
picture-machine-queue = Requêtes en cours ou en attente pendant { $row }
picture-machine-note = Passage { $number } selon les compteurs du noyau.
picture-machine-grey = Gris : hors chronométrage, préchauffage.
picture-machine-dotted = Pointillé : nouveau niveau.
picture-before-timed = avant la partie chronométrée
lane-user = utilisateur
lane-system = système
lane-interrupts = interruptions
lane-page-cache = cache de pages
lane-dirty = pages modifiées
lane-writeback = en cours d’écriture
lane-read = { $device } lu
lane-written = { $device } écrit

## Rebuilds of arrays

axis-rebuild-seconds = secondes depuis son début, à partir de 0
axis-rebuilt = % reconstruit, à partir de 0
picture-rebuild-note = D’après md (sync_completed), à côté du passage du milieu de chaque charge.
picture-rebuilt = { $device } à côté de { $row } a été reconstruit en { $time }
picture-rebuilt-speed = { $device } à côté de { $row } a été reconstruit en { $time }, { $speed } en médiane
picture-would-be-rebuilt = { $device } à côté de { $row } serait reconstruit en { $time }
picture-would-be-rebuilt-speed = { $device } à côté de { $row } serait reconstruit en { $time }, { $speed } en médiane
picture-being-rebuilt = { $device } à côté de { $row } était en reconstruction
picture-being-rebuilt-speed = { $device } à côté de { $row } était en reconstruction, { $speed } en médiane
picture-rebuild-tip = { $row } : { $share } % après { $seconds } s

## Times around a middle

picture-radar-steps = Temps autour d’un centre : plus la figure est petite, plus c’est rapide
picture-radar-pages = Temps de réponse des pages autour d’un centre : plus la figure est petite, plus c’est rapide
picture-radar-steps-note = Temps de chaque étape en { $unit }, à partir de 0 au centre, avec son intervalle à 95 %.
picture-radar-pages-note = Temps médian d’une page en { $unit }, à partir de 0 au centre, avec son intervalle à 95 %.
picture-times = Les mêmes temps en lignes
picture-times-steps = Chaque point est un passage, la bande l’intervalle à 95 %.
picture-times-pages = Chaque point est la médiane des pages d’un passage, la bande l’intervalle à 95 % sur les passages.
picture-ring = anneau extérieur { $most } { $unit }, centre 0

## Rounds of the same

axis-of-mean = % de la moyenne, pas à partir de 0
picture-noise = { $row } varie de { $share } d’un passage à l’autre
picture-noise-bare = { $row } d’un passage à l’autre
picture-noise-note = Chaque point est l’un des { $count } passages ; la bande est un écart type. L’axe ne commence pas à 0.
picture-steady = { $row } : stable sur les { $count } derniers tours
picture-not-steady = { $row } : instable sur les { $count } derniers tours
picture-steady-bare = { $row } sur les { $count } derniers tours
picture-steady-note = Règle de la SNIA pour la fenêtre de { $count } tours : étendue { $range } de la moyenne (20 % permis, la bande), montée de la droite ajustée { $rise } (10 % permis).
picture-round-tip = tour { $number } : { $figure }
