//! Names within a tree, computed from numbers: no path is kept in memory.
//!
//! Directories are numbered level by level; the root is 0, and the children of `i` are
//! `i * breadth + 1 ..= i * breadth + breadth`.

use std::ops::Range;

/// The directories of one tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct DirectoryTree {
    breadth: u64,
    depth: u32,
}

impl DirectoryTree {
    pub(super) fn new(breadth: u32, depth: u32) -> DirectoryTree {
        DirectoryTree {
            breadth: u64::from(breadth),
            depth: if breadth == 0 { 0 } else { depth },
        }
    }

    /// The numbers of the directories of each level below the root, the uppermost first.
    pub(super) fn levels(self) -> impl DoubleEndedIterator<Item = Range<u64>> {
        let mut levels = Vec::new();
        let mut range = 0..1u64;
        for _ in 0..self.depth {
            range = range.end..range.end + (range.end - range.start) * self.breadth;
            levels.push(range.clone());
        }
        levels.into_iter()
    }

    /// Number of directories, the root among them.
    pub(super) fn directories(self) -> u64 {
        self.levels().last().map_or(1, |level| level.end)
    }

    /// Appends the path of a directory relative to the root, with a closing slash; nothing for the
    /// root itself.
    pub(super) fn push_directory(self, path: &mut Vec<u8>, directory: u64) {
        if directory == 0 {
            return;
        }
        self.push_directory(path, (directory - 1) / self.breadth);
        path.push(b'd');
        push_number(path, directory);
        path.push(b'/');
    }
}

/// Appends a file's name: a letter and its number.
pub(super) fn push_file(path: &mut Vec<u8>, letter: u8, number: u64) {
    path.push(letter);
    push_number(path, number);
}

fn push_number(path: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    path.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_directory_has_its_own_path_below_its_parents() {
        let tree = DirectoryTree::new(3, 2);
        assert_eq!(tree.directories(), 13);
        assert_eq!(tree.levels().collect::<Vec<_>>(), [1..4, 4..13]);
        let path = |i| {
            let mut path = Vec::new();
            tree.push_directory(&mut path, i);
            String::from_utf8(path).unwrap()
        };
        assert_eq!(
            (path(0), path(3), path(12)),
            (String::new(), "d3/".into(), "d3/d12/".into())
        );
        assert_eq!((0..13).map(path).collect::<HashSet<_>>().len(), 13);
        assert_eq!(
            (
                DirectoryTree::new(0, 9).directories(),
                DirectoryTree::new(9, 0).directories()
            ),
            (1, 1)
        );
    }

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 9, 10, 4_294_967_296, u64::MAX] {
            let mut path = Vec::new();
            push_file(&mut path, b'f', number);
            assert_eq!(String::from_utf8(path).unwrap(), format!("f{number}"));
        }
    }
}
