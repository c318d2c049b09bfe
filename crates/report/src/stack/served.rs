//! The server's side of what a machine serves to itself.

use etalon_language::say;
use etalon_model::stack::ServedHere;

/// Who serves it from what, and how.
pub(super) fn line(served: &ServedHere) -> String {
    let Some(server) = &served.server else {
        return say!("stack-served-maybe");
    };
    let source = served.source.clone();
    let source = source.unwrap_or_else(|| say!("stack-served-somewhere"));
    let source = match served.options.as_slice() {
        [] => source,
        options => format!("{source} ({})", options.join(",")),
    };
    let said = say!("stack-served", server = server, source = source);
    let said = match served.buffered {
        Some(true) => say!("stack-served-buffered", said = said),
        Some(false) => say!("stack-served-direct", said = said),
        None => said,
    };
    match served.syncs {
        Some(false) => say!("stack-served-unsynced", said = said),
        _ => said,
    }
}
