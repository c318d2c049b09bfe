//! Names of held directories as people know them.
//!
//! The work is done by names such as `/proc/PID/fd/N/file`, which lead to the directory that was made
//! whatever is put in its place. In what is shown the path stands for them, while the directory is
//! still held open.

use std::fs;

/// `text` with the path in place of each name by descriptor.
pub fn shown(text: &str) -> String {
    let prefix = format!("/proc/{}/fd/", std::process::id());
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&prefix) {
        let after = &rest[at + prefix.len()..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let name = &rest[at..at + prefix.len() + digits];
        shown.push_str(&rest[..at]);
        match fs::read_link(name) {
            Ok(path) => shown.push_str(&path.display().to_string()),
            Err(_) => shown.push_str(name),
        }
        rest = &after[digits..];
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn the_path_stands_for_the_descriptor() {
        let place = tempfile::TempDir::new().unwrap();
        let real = fs::canonicalize(place.path()).unwrap();
        let held = File::open(&real).unwrap();
        let name = format!("/proc/{}/fd/{}", std::process::id(), held.as_raw_fd());
        let real = real.display();
        assert_eq!(
            shown(&format!("'{name}/f0' and '{name}' end")),
            format!("'{real}/f0' and '{real}' end")
        );
        assert_eq!(shown("/proc/1/fd/0"), "/proc/1/fd/0");
        drop(held);
        let other = "/proc/self/fd/0 stays";
        assert_eq!(shown(other), other);
    }
}
