//! Compact letters: arms that share a letter are not separated.
//!
//! Insert and absorb (Piepho, Journal of Computational and Graphical Statistics 13, 2004): all arms
//! start with one letter; for each separated pair every letter that both carry is split into one
//! without the first and one without the second, and a letter whose arms all carry another letter
//! is dropped. The number of letters can explode with the number of arms, so beyond 100 arms a
//! letter stands for a stretch of the ranking within which nothing is separated: arms that share
//! one are still not separated, but a pair that is separated from nobody between may lack one.

/// A set of arms, one bit each.
type LetterColumn = Vec<u64>;

/// Which letters each of `count` arms carries, as letter numbers from 0; `separated` lists the
/// pairs that are told apart. Arms are taken in the order given, which should be best first.
pub(crate) fn letters(count: usize, separated: &[(usize, usize)]) -> Vec<Vec<usize>> {
    if count > MOST_EXACT {
        stretches(count, separated)
    } else {
        insert_and_absorb(count, separated)
    }
}

/// Most arms for which every pair that is not separated is given a common letter.
const MOST_EXACT: usize = 100;

/// Letters for the longest stretches without a separated pair.
fn stretches(count: usize, separated: &[(usize, usize)]) -> Vec<Vec<usize>> {
    // end[i] is the first arm that cannot be in a stretch that starts at i.
    let mut end = vec![count; count];
    for &(a, b) in separated {
        let (first, second) = (a.min(b), a.max(b));
        end[first] = end[first].min(second);
    }
    for arm in (0..count.saturating_sub(1)).rev() {
        end[arm] = end[arm].min(end[arm + 1]);
    }
    let mut letters = vec![Vec::new(); count];
    let (mut number, mut reached) = (0, 0);
    for start in 0..count {
        if end[start] > reached {
            reached = end[start];
            for carried in &mut letters[start..reached] {
                carried.push(number);
            }
            number += 1;
        }
    }
    letters
}

fn insert_and_absorb(count: usize, separated: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut columns = vec![full(count)];
    for &(a, b) in separated {
        let (both, mut kept): (Vec<LetterColumn>, Vec<LetterColumn>) = columns
            .into_iter()
            .partition(|column| has(column, a) && has(column, b));
        for column in both {
            for dropped in [b, a] {
                let half = without(&column, dropped);
                if !kept.iter().any(|other| covers(other, &half)) {
                    kept.push(half);
                }
            }
        }
        columns = kept;
    }
    columns.sort_by_key(|column| (0..count).find(|&arm| has(column, arm)));
    (0..count)
        .map(|arm| {
            (0..columns.len())
                .filter(|&c| has(&columns[c], arm))
                .collect()
        })
        .collect()
}

/// Letters as text: `a`, `b`, .. `z`, then `A` .. `Z`, then `(52)`, `(53)` and so on.
pub(crate) fn spell(numbers: &[usize]) -> String {
    numbers
        .iter()
        .map(|&number| match u8::try_from(number) {
            Ok(n @ 0..26) => char::from(b'a' + n).to_string(),
            Ok(n @ 26..52) => char::from(b'A' + n - 26).to_string(),
            _ => format!("({number})"),
        })
        .collect()
}

fn full(count: usize) -> LetterColumn {
    let mut column = vec![0; count.div_ceil(64)];
    for arm in 0..count {
        column[arm / 64] |= 1 << (arm % 64);
    }
    column
}

fn has(column: &LetterColumn, arm: usize) -> bool {
    column[arm / 64] >> (arm % 64) & 1 == 1
}

fn without(column: &LetterColumn, arm: usize) -> LetterColumn {
    let mut column = column.clone();
    column[arm / 64] &= !(1 << (arm % 64));
    column
}

fn covers(outer: &LetterColumn, inner: &LetterColumn) -> bool {
    outer.iter().zip(inner).all(|(o, i)| i & !o == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(count: usize, separated: &[(usize, usize)]) -> Vec<String> {
        letters(count, separated).iter().map(|n| spell(n)).collect()
    }

    #[test]
    fn small_cases() {
        assert_eq!(spelled(3, &[]), ["a", "a", "a"]);
        assert_eq!(spelled(3, &[(0, 2)]), ["a", "ab", "b"]);
        assert_eq!(spelled(3, &[(0, 1), (0, 2)]), ["a", "b", "b"]);
        assert_eq!(spelled(3, &[(0, 1), (0, 2), (1, 2)]), ["a", "b", "c"]);
    }

    #[test]
    fn sharing_a_letter_means_not_separated() {
        for salt in 1..60 {
            let count = 2 + salt % 9;
            let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            let separated: Vec<_> = pairs
                .clone()
                .filter(|(a, b)| (a * 31 + b * 17 + salt * 7) % 3 == 0)
                .collect();
            let letters = letters(count, &separated);
            for pair in pairs {
                let share = letters[pair.0].iter().any(|l| letters[pair.1].contains(l));
                assert_eq!(share, !separated.contains(&pair), "{salt} {pair:?}");
            }
        }
    }

    #[test]
    fn stretches_agree_where_the_ranking_is_regular() {
        for reach in 1..12 {
            let pairs = (0..20).flat_map(|a| (a + 1..20).map(move |b| (a, b)));
            let separated: Vec<_> = pairs.filter(|(a, b)| b - a > reach + a % 2).collect();
            assert_eq!(stretches(20, &separated), insert_and_absorb(20, &separated));
        }
        assert_eq!(stretches(3, &[]), [[0], [0], [0]]);
    }

    #[test]
    fn many_letters_stay_readable() {
        assert_eq!(spell(&[0, 25, 26, 51, 52]), "azAZ(52)");
    }
}
