//! Real work in a plan's text: the workloads that are such, and what of them can be varied.

use etalon_factor::condition::{Factor, factor};
use etalon_model::PlanWorkload;
use etalon_work::{Kind, Parameter, RealWork};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{PlanError, TextPlace};
use super::placed::{PlacedOption, TextWorkload};
use super::setting::{parameter_of, setting_of};
use super::task::PlannedWork;
use super::value::Reader;
use crate::works;

/// Factors that change what reads and writes do, which real work does in its own way.
const OF_READS_AND_WRITES: [&str; 2] = ["cache", "region"];

/// The real works of a plan, looked for before all else is read: its factors can be parameters of theirs.
#[derive(Default)]
pub(super) struct Works {
    works: Vec<&'static dyn RealWork>,
    /// Whether there are reads and writes beside.
    is_mixed: bool,
}

impl Works {
    /// What is wrong with a workload is told when it is read.
    pub(super) fn of(reader: Reader<'_>, document: &DeTable<'_>) -> Works {
        let mut found = Works::default();
        let workloads = document.get("workload");
        let tables = workloads.and_then(|item| reader.tables("workload", item).ok());
        for (_, table) in tables.unwrap_or_default() {
            let name = table.get("work").and_then(|item| item.get_ref().as_str());
            match name.and_then(work_called) {
                Some(work) => found.works.push(work),
                None => found.is_mixed = true,
            }
        }
        found
    }

    /// The parameter of that name as a factor, where all workloads have it.
    pub(super) fn setting(&self, name: &str) -> Result<Option<&'static dyn Factor>, String> {
        let has = |work: &&&dyn RealWork| parameter_of(**work, name).is_some();
        let with: Vec<_> = self.works.iter().filter(has).collect();
        if let Some(first) = with.first().filter(|_| self.all(with.len())) {
            return Ok(setting_of(**first, name).map(|setting| setting as &dyn Factor));
        }
        if let (Some(first), None) = (with.first(), factor(name)) {
            return Err(format!(
                "'{name}' is a parameter of {}, and not of every workload here; give the others a plan of their own",
                first.name()
            ));
        }
        if !self.works.is_empty() && OF_READS_AND_WRITES.contains(&name) {
            return Err(format!(
                "'{name}' is one of reads and writes; {} is real work and has no such parameter",
                self.works[0].name()
            ));
        }
        Ok(None)
    }

    fn all(&self, with: usize) -> bool {
        !self.is_mixed && with == self.works.len()
    }

    /// Whether every work takes that value.
    pub(super) fn all_take(&self, name: &str, value: &str) -> Result<(), String> {
        for work in &self.works {
            let kind = parameter_of(*work, name).map(|parameter| parameter.kind);
            if let Some(kind) = kind.filter(|kind| !kind.accepts(value)) {
                let wanted = kind.wanted();
                return Err(format!(
                    "'{value}' is not {wanted}, as {} needs",
                    work.name()
                ));
            }
        }
        Ok(())
    }

    /// What else a factor can be called, as the end of a sentence.
    pub(super) fn parameters(&self) -> String {
        let Some(work) = self.works.first() else {
            return String::new();
        };
        format!("; of {}: {}", work.name(), names(work.parameters()))
    }
}

fn names(parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

fn work_called(name: &str) -> Option<&'static dyn RealWork> {
    works().find(|work| work.name() == name.trim())
}

/// A workload that is a real work, and its record.
pub(super) fn work_of(
    reader: Reader<'_>,
    place: TextPlace,
    table: &DeTable<'_>,
) -> Result<(TextWorkload, PlanWorkload), PlanError> {
    let work = named(reader, table)?;
    let mut planned = PlannedWork {
        work,
        given: Vec::new(),
        steps: Vec::new(),
    };
    let (mut name, mut options) = (None, Vec::new());
    let mut record = PlanWorkload::default();
    for (key, item) in table {
        let text = key.get_ref().as_ref();
        match text {
            "name" => name = Some(reader.string("workload.name", item, "a name in quotes")?),
            "steps" => planned.steps = steps(reader, item)?,
            "work" => {}
            _ => {
                let parameter =
                    parameter_of(work, text).ok_or_else(|| unknown(reader, key, work))?;
                let values = values(reader, parameter, item)?;
                options.push(PlacedOption {
                    place: reader.place(key),
                    name: parameter.name.to_owned(),
                    value: values.first().cloned(),
                });
                let of = |value| (parameter.name.to_owned(), value);
                planned.given.extend(values.into_iter().map(of));
            }
        }
        if text != "name" {
            let value = reader.json(text, item)?;
            record.options.insert(text.to_owned(), value);
        }
    }
    record.name.clone_from(&name);
    let workload = TextWorkload {
        place,
        name: Some(name.unwrap_or_else(|| work.name().to_owned())),
        options,
        work: Some(planned),
    };
    Ok((workload, record))
}

fn named(reader: Reader<'_>, table: &DeTable<'_>) -> Result<&'static dyn RealWork, PlanError> {
    let all: Vec<&str> = works().map(|work| work.name()).collect();
    let form = format!("a real work; there are {}", all.join(", "));
    let Some(item) = table.get("work") else {
        return Err(TextPlace::default().wrong("workload.work", form));
    };
    let text = reader.string("workload.work", item, &form)?;
    work_called(&text).ok_or_else(|| reader.wrong("workload.work", item, &form))
}

fn steps(reader: Reader<'_>, item: &Spanned<DeValue<'_>>) -> Result<Vec<String>, PlanError> {
    let form = "a list of the work's steps in quotes: [\"transactions\"]";
    let steps = reader.strings("workload.steps", item, form)?;
    match steps.is_empty() {
        true => Err(reader.wrong("workload.steps", item, form)),
        false => Ok(steps),
    }
}

fn unknown(
    reader: Reader<'_>,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    work: &dyn RealWork,
) -> PlanError {
    let key_text = format!("workload.{}", key.get_ref());
    let names = names(work.parameters());
    let message = format!(
        "there is no such key; {} has name, work, steps and its parameters {names}",
        work.name()
    );
    reader.place(key).wrong(&key_text, message)
}

/// The value of a parameter, or all of one that may be repeated.
fn values(
    reader: Reader<'_>,
    parameter: &Parameter,
    item: &Spanned<DeValue<'_>>,
) -> Result<Vec<String>, PlanError> {
    let key = format!("workload.{}", parameter.name);
    let wanted = parameter.kind.wanted();
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let values: Option<Vec<String>> = match reader.json(&key, item)? {
        Value::Array(list) if parameter.kind == Kind::Texts => list.iter().map(one).collect(),
        Value::Array(_) => {
            let form = format!("{wanted}; several are levels of a [[factor]] of that name");
            return Err(reader.wrong(&key, item, &form));
        }
        value => one(&value).map(|text| vec![text]),
    };
    let accepted = |values: &Vec<String>| values.iter().all(|value| parameter.kind.accepts(value));
    values
        .filter(accepted)
        .ok_or_else(|| reader.wrong(&key, item, &wanted))
}
