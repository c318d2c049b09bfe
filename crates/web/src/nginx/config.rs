//! What nginx is told: its configuration, from the parameters.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use etalon_units::Bytes;
use etalon_work::{ParameterError, Values};

use crate::browser::Protocol;
use crate::parameters::{AIO, OPEN_FILE_CACHE, PROTOCOL, SENDFILE, WORKERS, directio};

/// Modules that make a directory for temporary files when nginx starts, which has to lie in the private directory.
const KEEP_FILES: [&str; 4] = ["proxy", "fastcgi", "uwsgi", "scgi"];

/// How nginx is set.
#[derive(Debug, Clone)]
pub(super) struct Config {
    engine: String,
    protocol: Protocol,
    directio: Option<Bytes>,
    words: BTreeMap<&'static str, String>,
    keep_files: Vec<&'static str>,
}

impl Config {
    /// From the parameters, for the program that said `version` of itself.
    pub(super) fn of(values: &Values, version: &str) -> Result<Config, ParameterError> {
        let words = [SENDFILE, AIO, OPEN_FILE_CACHE, WORKERS];
        let words = words
            .iter()
            .map(|parameter| (parameter.name, values.text(parameter).to_owned()));
        let is_there =
            |module: &&str| !version.contains(&format!("--without-http_{module}_module"));
        Ok(Config {
            engine: engine(version),
            protocol: Protocol::named(values.text(&PROTOCOL)),
            directio: directio(values)?,
            words: words.collect(),
            keep_files: KEEP_FILES.into_iter().filter(is_there).collect(),
        })
    }

    pub(super) fn engine(&self) -> &str {
        &self.engine
    }

    pub(super) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What decides how files are read, by nginx's names.
    pub(super) fn settings(&self) -> BTreeMap<String, String> {
        let words = self.words.iter();
        let mut settings: BTreeMap<String, String> = words
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        settings.insert("directio".to_owned(), self.directio());
        settings.insert("protocol".to_owned(), self.protocol.name().to_owned());
        settings
    }

    fn directio(&self) -> String {
        let size = self.directio;
        size.map_or_else(|| "off".to_owned(), |size| size.get().to_string())
    }

    fn word(&self, name: &str) -> &str {
        self.words.get(name).map_or("", String::as_str)
    }

    /// The whole file, for a server that listens at `address` and whose directory is the current one.
    pub(super) fn text(&self, address: SocketAddr) -> String {
        let http2 = match self.protocol {
            Protocol::Http1 => "",
            Protocol::Http2 => " http2",
        };
        let mut lines = vec![
            "daemon off;".to_owned(),
            "pid nginx.pid;".to_owned(),
            format!("worker_processes {};", self.word("workers")),
            "events { worker_connections 2048; }".to_owned(),
            "http {".to_owned(),
            "types { text/html html; image/jpeg jpg; }".to_owned(),
            "access_log off;".to_owned(),
            // Connections stay open for the whole step.
            "keepalive_requests 100000000;".to_owned(),
            "keepalive_timeout 1h;".to_owned(),
            "client_body_temp_path temp/body;".to_owned(),
        ];
        let kept = self.keep_files.iter();
        lines.extend(kept.map(|module| format!("{module}_temp_path temp/{module};")));
        lines.extend(self.reading());
        lines.push(format!(
            "server {{ listen {address}{http2} backlog=4096; root site; }}"
        ));
        lines.push("}\n".to_owned());
        lines.join("\n")
    }

    /// <https://nginx.org/en/docs/http/ngx_http_core_module.html>: sendfile, aio, directio, open_file_cache.
    fn reading(&self) -> [String; 4] {
        let open_files = match self.word("open_file_cache") {
            "on" => "max=100000 inactive=1h",
            _ => "off",
        };
        [
            format!("sendfile {};", self.word("sendfile")),
            format!("aio {};", self.word("aio")),
            format!("directio {};", self.directio()),
            format!("open_file_cache {open_files};"),
        ]
    }
}

/// `nginx/1.22.1` of the line `nginx version: nginx/1.22.1`.
fn engine(version: &str) -> String {
    let first = version.lines().next().unwrap_or_default();
    let word = first.rsplit(": ").next().unwrap_or_default();
    match word.starts_with("nginx/") {
        true => word.to_owned(),
        false => "nginx".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::PARAMETERS;

    const VERSION: &str = "nginx version: nginx/1.22.1\nbuilt with OpenSSL\nconfigure arguments: --without-http_scgi_module --with-threads";

    fn text(given: &[(&str, &str)]) -> String {
        let given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let given: Vec<_> = given.collect();
        let values = Values::parse(&PARAMETERS, &given).unwrap();
        let config = Config::of(&values, VERSION).unwrap();
        assert_eq!(config.engine(), "nginx/1.22.1");
        config.text("127.0.0.1:8080".parse().unwrap())
    }

    #[test]
    fn each_parameter_is_written_in_nginx_s_words() {
        let plain = text(&[]);
        for line in [
            "sendfile on;",
            "aio off;",
            "directio off;",
            "open_file_cache off;",
            "worker_processes 2;",
            "listen 127.0.0.1:8080 backlog",
            "uwsgi_temp_path temp/uwsgi;",
        ] {
            assert!(plain.contains(line), "{line} in {plain}");
        }
        assert!(!plain.contains("scgi_temp_path temp/scgi"), "{plain}");
        let other = text(&[
            ("sendfile", "off"),
            ("aio", "threads"),
            ("directio", "16K"),
            ("open_file_cache", "on"),
            ("protocol", "http2"),
        ]);
        for line in [
            "sendfile off;",
            "aio threads;",
            "directio 16384;",
            "open_file_cache max=",
            "8080 http2 ",
        ] {
            assert!(other.contains(line), "{line} in {other}");
        }
    }
}
