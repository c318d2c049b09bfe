//! The server's side of what a machine serves to itself.

use etalon_language::say;
use etalon_model::stack::ServedHere;

/// Who serves it from what, and how.
pub(super) fn line(served: &ServedHere) -> String {
    let Some(server) = &served.server else {
        return say!("stack-served-maybe");
    };
    let source = served.source.as_deref().unwrap_or("a place not known");
    let options = match served.options.as_slice() {
        [] => String::new(),
        options => format!(" ({})", options.join(",")),
    };
    let buffered = match served.buffered {
        Some(true) => ", through its page cache",
        Some(false) => ", past its page cache",
        None => "",
    };
    let syncs = match served.syncs {
        Some(false) => ", and answers before its disk has anything",
        _ => "",
    };
    format!("the server is this very machine: {server} from {source}{options}{buffered}{syncs}")
}
