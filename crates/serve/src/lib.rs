//! The store in a browser, to be read only.
//!
//! A [`Server`] is bound by [`Settings`] and gives pages: the experiments, one of them or several side by side as a
//! [`Reporter`] writes them, what is being measured at this moment, and what the disks do. Nothing that measures is
//! started from here, nothing is written, and no path from a request reaches the filesystem: paths are compared with
//! a fixed list of routes, and experiments are named by number.
//!
//! Who may ask is decided in one place, `gate`, before anything is looked up.
//!
//! HTTP is hyper's, which the program has already for the work of browsers; its server half and a `match` over nine
//! routes need nothing more: axum's router, extractors and layers would hardly be used here.

mod answer;
mod assets;
mod body;
mod client;
mod connection;
mod content;
mod error;
mod events;
mod gate;
mod identity;
mod limits;
mod live;
mod pages;
mod rate;
mod refusal;
mod route;
#[cfg(test)]
mod samples;
mod server;
mod session;
mod settings;
mod shared;
mod token;
mod watch;

pub use content::{Reporter, Unavailable};
pub use error::ServeError;
pub use identity::Identity;
pub use limits::Limits;
pub use server::Server;
pub use settings::{Settings, Watched};
pub use token::Token;
