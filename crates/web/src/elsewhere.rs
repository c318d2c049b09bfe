//! A server that stands: nothing is started, nothing is changed, its pages are fetched.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_units::Bytes;
use etalon_work::{InputRecord, Values, WorkError};

use crate::WebError;
use crate::address::{Address, Origin};
use crate::browser::Protocol;
use crate::network;
use crate::pages::Pages;
use crate::parameters::{LIST, OWN, PROTOCOL, URL, is_elsewhere};
use crate::served::Served;
use crate::site::{Resource, SitePage};

const WHY: &str = "left as it is with url or list: no server is started and no site made there, so that it would have no effect";

/// No list is longer.
const MOST_BYTES: u64 = 64 << 20;

/// Pages of servers that stand, at least one.
pub(crate) struct Elsewhere {
    pages: Arc<[SitePage]>,
    home: Origin,
    protocol: Protocol,
}

impl Elsewhere {
    /// The pages that were named, one by one or in a file; `None` where none was.
    pub(crate) fn named(values: &Values) -> Result<Option<Elsewhere>, WorkError> {
        if is_elsewhere(values) {
            values.only_defaults(&OWN, WHY)?;
        }
        let mut texts = values.texts(&URL).to_vec();
        let list = values.path(&LIST);
        if let Some(list) = &list {
            texts.extend(lines(list)?);
        }
        let pages = texts.iter().map(|text| page(text));
        let pages = pages.collect::<Result<Vec<SitePage>, WebError>>()?;
        let home = pages.first().and_then(|page| page.html.origin.clone());
        let Some(home) = home else {
            return match list {
                Some(path) => Err(WebError::EmptyList { path }.into()),
                None => Ok(None),
            };
        };
        let protocol = Protocol::named(values.text(&PROTOCOL));
        Ok(Some(Elsewhere {
            pages: pages.into(),
            home,
            protocol,
        }))
    }

    /// What is noted of it as the input.
    pub(crate) fn record(&self) -> InputRecord {
        InputRecord {
            source: format!("{} pages of {}", self.pages.len(), self.home),
            files: self.pages.len() as u64,
            bytes: Bytes::ZERO,
            compressibility: None,
        }
    }
}

impl Served for Elsewhere {
    fn pages(&self) -> Pages {
        Pages::Named(self.pages.clone())
    }

    fn home(&self) -> Origin {
        self.home.clone()
    }

    fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn can_be_cold(&self) -> bool {
        false
    }

    fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
        Ok(ColdStart { kept: None })
    }

    fn facts(&self) -> ServiceFacts {
        let protocol = ("protocol".to_owned(), self.protocol.name().to_owned());
        ServiceFacts {
            engine: self.home.to_string(),
            stands: true,
            settings: [protocol].into(),
            network: network::to(&self.home),
            ..ServiceFacts::default()
        }
    }

    fn check(&mut self) -> Result<(), WorkError> {
        Ok(())
    }

    fn explained(&mut self, error: WorkError) -> WorkError {
        error
    }
}

/// The lines of a list that are no comment.
fn lines(path: &Path) -> Result<Vec<String>, WorkError> {
    let length = fs::metadata(path).map_err(WorkError::io("read the list", path))?;
    if !length.is_file() || length.len() > MOST_BYTES {
        let path = path.to_owned();
        return Err(WebError::NoList { path }.into());
    }
    let text = fs::read_to_string(path).map_err(WorkError::io("read the list", path))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

fn page(text: &str) -> Result<SitePage, WebError> {
    let address = Address::parse(text).ok_or_else(|| WebError::Address {
        text: text.to_owned(),
    })?;
    let html = Resource {
        origin: Some(address.origin),
        path: address.path,
        bytes: None,
    };
    Ok(SitePage {
        html,
        images: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::PARAMETERS;

    fn named(given: &[(&str, &str)]) -> Result<Option<Elsewhere>, WorkError> {
        let given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let given: Vec<_> = given.collect();
        Elsewhere::named(&Values::parse(&PARAMETERS, &given).unwrap())
    }

    #[test]
    fn pages_are_named_one_by_one_and_in_a_file() {
        assert!(named(&[]).unwrap().is_none());
        let list = tempfile::NamedTempFile::new().unwrap();
        fs::write(list.path(), "# pages\nhttp://b/2\n\n http://b/3\n").unwrap();
        let list = list.path().to_str().unwrap();
        let found = named(&[("url", "http://a:8/1"), ("list", list)])
            .unwrap()
            .unwrap();
        let pages: Vec<String> = found
            .pages
            .iter()
            .map(|page| format!("{}{}", page.html.origin.clone().unwrap(), page.html.path))
            .collect();
        assert_eq!(pages, ["http://a:8/1", "http://b/2", "http://b/3"]);
        assert_eq!(found.home().to_string(), "http://a:8");
    }

    #[test]
    fn what_is_no_list_and_no_address_is_quoted() {
        let told = |given: &[(&str, &str)]| named(given).err().unwrap().to_string();
        assert!(told(&[("url", "ftp://a/")]).contains("'ftp://a/'"));
        assert!(told(&[("list", "/dev/zero")]).contains("/dev/zero"));
        assert!(told(&[("list", "/no/such")]).contains("/no/such"));
        let idle = told(&[("url", "http://a/"), ("sendfile", "off")]);
        assert!(
            idle.contains("sendfile: 'off' is not left as it is with url"),
            "{idle}"
        );
        assert!(named(&[("url", "http://a/"), ("pause", "9")]).is_ok());
        let empty = tempfile::NamedTempFile::new().unwrap();
        let empty = empty.path().to_str().unwrap();
        assert!(told(&[("list", empty)]).contains("names no page"));
    }
}
