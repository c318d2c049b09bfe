//! A device's request queue.

use std::path::Path;

use etalon_model::stack::Queue;

use crate::context::Context;

/// The settings under `directory/queue` (the kernel's ABI/stable/sysfs-block).
pub(crate) fn read(context: &Context<'_>, directory: &Path) -> Queue {
    let queue = directory.join("queue");
    let (scheduler, schedulers) = schedulers(context.attr(queue.join("scheduler")).as_deref());
    let hardware_queues = context.names(directory.join("mq")).len() as u64;
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
        zoned: context.attr(queue.join("zoned")),
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
    fn the_scheduler_in_brackets_is_in_use() {
        let (chosen, all) = schedulers(Some("none [mq-deadline] kyber"));
        assert_eq!(chosen.as_deref(), Some("mq-deadline"));
        assert_eq!(all, ["none", "mq-deadline", "kyber"]);
        assert_eq!(schedulers(Some("none")).0.as_deref(), Some("none"));
        assert_eq!(schedulers(Some("a b")).0, None);
        assert_eq!(schedulers(None), (None, Vec::new()));
    }
}
