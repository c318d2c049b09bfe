//! Pages of a web site as real work: what the disk does to somebody who waits for a page.
//!
//! `site` makes a site from a seed: pages with images. `nginx` serves it from the target, on the loopback interface,
//! by the installed program; `browser` fetches pages as a browser does, over connections that stay open, and counts
//! what failed by its kind. Pages of a server that stands are named one by one or in a file (`elsewhere`). `steps` takes
//! a site through the same steps each time: its pages one after another with a pause, several at once, and at a rate,
//! each with the caches empty and with them full.

mod address;
mod browser;
mod elsewhere;
mod error;
mod fitting;
mod limits;
mod network;
mod nginx;
mod pages;
mod parameters;
mod served;
mod site;
mod steps;
mod work;

pub use error::WebError;

use etalon_work::RealWork;

/// The works of this crate.
pub static WORKS: [&dyn RealWork; 1] = [&work::Web];

#[cfg(test)]
mod tests;
