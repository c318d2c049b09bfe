//! Values of a plan's text, with their places.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{PlanError, TextPlace};

/// Reads values and says where one is wrong.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
}

type Item<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    pub(super) fn place<T>(self, item: &Spanned<T>) -> TextPlace {
        TextPlace::of(self.text, item.span().start)
    }

    /// `accepted` and what stands there instead.
    pub(super) fn wrong(self, key: &str, item: &Item<'_>, accepted: &str) -> PlanError {
        let found = self.text.get(item.span()).unwrap_or_default();
        let found = found.lines().next().unwrap_or_default();
        self.place(item)
            .wrong(key, format!("{found} is not {accepted}"))
    }

    pub(super) fn string(
        self,
        key: &str,
        item: &Item<'_>,
        accepted: &str,
    ) -> Result<String, PlanError> {
        let text = item.get_ref().as_str().map(str::trim);
        let text = text.filter(|text| !text.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| self.wrong(key, item, accepted))
    }

    pub(super) fn strings(
        self,
        key: &str,
        item: &Item<'_>,
        accepted: &str,
    ) -> Result<Vec<String>, PlanError> {
        let list = item.get_ref().as_array();
        let list = list.ok_or_else(|| self.wrong(key, item, accepted))?;
        list.iter()
            .map(|item| self.string(key, item, accepted))
            .collect()
    }

    pub(super) fn whole(
        self,
        key: &str,
        item: &Item<'_>,
        accepted: &str,
    ) -> Result<u64, PlanError> {
        let number = item.get_ref().as_integer();
        let number =
            number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        number.ok_or_else(|| self.wrong(key, item, accepted))
    }

    pub(super) fn tables<'a, 'b>(
        self,
        key: &str,
        item: &'a Item<'b>,
    ) -> Result<Vec<(TextPlace, &'a DeTable<'b>)>, PlanError> {
        let accepted = format!("a table; write [[{key}]] on a line of its own above its keys");
        let list = item.get_ref().as_array();
        let list = list.ok_or_else(|| self.wrong(key, item, &accepted))?;
        list.iter()
            .map(|item| {
                let table = item.get_ref().as_table();
                let table = table.ok_or_else(|| self.wrong(key, item, &accepted))?;
                Ok((self.place(item), table))
            })
            .collect()
    }

    /// The value as JSON.
    pub(super) fn json(self, key: &str, item: &Item<'_>) -> Result<Value, PlanError> {
        let accepted = "a text, a number, a truth value, a list or a table";
        Ok(match item.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(truth) => Value::Bool(*truth),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map(Value::from)
                .map_err(|_| self.wrong(key, item, "a number in range"))?,
            DeValue::Float(number) => number
                .as_str()
                .parse()
                .ok()
                .and_then(Number::from_f64)
                .map(Value::Number)
                .ok_or_else(|| self.wrong(key, item, "a finite number"))?,
            DeValue::Array(list) => Value::Array(
                list.iter()
                    .map(|item| self.json(key, item))
                    .collect::<Result<_, _>>()?,
            ),
            DeValue::Table(table) => {
                let mut map = Map::new();
                for (name, item) in table {
                    map.insert(name.get_ref().to_string(), self.json(key, item)?);
                }
                Value::Object(map)
            }
            DeValue::Datetime(_) => return Err(self.wrong(key, item, accepted)),
        })
    }
}
