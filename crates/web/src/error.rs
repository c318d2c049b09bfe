//! Why pages could not be fetched.

use std::net::SocketAddr;
use std::path::PathBuf;

use etalon_service::ServiceError;
use etalon_work::WorkError;
use etalon_workload::room::RoomError;

/// Why pages could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// Nobody answers there.
    #[error("no connection to {origin}: {why}")]
    Connect {
        /// To which server.
        origin: String,
        /// The kernel's or the protocol's answer.
        why: String,
    },
    /// Something else than the private server answers.
    #[error("another program answers at {address}; measure again")]
    Stranger {
        /// Where.
        address: SocketAddr,
    },
    /// It is no address of a page.
    #[error(
        "'{text}' is no web address; write http://HOST/PATH or https://HOST/PATH, without a name and password"
    )]
    Address {
        /// What was typed, or stands in the list.
        text: String,
    },
    /// It is no file, or too long.
    #[error("'{}' is no list of pages: a file of at most 64 MiB is wanted, with an address on each line", path.display())]
    NoList {
        /// What was named.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("'{}' names no page; write an address on each line", path.display())]
    EmptyList {
        /// What was named.
        path: PathBuf,
    },
    /// The site does not fit where it is to stand.
    #[error("a site of {pages} pages with {images} images each has {files} files: {source}; {}", fewer(*.fitting))]
    Room {
        /// Pages that were asked for.
        pages: u64,
        /// Images of each.
        images: u64,
        /// Files of all of them.
        files: u64,
        /// Such pages that fit.
        fitting: u64,
        /// What is missing.
        source: RoomError,
    },
    /// The free space cannot be told.
    #[error(transparent)]
    Unknown(RoomError),
    /// Not one page came.
    #[error("none of {pages} pages came: {kinds}")]
    NoPage {
        /// Pages that were asked for.
        pages: u64,
        /// What went wrong, with its count.
        kinds: String,
    },
    /// The private server could not be started or ended by itself.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The threads that fetch pages could not be made ready.
    #[error("cannot prepare a client: {0}")]
    Client(#[from] std::io::Error),
}

/// What to ask for where a site does not fit.
fn fewer(fitting: u64) -> String {
    match fitting {
        0 => "not one such page fits".to_owned(),
        _ => format!("{fitting} such pages fit (--set pages={fitting})"),
    }
}

impl From<WebError> for WorkError {
    fn from(error: WebError) -> WorkError {
        WorkError::Service(Box::new(error))
    }
}
