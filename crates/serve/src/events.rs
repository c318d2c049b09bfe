//! Streams of events: what a page shows, again and again.

use std::sync::Arc;

use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::sleep;

use crate::connection::Shared;

/// Events that wait for a reader; who reads slower misses some.
const WAITING: usize = 1;
/// Browsers that lose the stream ask again after this time.
const RETRY: &str = "retry: 3000\n\n";

/// A stream that holds `permit` until its reader is gone or the server ends.
pub(crate) fn stream(
    shared: Arc<Shared>,
    permit: OwnedSemaphorePermit,
    next: fn(&Shared) -> Option<String>,
) -> Receiver<Bytes> {
    let (sender, receiver) = channel(WAITING);
    tokio::spawn(async move {
        let _permit = permit;
        let mut event = Some(RETRY.to_owned());
        while !shared.is_stopping() {
            // A comment shows whether the reader is still there.
            let text = event.unwrap_or_else(|| ":\n\n".to_owned());
            if sender.send(text.into()).await.is_err() {
                break;
            }
            event = made(&shared, next).await;
            sleep(shared.limits.every).await;
        }
    });
    receiver
}

/// Reading the store or the machine blocks, and is done beside.
async fn made(shared: &Arc<Shared>, next: fn(&Shared) -> Option<String>) -> Option<String> {
    let shared = Arc::clone(shared);
    let read = tokio::task::spawn_blocking(move || next(&shared));
    read.await.ok().flatten()
}

/// An event of HTML, each line of which is a line of data.
pub(crate) fn html(text: &str) -> String {
    let lines = text.lines().map(|line| format!("data: {line}\n"));
    lines.collect::<String>() + "\n"
}

/// An event of the type `sample`.
pub(crate) fn sample(value: &Value) -> String {
    format!("event: sample\ndata: {value}\n\n")
}
