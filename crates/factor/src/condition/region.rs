//! Which part of a device is worked on.

use etalon_model::{IoWorkload, LevelFact};
use etalon_units::Bytes;
use serde_json::Value;

use super::{
    Applied, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable, Need,
};
use crate::made::size_of;

/// Parts begin and end here, so that every block size fits.
const UNIT: Bytes = Bytes::mib(1);

/// The factor.
pub(super) struct Region;

/// From one share of the device to another, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RegionLevel {
    from: f64,
    to: f64,
}

impl Factor for Region {
    fn name(&self) -> &'static str {
        "region"
    }

    fn summary(&self) -> &'static str {
        "the part of the device that runs work on"
    }

    fn accepted(&self) -> &'static str {
        "\"first 10%\", \"middle 10%\", \"last 10%\", or from where to where: \"40%-60%\""
    }

    fn depth(&self) -> Depth {
        Depth::Run
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        let text = table.text()?;
        table.end()?;
        let found = range_of(text.trim())
            .filter(|level| level.from >= 0.0 && level.to <= 100.0 && level.to - level.from >= 0.1);
        match found {
            Some(level) => Ok(Box::new(level)),
            None => Err(table.wrong(None)),
        }
    }
}

fn range_of(text: &str) -> Option<RegionLevel> {
    let percent = |text: &str| text.trim().strip_suffix('%')?.trim().parse::<f64>().ok();
    let level = |from, to| Some(RegionLevel { from, to });
    if let Some((from, to)) = text.split_once('-') {
        return level(percent(from)?, percent(to)?);
    }
    let (place, share) = text.split_once(' ')?;
    let share = percent(share)?;
    match place {
        "first" => level(0.0, share),
        "middle" => level(50.0 - share / 2.0, 50.0 + share / 2.0),
        "last" => level(100.0 - share, 100.0),
        _ => None,
    }
}

impl RegionLevel {
    /// The part of so many bytes: where it begins, and its length.
    fn of(&self, size: Bytes) -> (Bytes, Bytes) {
        let at = |percent: f64| {
            let bytes = Bytes((size.get() as f64 * percent / 100.0) as u64);
            bytes.round_down(UNIT)
        };
        let (from, to) = (at(self.from), at(self.to));
        (from, Bytes(to.get().saturating_sub(from.get())))
    }
}

impl Level for RegionLevel {
    fn name(&self) -> String {
        format!("{}%-{}%", self.from, self.to)
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let none = size_of(&ground.target).is_none();
        none.then(|| Need::Decision(no_device(ground)))
            .into_iter()
            .collect()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let size =
            size_of(&ground.target).ok_or_else(|| FactorError::DoesNotFit(no_device(ground)))?;
        let (offset, range) = self.of(size);
        if range < UNIT {
            return Err(FactorError::DoesNotFit(format!(
                "{} of {size} is less than {UNIT}: name a larger part",
                self.name()
            )));
        }
        Ok(Box::new(RegionPart { offset, range }))
    }
}

fn no_device(ground: &Ground) -> String {
    let target = ground.target.display();
    format!("a region is part of a block device, and '{target}' is none: name one")
}

#[derive(Debug)]
struct RegionPart {
    offset: Bytes,
    range: Bytes,
}

impl Applied for RegionPart {
    fn adjust(&self, workload: &mut IoWorkload) {
        workload.offset = self.offset;
        workload.range = self.range;
    }

    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn facts(&self) -> Vec<LevelFact> {
        let region = format!("{} from {}", self.range, self.offset);
        vec![LevelFact::words("region", region)]
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_where_they_are_said_to() {
        let size = Bytes::mib(1000);
        for (text, from, length) in [
            ("first 10%", 0, 100),
            ("middle 10%", 450, 100),
            ("last 10%", 900, 100),
            ("40%-60%", 400, 200),
        ] {
            let part = range_of(text).unwrap().of(size);
            assert_eq!(part, (Bytes::mib(from), Bytes::mib(length)), "{text}");
        }
        for text in [
            "first",
            "outer 10%",
            "60%-40%",
            "first 0%",
            "last 101%",
            "10",
        ] {
            let level = serde_json::json!(text);
            assert!(Region.parse(&level).is_err(), "{text}");
        }
    }
}
