### What findings say with their figures, by the codes of their checks. Each figure stands for an entry of the evidence; English sentences are those of the records.

found-cpu-starved = les tâches étaient prêtes et sans processeur pendant { $waited_share } du temps.
found-clock-trouble = l’horloge a bougé de { $step_ns } de plus que le temps passé, et la machine a dormi { $suspended_ns }.
found-dirty-left = { $left_bytes } des { $own_bytes } écrits étaient encore en mémoire à la fin du passage.
found-easy-data = parmi les blocs regardés, { $uniform_share } n’ont qu’une valeur et { $repeated_share } en répètent d’autres ; comprimés, ils prennent { $compressed_share } de leur taille.
found-few-operations = seulement { $operations } opérations ont fini pendant le passage.
found-generator-late = au p99, les opérations ont commencé { $lag_p99_ns } trop tard, pour une réponse de { $response_p99_ns }.
found-lab-late = { $late_share } des réponses de ses disques modélisés étaient en retard : les disques étaient plus lents que leurs modèles.
found-memory-pressure = une tâche a attendu de la mémoire pendant { $memory_some_share } du temps ; pages échangées : { $swapped_pages }, processus tués : { $oom_kills }.
found-nearly-full = le système de fichiers est plein à { $used_share }.
found-short-stroked = les accès au hasard couvraient { $working_set_bytes } des { $disk_bytes } du disque.
found-trimmed-before = TRIM de { $trimmed_bytes } sur { $range_bytes } : une partie l’avait déjà été.
found-unsteady = pendant le passage, la cadence a varié de { $drift_share } ± { $drift_half_width_share } ; ses cinquièmes s’étalent sur { $range_share } de leur moyenne et montent de { $rise_share }.
found-working-set = lectures au hasard sur { $working_set_bytes }, avec { $cache_bytes } de mémoire pour le cache de pages.
found-steal = l’hyperviseur a pris { $steal_share } du temps de processeur pour d’autres.
    .info = l’hyperviseur a peut-être pris { $steal_share } du temps de processeur pour d’autres ; dans un passage si court, il se compte par pas de { $tick_share }.
