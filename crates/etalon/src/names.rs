//! Choices that are typed as words with a number behind a colon.

use etalon_model::{Distribution, FsyncPolicy, SyncMode, UnknownName};

/// Reads `permutation`, `uniform`, `zipf:THETA` or `pareto:H`.
pub(crate) fn distribution(text: &str) -> Result<Distribution, UnknownName> {
    let unknown = || {
        UnknownName {
        what: "distribution",
        input: text.to_owned(),
        choices: "permutation, uniform, zipf:THETA (THETA above 0, for example zipf:1.1) or pareto:H (H between 0.5 and 1, for example pareto:0.8)".to_owned(),
    }
    };
    match text.split_once(':') {
        None if text == "permutation" => Ok(Distribution::Permutation),
        None if text == "uniform" => Ok(Distribution::Uniform),
        Some(("zipf", theta)) => theta
            .parse()
            .ok()
            .filter(|theta: &f64| *theta > 0.0 && theta.is_finite())
            .map(|theta| Distribution::Zipf { theta })
            .ok_or_else(unknown),
        Some(("pareto", h)) => h
            .parse()
            .ok()
            .filter(|h: &f64| *h > 0.5 && *h < 1.0)
            .map(|h| Distribution::Pareto { h })
            .ok_or_else(unknown),
        _ => Err(unknown()),
    }
}

/// Reads `never`, `end` or a number of writes.
pub(crate) fn fsync(text: &str) -> Result<FsyncPolicy, UnknownName> {
    match text {
        "never" => Ok(FsyncPolicy::Never),
        "end" => Ok(FsyncPolicy::End),
        number => number
            .parse()
            .ok()
            .filter(|&n: &u32| n > 0)
            .map(FsyncPolicy::Every)
            .ok_or_else(|| UnknownName {
                what: "moment for fsync",
                input: text.to_owned(),
                choices: "never, end, or a number of writes, for example 16".to_owned(),
            }),
    }
}

/// Reads `none`, `dsync` or `sync`.
pub(crate) fn sync_mode(text: &str) -> Result<SyncMode, UnknownName> {
    match text {
        "none" => Ok(SyncMode::None),
        "dsync" => Ok(SyncMode::DSync),
        "sync" => Ok(SyncMode::Sync),
        _ => Err(UnknownName {
            what: "sync mode",
            input: text.to_owned(),
            choices: "none, dsync, sync".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_numbers_read_and_bad_ones_are_quoted() {
        assert_eq!(
            distribution("zipf:1.1"),
            Ok(Distribution::Zipf { theta: 1.1 })
        );
        assert_eq!(
            distribution("pareto:0.8"),
            Ok(Distribution::Pareto { h: 0.8 })
        );
        for text in [
            "zipf",
            "zipf:0",
            "zipf:-1",
            "zipf:x",
            "pareto:0.5",
            "pareto:1",
            "gauss",
        ] {
            assert!(distribution(text).unwrap_err().to_string().contains(text));
        }
        assert_eq!(fsync("16"), Ok(FsyncPolicy::Every(16)));
        assert!(fsync("0").is_err() && fsync("always").is_err());
        assert!(sync_mode("osync").is_err());
    }
}
