//! What can be set.

use std::time::Duration;

use etalon_units::Bytes;
use etalon_work::{Kind, Parameter, ParameterError, Values};

/// More connections than a browser ever opens to one site, and few enough for a thread each.
const MOST_CLIENTS: u32 = 1000;

pub(crate) const PAGES: Parameter = Parameter {
    name: "pages",
    kind: Kind::Count(1, 1_000_000),
    default: "419",
    help: "pages of the site",
};
pub(crate) const URL: Parameter = Parameter {
    name: "url",
    kind: Kind::Texts,
    default: "",
    help: "a page of a server that stands, as often as wanted: nothing is made or started, and its caches stay as they are",
};
pub(crate) const LIST: Parameter = Parameter {
    name: "list",
    kind: Kind::Path,
    default: "",
    help: "a file with such pages, one on a line",
};
pub(crate) const PAGE_SIZE: Parameter = Parameter {
    name: "page_size",
    kind: Kind::Size,
    default: "24K",
    help: "median size of a page without its images; sizes vary as on the web",
};
pub(crate) const IMAGES: Parameter = Parameter {
    name: "images",
    kind: Kind::Count(0, 1000),
    default: "6",
    help: "images of each page, fetched after it over the same connection",
};
pub(crate) const IMAGE_SIZE: Parameter = Parameter {
    name: "image_size",
    kind: Kind::Size,
    default: "32K",
    help: "median size of an image",
};
pub(crate) const PAUSE: Parameter = Parameter {
    name: "pause",
    kind: Kind::Count(0, 60_000),
    default: "5",
    help: "milliseconds between two pages that are fetched one after another",
};
pub(crate) const CLIENTS: Parameter = Parameter {
    name: "clients",
    kind: Kind::Text,
    default: "1,4,16",
    help: "how many clients fetch pages at once, each the next one when it has one; a step for each number",
};
pub(crate) const RATE: Parameter = Parameter {
    name: "rate",
    kind: Kind::Count(0, 1_000_000),
    default: "0",
    help: "one more step: so many pages a second are asked for, whether or not the server keeps up; latencies then count from the intended moment. 0: none",
};
pub(crate) const CACHE: Parameter = Parameter {
    name: "cache",
    kind: Kind::Choice(&["both", "cold", "warm"]),
    default: "both",
    help: "cold: before each step the server is started anew and the page cache of the site emptied; warm: every page was fetched before; both: a step of each",
};
pub(crate) const PROTOCOL: Parameter = Parameter {
    name: "protocol",
    kind: Kind::Choice(&["http1", "http2"]),
    default: "http1",
    help: "http1: HTTP/1.1 over connections that stay open; http2: HTTP/2, the images of a page at the same time",
};
pub(crate) const SENDFILE: Parameter = Parameter {
    name: "sendfile",
    kind: Kind::Choice(&["on", "off"]),
    default: "on",
    help: "whether nginx sends files by sendfile(2)",
};
pub(crate) const AIO: Parameter = Parameter {
    name: "aio",
    kind: Kind::Choice(&["off", "threads"]),
    default: "off",
    help: "threads: nginx reads files in threads, so that a slow disk holds up one page and not all",
};
pub(crate) const DIRECTIO: Parameter = Parameter {
    name: "directio",
    kind: Kind::Text,
    default: "off",
    help: "from which size on nginx reads files past the page cache (O_DIRECT), as 16K; off: none",
};
pub(crate) const OPEN_FILE_CACHE: Parameter = Parameter {
    name: "open_file_cache",
    kind: Kind::Choice(&["off", "on"]),
    default: "off",
    help: "whether nginx keeps files open that it has sent",
};
pub(crate) const WORKERS: Parameter = Parameter {
    name: "workers",
    kind: Kind::Count(1, 1024),
    default: "2",
    help: "processes of nginx",
};

/// What only a server of etalon's own has, and the site that it serves.
pub(crate) static OWN: [Parameter; 10] = [
    PAGES,
    PAGE_SIZE,
    IMAGES,
    IMAGE_SIZE,
    CACHE,
    SENDFILE,
    AIO,
    DIRECTIO,
    OPEN_FILE_CACHE,
    WORKERS,
];

pub(crate) static PARAMETERS: [Parameter; 16] = [
    PAGES,
    URL,
    LIST,
    PAGE_SIZE,
    IMAGES,
    IMAGE_SIZE,
    PAUSE,
    CLIENTS,
    RATE,
    CACHE,
    PROTOCOL,
    SENDFILE,
    AIO,
    DIRECTIO,
    OPEN_FILE_CACHE,
    WORKERS,
];

/// Whether the caches are empty when a step begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caches {
    Cold,
    Warm,
}

impl Caches {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Caches::Cold => "cold",
            Caches::Warm => "warm",
        }
    }

    pub(crate) fn asked(values: &Values) -> &'static [Caches] {
        match values.text(&CACHE) {
            "cold" => &[Caches::Cold],
            "warm" => &[Caches::Warm],
            _ => &[Caches::Cold, Caches::Warm],
        }
    }
}

/// Whether pages of a server that stands are named.
pub(crate) fn is_elsewhere(values: &Values) -> bool {
    !values.texts(&URL).is_empty() || values.path(&LIST).is_some()
}

pub(crate) fn pause(values: &Values) -> Duration {
    Duration::from_millis(values.count(&PAUSE))
}

/// The numbers of `clients`, in their order and each once.
pub(crate) fn clients(values: &Values) -> Result<Vec<u32>, ParameterError> {
    let text = values.text(&CLIENTS);
    let number = |word: &str| {
        let number: Option<u32> = word.trim().parse().ok();
        number.filter(|number| (1..=MOST_CLIENTS).contains(number))
    };
    let mut numbers = Vec::new();
    for word in text.split(',') {
        let number = number(word).ok_or_else(|| ParameterError::Value {
            name: CLIENTS.name,
            value: text.to_owned(),
            wanted: format!("whole numbers from 1 to {MOST_CLIENTS}, as 1,4,16"),
        })?;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

/// From which size on files are read past the page cache, if any are.
pub(crate) fn directio(values: &Values) -> Result<Option<Bytes>, ParameterError> {
    let text = values.text(&DIRECTIO);
    if text == "off" {
        return Ok(None);
    }
    let size = text.parse().ok().filter(|size| *size > Bytes::ZERO);
    size.map(Some).ok_or_else(|| ParameterError::Value {
        name: DIRECTIO.name,
        value: text.to_owned(),
        wanted: "off or a size of at least one byte, such as 4096 or 16K".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(name: &str, text: &str) -> Values {
        Values::parse(&PARAMETERS, &[(name.to_owned(), text.to_owned())]).unwrap()
    }

    #[test]
    fn numbers_of_clients_are_read_and_wrong_ones_quoted() {
        assert_eq!(clients(&values("clients", "4, 1,4")), Ok(vec![4, 1]));
        assert_eq!(clients(&Values::default()), Ok(vec![1, 4, 16]));
        for wrong in ["", "0", "1001", "4;5", "-1"] {
            let told = clients(&values("clients", wrong)).unwrap_err().to_string();
            assert!(told.contains(&format!("'{wrong}'")), "{told}");
        }
    }

    #[test]
    fn a_size_for_direct_reads_is_read() {
        assert_eq!(directio(&values("directio", "off")), Ok(None));
        assert_eq!(
            directio(&values("directio", "16K")),
            Ok(Some(Bytes::kib(16)))
        );
        assert!(directio(&values("directio", "on")).is_err());
    }
}
