//! Settings that do not wait for the disk.

use std::collections::BTreeMap;

/// What a power cut could take back or tear, by the manual's page of each setting.
pub(super) fn volatile(settings: &BTreeMap<String, String>) -> Vec<String> {
    let get = |name: &str| settings.get(name).map_or("", String::as_str);
    let mut volatile = Vec::new();
    let mut add = |name: &str| volatile.push(format!("{name}={}", get(name)));
    if !["1", "3"].contains(&get("innodb_flush_log_at_trx_commit")) {
        add("innodb_flush_log_at_trx_commit");
    }
    if ["nosync", "littlesync"].contains(&get("innodb_flush_method")) {
        add("innodb_flush_method");
    }
    if get("innodb_doublewrite") == "OFF" {
        add("innodb_doublewrite");
    }
    if get("log_bin") == "ON" && get("sync_binlog") != "1" {
        add("sync_binlog");
    }
    volatile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_that_does_not_wait_is_named() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
            volatile(&pairs.collect())
        };
        let safe = [
            ("innodb_flush_log_at_trx_commit", "1"),
            ("innodb_flush_method", "O_DIRECT"),
        ];
        assert!(of(&safe).is_empty());
        let all = [
            ("innodb_flush_log_at_trx_commit", "2"),
            ("innodb_flush_method", "nosync"),
            ("innodb_doublewrite", "OFF"),
            ("log_bin", "ON"),
            ("sync_binlog", "0"),
        ];
        assert_eq!(of(&all).len(), 4);
        assert_eq!(of(&all)[0], "innodb_flush_log_at_trx_commit=2");
    }
}
