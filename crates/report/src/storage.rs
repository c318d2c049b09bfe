//! The storage stack as captions have it.

use etalon_model::TargetRecord;

/// Without the mount's options and the settings of queues.
pub(crate) fn storage(target: &TargetRecord) -> String {
    let kept = target.storage.clone();
    kept.unwrap_or_else(|| shortened(&target.beneath))
}

/// Out of the line of an older store, which has nothing else.
fn shortened(beneath: &str) -> String {
    let short = match (beneath.find(" ("), beneath.find(')')) {
        (Some(open), Some(close)) if open < close => {
            format!("{}{}", &beneath[..open], &beneath[close + 1..])
        }
        _ => beneath.to_owned(),
    };
    let is_setting = |part: &&str| {
        part.starts_with("scheduler ") || ["rotational", "non-rotational"].contains(part)
    };
    let parts: Vec<&str> = short.split(", ").filter(|part| !is_setting(part)).collect();
    let short = parts.join(", ");
    match short.split_once(' ') {
        Some((first, rest)) if first.starts_with('/') => rest.to_owned(),
        _ => short,
    }
}
