//! A published text that `etalon review` reads.

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let review = etalon_review::review(&text);
    let lines = text.lines().count().max(1);
    // Blocks of a web page may become more lines than it has.
    let html = text.contains('<');
    assert!(
        html || review
            .faults
            .iter()
            .all(|fault| fault.line >= 1 && fault.line <= lines)
    );
    assert!(review.faults.iter().all(|fault| !fault.message.is_empty()));
}
