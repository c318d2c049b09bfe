//! Cells of the same work at several places of an axis. What else differs between cells, such as the filesystem that a plan
//! sets, stands in their names alone: two of the same work at one place are of two sets, and a set takes the cells that
//! are called alike.

use etalon_language::say;
use etalon_model::{Cell, Unit};

use crate::role::label;

/// A cell, what it does without its place, the place, and what is drawn of it.
pub(super) struct PlacedCell<'a, W, P, T> {
    pub(super) work: W,
    pub(super) place: P,
    pub(super) cell: &'a Cell,
    pub(super) drawn: T,
}

/// Cells of the same work under the same conditions, each at a place of its own.
pub(super) struct CellSet<'a, W, P, T> {
    pub(super) work: W,
    pub(super) unit: Unit,
    pub(super) cells: Vec<(P, &'a Cell, T)>,
}

/// The sets, in the order of their first cells.
pub(super) fn sets<'a, W: PartialEq, P: PartialEq, T>(
    placed: impl Iterator<Item = PlacedCell<'a, W, P, T>>,
) -> Vec<CellSet<'a, W, P, T>> {
    let mut sets: Vec<CellSet<'a, W, P, T>> = Vec::new();
    for one in placed {
        let taking = sets.iter_mut().filter(|set| set.takes(&one));
        // Of equally similar ones it is the first.
        let nearest = taking.rev().max_by_key(|set| set.likeness(one.cell));
        let cell = (one.place, one.cell, one.drawn);
        match nearest {
            Some(set) => set.cells.push(cell),
            None => sets.push(CellSet {
                work: one.work,
                unit: one.cell.unit,
                cells: vec![cell],
            }),
        }
    }
    sets
}

/// What each set is called: in a word of its work, or, where that is the same for several, as its cells are.
pub(super) fn names<W, P, T>(
    sets: &[CellSet<'_, W, P, T>],
    word: impl Fn(&W) -> String,
) -> Vec<String> {
    let words: Vec<String> = sets.iter().map(|set| word(&set.work)).collect();
    let is_alone = |word: &String| words.iter().filter(|other| *other == word).count() == 1;
    let name = |(set, word): (&CellSet<'_, W, P, T>, &String)| match is_alone(word) {
        true => word.clone(),
        false => set.name(),
    };
    sets.iter().zip(&words).map(name).collect()
}

impl<W: PartialEq, P: PartialEq, T> CellSet<'_, W, P, T> {
    fn takes(&self, one: &PlacedCell<'_, W, P, T>) -> bool {
        let is_free = !self.cells.iter().any(|(place, ..)| *place == one.place);
        is_free && self.work == one.work && self.unit == one.cell.unit
    }

    /// How many signs its cells have in common with this one at both ends of their names.
    fn likeness(&self, cell: &Cell) -> usize {
        let likeness = |(_, own, _): &(P, &Cell, T)| alike(&own.name, &cell.name);
        self.cells.iter().map(likeness).max().unwrap_or(0)
    }
}

impl<W, P, T> CellSet<'_, W, P, T> {
    /// What all its cells are called; of cells that have no words in common it is the first one.
    pub(super) fn name(&self) -> String {
        let names: Vec<String> = self.cells.iter().map(|(_, cell, _)| label(cell)).collect();
        let Some((first, others)) = names.split_first() else {
            return String::new();
        };
        let is_shared = |part: &&str| {
            others
                .iter()
                .all(|name| name.split(", ").any(|own| own == *part))
        };
        let shared: Vec<&str> = first.split(", ").filter(is_shared).collect();
        match shared.is_empty() {
            true => say!("picture-set-from", row = first),
            false => shared.join(", "),
        }
    }
}

fn alike(one: &str, other: &str) -> usize {
    let count =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = count(&mut one.chars().zip(other.chars()));
    begin + count(&mut one.chars().rev().zip(other.chars().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::cells;

    /// Sets of cells that do the same at these places.
    fn names_of(named: &[(&str, u32)]) -> Vec<Vec<String>> {
        let cell = |name: &str| Cell {
            name: name.to_owned(),
            ..cells().remove(0)
        };
        let cells: Vec<(Cell, u32)> = named.iter().map(|(name, at)| (cell(name), *at)).collect();
        let placed = cells.iter().map(|(cell, at)| PlacedCell {
            work: (),
            place: *at,
            cell,
            drawn: (),
        });
        let names = |set: &CellSet<'_, (), u32, ()>| {
            let all = set.cells.iter().map(|(_, cell, ())| cell.name.clone());
            [set.name()].into_iter().chain(all).collect()
        };
        sets(placed).iter().map(names).collect()
    }

    #[test]
    fn levels_of_a_plan_are_sets_of_their_own_in_any_order() {
        let ext4 = ["ext4", "write 1, ext4", "write 16, ext4"];
        let xfs = ["xfs", "write 1, xfs", "write 16, xfs"];
        for order in [
            [(ext4[1], 1), (ext4[2], 16), (xfs[1], 1), (xfs[2], 16)],
            [(ext4[1], 1), (xfs[1], 1), (xfs[2], 16), (ext4[2], 16)],
        ] {
            assert_eq!(names_of(&order), [ext4, xfs]);
        }
        // What is missing of one is not taken from another.
        let named = names_of(&[(ext4[1], 1), (xfs[1], 1), (xfs[2], 16)]);
        assert_eq!(named, [vec!["write 1, ext4"; 2], xfs.to_vec()]);
    }

    #[test]
    fn cells_that_differ_in_their_places_alone_are_one_set() {
        let named = names_of(&[("a", 1), ("b", 2), ("c", 3)]);
        assert_eq!(named, [["from a", "a", "b", "c"]]);
    }
}
