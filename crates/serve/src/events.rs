//! Streams of events: what a page shows, again and again.

use std::sync::Arc;

use hyper::body::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::sleep;

use crate::pages::PageSource;
use crate::shared::Shared;

/// Events that wait for a reader; who reads slower misses some.
const WAITING: usize = 1;
/// Browsers that lose the stream ask again after this time.
const RETRY: &str = "retry: 3000\n\n";
/// A line that browsers pass over.
const COMMENT: &str = ":\n\n";

/// A stream that holds `permit` until its reader is gone or the server ends.
pub(crate) fn stream(
    shared: Arc<Shared>,
    permit: OwnedSemaphorePermit,
    next: fn(&PageSource) -> Option<String>,
) -> Receiver<Bytes> {
    let (sender, receiver) = channel(WAITING);
    tokio::spawn(async move {
        let _permit = permit;
        let mut sent = Some(RETRY.to_owned());
        let mut text = RETRY.to_owned();
        while !shared.is_stopping() && sender.send(text.into()).await.is_ok() {
            sleep(shared.limits.every).await;
            let event = made(&shared, next).await;
            // What the reader has is not sent again; a comment shows whether the reader is still there.
            let is_new = event.is_some() && event != sent;
            text = event
                .clone()
                .filter(|_| is_new)
                .unwrap_or_else(|| COMMENT.to_owned());
            sent = event;
        }
    });
    receiver
}

/// Reading the store or the machine blocks, and is done beside.
async fn made(shared: &Arc<Shared>, next: fn(&PageSource) -> Option<String>) -> Option<String> {
    let shared = Arc::clone(shared);
    let read = tokio::task::spawn_blocking(move || shared.language.speak(|| next(&shared.source)));
    read.await.ok().flatten()
}
