//! What sysbench prints: `read, MiB/s: 12.34`, `transactions: 12345 (205.70 per sec.)`.

use super::Command;
use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

const MIB: f64 = 1_048_576.0;

/// The figures of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut found = Vec::new();
    for (at, line) in page.lines.iter().enumerate() {
        found.extend(throughput(page, at, line).or_else(|| transactions(page, line)));
    }
    found
}

fn throughput(page: &Page, at: usize, line: &Line) -> Option<Figure> {
    let text = line.plain.trim();
    let write = text.starts_with("written, mib/s");
    if !(write || text.starts_with("read, mib/s")) {
        return None;
    }
    let number = page.numbers(line).pop().filter(|n| n.value > 0.0)?;
    let command = Command::near(page, at, at.min(120), "sysbench");
    let mode = command
        .as_ref()
        .and_then(|c| c.operand("--file-test-mode"))
        .unwrap_or("");
    let action = Action::transfer(mode.starts_with("rnd"), write);
    let mut figure = Figure::new(
        Tool::Sysbench,
        line.number,
        action,
        if write { "written" } else { "read" },
    );
    figure.bytes_per_second = Some(number.value * MIB);
    let operand = |name: &str| command.as_ref().and_then(|c| c.operand(name));
    figure.file_bytes = operand("--file-total-size").and_then(|t| option_size(t, 1.0));
    figure.block_bytes = operand("--file-block-size").and_then(|t| option_size(t, 1.0));
    figure.direct = command
        .as_ref()
        .map(|c| c.lists("--file-extra-flags", "direct"));
    // sysbench calls fsync every 100 requests and at the end unless told otherwise.
    figure.durable = command.as_ref().map(|c| {
        c.operand("--file-fsync-freq") != Some("0") || c.operand("--file-fsync-end") != Some("off")
    });
    figure.command_line = command.map(|c| c.line);
    figure.quoted = format!("{} MiB/s", number.text);
    Some(figure)
}

fn transactions(page: &Page, line: &Line) -> Option<Figure> {
    if !line.plain.trim().starts_with("transactions:") || !line.plain.contains("per sec") {
        return None;
    }
    let rate = page.numbers(line).pop()?;
    let mut figure = Figure::new(Tool::Sysbench, line.number, Action::Other, "transactions");
    figure.operations_per_second = Some(rate.value);
    figure.quoted = format!("{} per sec.", rate.text);
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_transactions() {
        let page = Page::read(
            "sysbench fileio --file-total-size=4G run\nsysbench --file-total-size=4G --file-test-mode=rndrd fileio run\n    read, MiB/s:                  12.34\n    written, MiB/s:               0.00\n    transactions:                        12345  (205.70 per sec.)\n",
        );
        let found = figures(&page);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].action, found[0].file_bytes),
            (Action::RandomRead, Some(4294967296.0))
        );
        assert_eq!(found[1].operations_per_second, Some(205.7));
    }
}
