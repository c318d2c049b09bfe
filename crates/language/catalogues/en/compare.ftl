### The pages of comparisons in a terminal.

## What is compared

compare-heading = { $others } against { $base }
compare-experiment = experiment { $number }
compare-missing = Not compared, as not every arm has it: { $rows }.
compare-refused = Not compared: { $rows }: { $cause }
compare-refused-declare = { $reasons } To compare it all the same: { $command }
compare-left-out = Left out of { $rows }: { $cause }
compare-like = To compare them: { $command }
compare-invalid-arm = What to change before { $arm } is measured again: { $command }
compare-few-runs = More runs of { $arm }: { $command }

## The answer

compare-nothing = Nothing could be compared.
compare-best = { $arm } beats every other in { $rows }.
compare-times = { $ratio } times
compare-faster = { $winner } is { $times } as fast as { $loser }.
compare-faster-in = { $winner } is { $times } as fast as { $loser } in { $row }.
compare-faster-interval = { $winner } is { $times } as fast as { $loser } ({ $level }: { $interval }).
compare-faster-in-interval = { $winner } is { $times } as fast as { $loser } in { $row } ({ $level }: { $interval }).
compare-also-faster = Also faster: { $rows }.
compare-also-slower = Also slower: { $rows }.
compare-equal = Equal within { $margin }: { $rows }.
compare-none-at-all = No difference is shown in any row compared; that does not mean that there is none.
compare-none-in = No difference shown: { $rows }.
compare-too-few-at-all = Too few runs to tell whether anything differs.
compare-too-few-in = Too few runs to tell: { $rows }.

## The table

compare-ratio = ratio
compare-mean-ratio = mean ratio
compare-difference = difference
compare-none-shown = none shown
compare-too-few = too few runs
compare-is-left-out = left out
compare-equal-within = equal within { $margin }
compare-within = within { $margin }

## What cannot be told

compare-of-means = A mean ratio is that of the runs' geometric means; the figures beside it are medians, and their quotient is another where runs are skewed.
compare-by-chance = { $names }: a difference if it were the only row. Of { $rows } equal rows at least one looks different by chance on { $share } of pages, so that none is shown.
compare-screen = A screen of { $rows } rows: of the differences named about one in 20 may be by chance. Measure the row that matters again by itself.
compare-no-interval = No interval, and so no claim: six runs of each side are the fewest that have one. etalon continue ID adds runs.
compare-no-interval-in-guest = No interval, and so no claim: six runs of each side are the fewest that have one. Make it again with more --blocks: a guest's disks are gone.
compare-no-interval-of-one = No interval, and so no claim: six runs of each side are the fewest that have one. Make the experiment again with more of them.
compare-not-in-blocks = Measured one after the other: what changed on the machine in between is part of a difference.
compare-memory-all = All rows: memory decides these figures, and they lie about { $spread } apart from session to session of the same storage. Their ratios allow for that.
compare-memory = { $rows }: memory decides these figures, and they lie about { $spread } apart from session to session of the same storage. Their ratios allow for that.

## What differs

compare-workloads-differ = The workloads differ in: { $conditions }.
compare-another-in-each = { $condition } (another in each row)
compare-unknown = No environment is kept with { $arms }: whether machine and storage stack differ is not known.
compare-unread = Not known of { $arm }, since whoever measured it could not read it: { $facts }.
compare-nothing-differs = Machine and storage stack do not differ.
compare-differs = What differs: { $facts }.
compare-all-of-it = All of it: { $command }
compare-undeclared = ! Not compared, yet different: { $facts }. The difference may be theirs. Make them equal, or declare them with --by.
compare-facts =
    { $count ->
        [one] 1 fact
       *[other] { $count } facts
    }
compare-more-facts =
    { $count ->
        [one] 1 more fact
       *[other] { $count } more facts
    }
compare-filesystem = filesystem ({ $values })
compare-device = device ({ $values })
compare-kernel = kernel ({ $values })
compare-space-in-use = space in use
compare-none = none

## The gate of a script

gate-word-failed = FAILED:
gate-word-not-judged = NOT JUDGED,
gate-word-too-few = Too few runs to tell
gate-word-passed = Passed:
gate-failed = { $word } slower by more than { $margin }: { $rows }.
gate-not-judged = { $word } since not compared: { $rows }.
gate-too-few = { $word } whether the loss is beyond { $margin }: { $rows }.
gate-passed-one = { $word } not slower by more than { $margin }.
gate-passed = { $word } none of { $count } rows is slower by more than { $margin }.
gate-some-passed = { $count } of { $all } rows passed.
gate-row = { $row } (ratio { $interval })
gate-row-no-interval = { $row } (no interval)

## Details

details-title = { $row }, the base is { $base }
details-arm = { $arm }: { $interval }; runs: { $runs }
details-interval-mean = 95 % interval of the mean { $ends }
details-interval-median = 95 % interval of the median { $ends }
details-of-all = % of all
details-of-base = % of base
details-legend-spread = SD and CV: how far one run lies from the next, the CV as a share of the mean. % of all: the mean as a share of the mean of all arms.
details-legend-letters = letters: arms that share one are not told apart. X: beats every other arm. All pairs of all rows are held to 5 % together (Holm; from 21 rows on Benjamini and Hochberg).
details-legend-equal = equal: the 90 % interval of the ratio lies within the margin. Ratios are of geometric means.
details-legend-chance = A difference counts only where it stands among all pairs of all rows of the page (Holm; from { $rows } rows on Benjamini and Hochberg).

## Factors and labels

interactions-none = No two factors are shown to depend on each other ({ $count } tried).
interactions-one = { $row }: { $change } depends on { $factor }: with { $level } its ratio is { $ratio } times that with { $base } ({ $interval }, { $blocks } blocks).
interactions-change = { $factor } { $level } against { $base }
plan-expected = Expected: { $what }
labels-unknown = { $row }: the spread between labels is not known: { $reason }.
labels-left-out = Left out, as something spoiled what they measured: { $labels }.
labels-spread = { $row }: { $count } labels differ by { $between }, runs of one label by { $within }; { $share } of the variance lies between labels.

## Passports

passport-not-as-then = Not as it was at experiment { $experiment }: { $facts }.
passport-of-another = Experiment { $experiment }, the last passport of this path, was of another disk, filesystem or machine: nothing is held against it.
passport-falls = { $row } falls by { $share } from its first run to its last, which began { $time } later.
passport-rises = { $row } rises by { $share } from its first run to its last, which began { $time } later.
