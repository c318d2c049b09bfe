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
    Ssd::new(SsdFigures {
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
    })
}

fn of(kind: RequestKind, page: u64, pages: u64) -> Request {
    Request {
        id: page,
        kind,
        offset_bytes: page * PAGE_BYTES,
        length_bytes: pages * PAGE_BYTES,
    }
}

/// How long a request takes on a disk that has been quiet for a second.
fn takes(ssd: &mut Ssd, second: u64, request: Request) -> u64 {
    let at_ns = second * SECOND_NS;
    ssd.submit(at_ns, request);
    ssd.step().unwrap().at_ns - at_ns
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
    let ends = [(); 2].map(|()| ssd.step().unwrap().at_ns);
    let written = COMMAND_NS + ACROSS_NS;
    assert_eq!(ends, [written, written + PROGRAM_NS]);
    assert_eq!(takes(&mut ssd, 1, of(RequestKind::Flush, 2, 0)), COMMAND_NS);
}

#[test]
fn a_full_buffer_waits_for_a_program() {
    let mut ssd = disk(PAGE_BYTES, 0);
    ssd.submit(0, of(RequestKind::WRITE, 0, 1));
    ssd.submit(0, of(RequestKind::WRITE, 1, 1));
    let ends = [(); 2].map(|()| ssd.step().unwrap().at_ns);
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
