//! Which page a path means. Paths are compared as they came: nothing in them is decoded or looked up anywhere.

use etalon_language::say;
use etalon_model::{ExperimentKind, ExperimentState, RunId};
use hyper::Uri;

use crate::assets::Asset;
use crate::limits::MOST_COMPARED;
use crate::refusal::Refusal;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// The experiments that are like this.
    List(Filter),
    /// One experiment, or several side by side.
    Report(Vec<RunId>),
    /// What is being measured.
    Live,
    /// The same, again and again.
    LiveEvents,
    /// What the disks do.
    Watch,
    /// The same, again and again.
    WatchEvents,
    /// A style sheet or script.
    Asset(&'static Asset),
    /// Browsers ask for an icon by themselves; there is none.
    Icon,
}

/// Which experiments are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// A part of the target's path; empty for all.
    pub(crate) target: String,
    /// What made them.
    pub(crate) kind: Option<ExperimentKind>,
    /// How far they got.
    pub(crate) state: Option<ExperimentState>,
    /// A tag; empty for all.
    pub(crate) tag: String,
    /// The page of the list, from 0.
    pub(crate) page: usize,
}

impl Route {
    pub(crate) fn of(uri: &Uri) -> Result<Route, Refusal> {
        let query = uri.query().unwrap_or_default();
        match uri.path() {
            "/" => Filter::of(query).map(Route::List),
            "/compare" => compared(query).map(Route::Report),
            "/live" => Ok(Route::Live),
            "/live/events" => Ok(Route::LiveEvents),
            "/watch" => Ok(Route::Watch),
            "/watch/events" => Ok(Route::WatchEvents),
            "/favicon.ico" => Ok(Route::Icon),
            path => other(path),
        }
    }
}

fn other(path: &str) -> Result<Route, Refusal> {
    if let Some(asset) = Asset::at(path) {
        return Ok(Route::Asset(asset));
    }
    let digits = path.strip_prefix("/experiment/").ok_or(Refusal::NoPage)?;
    let id = number(digits).ok_or(Refusal::NoPage)?;
    Ok(Route::Report(vec![id]))
}

/// Digits alone, as they are written here.
fn number(digits: &str) -> Option<RunId> {
    let id: RunId = digits.parse().ok()?;
    (id.to_string() == digits && id > 0).then_some(id)
}

fn compared(query: &str) -> Result<Vec<RunId>, Refusal> {
    let mut ids = Vec::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        if key == "id" {
            let unknown = || Refusal::Query(say!("refused-number", value = &*value));
            ids.push(number(&value).ok_or_else(unknown)?);
        }
    }
    match ids.len() {
        2..=MOST_COMPARED => Ok(ids),
        n => Err(Refusal::Count(n)),
    }
}

impl Filter {
    fn of(query: &str) -> Result<Filter, Refusal> {
        let mut filter = Filter::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            filter.set(&key, value.trim()).map_err(Refusal::Query)?;
        }
        Ok(filter)
    }

    /// What a form leaves empty is not asked for.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Ok(());
        }
        match key {
            "target" => value.clone_into(&mut self.target),
            "tag" => value.clone_into(&mut self.tag),
            "kind" => self.kind = Some(value.parse().map_err(said)?),
            "state" => self.state = Some(value.parse().map_err(said)?),
            "page" => {
                self.page = value
                    .parse()
                    .map_err(|_| say!("refused-list-page", value = value))?
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether all are listed.
    pub(crate) fn is_empty(&self) -> bool {
        let page = self.page;
        *self
            == Filter {
                page,
                ..Filter::default()
            }
    }

    /// The same filters with another page, as a query.
    pub(crate) fn query(&self, page: usize) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("target", &self.target);
        query.append_pair("kind", self.kind.map_or("", ExperimentKind::name));
        query.append_pair("state", self.state.map_or("", ExperimentState::name));
        query.append_pair("tag", &self.tag);
        query.append_pair("page", &page.to_string());
        query.finish()
    }
}

fn said(why: impl std::fmt::Display) -> String {
    format!("{why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(uri: &str) -> Result<Route, Refusal> {
        Route::of(&uri.parse().unwrap())
    }

    #[test]
    fn experiments_are_numbers_as_they_are_written() {
        assert_eq!(route("/experiment/7"), Ok(Route::Report(vec![7])));
        assert_eq!(route("/compare?id=7&id=8"), Ok(Route::Report(vec![7, 8])));
        for none in [
            "",
            "07",
            "+7",
            "-7",
            "0",
            "7/",
            "7x",
            "%37",
            "../7",
            "99999999999999999999",
        ] {
            let path = format!("/experiment/{none}");
            assert_eq!(route(&path), Err(Refusal::NoPage), "{path}");
        }
        assert_eq!(route("/compare?id=7"), Err(Refusal::Count(1)));
        assert!(matches!(
            route("/compare?id=x&id=7"),
            Err(Refusal::Query(_))
        ));
    }

    #[test]
    fn filters_come_back_as_they_went() {
        let Ok(Route::List(filter)) =
            route("/?target=%2Fsrv+%26&kind=quick&state=&tag=a%22&page=2")
        else {
            panic!()
        };
        assert_eq!(
            (filter.target.as_str(), filter.tag.as_str()),
            ("/srv &", "a\"")
        );
        assert_eq!(
            (filter.kind, filter.state, filter.page),
            (Some(ExperimentKind::Quick), None, 2)
        );
        assert_eq!(Filter::of(&filter.query(2)), Ok(filter));
        let Err(Refusal::Query(why)) = route("/?kind=slow") else {
            panic!()
        };
        assert!(why.contains("'slow'") && why.contains("quick"), "{why}");
    }
}
