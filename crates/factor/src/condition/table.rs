//! A level as it is written: a plain value, or a table of a value with options.

use serde_json::{Map, Value};

use super::{Factor, LevelError};

/// Reads the parts of a level and complains in one way.
#[derive(Debug)]
pub struct LevelTable<'a> {
    factor: &'static str,
    accepted: &'static str,
    whole: &'a Value,
    /// The options of a table; empty for a plain value.
    options: Map<String, Value>,
}

impl<'a> LevelTable<'a> {
    /// For `level`, a plain value or a table with the key `value`.
    pub fn new(factor: &dyn Factor, level: &'a Value) -> LevelTable<'a> {
        let mut options = level.as_object().cloned().unwrap_or_default();
        options.remove("value");
        LevelTable {
            factor: factor.name(),
            accepted: factor.accepted(),
            whole: level,
            options,
        }
    }

    /// The value as text.
    ///
    /// # Errors
    /// When there is none.
    pub fn text(&self) -> Result<String, LevelError> {
        let value = self.whole.get("value").unwrap_or(self.whole);
        plain(value).ok_or_else(|| self.wrong(None))
    }

    /// The value as a whole number within a range.
    ///
    /// # Errors
    /// When it is none, or lies outside.
    pub fn integer(&self, range: std::ops::RangeInclusive<i64>) -> Result<i64, LevelError> {
        let number: i64 = self.text()?.parse().map_err(|_| self.wrong(None))?;
        match range.contains(&number) {
            true => Ok(number),
            false => Err(self.wrong(Some(format!("{} to {}", range.start(), range.end())))),
        }
    }

    /// Takes an option out, as text.
    ///
    /// # Errors
    /// When it is no plain value.
    pub fn take(&mut self, option: &str) -> Result<Option<String>, LevelError> {
        let Some(value) = self.options.remove(option) else {
            return Ok(None);
        };
        let text = plain(&value);
        text.map(Some).ok_or_else(|| {
            self.wrong(Some(format!(
                "'{option}' is no text, number or truth value"
            )))
        })
    }

    /// Every option that is left, as text, in the order of their names.
    ///
    /// # Errors
    /// When one is no plain value.
    pub fn take_all(&mut self) -> Result<Vec<(String, String)>, LevelError> {
        let names: Vec<String> = self.options.keys().cloned().collect();
        let mut all = Vec::new();
        for name in names {
            if let Some(value) = self.take(&name)? {
                all.push((name, value));
            }
        }
        Ok(all)
    }

    /// That no option is left which nobody knows.
    ///
    /// # Errors
    /// With its name.
    pub fn end(&self) -> Result<(), LevelError> {
        match self.options.keys().next() {
            Some(key) => Err(self.wrong(Some(format!("unknown option '{key}'")))),
            None => Ok(()),
        }
    }

    /// The complaint.
    pub fn wrong(&self, why: Option<String>) -> LevelError {
        LevelError {
            factor: self.factor,
            given: plain(self.whole)
                .map_or_else(|| self.whole.to_string(), |text| format!("'{text}'")),
            why,
            accepted: self.accepted.to_owned(),
        }
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}
