//! Lines that a program prints its figures on, and from which none was read: cut off, mended by hand, or of a version
//! that is not known.

use super::{bonnie, fio, fio_json, iozone};
use crate::{Figure, Line, Page, Tool};

/// A line that should hold a figure and does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadLine {
    /// The program whose line it looks like.
    pub tool: Tool,
    /// Its number, from 1.
    pub line: usize,
}

/// What a line of each program's figures holds; what holds all words of a row is one.
const MARKS: [(Tool, &[&str]); 12] = [
    (Tool::Dd, &["bytes", "copied"]),
    (Tool::Dd, &["octets", "copies"]),
    (Tool::Hdparm, &["timing ", "disk reads"]),
    (Tool::Hdparm, &["timing ", "cached reads"]),
    (Tool::Iozone, &["children see throughput for"]),
    (Tool::Fio, &["read", "iops=", "bw="]),
    (Tool::Fio, &["write", "iops=", "bw="]),
    (Tool::Sysbench, &["transactions:", "per sec"]),
    (Tool::Fdtree, &["directory creates per second"]),
    (Tool::Fdtree, &["file creates per second"]),
    (Tool::Fdtree, &["directory removals per second"]),
    (Tool::Fdtree, &["file removals per second"]),
];

/// The lines of a page that look like those of a program and gave none of `figures`.
pub fn unread(page: &Page, figures: &[Figure]) -> Vec<UnreadLine> {
    // A figure of clones is of the lines of all of them.
    let of_fio = fio::lines(page);
    let gave = |tool: Tool, line: usize| {
        let mut all = figures.iter();
        all.any(|figure| figure.tool == tool && figure.line == line)
            || tool == Tool::Fio && of_fio.binary_search(&line).is_ok()
    };
    let lines = page.lines.iter().filter_map(|line| {
        let tool = tool_of(line).filter(|tool| !gave(*tool, line.number))?;
        let line = line.number;
        Some(UnreadLine { tool, line })
    });
    let rows = named(Tool::Iozone, iozone::unread(page));
    let of_commas = named(Tool::Bonnie, bonnie::unread(page));
    let mut all: Vec<UnreadLine> = lines.chain(rows).chain(of_commas).collect();
    all.extend(named(Tool::Fio, fio_json::unread(page)));
    all.sort_by_key(|unread| unread.line);
    all
}

fn named(tool: Tool, lines: Vec<usize>) -> impl Iterator<Item = UnreadLine> {
    lines.into_iter().map(move |line| UnreadLine { tool, line })
}

fn tool_of(line: &Line) -> Option<Tool> {
    let has = |words: &&[&str]| words.iter().all(|word| line.plain.contains(word));
    let found = MARKS.iter().find(|(_, words)| has(words));
    found.map(|(tool, _)| *tool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::figures;

    fn of(text: &str) -> Vec<(Tool, usize)> {
        let page = Page::read(text);
        let found = unread(&page, &figures(&page));
        found.iter().map(|one| (one.tool, one.line)).collect()
    }

    #[test]
    fn whole_lines_are_read_and_cut_ones_are_named() {
        let whole = "1342177280 octets (1,3 GB, 1,2 GiB) copiés, 5,07159 s, 265 MB/s\n Timing buffered disk reads: 340 MB in  3.01 seconds = 112.96 MB/sec\n";
        assert_eq!(of(whole), []);
        let cut = "x\n1342177280 octets (1,3 GB, 1,2 GiB) copiés, 5,07\n Timing buffered disk reads: 340 MB in\n  read: IOPS=, BW=\n";
        assert_eq!(of(cut), [(Tool::Dd, 2), (Tool::Hdparm, 3), (Tool::Fio, 4)]);
    }

    #[test]
    fn a_document_of_fio_that_breaks_off_is_named_where_it_does() {
        let text = "{\n \"fio version\": \"fio-3.33\",\n \"jobs\": [\n  {\"jobname\": \n";
        let [(Tool::Fio, line)] = of(text)[..] else {
            panic!()
        };
        assert!((4..=5).contains(&line), "{line}");
    }
}
