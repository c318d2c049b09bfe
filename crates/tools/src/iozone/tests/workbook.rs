//! The workbook, opened again by another library.

use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use etalon_file_ops::FileOp;

use super::super::{IozoneGrid, sheet};
use super::layout::{ROW, cell, printed_figures, uneven_group};
use super::{parsed, run};

fn opened(path: &std::path::Path) -> Xlsx<std::io::Cursor<Vec<u8>>> {
    open_workbook_from_rs(std::io::Cursor::new(std::fs::read(path).unwrap())).unwrap()
}

#[test]
fn no_cell_is_a_formula() {
    let options = parsed("-a -n 64m -g 64m -z");
    let cells = [cell(FileOp::Write, ROW, None, &[1000])];
    let grid = IozoneGrid::new(&options).unwrap();
    for command in ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1"] {
        let name = std::path::Path::new("out.xlsx");
        let bytes = sheet::bytes(name, command, &cells, &grid, &options).unwrap();
        let mut book: Xlsx<_> = open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
        let first = book.worksheet_range("figures").unwrap();
        let text = Data::String(command.to_owned());
        assert_eq!(first.get_value((0, 0)), Some(&text));
        for sheet in book.sheet_names() {
            let formulas = book.worksheet_formula(&sheet).unwrap();
            let mut cells = formulas.cells();
            assert!(cells.all(|(_, _, formula)| formula.is_empty()), "{command}");
        }
    }
}

#[test]
fn figures_stand_where_they_should() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.wks");
    let options = parsed("-a -n 64m -g 64m -z");
    let cells = [
        cell(FileOp::Write, ROW, None, &[1000]),
        cell(FileOp::RandomRead, ROW, None, &[500]),
    ];
    let bytes = sheet::bytes(
        &path,
        "iozone -a",
        &cells,
        &IozoneGrid::new(&options).unwrap(),
        &options,
    )
    .unwrap();
    std::fs::write(&path, bytes).unwrap();
    let mut book = opened(&path);
    assert_eq!(book.sheet_names(), ["figures", "write", "random read"]);
    let list = book.worksheet_range("figures").unwrap();
    assert_eq!(
        list.get_value((0, 0)),
        Some(&Data::String("iozone -a".to_owned()))
    );
    assert_eq!(list.get_value((3, 4)), Some(&Data::Float(1_024_000.0)));
    assert_eq!(
        list.get_value((4, 0)),
        Some(&Data::String("random read".to_owned()))
    );
    assert_eq!(list.get_value((3, 8)), Some(&Data::Float(3.0)));
    assert_eq!(
        list.get_value((3, 10)),
        Some(&Data::String("valid".to_owned()))
    );
    let grid = book.worksheet_range("write").unwrap();
    assert_eq!(
        grid.get_value((1, 1)),
        Some(&Data::Float(4.0)),
        "record 4 kB"
    );
    assert_eq!(
        grid.get_value((2, 0)),
        Some(&Data::Float(65_536.0)),
        "file 64 MB"
    );
    assert_eq!(grid.get_value((2, 1)), Some(&Data::Float(1_024_000.0)));
}

#[test]
fn a_group_has_a_line_for_each_number_of_workers() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run(
        "-T -l 1 -u 2 -s 64 -i 0 -b DIR/book -F DIR/a DIR/b --runs 1",
        directory.path(),
    );
    assert_eq!(ran.status, 3, "{}{}", ran.out, ran.err);
    let mut book = opened(&directory.path().join("book"));
    let sheet = book.worksheet_range("rewrite").unwrap();
    assert_eq!(sheet.get_value((2, 0)), Some(&Data::Float(1.0)));
    assert_eq!(sheet.get_value((3, 0)), Some(&Data::Float(2.0)));
    assert_eq!(sheet.height(), 4);
}

/// The sheet of a group has what its lines say: the figure, the parent's, each worker's.
#[test]
fn a_group_has_the_figures_of_its_lines() {
    let cell = uneven_group();
    for line in ["-t 2 -C -b book", "-t 2 -C -O -b book"] {
        let options = parsed(line);
        let grid = IozoneGrid::new(&options).unwrap();
        let name = std::path::Path::new("book");
        let bytes = sheet::bytes(name, line, std::slice::from_ref(&cell), &grid, &options).unwrap();
        let mut book: Xlsx<_> = open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
        let rewrites = book.worksheet_range("rewrite").unwrap();
        for (column, printed) in (1..).zip(printed_figures(&cell, &options)) {
            let Some(Data::Float(found)) = rewrites.get_value((2, column)) else {
                panic!("{line}: no figure in column {column}");
            };
            // As many places as the lines have.
            assert!((found - printed).abs() < 0.01, "{line}: {found}, {printed}");
        }
    }
}
