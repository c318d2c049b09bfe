//! What sysbench prints: `read, MiB/s: 12.34`, `transactions: 12345 (205.70 per sec.)`.

use super::sysbench_test::SysbenchTest;
use crate::{Action, Figure, Line, Page, Tool};

const MIB: f64 = 1_048_576.0;

/// The figures of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut test = SysbenchTest::default();
    let mut found = Vec::new();
    for line in &page.lines {
        test.add(page, line);
        found.extend(throughput(page, line, &test).or_else(|| transactions(page, line)));
    }
    found
}

fn throughput(page: &Page, line: &Line, test: &SysbenchTest) -> Option<Figure> {
    let text = line.plain.trim();
    let write = text.starts_with("written, mib/s");
    if !(write || text.starts_with("read, mib/s")) {
        return None;
    }
    let number = page.numbers(line).pop().filter(|n| n.value > 0.0)?;
    let label = if write { "written" } else { "read" };
    let action = Action::transfer(test.random == Some(true), write);
    let mut figure = Figure::new(Tool::Sysbench, line.number, action, label);
    figure.bytes_per_second = Some(number.value * MIB);
    figure.file_bytes = test.file_bytes;
    figure.block_bytes = test.block_bytes;
    figure.direct = test.direct;
    figure.durable = test.durable;
    figure.command_line = test.command_line;
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

    /// What sysbench 1.0.20 prints of a test, with its flags, its syncs and its kind.
    fn printed(flags: &str, syncs: &str, kind: &str) -> String {
        format!(
            "Extra file open flags: {flags}\n4 files, 16MiB each\n64MiB total file size\nBlock size 16KiB\n{syncs}Using synchronous I/O mode\nDoing {kind} test\n\nThroughput:\n    read, MiB/s:                  0.00\n    written, MiB/s:               60.96\n"
        )
    }

    #[test]
    fn what_it_prints_of_its_test_is_read() {
        let each = "Periodic FSYNC enabled, calling fsync() each 100 requests.\n";
        let end = "Calling fsync() at the end of test, Enabled.\n";
        let all = "Calling fsync() after each write operation.\n";
        let (random, new) = ("random write", "sequential write (creation)");
        for (flags, syncs, kind, action, direct, durable) in [
            ("(none)", each, new, Action::Write, false, true),
            ("(none)", end, random, Action::RandomWrite, false, true),
            ("(none)", all, random, Action::RandomWrite, false, true),
            ("(none)", "", random, Action::RandomWrite, false, false),
            (
                "directio",
                "",
                "random r/w",
                Action::RandomWrite,
                true,
                false,
            ),
            ("sync", "", new, Action::Write, false, true),
        ] {
            let found = figures(&Page::read(&printed(flags, syncs, kind)));
            let told = (found[0].action, found[0].direct, found[0].durable);
            assert_eq!(
                told,
                (action, Some(direct), Some(durable)),
                "{flags} {syncs}"
            );
            let sizes = (found[0].file_bytes, found[0].block_bytes);
            assert_eq!(sizes, (Some(67_108_864.0), Some(16_384.0)));
        }
    }

    #[test]
    fn a_command_tells_what_it_syncs_and_what_is_printed_is_of_the_last_one() {
        let bare =
            "sysbench fileio --file-test-mode=rndwr --file-fsync-freq=0 --file-fsync-end=off";
        let result = "    written, MiB/s:               60.96\n";
        for (options, durable) in [
            ("", false),
            ("--file-fsync-all=on", true),
            ("--file-extra-flags=dsync", true),
        ] {
            let other = printed("directio", "", "sequential rewrite");
            let text = format!("{other}{bare} {options} run\n{result}");
            let found = figures(&Page::read(&text)).remove(1);
            let told = (
                found.action,
                found.direct,
                found.durable,
                found.command_line,
            );
            let expected = (Action::RandomWrite, Some(false), Some(durable), Some(11));
            assert_eq!(told, expected, "{options}");
        }
    }
}
