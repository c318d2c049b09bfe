//! What to do where a device may not be opened.

use std::path::Path;

use etalon_units::visible_name;

/// Who may open the device, and what else there is.
pub fn way_out_of_denied(device: &Path) -> String {
    let name = visible_name(device);
    format!(
        "a device is opened by root or by members of its group (ls -l {name}): try sudo, or measure a directory on its filesystem"
    )
}
