//! Lines on a mount and its filesystem.

use etalon_language::say;
use etalon_model::stack::{
    BtrfsAllocation, DirectIo, ExtParameters, Filesystem, FsDetail, Mount, NetworkCard, Space,
    XfsParameters,
};

use super::{facts, joined, show, term};

pub(super) fn heading(mount: &Mount) -> String {
    let whole = say!(
        "stack-mount",
        kind = mount.fs_type,
        point = mount.point,
        source = mount.source,
        options = mount.options.join(","),
        own = mount.super_options.join(","),
    );
    match mount.root.as_str() {
        "/" => whole,
        root => say!("stack-mount-part", mount = whole, root = root),
    }
}

pub(super) fn details(fs: &Filesystem) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(facts(&[
        ("label", show(&fs.label)),
        ("UUID", show(&fs.uuid)),
    ]));
    match &fs.detail {
        FsDetail::Ext(parameters) => ext(parameters, &mut lines),
        FsDetail::Xfs(parameters) => xfs(parameters, &mut lines),
        FsDetail::Btrfs { .. } => btrfs(&fs.detail, &mut lines),
        detail => lines.extend(other(detail)),
    }
    lines.extend(fs.space.as_ref().map(room));
    lines.extend(fs.direct_io.as_ref().map(direct_io));
    lines
}

fn ext(p: &ExtParameters, lines: &mut Vec<String>) {
    lines.extend(facts(&[
        ("blocks of", show(&p.block_size)),
        ("inodes of", show(&p.inode_size)),
        ("journal", show(&p.journal_size)),
        (
            "",
            (p.journal == Some(false)).then(|| say!("stack-no-journal")),
        ),
        (
            "stride",
            p.raid_stride_blocks
                .map(|n| say!("stack-disk-blocks", count = n)),
        ),
        (
            "stripe width",
            p.raid_stripe_blocks
                .map(|n| say!("stack-disk-blocks", count = n)),
        ),
    ]));
    lines.extend(facts(&[
        ("made", p.created_unix_seconds.map(date)),
        (
            "mounted",
            p.mount_count.map(|n| say!("stack-mounts", count = n)),
        ),
        ("written in its life", show(&p.lifetime_write)),
        (
            "lazy initialisation",
            p.lazy_init
                .map(|on| term(if on { "still running" } else { "done" })),
        ),
    ]));
    lines.extend(facts(&[
        ("", p.inodes.map(|n| format!("{n} inodes"))),
        ("on an error", show(&p.on_error)),
        ("mount options of its own", joined(&p.default_mount_options)),
        ("journal on", show(&p.journal_uuid)),
    ]));
    lines.extend(facts(&[("features", joined(&p.features))]));
}

fn xfs(p: &XfsParameters, lines: &mut Vec<String>) {
    let external = p.external_log == Some(true);
    lines.extend(facts(&[
        ("blocks of", show(&p.block_size)),
        ("sectors of", show(&p.sector_size)),
        ("inodes of", show(&p.inode_size)),
        (
            "",
            p.allocation_groups.map(|n| say!("stack-groups", count = n)),
        ),
        (
            if external { "external log" } else { "log" },
            show(&p.log_size),
        ),
        ("stripe unit", show(&p.stripe_unit)),
        ("stripe width", show(&p.stripe_width)),
    ]));
    lines.extend(facts(&[
        ("directories of", show(&p.directory_block_size)),
        ("log version", show(&p.log_version)),
        ("log sectors of", show(&p.log_sector_size)),
        ("log stripe unit", show(&p.log_stripe_unit)),
        (
            "inodes at most",
            p.most_inodes_percent.map(|percent| format!("{percent} %")),
        ),
    ]));
    lines.extend(facts(&[("features", joined(&p.features))]));
}

fn btrfs(detail: &FsDetail, lines: &mut Vec<String>) {
    let FsDetail::Btrfs {
        devices,
        missing_devices,
        node_size,
        sector_size,
        checksum,
        features,
        allocation,
        operation,
        usage,
    } = detail
    else {
        return;
    };
    lines.extend(facts(&[
        ("", Some(say!("stack-devices", count = *devices))),
        (
            "missing",
            Some(*missing_devices)
                .filter(|n| *n > 0)
                .map(|n| n.to_string()),
        ),
        ("nodes of", show(node_size)),
        ("sectors of", show(sector_size)),
        ("checksum", show(checksum)),
        ("operation", show(operation)),
    ]));
    lines.extend(allocation.iter().map(chunks));
    if let Some(usage) = usage {
        lines.extend(facts(&[
            ("devices of", Some(usage.device_size.to_string())),
            ("allocated", Some(usage.allocated.to_string())),
            ("unallocated", Some(usage.unallocated.to_string())),
            ("global reserve", show(&usage.global_reserve)),
            ("reads from", show(&usage.read_policy)),
        ]));
    }
    lines.extend(facts(&[("features", joined(features))]));
}

fn chunks(class: &BtrfsAllocation) -> String {
    let profiles = if class.profiles.is_empty() {
        term("unknown")
    } else {
        class.profiles.join(&format!(" {} ", term("and")))
    };
    match class.used.zip(class.total) {
        Some((used, total)) => say!(
            "stack-in-use",
            class = class.class,
            profiles = profiles,
            used = used,
            all = total
        ),
        None => format!("{}: {profiles}", class.class),
    }
}

fn other(detail: &FsDetail) -> Vec<String> {
    let line = match detail {
        FsDetail::F2fs {
            features,
            dirty_segments,
            free_segments,
            lifetime_write,
        } => facts(&[
            ("dirty segments", show(dirty_segments)),
            ("free segments", show(free_segments)),
            ("written in its life", show(lifetime_write)),
            ("features", joined(features)),
        ]),
        FsDetail::Memory { limit, huge } => {
            facts(&[("limit", show(limit)), ("huge pages", show(huge))])
        }
        FsDetail::Overlay { lower, upper, work } => facts(&[
            ("upper", show(upper)),
            ("work", show(work)),
            ("lower", joined(lower)),
        ]),
        FsDetail::Network { served_here, .. } => {
            let here = served_here.as_deref();
            let lines = [network(detail), here.map(super::served::line)];
            return lines.into_iter().flatten().collect();
        }
        FsDetail::Fuse { subtype, max_read } => {
            facts(&[("subtype", show(subtype)), ("largest read", show(max_read))])
        }
        FsDetail::Zfs { dataset } => Some(format!("dataset {dataset}")),
        _ => None,
    };
    line.into_iter().collect()
}

fn network(detail: &FsDetail) -> Option<String> {
    let FsDetail::Network {
        server,
        export,
        version,
        protocol,
        read_size,
        write_size,
        hard,
        address,
        card,
        served_here: _,
        by_host,
    } = detail
    else {
        return None;
    };
    let server = match by_host {
        true => &say!("stack-host"),
        false => server,
    };
    let told = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    facts(&[
        ("server", told(server)),
        ("address", show(address)),
        ("export", told(export)),
        ("version", show(version)),
        ("over", show(protocol)),
        ("reads of", show(read_size)),
        ("writes of", show(write_size)),
        (
            "",
            hard.map(|hard| if hard { "hard" } else { "soft" }.to_owned()),
        ),
        ("through", card.as_ref().map(network_card)),
    ])
}

fn network_card(card: &NetworkCard) -> String {
    match card.speed_mbps {
        Some(speed) => say!(
            "stack-link-speed",
            card = card.name,
            speed = speed.to_string()
        ),
        None => card.name.clone(),
    }
}

fn room(space: &Space) -> String {
    let inodes = match (space.inodes_total, space.inodes_free) {
        (0, _) => None,
        (total, free) => Some(say!("stack-inodes", free = free, all = total)),
    };
    let parts = [
        Some(say!(
            "stack-room",
            free = space.available,
            all = space.total
        )),
        space.used().map(|used| say!("stack-full", share = used)),
        inodes,
        space.read_only.then(|| say!("stack-read-only")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn direct_io(direct: &DirectIo) -> String {
    match direct {
        DirectIo::Supported {
            memory_align,
            offset_align,
        } => say!(
            "stack-odirect",
            memory = memory_align,
            offset = offset_align
        ),
        DirectIo::Refused => say!("stack-odirect-refused"),
        DirectIo::ServedFromMemory => say!("stack-odirect-memory"),
        DirectIo::Unknown { why } => format!("O_DIRECT: {why}"),
    }
}

/// The day in UTC as `2026-03-01`, by Howard Hinnant's days-to-civil method.
fn date(unix_seconds: u64) -> String {
    let days = unix_seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::{date, ext};
    use etalon_model::stack::ExtParameters;

    #[test]
    fn an_ext_without_a_journal_says_so() {
        let lines = |journal| {
            let mut lines = Vec::new();
            let parameters = ExtParameters {
                journal,
                ..ExtParameters::default()
            };
            ext(&parameters, &mut lines);
            lines.concat()
        };
        assert!(lines(Some(false)).contains("no journal"));
        assert!(!lines(Some(true)).contains("no journal"));
        assert!(!lines(None).contains("no journal"));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_600_000_000, "2020-09-13"),
            (1_772_323_200, "2026-03-01"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(date(seconds), day);
        }
    }
}
