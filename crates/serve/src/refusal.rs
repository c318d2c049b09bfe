//! Answers that are no pages: what was wrong, and what to do.

use etalon_language::say;
use hyper::StatusCode;

use crate::content::Unavailable;
use crate::limits::{MOST_COMPARED, MOST_URI_BYTES};

/// Why a request gets no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// One address asks too often.
    TooOften,
    /// There are as many streams as there may be.
    TooManyStreams,
    /// As many pages are being made or waited for as may be.
    TooManyPages,
    /// There is no header `Host`, or more than one, or it is none.
    NoHost,
    /// It is called by a name that is not its own.
    WrongHost(String),
    /// A page of another site asks.
    CrossSite,
    /// Another method than GET and HEAD.
    Method,
    /// The request has a body.
    Body,
    /// Path and query are too long.
    LongUri,
    /// The token is missing or wrong.
    NoToken,
    /// There is no such page.
    NoPage,
    /// A part of the query cannot be understood, and why.
    Query(String),
    /// As many experiments cannot be compared.
    Count(usize),
    /// An experiment cannot be shown.
    Content(Unavailable),
}

impl Refusal {
    /// Something failed here, and what.
    pub(crate) fn failed(why: impl std::fmt::Display) -> Refusal {
        Refusal::Content(Unavailable::Failed(why.to_string()))
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Refusal::TooOften => StatusCode::TOO_MANY_REQUESTS,
            Refusal::TooManyStreams | Refusal::TooManyPages => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::NoHost | Refusal::Query(_) | Refusal::Count(_) => StatusCode::BAD_REQUEST,
            Refusal::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Refusal::CrossSite => StatusCode::FORBIDDEN,
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::Body => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::LongUri => StatusCode::URI_TOO_LONG,
            Refusal::NoToken => StatusCode::UNAUTHORIZED,
            Refusal::NoPage | Refusal::Content(Unavailable::Unknown(_)) => StatusCode::NOT_FOUND,
            Refusal::Content(Unavailable::Refused(_)) => StatusCode::CONFLICT,
            Refusal::Content(Unavailable::Failed(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What was wrong and what to do, in a sentence or two.
    pub(crate) fn reason(&self) -> String {
        match self {
            Refusal::TooOften => say!("refused-too-often"),
            Refusal::TooManyStreams => say!("refused-streams"),
            Refusal::TooManyPages => say!("refused-pages"),
            Refusal::NoHost => say!("refused-no-host"),
            Refusal::WrongHost(host) => say!("refused-host", host = host),
            Refusal::CrossSite => say!("refused-cross-site"),
            Refusal::Method => say!("refused-method"),
            Refusal::Body => say!("refused-body"),
            Refusal::LongUri => say!("refused-long", bytes = MOST_URI_BYTES),
            Refusal::NoToken => say!("refused-token"),
            Refusal::NoPage => say!("refused-page"),
            Refusal::Query(why) => why.clone(),
            Refusal::Count(n) => say!("refused-count", count = n, most = MOST_COMPARED),
            Refusal::Content(Unavailable::Unknown(id)) => {
                say!("refused-unknown", number = id.to_string())
            }
            Refusal::Content(why) => format!("{why}."),
        }
    }
}

impl From<Unavailable> for Refusal {
    fn from(why: Unavailable) -> Refusal {
        Refusal::Content(why)
    }
}
