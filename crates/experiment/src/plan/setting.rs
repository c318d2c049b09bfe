//! Parameters of real work as factors: what a database or a web server is set to.

use std::sync::LazyLock;

use etalon_factor::condition::{
    Applied, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
};
use etalon_work::{Parameter, RealWork};
use serde_json::Value;

use crate::works;

/// What MariaDB's manual puts before the names that its works have without it.
const INNODB: &str = "innodb_";

/// Every parameter of every real work.
static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let all = works().flat_map(|work| {
        let parameters = work.parameters().iter();
        parameters.map(move |parameter| Setting {
            work: work.name(),
            parameter: *parameter,
        })
    });
    all.collect()
});

/// A parameter of a real work, which a plan varies.
pub(super) struct Setting {
    work: &'static str,
    parameter: Parameter,
}

/// One of its values. Whoever does the work sets it and reads it back.
#[derive(Debug, Clone)]
struct SettingLevel {
    name: &'static str,
    value: String,
}

/// The parameter of a work, by its own name or by that of MariaDB's manual.
pub(super) fn parameter_of(work: &dyn RealWork, name: &str) -> Option<&'static Parameter> {
    let named = |name: &str| work.parameters().iter().find(|known| known.name == name);
    named(name).or_else(|| named(name.strip_prefix(INNODB)?))
}

/// The same as something that can be varied.
pub(super) fn setting_of(work: &dyn RealWork, name: &str) -> Option<&'static Setting> {
    let parameter = parameter_of(work, name)?;
    let mut all = SETTINGS.iter();
    all.find(|known| known.work == work.name() && known.parameter.name == parameter.name)
}

impl Factor for Setting {
    fn name(&self) -> &'static str {
        self.parameter.name
    }

    fn summary(&self) -> &'static str {
        self.parameter.help
    }

    fn accepted(&self) -> &'static str {
        "a value as `etalon work` takes it by --set (`etalon work list`)"
    }

    fn depth(&self) -> Depth {
        Depth::Run
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let value = table.text()?;
        if !self.parameter.kind.accepts(&value) {
            let wanted = self.parameter.kind.wanted();
            return Err(table.wrong(Some(format!("{} takes {wanted}", self.work))));
        }
        Ok(Box::new(SettingLevel {
            name: self.parameter.name,
            value,
        }))
    }
}

impl Level for SettingLevel {
    fn name(&self) -> String {
        self.value.clone()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, _ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        Ok(Box::new(self.clone()))
    }
}

impl Applied for SettingLevel {
    fn setting(&self) -> Option<(&'static str, &str)> {
        Some((self.name, &self.value))
    }

    /// The server was asked when it was started, and is gone with its run.
    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}
