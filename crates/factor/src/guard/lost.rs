//! What is lost when a block device is written: told before it is.

use std::fs;
use std::path::Path;

use etalon_stack::{Roots, device_use};
use etalon_units::Bytes;

/// What the device is and what lies on it, a line each; the first names it with its size, model and serial number. What
/// cannot be found out is left out here, and refused by the guard.
pub fn lost_on(device: &Path) -> Vec<String> {
    let named = format!("everything on {}", device.display());
    let Ok(found) = device_use(device, &Roots::default()) else {
        return vec![named];
    };
    let directory = Path::new("/sys/class/block").join(&found.name);
    let size = crate::made::size_of(device).map(|size| size.to_string());
    let words = ["vendor", "model"].map(|file| text(&directory.join("device").join(file)));
    let model: Vec<String> = words.into_iter().flatten().collect();
    let model = (!model.is_empty()).then(|| model.join(" "));
    let serial = found
        .serial
        .as_ref()
        .map(|serial| format!("serial {serial}"));
    let parts: Vec<String> = [size, model, serial].into_iter().flatten().collect();
    let first = match parts.is_empty() {
        true => named,
        false => format!("{named}: {}", parts.join(", ")),
    };
    let content = found.users.iter().filter(|user| user.is_content());
    std::iter::once(first)
        .chain(content.map(ToString::to_string))
        .collect()
}

/// The size of a block device, by the kernel's account; none of what is no block device.
pub fn device_size(device: &Path) -> Option<Bytes> {
    crate::made::size_of(device)
}

fn text(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
