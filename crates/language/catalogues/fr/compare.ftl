### The pages of comparisons in a terminal.

## What is compared

compare-heading = { $others } par rapport à { $base }
compare-experiment = l’expérience { $number }
compare-missing = Non comparé, car absent d’un côté : { $rows }.
compare-refused = Non comparé : { $rows } : { $cause }
compare-refused-declare = { $reasons } Pour comparer malgré tout : { $command }
compare-left-out = Exclu de { $rows } : { $cause }
compare-like = Pour les comparer : { $command }
compare-invalid-arm = Que changer avant de remesurer { $arm } : { $command }
compare-few-runs = Plus de passages de { $arm } : { $command }

## The answer

compare-nothing = Rien n’a pu être comparé.
compare-best = { $arm } bat tous les autres pour { $rows }.
compare-times = { $ratio } fois
compare-faster = { $winner } est { $times } aussi rapide que { $loser }.
compare-faster-in = { $winner } est { $times } aussi rapide que { $loser } pour { $row }.
compare-faster-interval = { $winner } est { $times } aussi rapide que { $loser } ({ $level } : { $interval }).
compare-faster-in-interval = { $winner } est { $times } aussi rapide que { $loser } pour { $row } ({ $level } : { $interval }).
compare-also-faster = Aussi plus rapide : { $rows }.
compare-also-slower = Aussi plus lent : { $rows }.
compare-equal = Égal à { $margin } près : { $rows }.
compare-none-at-all = Aucune différence n’est établie dans les lignes comparées ; cela ne veut pas dire qu’il n’y en a pas.
compare-none-in = Aucune différence établie : { $rows }.
compare-too-few-at-all = Trop peu de passages pour savoir si quelque chose diffère.
compare-too-few-in = Trop peu de passages pour conclure : { $rows }.

## The table

compare-ratio = rapport
compare-mean-ratio = rapport moyen
compare-difference = différence
compare-none-shown = non établie
compare-too-few = trop peu de passages
compare-is-left-out = exclu
compare-equal-within = égal à { $margin } près
compare-within = à { $margin } près

## What cannot be told

compare-of-means = Un rapport moyen est celui des moyennes géométriques des passages ; les valeurs à côté sont des médianes, dont le quotient diffère si les passages sont asymétriques.
compare-by-chance = { $names } : une différence si c’était la seule ligne. De { $rows } lignes égales, au moins une paraît différente par hasard sur { $share } des pages ; aucune différence n’est donc montrée.
compare-screen = Un tri de { $rows } lignes : parmi les différences nommées, une sur 20 environ peut venir du hasard. Remesurez à part la ligne qui compte.
compare-no-interval = Pas d’intervalle, donc pas de conclusion : il faut au moins six passages de chaque côté. etalon continue ID en ajoute.
compare-no-interval-in-guest = Pas d’intervalle, donc pas de conclusion : il faut au moins six passages de chaque côté. À refaire avec davantage de --blocks : les disques d’un invité ont disparu avec lui.
compare-no-interval-of-one = Pas d’intervalle, donc pas de conclusion : il faut au moins six passages de chaque côté. Refaites l’expérience avec davantage de passages.
compare-not-in-blocks = Mesurés l’un après l’autre : ce qui a changé entre-temps sur la machine fait partie d’une différence.
compare-memory-all = Toutes les lignes : la mémoire décide de ces valeurs, qui diffèrent d’environ { $spread } d’une session à l’autre sur le même stockage. Leurs rapports en tiennent compte.
compare-memory = { $rows } : la mémoire décide de ces valeurs, qui diffèrent d’environ { $spread } d’une session à l’autre sur le même stockage. Leurs rapports en tiennent compte.

## What differs

compare-workloads-differ = Les charges diffèrent par : { $conditions }.
compare-another-in-each = { $condition } (autre à chaque ligne)
compare-unknown = Aucun environnement n’est conservé avec { $arms } : on ignore si la machine et la pile de stockage diffèrent.
compare-unread = On ne sait pas de { $arm }, faute de droits de lecture lors de la mesure : { $facts }.
compare-nothing-differs = La machine et la pile de stockage ne diffèrent pas.
compare-differs = Ce qui diffère : { $facts }.
compare-all-of-it = Le tout : { $command }
compare-undeclared = ! Non comparé, pourtant différent : { $facts }. La différence peut en venir. Rendez-les égaux, ou déclarez-les par --by.
compare-facts =
    { $count ->
        [one] { $count } élément
       *[other] { $count } éléments
    }
compare-more-facts =
    { $count ->
        [one] { $count } autre élément
       *[other] { $count } autres éléments
    }
compare-filesystem = système de fichiers ({ $values })
compare-device = périphérique ({ $values })
compare-kernel = noyau ({ $values })
compare-space-in-use = espace occupé
compare-none = aucun

## The gate of a script

gate-word-failed = ÉCHEC :
gate-word-not-judged = NON JUGÉ,
gate-word-too-few = Trop peu de passages pour dire
gate-word-passed = Réussi :
gate-failed = { $word } plus lent de plus de { $margin } : { $rows }.
gate-not-judged = { $word } car non comparé : { $rows }.
gate-too-few = { $word } si la perte dépasse { $margin } : { $rows }.
gate-passed-one = { $word } pas plus lent de plus de { $margin }.
gate-passed = { $word } aucune des { $count } lignes n’est plus lente de plus de { $margin }.
gate-some-passed = { $count } lignes sur { $all } ont réussi.
gate-row = { $row } (rapport { $interval })
gate-row-no-interval = { $row } (pas d’intervalle)

## Details

details-title = { $row }, la base est { $base }
details-arm = { $arm } : { $interval } ; passages : { $runs }
details-interval-mean = intervalle à 95 % de la moyenne { $ends }
details-interval-median = intervalle à 95 % de la médiane { $ends }
details-of-all = % de tous
details-of-base = % de la base
details-legend-spread = SD et CV : à quelle distance un passage est du suivant (écart type), le CV en part de la moyenne. % de tous : la moyenne en part de la moyenne de tous les côtés.
details-legend-letters = lettres : les côtés qui en partagent une ne se distinguent pas. X : bat tous les autres. Toutes les paires de toutes les lignes sont tenues ensemble à 5 % (Holm ; à partir de 21 lignes, Benjamini et Hochberg).
details-legend-equal = égal : l’intervalle à 90 % du rapport est dans la marge. Les rapports sont ceux des moyennes géométriques.
details-legend-chance = Une différence ne compte que si elle tient parmi toutes les paires de toutes les lignes de la page (Holm ; à partir de { $rows } lignes, Benjamini et Hochberg).

## Factors and labels

interactions-none = Aucune dépendance entre deux facteurs n’est établie ({ $count } essayées).
interactions-one = { $row } : { $change } dépend de { $factor } : avec { $level } son rapport vaut { $ratio } fois celui avec { $base } ({ $interval }, { $blocks } blocs).
interactions-change = { $factor } { $level } par rapport à { $base }
plan-expected = Attendu : { $what }
labels-unknown = { $row } : la dispersion entre étiquettes est inconnue : { $reason }.
labels-left-out = Exclues, car quelque chose a faussé leurs mesures : { $labels }.
labels-spread = { $row } : { $count } étiquettes diffèrent de { $between }, les passages d’une même étiquette de { $within } ; { $share } de la variance est entre étiquettes.

## Passports

passport-not-as-then = Différent depuis l’expérience { $experiment } : { $facts }.
passport-of-another = L’expérience { $experiment }, dernier passeport de ce chemin, portait sur un autre disque, un autre système de fichiers ou une autre machine : rien ne lui est comparé.
passport-falls = { $row } baisse de { $share } entre le premier passage et le dernier, commencé { $time } plus tard.
passport-rises = { $row } augmente de { $share } entre le premier passage et le dernier, commencé { $time } plus tard.
