//! A device's request queue.

use std::path::Path;

use etalon_model::stack::Queue;
use etalon_units::Bytes;

use crate::context::Context;

/// The settings under `directory/queue` (the kernel's ABI/stable/sysfs-block).
pub(crate) fn read(context: &Context<'_>, directory: &Path) -> Queue {
    let queue = directory.join("queue");
    let (scheduler, schedulers) = schedulers(context.attr(queue.join("scheduler")).as_deref());
    let hardware_queues = context.names(directory.join("mq")).len() as u64;
    let zoned = context.attr(queue.join("zoned"));
    // Of what has no zones it is the chunk of an array.
    let is_zoned = zoned.as_ref().is_some_and(|model| model != "none");
    let sectors = || context.value::<u64>(queue.join("chunk_sectors"));
    Queue {
        scheduler,
        schedulers,
        logical_block: context.bytes(queue.join("logical_block_size")),
        physical_block: context.bytes(queue.join("physical_block_size")),
        minimum_io: context.bytes(queue.join("minimum_io_size")),
        optimal_io: context.bytes(queue.join("optimal_io_size")),
        rotational: context.flag(queue.join("rotational")),
        write_cache: context.attr(queue.join("write_cache")),
        volatile_cache: None,
        fua: context.flag(queue.join("fua")),
        discard_granularity: context.bytes(queue.join("discard_granularity")),
        discard_max: context.bytes(queue.join("discard_max_bytes")),
        nr_requests: context.value(queue.join("nr_requests")),
        read_ahead: context.kib(queue.join("read_ahead_kb")),
        max_request: context.kib(queue.join("max_sectors_kb")),
        nomerges: context.value(queue.join("nomerges")),
        rq_affinity: context.value(queue.join("rq_affinity")),
        wbt_lat_usec: context.value(queue.join("wbt_lat_usec")),
        iostats: context.flag(queue.join("iostats")),
        zone_size: is_zoned
            .then(sectors)
            .flatten()
            .map(|sectors| Bytes(sectors.saturating_mul(512))),
        zoned,
        hardware_queues: (hardware_queues > 0).then_some(hardware_queues),
    }
}

/// `none [mq-deadline] kyber` means mq-deadline of three; a lone `none` stands without brackets.
fn schedulers(text: Option<&str>) -> (Option<String>, Vec<String>) {
    let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    let chosen = words
        .iter()
        .find_map(|w| w.strip_prefix('[')?.strip_suffix(']'));
    let chosen = chosen.or(match words.as_slice() {
        [only] => Some(only),
        _ => None,
    });
    let all = words.iter().map(|w| w.trim_matches(['[', ']']).to_owned());
    (chosen.map(str::to_owned), all.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoned_device_tells_its_model_and_the_size_of_its_zones() {
        let place = tempfile::tempdir().unwrap();
        let queue = place.path().join("queue");
        std::fs::create_dir(&queue).unwrap();
        std::fs::write(queue.join("chunk_sectors"), "524288\n").unwrap();
        let roots = crate::Roots::default();
        for (model, zone) in [("host-managed", Some(Bytes::mib(256))), ("none", None)] {
            std::fs::write(queue.join("zoned"), format!("{model}\n")).unwrap();
            let read = read(&Context::new(&roots), place.path());
            assert_eq!((read.zoned.as_deref(), read.zone_size), (Some(model), zone));
        }
    }

    #[test]
    fn the_scheduler_in_brackets_is_in_use() {
        let (chosen, all) = schedulers(Some("none [mq-deadline] kyber"));
        assert_eq!(chosen.as_deref(), Some("mq-deadline"));
        assert_eq!(all, ["none", "mq-deadline", "kyber"]);
        assert_eq!(schedulers(Some("none")).0.as_deref(), Some("none"));
        assert_eq!(schedulers(Some("a b")).0, None);
        assert_eq!(schedulers(None), (None, Vec::new()));
    }
}
