//! Etalon's own lines among those of a tool: each begins with `etalon`, also where one is broken.

use std::io::{self, Write};

use etalon_report::page_width;

/// What a line of etalon's own begins with.
const OWN: &[u8] = b"etalon";

/// Breaks etalon's own lines to the width of a page and lets the tool's pass as they are.
pub(crate) struct OwnLines<W: Write> {
    to: W,
    /// The beginning of a line that is, or may become, one of etalon's own.
    begun: Vec<u8>,
    is_at_line_start: bool,
}

impl<W: Write> OwnLines<W> {
    pub(crate) fn new(to: W) -> OwnLines<W> {
        OwnLines {
            to,
            begun: Vec::new(),
            is_at_line_start: true,
        }
    }

    /// Part of one line, with its end where it has one.
    fn take(&mut self, part: &[u8]) -> io::Result<()> {
        if self.begun.is_empty() && !self.is_at_line_start {
            self.to.write_all(part)?;
        } else {
            self.begun.extend_from_slice(part);
            let compared = self.begun.len().min(OWN.len());
            let is_ended = self.begun.ends_with(b"\n");
            if self.begun[..compared] != OWN[..compared] {
                self.give()?;
            } else if is_ended {
                let line = std::mem::take(&mut self.begun);
                self.to
                    .write_all(broken(&String::from_utf8_lossy(&line)).as_bytes())?;
            }
        }
        self.is_at_line_start = part.ends_with(b"\n");
        Ok(())
    }

    fn give(&mut self) -> io::Result<()> {
        self.to.write_all(&std::mem::take(&mut self.begun))
    }
}

impl<W: Write> Write for OwnLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.take(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.give()?;
        self.to.flush()
    }
}

impl<W: Write> Drop for OwnLines<W> {
    fn drop(&mut self) {
        // Whoever needs to know whether it was written flushes.
        let _ = self.flush();
    }
}

/// `etalon 2: …` as lines that begin with `etalon 2:` each.
pub(crate) fn broken(line: &str) -> String {
    let parts = line.split_once(": ");
    let Some((label, text)) = parts.filter(|(label, _)| is_label(label)) else {
        return line.to_owned();
    };
    let label = format!("{label}: ");
    let width = page_width(None).saturating_sub(label.chars().count());
    let text = text.trim_end_matches('\n');
    let lines = etalon_report::paragraph(text, Some(width));
    lines
        .lines()
        .map(|part| format!("{label}{part}\n"))
        .collect()
}

/// `etalon` or `etalon 2`; an error, `etalon dd: …`, stays one line.
fn is_label(label: &str) -> bool {
    let number = label.strip_prefix("etalon").map(str::trim_start);
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(parts: &[&str]) -> String {
        let mut written = Vec::new();
        let mut lines = OwnLines::new(&mut written);
        for part in parts {
            lines.write_all(part.as_bytes()).unwrap();
        }
        drop(lines);
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn own_lines_are_broken_and_those_of_the_tool_are_not() {
        let long = "word ".repeat(30);
        let text = through(&[
            "8+0 records in\n",
            "eta",
            "lon 2",
            ": ",
            &long,
            "\n",
            &long,
            "\n",
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8+0 records in");
        assert_eq!(lines.last(), Some(&long.as_str()));
        let own = &lines[1..lines.len() - 1];
        assert!(own.len() > 1);
        for line in own {
            assert!(line.starts_with("etalon 2: ") && line.len() <= 80, "{line}");
        }
    }

    #[test]
    fn an_error_stays_one_line() {
        let error = "etalon dd: ".to_owned() + &"word ".repeat(30) + "\n";
        assert_eq!(through(&[&error]), error);
    }

    #[test]
    fn what_is_not_ended_comes_at_the_end() {
        assert_eq!(
            through(&["\nabc", "etalon: x\n", "eta"]),
            "\nabcetalon: x\neta"
        );
    }
}
