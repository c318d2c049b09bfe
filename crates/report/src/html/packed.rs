//! Style and script of a report, as `build.rs` packs them.

use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;

pub(super) static STYLE: LazyLock<String> =
    LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/report.css.zlib"))));
pub(super) static SCRIPT: LazyLock<String> =
    LazyLock::new(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/report.js.zlib"))));

fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    // What was packed here is whole; a test reads all of it.
    let _ = ZlibDecoder::new(packed).read_to_string(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_come_out_whole() {
        assert_eq!(*STYLE, include_str!("report.css"));
        assert_eq!(*SCRIPT, include_str!("report.js"));
    }
}
