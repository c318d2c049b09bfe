use super::*;

const CHUNK: u64 = 1 << 16;

fn array(layout: Layout, members: usize) -> Array {
    Array::new(layout, members, 64 * CHUNK, CHUNK).unwrap()
}

/// The chunks of each member from its begin: which chunk of the array lies there.
fn rows(layout: Layout, members: usize, count: usize) -> Vec<Vec<Option<u64>>> {
    let array = array(layout, members);
    let mut rows = vec![vec![None; members]; count];
    for chunk in 0..array.bytes() / CHUNK {
        let phases = array
            .phases(RequestKind::WRITE, chunk * CHUNK, CHUNK)
            .unwrap();
        for child in phases.last().unwrap() {
            let row = usize::try_from(child.offset_bytes / CHUNK).unwrap();
            let parity = layout.parity() > 0 && {
                let data = (members - layout.parity()) as u64;
                array.data_member(chunk / data, chunk % data) != child.member
            };
            if row < count && !parity {
                rows[row][child.member] = Some(chunk);
            }
        }
    }
    rows
}

fn some(numbers: &[u64]) -> Vec<Option<u64>> {
    numbers.iter().copied().map(Some).collect()
}

/// The tables of md(4), section RAID10.
#[test]
fn copies_lie_where_md_puts_them() {
    assert_eq!(
        rows(Layout::Near(2), 4, 2),
        [some(&[0, 0, 1, 1]), some(&[2, 2, 3, 3])]
    );
    let three = rows(Layout::Near(2), 3, 2);
    assert_eq!(three, [some(&[0, 0, 1]), some(&[1, 2, 2])]);
    let offset = rows(Layout::Offset(2), 4, 3);
    assert_eq!(
        offset,
        [
            some(&[0, 1, 2, 3]),
            some(&[3, 0, 1, 2]),
            some(&[4, 5, 6, 7])
        ]
    );
    let far = rows(Layout::Far(2), 4, 33);
    assert_eq!(far[0], some(&[0, 1, 2, 3]));
    assert_eq!(far[32], some(&[3, 0, 1, 2]));
    assert_eq!(rows(Layout::Near(3), 5, 1), [some(&[0, 0, 0, 1, 1])]);
}

/// Left-symmetric: the parity goes down by one member from row to row, and data begins after it.
#[test]
fn parity_lies_where_md_puts_it() {
    let five = rows(Layout::Raid5, 4, 2);
    assert_eq!(five[0], [Some(0), Some(1), Some(2), None]);
    assert_eq!(five[1], [Some(4), Some(5), None, Some(3)]);
    let six = rows(Layout::Raid6, 5, 2);
    assert_eq!(six[0], [None, Some(0), Some(1), Some(2), None]);
    assert_eq!(six[1], [Some(3), Some(4), Some(5), None, None]);
    assert_eq!(rows(Layout::Raid4, 3, 1)[0], [Some(0), Some(1), None]);
}

#[test]
fn a_small_write_reads_what_md_reads() {
    let read = |members, layout| {
        let phases = array(layout, members)
            .phases(RequestKind::WRITE, 0, 4096)
            .unwrap();
        (phases[0].len(), phases[1].len())
    };
    // Of four members two reads either way, of five the old data and parity are fewer.
    assert_eq!(read(4, Layout::Raid5), (2, 2));
    assert_eq!(read(5, Layout::Raid5), (2, 2));
    assert_eq!(read(8, Layout::Raid5), (2, 2));
    assert_eq!(read(4, Layout::Raid6), (1, 3));
    assert_eq!(read(8, Layout::Raid6), (3, 3));
    let whole = array(Layout::Raid5, 4)
        .phases(RequestKind::WRITE, 0, 3 * CHUNK)
        .unwrap();
    assert_eq!((whole.len(), whole[0].len()), (1, 4));
}

#[test]
fn a_missing_member_is_read_from_all_others() {
    let mut array = array(Layout::Raid5, 4);
    array.members[0].missing = true;
    assert_eq!(
        array.phases(RequestKind::Read, 0, 4096).unwrap()[0].len(),
        3
    );
    array.members[1].missing = true;
    let lost = array.phases(RequestKind::Read, 0, 4096);
    assert_eq!(lost, Err(LayoutError::TooManyMissing(Layout::Raid5)));
}

/// Against a list of all that lies on each member, made by writing every chunk of the array.
#[test]
fn a_member_is_computed_from_copies_of_what_lies_on_it() {
    for (layout, members) in [
        (Layout::Raid1, 3),
        (Layout::Near(2), 3),
        (Layout::Near(2), 4),
        (Layout::Near(3), 5),
        (Layout::Far(2), 2),
        (Layout::Far(2), 5),
        (Layout::Far(3), 4),
        (Layout::Offset(2), 4),
        (Layout::Offset(3), 5),
    ] {
        let held = rows(layout, members, 64);
        let array = array(layout, members);
        for (member, row) in (0..members).flat_map(|m| (0..64_usize).map(move |row| (m, row))) {
            let reads = array.recovery_reads(member, row as u64 * CHUNK, CHUNK);
            let reads = reads.unwrap();
            let found = reads.iter().map(|read| {
                assert_ne!(read.member, member);
                held[usize::try_from(read.offset_bytes / CHUNK).unwrap()][read.member]
            });
            let expected: Vec<_> = held[row][member].into_iter().map(Some).collect();
            let found: Vec<_> = found.collect();
            assert_eq!(
                found, expected,
                "{layout} of {members}: {member}, row {row}"
            );
        }
    }
}

#[test]
fn a_member_of_which_the_others_have_nothing_is_not_computed() {
    let lost = |layout| Err(LayoutError::TooManyMissing(layout));
    let of = |array: &Array| array.recovery_reads(0, 0, CHUNK);
    assert_eq!(of(&array(Layout::Raid0, 3)), lost(Layout::Raid0));
    for layout in [Layout::Raid5, Layout::Far(2)] {
        let mut array = array(layout, 3);
        assert!(of(&array).is_ok());
        array.members[1].missing = true;
        assert_eq!(of(&array), lost(layout));
    }
}

#[test]
fn a_layout_is_read_as_it_is_printed() {
    for layout in Layout::SHOWN {
        assert_eq!(layout.to_string().parse(), Ok(layout));
    }
    for text in ["", "n", "n1", "raid7", "é2", "f99"] {
        assert_eq!(
            text.parse::<Layout>(),
            Err(LayoutError::Unknown(text.to_owned()))
        );
    }
}
