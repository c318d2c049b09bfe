//! A plan's text, read and checked; what is wrong is told with its line and column.

use std::collections::BTreeMap;
use std::time::Duration;

use etalon_factor::condition::{FACTORS, factor};
use etalon_model::{Plan, PlanFactor, PlanPrecondition, PlanWorkload};
use etalon_units::{Nanos, Percent};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{PlanError, TextPlace};
use super::placed::{PlacedOption, TextWorkload};
use super::real_work::{Works, work_of};
use super::request::{ChosenFactor, MOST_FILLS, MOST_ROUNDS};
use super::value::Reader;

/// The keys of a plan.
const KEYS: &str = "question, why, expect, targets, workload, factor, combination, primary, precision, budget, blocks, order, seed, precondition, setup, cleanup";

/// Most blocks that a plan or its command line may ask for: more tell nothing that fewer do not.
pub const MOST_BLOCKS: u32 = 1000;

/// A plan that was read, with what its levels are and where its workloads stand.
#[derive(Debug)]
pub struct PlanText {
    /// The record.
    pub plan: Plan,
    /// The workloads with the places of their options, which whoever knows the options checks.
    pub workloads: Vec<TextWorkload>,
    /// The factors with their levels.
    pub factors: Vec<ChosenFactor>,
    /// The combinations as the numbers of levels, one of each factor; none for all.
    pub combinations: Option<Vec<Vec<usize>>>,
    /// How narrow the intervals shall be.
    pub precision: Option<Percent>,
    /// The most time that it may take.
    pub budget: Option<Duration>,
}

impl PlanText {
    /// Reads a plan.
    ///
    /// # Errors
    /// [`PlanError`] with the first thing that is wrong.
    pub fn parse(text: &str) -> Result<PlanText, PlanError> {
        let document = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            TextPlace::of(text, at).wrong("", format!("this is no TOML: {}", error.message()))
        })?;
        let mut parsing = Parsing::new(text);
        parsing.works = Works::of(parsing.reader, document.get_ref());
        for (name, item) in document.get_ref() {
            parsing.key(name, item)?;
        }
        parsing.end()
    }
}

/// A level of each factor by the factor's name, and where it stands.
type Combination = BTreeMap<String, (TextPlace, Value)>;

struct Parsing<'a> {
    reader: Reader<'a>,
    works: Works,
    found: PlanText,
    primary: Option<TextPlace>,
    combinations: Vec<(TextPlace, Combination)>,
}

impl<'a> Parsing<'a> {
    fn new(text: &'a str) -> Parsing<'a> {
        Parsing {
            reader: Reader { text },
            works: Works::default(),
            found: PlanText {
                plan: Plan::default(),
                workloads: Vec::new(),
                factors: Vec::new(),
                combinations: None,
                precision: None,
                budget: None,
            },
            primary: None,
            combinations: Vec::new(),
        }
    }

    fn key(
        &mut self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        item: &Spanned<DeValue<'_>>,
    ) -> Result<(), PlanError> {
        let (reader, key) = (self.reader, name.get_ref().as_ref());
        let plan = &mut self.found.plan;
        let sentence = |what: &str| reader.string(key, item, what);
        match key {
            "question" => plan.question = sentence("a question in quotes")?,
            "why" => plan.why = Some(sentence("a text in quotes")?),
            "expect" => plan.expect = Some(sentence("a text in quotes")?),
            "targets" => {
                let form = "a list of directories, files or devices: [\"/srv\"]";
                plan.targets = reader.strings(key, item, form)?;
            }
            "precondition" => self.precondition(item)?,
            "setup" => plan.setup = reader.strings(key, item, COMMANDS)?,
            "cleanup" => plan.cleanup = reader.strings(key, item, COMMANDS)?,
            "primary" => {
                plan.primary = Some(sentence("the name of a workload in quotes")?);
                self.primary = Some(reader.place(item));
            }
            "precision" => self.precision(item)?,
            "budget" => self.budget(item)?,
            "blocks" => {
                let form =
                    format!("a whole number of blocks from 1 to {MOST_BLOCKS}, for example 8");
                let blocks = reader.whole(key, item, &form)?;
                let blocks = u32::try_from(blocks)
                    .ok()
                    .filter(|n| (1..=MOST_BLOCKS).contains(n));
                plan.blocks = Some(blocks.ok_or_else(|| reader.wrong(key, item, &form))?);
            }
            "order" => {
                let form = "\"random\" or \"listed\"";
                let order = sentence(form)?;
                if !["random", "listed"].contains(&order.as_str()) {
                    return Err(reader.wrong(key, item, form));
                }
                plan.order = Some(order);
            }
            "seed" => plan.seed = Some(reader.whole(key, item, "a whole number from 0")?),
            "workload" => self.workloads(item)?,
            "factor" => self.factors(item)?,
            "combination" => self.combinations(item)?,
            _ => {
                let message = format!("there is no such key; a plan has {KEYS}");
                return Err(reader.place(name).wrong(key, message));
            }
        }
        Ok(())
    }

    fn precision(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        let form = "a share in quotes, above 0 % and below 100 %: \"5%\"";
        let text = self.reader.string("precision", item, form)?;
        let share = text.parse::<Percent>().ok();
        let share = share.filter(|share| share.fraction() > 0.0 && share.fraction() < 1.0);
        let wrong = || self.reader.wrong("precision", item, form);
        self.found.precision = Some(share.ok_or_else(wrong)?);
        self.found.plan.precision = Some(text);
        Ok(())
    }

    fn budget(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        let form = "a time in quotes: \"30m\", \"3h\"";
        let text = self.reader.string("budget", item, form)?;
        let time = text
            .parse::<Nanos>()
            .ok()
            .filter(|time| *time > Nanos::ZERO);
        let time = time.ok_or_else(|| self.reader.wrong("budget", item, form))?;
        self.found.budget = Some(Duration::from_nanos(time.get()));
        self.found.plan.budget = Some(text);
        Ok(())
    }

    fn precondition(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        let (reader, key) = (self.reader, "precondition");
        let form = "a table of purge (true), fills (0 to 10) and rounds (5 to 25)";
        let table = item.get_ref().as_table();
        let table = table.ok_or_else(|| reader.wrong(key, item, form))?;
        let mut found = PlanPrecondition::default();
        for (name, item) in table {
            let key = format!("{key}.{}", name.get_ref());
            let most = |fewest: u64, most: u64, form: &str| {
                let number = reader.whole(&key, item, form)?;
                let number = u32::try_from(number).ok();
                let fits = |n: &u32| (fewest..=most).contains(&u64::from(*n));
                number
                    .filter(fits)
                    .ok_or_else(|| reader.wrong(&key, item, form))
            };
            match name.get_ref().as_ref() {
                "purge" => {
                    let truth = item.get_ref().as_bool();
                    let form = "true or false";
                    found.purge = truth.ok_or_else(|| reader.wrong(&key, item, form))?;
                }
                "fills" => found.fills = most(0, MOST_FILLS, "a number of fills, 0 to 10")?,
                "rounds" => found.rounds = most(5, MOST_ROUNDS, "a number of rounds, 5 to 25")?,
                _ => {
                    let message = format!("there is no such key; it is {form}");
                    return Err(reader.place(name).wrong(&key, message));
                }
            }
        }
        self.found.plan.precondition = Some(found);
        Ok(())
    }

    fn workloads(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        let reader = self.reader;
        for (place, table) in reader.tables("workload", item)? {
            if table.contains_key("work") {
                let (workload, record) = work_of(reader, place, table)?;
                self.found.workloads.push(workload);
                self.found.plan.workload.push(record);
                continue;
            }
            let mut workload = TextWorkload {
                place,
                name: None,
                options: Vec::new(),
                work: None,
            };
            let mut record = PlanWorkload::default();
            for (name, item) in table {
                let key = name.get_ref().as_ref();
                if key == "name" {
                    workload.name =
                        Some(reader.string("workload.name", item, "a name in quotes")?);
                    continue;
                }
                let value = reader.json(key, item)?;
                workload.options.extend(option(reader, key, item, &value)?);
                record.options.insert(key.to_owned(), value);
            }
            if !["op", "preset"]
                .iter()
                .any(|key| record.options.contains_key(*key))
            {
                let message = "a workload needs op, for example op = \"randread\", work, for example work = \"postgresql\", or preset, whose workloads are taken";
                return Err(place.wrong("workload", message));
            }
            record.name.clone_from(&workload.name);
            self.found.workloads.push(workload);
            self.found.plan.workload.push(record);
        }
        Ok(())
    }

    fn factors(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        for (place, table) in self.reader.tables("factor", item)? {
            let chosen = self.factor(place, table)?;
            if self
                .found
                .factors
                .iter()
                .any(|f| f.factor.name() == chosen.factor.name())
            {
                let message = format!(
                    "'{}' stands here twice; list all levels in one",
                    chosen.factor.name()
                );
                return Err(place.wrong("factor.name", message));
            }
            self.found.factors.push(chosen);
        }
        Ok(())
    }

    fn factor(&mut self, place: TextPlace, table: &DeTable<'_>) -> Result<ChosenFactor, PlanError> {
        let reader = self.reader;
        let known: Vec<&str> = FACTORS.iter().map(|factor| factor.name()).collect();
        for name in table.keys() {
            if !["name", "levels"].contains(&name.get_ref().as_ref()) {
                let message = "there is no such key; a factor has name and levels";
                return Err(reader
                    .place(name)
                    .wrong(&format!("factor.{}", name.get_ref()), message));
            }
        }
        let name = table.get("name");
        let form = format!("a factor; there are {}", known.join(", "));
        let name = name.ok_or_else(|| {
            place.wrong(
                "factor",
                "it needs a name, for example name = \"scheduler\"",
            )
        })?;
        let text = reader.string("factor.name", name, &form)?;
        let setting = self.works.setting(&text);
        let setting = setting.map_err(|why| reader.place(name).wrong("factor.name", why))?;
        let factor = setting.or_else(|| factor(&text));
        let factor = factor.ok_or_else(|| {
            let form = format!("{form}{}", self.works.parameters());
            reader.wrong("factor.name", name, &form)
        })?;
        let form = format!("a list of levels; each is {}", factor.accepted());
        let item = table.get("levels");
        let item = item
            .ok_or_else(|| place.wrong("factor.levels", format!("it is missing: give {form}")))?;
        let list = item.get_ref().as_array();
        let list = list.ok_or_else(|| reader.wrong("factor.levels", item, &form))?;
        let mut record = PlanFactor {
            name: text,
            levels: Vec::new(),
        };
        let mut levels: Vec<Box<dyn etalon_factor::condition::Level>> = Vec::new();
        for item in list.iter() {
            let value = reader.json("factor.levels", item)?;
            let level = factor
                .parse(&value)
                .map_err(|error| reader.place(item).wrong("factor.levels", error.to_string()))?;
            if setting.is_some() {
                let all = self.works.all_take(factor.name(), &level.name());
                all.map_err(|why| reader.place(item).wrong("factor.levels", why))?;
            }
            if levels.iter().any(|known| known.name() == level.name()) {
                let message = format!("'{}' stands here twice", level.name());
                return Err(reader.place(item).wrong("factor.levels", message));
            }
            levels.push(level);
            record.levels.push(value);
        }
        if levels.is_empty() {
            return Err(reader.wrong("factor.levels", item, &form));
        }
        self.found.plan.factor.push(record);
        Ok(ChosenFactor { factor, levels })
    }

    fn combinations(&mut self, item: &Spanned<DeValue<'_>>) -> Result<(), PlanError> {
        let reader = self.reader;
        for (place, table) in reader.tables("combination", item)? {
            let mut levels = BTreeMap::new();
            for (name, item) in table {
                let value = reader.json("combination", item)?;
                levels.insert(name.get_ref().to_string(), (reader.place(item), value));
            }
            self.combinations.push((place, levels));
        }
        Ok(())
    }

    fn end(mut self) -> Result<PlanText, PlanError> {
        let start = TextPlace { line: 1, column: 1 };
        if self.found.plan.question.is_empty() {
            return Err(start.wrong(
                "question",
                "it is missing: write question = \"Which ... ?\"",
            ));
        }
        if self.found.workloads.is_empty() {
            let message = "it is missing: write [[workload]] and below it op = \"randread\"";
            return Err(start.wrong("workload", message));
        }
        if self.found.plan.factor.is_empty() && self.found.plan.targets.len() < 2 {
            // A plan may vary nothing but its workloads.
            self.found.combinations = None;
        }
        if let (Some(place), Some(primary)) = (self.primary, &self.found.plan.primary) {
            let names: Vec<&str> = self
                .found
                .workloads
                .iter()
                .filter_map(|w| w.name.as_deref())
                .collect();
            if !names.contains(&primary.as_str()) {
                let message = match names.is_empty() {
                    true => format!(
                        "no workload is named '{primary}'; give the one that answers the question name = \"{primary}\""
                    ),
                    false => format!(
                        "no workload is named '{primary}'; there are: {}",
                        names.join(", ")
                    ),
                };
                return Err(place.wrong("primary", message));
            }
        }
        self.same_names()?;
        self.set_in_one_place()?;
        self.resolve_combinations()?;
        Ok(self.found)
    }

    fn same_names(&self) -> Result<(), PlanError> {
        let all = &self.found.workloads;
        for (at, workload) in all.iter().enumerate() {
            if workload.name.is_some() && all[..at].iter().any(|w| w.name == workload.name) {
                let name = workload.name.as_deref().unwrap_or_default();
                let message =
                    format!("'{name}' is the name of another workload; give each its own");
                return Err(workload.place.wrong("workload.name", message));
            }
        }
        Ok(())
    }

    /// A parameter is set by its workload or varied by a factor.
    fn set_in_one_place(&self) -> Result<(), PlanError> {
        let works = self.found.workloads.iter().filter(|w| w.work.is_some());
        for option in works.flat_map(|workload| &workload.options) {
            let mut factors = self.found.factors.iter();
            if factors.any(|chosen| chosen.factor.name() == option.name) {
                let message = "it is varied by the factor of that name; leave it out here";
                let key = format!("workload.{}", option.name);
                return Err(option.place.wrong(&key, message));
            }
        }
        Ok(())
    }

    fn resolve_combinations(&mut self) -> Result<(), PlanError> {
        if self.combinations.is_empty() {
            return Ok(());
        }
        let plan = &self.found.plan;
        let mut resolved: Vec<Vec<usize>> = Vec::new();
        for (place, levels) in &self.combinations {
            for (name, (place, _)) in levels {
                if !plan.factor.iter().any(|factor| factor.name == *name) {
                    return Err(place.wrong(
                        &format!("combination.{name}"),
                        "this plan has no such factor",
                    ));
                }
            }
            let mut numbers = Vec::new();
            for factor in &plan.factor {
                let key = format!("combination.{}", factor.name);
                let listed: Vec<String> = factor.levels.iter().map(Value::to_string).collect();
                let (place, value) = levels.get(&factor.name).ok_or_else(|| {
                    place.wrong(
                        &key,
                        format!("it is missing: give one of {}", listed.join(", ")),
                    )
                })?;
                let number = factor.levels.iter().position(|level| level == value);
                numbers.push(number.ok_or_else(|| {
                    place.wrong(
                        &key,
                        format!("{value} is none of its levels: {}", listed.join(", ")),
                    )
                })?);
            }
            if resolved.contains(&numbers) {
                return Err(place.wrong("combination", "it stands here twice"));
            }
            resolved.push(numbers);
        }
        let plan = &mut self.found.plan;
        for (_, levels) in &self.combinations {
            let levels = levels
                .iter()
                .map(|(name, (_, value))| (name.clone(), value.clone()));
            plan.combination.push(levels.collect());
        }
        self.found.combinations = Some(resolved);
        Ok(())
    }
}

const COMMANDS: &str = "a list of commands in quotes: [\"sync\"]";

/// One option of a workload as it would be typed.
fn option(
    reader: Reader<'_>,
    key: &str,
    item: &Spanned<DeValue<'_>>,
    value: &Value,
) -> Result<Option<PlacedOption>, PlanError> {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let typed = match value {
        Value::Bool(false) => return Ok(None),
        Value::Bool(true) => None,
        Value::Array(list) => {
            let parts: Option<Vec<String>> = list.iter().map(plain).collect();
            Some(
                parts
                    .filter(|parts| !parts.is_empty())
                    .map(|parts| parts.join(",")),
            )
        }
        other => Some(plain(other)),
    };
    let typed = match typed {
        Some(None) => {
            let form = "a text, a number, a truth value, or a list of them";
            return Err(reader.wrong(&format!("workload.{key}"), item, form));
        }
        Some(text) => text,
        None => None,
    };
    Ok(Some(PlacedOption {
        place: reader.place(item),
        name: key.replace('_', "-"),
        value: typed,
    }))
}
