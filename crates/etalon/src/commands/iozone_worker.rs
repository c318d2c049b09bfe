//! The worker processes of iozone's throughput mode.

use std::io::{BufReader, stdin, stdout};

use anyhow::Context as _;
use clap::Args;
use etalon_file_ops::worker_main;
use etalon_tools::Exit;

use super::subcommand::Subcommand;

/// The hidden subcommand that a worker process is started with.
pub(super) const WORKER: &str = "iozone-worker";

/// A worker process of iozone's throughput mode
#[derive(Debug, Clone, Args)]
#[command(hide = true)]
pub(crate) struct WorkerArgs {}

impl Subcommand for WorkerArgs {
    const NAME: &'static str = WORKER;

    fn run(&self) -> anyhow::Result<Exit> {
        // Started as /proc/self/exe, it would be called `exe` wherever processes are named.
        let _ = rustix::thread::set_name(c"etalon");
        worker_main(BufReader::new(stdin()), &mut stdout())
            .context("a worker of iozone's throughput mode lost its parent")?;
        Ok(Exit::Done)
    }
}
