//! Answers that are no pages: what was wrong, and what to do.

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
            Refusal::TooManyStreams => StatusCode::SERVICE_UNAVAILABLE,
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
            Refusal::TooOften => "Too many requests came from this address; wait a second.".into(),
            Refusal::TooManyStreams => {
                "As many browsers watch as may at once; close one of them.".into()
            }
            Refusal::NoHost => "The request does not say which host it is for.".into(),
            Refusal::WrongHost(host) => format!(
                "This server is not called '{host}'; use its address, or give the name with --name."
            ),
            Refusal::CrossSite => "A page of another site asked; open this one yourself.".into(),
            Refusal::Method => "Pages are read here, and nothing is sent; use GET.".into(),
            Refusal::Body => "Pages are read here, and nothing is sent; leave the body out.".into(),
            Refusal::LongUri => {
                format!("The address is longer than {MOST_URI_BYTES} bytes; shorten the filters.")
            }
            Refusal::NoToken => {
                "Give the token as the password, with any user name; it stands in the file of --token."
                    .into()
            }
            Refusal::NoPage => "There is no such page; the list of experiments is at /.".into(),
            Refusal::Query(why) => why.clone(),
            Refusal::Count(n) => format!(
                "{n} experiments are ticked; go back and tick two, or up to {MOST_COMPARED}."
            ),
            Refusal::Content(why) => format!("{why}."),
        }
    }
}

impl From<Unavailable> for Refusal {
    fn from(why: Unavailable) -> Refusal {
        Refusal::Content(why)
    }
}
