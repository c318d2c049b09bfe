//! Disks that this kernel gives to virtual machines of Xen, from sysfs (drivers/block/xen-blkback/xenbus.c).

use std::path::Path;

use etalon_model::stack::DevNo;

use super::exports::{Export, Source, below, name_of};
use crate::context::Context;

/// What is served, a device each.
pub(super) fn exports(context: &Context<'_>) -> Vec<Export> {
    let all = below(
        context,
        &context.roots.sysfs.join("bus/xen-backend/devices"),
    );
    all.iter()
        .filter_map(|place| export(context, place))
        .collect()
}

/// None of what is no disk, and of one whose device is not open yet: the attribute is there as soon as it is.
fn export(context: &Context<'_>, place: &Path) -> Option<Export> {
    let attribute = place.join("physical_device");
    attribute.exists().then(|| Export {
        server: "Xen's blkback",
        unit: name_of(place),
        source: device(context, &attribute).map(Source::Device),
    })
}

fn device(context: &Context<'_>, attribute: &Path) -> Result<DevNo, String> {
    let text = context.attr(attribute).unwrap_or_default();
    let number = number(&text);
    number.ok_or_else(|| {
        format!(
            "'{text}' in {} is no number of a device",
            attribute.display()
        )
    })
}

/// `fe:0`: major and minor number, hexadecimal.
fn number(text: &str) -> Option<DevNo> {
    let (major, minor) = text.split_once(':')?;
    let of = |digits| u32::from_str_radix(digits, 16).ok();
    Some(DevNo {
        major: of(major)?,
        minor: of(minor)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hexadecimal() {
        let vda16 = DevNo {
            major: 254,
            minor: 16,
        };
        assert_eq!(number("fe:10"), Some(vda16));
        for text in ["", "fe", "fe:", "254:1g"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
