//! Times that follow from the figures alone: two dies, a page read in 100 us and programmed in 1 ms,
//! a command of 10 us, and a page is 4 us on the interface.

use super::*;

const US: u64 = 1_000;
const ACROSS_NS: u64 = 4 * US;
const COMMAND_NS: u64 = 10 * US;
const READ_NS: u64 = 100 * US;
const PROGRAM_NS: u64 = 1_000 * US;
const PAGES: u64 = 1_024;

fn disk(buffer_bytes: u64, slc_bytes: u64) -> Ssd {
    Ssd::new(figures(buffer_bytes, slc_bytes))
}

/// With one die, which programs eight pages at once.
fn disk_of_units() -> Ssd {
    Ssd::new(SsdFigures {
        dies: 1,
        program_bytes: 8 * PAGE_BYTES,
        ..figures(1 << 20, 0)
    })
}

fn figures(buffer_bytes: u64, slc_bytes: u64) -> SsdFigures {
    SsdFigures {
        bytes: PAGES * PAGE_BYTES,
        spare_bytes: 64 * PAGE_BYTES,
        pages_per_block: 16,
        dies: 2,
        read_ns: READ_NS,
        program_ns: PROGRAM_NS,
        slc_program_ns: PROGRAM_NS / 10,
        program_bytes: PAGE_BYTES,
        erase_ns: 5_000 * US,
        slc_bytes,
        fold_rate: 0,
        command_ns: COMMAND_NS,
        interface_rate: PAGE_BYTES * SECOND_NS / ACROSS_NS,
        buffer_bytes,
    }
}

fn of(kind: RequestKind, page: u64, pages: u64) -> Request {
    Request {
        id: page,
        kind,
        offset_bytes: page * PAGE_BYTES,
        length_bytes: pages * PAGE_BYTES,
    }
}

/// The next request that ends.
fn end(ssd: &mut Ssd) -> Completion {
    loop {
        ssd.next_event_ns().unwrap();
        if let Some(completion) = ssd.step() {
            return completion;
        }
    }
}

/// How long a request takes on a disk that has been quiet for a second.
fn takes(ssd: &mut Ssd, second: u64, request: Request) -> u64 {
    let at_ns = second * SECOND_NS;
    ssd.submit(at_ns, request);
    end(ssd).at_ns - at_ns
}

const FUA: RequestKind = RequestKind::Write { fua: true };

#[test]
fn a_page_that_was_never_written_is_on_no_die() {
    let mut ssd = disk(1 << 20, 0);
    let never = takes(&mut ssd, 1, of(RequestKind::Read, 0, 1));
    assert_eq!(never, COMMAND_NS + ACROSS_NS);
    takes(&mut ssd, 2, of(RequestKind::WRITE, 0, 1));
    let written = takes(&mut ssd, 3, of(RequestKind::Read, 0, 1));
    assert_eq!(written, COMMAND_NS + READ_NS + ACROSS_NS);
    takes(&mut ssd, 4, of(RequestKind::Trim, 0, 1));
    assert_eq!(takes(&mut ssd, 5, of(RequestKind::Read, 0, 1)), never);
}

#[test]
fn dies_read_at_once_and_one_die_page_by_page() {
    let mut ssd = disk(1 << 20, 0);
    takes(&mut ssd, 1, of(RequestKind::WRITE, 0, 4));
    let took = takes(&mut ssd, 2, of(RequestKind::Read, 0, 4));
    assert_eq!(took, COMMAND_NS + 2 * READ_NS + 4 * ACROSS_NS);
}

#[test]
fn a_write_is_answered_from_the_buffer_and_with_fua_from_flash() {
    let mut ssd = disk(1 << 20, 0);
    let buffered = takes(&mut ssd, 1, of(RequestKind::WRITE, 0, 1));
    assert_eq!(buffered, COMMAND_NS + ACROSS_NS);
    let durable = takes(&mut ssd, 2, of(FUA, 1, 1));
    assert_eq!(durable, COMMAND_NS + ACROSS_NS + PROGRAM_NS);
}

#[test]
fn a_flush_waits_for_what_is_in_the_buffer() {
    let mut ssd = disk(1 << 20, 0);
    ssd.submit(0, of(RequestKind::WRITE, 0, 1));
    ssd.submit(0, of(RequestKind::Flush, 1, 0));
    let ends = [(); 2].map(|()| end(&mut ssd).at_ns);
    let written = COMMAND_NS + ACROSS_NS;
    assert_eq!(ends, [written, written + PROGRAM_NS]);
    assert_eq!(takes(&mut ssd, 1, of(RequestKind::Flush, 2, 0)), COMMAND_NS);
}

#[test]
fn a_full_buffer_waits_for_a_program() {
    let mut ssd = disk(PAGE_BYTES, 0);
    ssd.submit(0, of(RequestKind::WRITE, 0, 1));
    ssd.submit(0, of(RequestKind::WRITE, 1, 1));
    let ends = [(); 2].map(|()| end(&mut ssd).at_ns);
    let programmed = COMMAND_NS + ACROSS_NS + PROGRAM_NS;
    assert_eq!(ends[1], programmed + ACROSS_NS);
}

#[test]
fn the_fast_part_is_fast_until_it_is_full() {
    let mut ssd = disk(1 << 20, PAGE_BYTES);
    let fast = takes(&mut ssd, 1, of(FUA, 0, 1));
    let slow = takes(&mut ssd, 2, of(FUA, 1, 1));
    assert_eq!(slow - fast, PROGRAM_NS - PROGRAM_NS / 10);
}

#[test]
fn an_answer_takes_the_interface_when_its_data_are_there() {
    let mut ssd = disk(1 << 20, 0);
    takes(&mut ssd, 1, of(RequestKind::WRITE, 0, 4));
    let at_ns = SECOND_NS + 100 * US;
    for page in [0, 100] {
        ssd.submit(at_ns, of(RequestKind::Read, page, 1));
    }
    let (never, busy) = (end(&mut ssd), end(&mut ssd));
    assert_eq!((never.id, busy.id), (100, 0));
    assert_eq!(never.at_ns, at_ns + COMMAND_NS + ACROSS_NS);
    // Each die programs two pages; they were across after the command and the bytes of all four.
    let programmed = SECOND_NS + COMMAND_NS + 4 * ACROSS_NS + 2 * PROGRAM_NS;
    assert_eq!(busy.at_ns, programmed + READ_NS + ACROSS_NS);
}

#[test]
fn a_die_reads_while_data_for_it_come_across() {
    let mut ssd = disk(1 << 20, 0);
    takes(&mut ssd, 1, of(RequestKind::WRITE, 0, 1));
    let at_ns = 2 * SECOND_NS;
    ssd.submit(at_ns, of(RequestKind::WRITE, 100, 50));
    ssd.submit(at_ns, of(RequestKind::Read, 0, 1));
    let (written, read) = (end(&mut ssd), end(&mut ssd));
    assert_eq!(written.at_ns, at_ns + COMMAND_NS + 50 * ACROSS_NS);
    assert_eq!(read.at_ns, written.at_ns + ACROSS_NS);
}

#[test]
fn writes_enter_a_full_buffer_as_they_came_and_a_flush_waits_for_those_before_it() {
    let mut ssd = disk(2 * PAGE_BYTES, 0);
    for (page, pages) in [(0, 2), (10, 2), (20, 1)] {
        ssd.submit(0, of(RequestKind::WRITE, page, pages));
    }
    ssd.submit(0, of(RequestKind::Flush, 30, 0));
    let ended = [(); 4].map(|()| end(&mut ssd));
    assert_eq!(ended.map(|ended| ended.id), [0, 10, 20, 30]);
    let first = COMMAND_NS + 2 * ACROSS_NS + PROGRAM_NS;
    let second = first + 2 * ACROSS_NS + PROGRAM_NS;
    assert_eq!(ended[1].at_ns, first + 2 * ACROSS_NS);
    assert_eq!(ended[2].at_ns, second + ACROSS_NS);
    assert_eq!(ended[3].at_ns, second + ACROSS_NS + PROGRAM_NS);
}

#[test]
fn a_unit_takes_its_whole_time_whatever_is_in_it() {
    let mut ssd = disk_of_units();
    for (second, pages, units) in [(1, 1, 1), (2, 8, 1), (3, 9, 2)] {
        let took = takes(&mut ssd, second, of(FUA, 0, pages));
        assert_eq!(
            took,
            COMMAND_NS + pages * ACROSS_NS + units * PROGRAM_NS,
            "{pages} pages"
        );
    }
}

#[test]
fn what_comes_while_a_die_is_busy_is_programmed_together() {
    let mut ssd = disk_of_units();
    for page in 0..10 {
        ssd.submit(0, of(FUA, page, 1));
    }
    let first = COMMAND_NS + ACROSS_NS + PROGRAM_NS;
    let ended: Vec<u64> = (0..10).map(|_| end(&mut ssd).at_ns).collect();
    assert_eq!(ended[0], first);
    assert_eq!(ended[1..9], [first + PROGRAM_NS; 8]);
    assert_eq!(ended[9], first + 2 * PROGRAM_NS);
}

#[test]
fn a_flush_waits_for_a_whole_program() {
    let mut ssd = disk_of_units();
    ssd.submit(0, of(RequestKind::WRITE, 0, 1));
    ssd.submit(0, of(RequestKind::Flush, 1, 0));
    end(&mut ssd);
    assert_eq!(end(&mut ssd).at_ns, COMMAND_NS + ACROSS_NS + PROGRAM_NS);
}

#[test]
fn a_disk_that_was_written_reads_each_page_from_its_die_until_it_is_trimmed() {
    let mut ssd = Ssd::written(figures(1 << 20, PAGE_BYTES));
    let mut second = 0;
    let mut takes = |request| {
        second += 1;
        takes(&mut ssd, second, request)
    };
    let never = COMMAND_NS + ACROSS_NS;
    for page in [0, PAGES - 1] {
        assert_eq!(takes(of(RequestKind::Read, page, 1)), never + READ_NS);
    }
    takes(of(RequestKind::Trim, 0, 1));
    assert_eq!(takes(of(RequestKind::Read, 0, 1)), never);
    // The faster part is empty.
    assert_eq!(takes(of(FUA, 0, 1)), never + PROGRAM_NS / 10);
}

#[test]
fn collections_are_shared_by_all_dies() {
    let mut ssd = disk(1 << 30, 0);
    let mut pass = |second| {
        let at_ns = second * SECOND_NS;
        for page in (0..PAGES).step_by(16) {
            ssd.submit(at_ns, of(RequestKind::WRITE, page, 16));
        }
        ssd.submit(at_ns, of(RequestKind::Flush, PAGES, 0));
        let mut ended = std::iter::repeat_with(|| end(&mut ssd));
        ended.find(|ended| ended.id == PAGES).unwrap().at_ns - at_ns
    };
    pass(1);
    pass(2);
    let blocks = PAGES / 16;
    // Each of the two dies programs half of each block, and erases every other one.
    let busy_ns = blocks * (8 * PROGRAM_NS + 5_000 * US / 2);
    let took_ns = pass(3);
    assert!(
        (busy_ns..busy_ns + 10 * PROGRAM_NS).contains(&took_ns),
        "{took_ns} of {busy_ns}"
    );
}
