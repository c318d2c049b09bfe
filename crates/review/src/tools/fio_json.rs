//! fio's JSON: `fio --output-format=json`, and what etalon writes in that form.

use serde_json::Value;

use super::fio_clones::{FioPart, joined};
use super::fio_documents::{FioDocument, documents};
use super::fio_options::FioOptions;
use super::is_told;
use crate::quantity::option_size;
use crate::{Action, Figure, Page, Tool};

const KIB: f64 = 1024.0;

/// The jobs of the documents of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let all = documents(page).whole;
    all.iter().flat_map(figures_of).collect()
}

/// The lines at which documents break off, and those of the ones that hold no figure.
pub(super) fn unread(page: &Page) -> Vec<usize> {
    let all = documents(page);
    let is_empty = |document: &&FioDocument| !figures_of(document).iter().any(is_told);
    let empty = all.whole.iter().filter(is_empty);
    let empty = empty.map(|document| document.line);
    all.broken.iter().copied().chain(empty).collect()
}

/// The jobs of a document; those of others that follow it are runs of their own.
fn figures_of(document: &FioDocument) -> Vec<Figure> {
    let part = |name| document.value.get(name);
    let tool = part("fio version").map_or(Tool::Fio, tool_of);
    let global = part("global options").unwrap_or(&Value::Null);
    let jobs = part("jobs").and_then(Value::as_array);
    let mut found = Vec::new();
    for (at, job) in jobs.into_iter().flatten().enumerate() {
        let figures = ["read", "write"].map(|kind| figure(tool, job, global, kind));
        let line = document.jobs.get(at).copied().unwrap_or(document.line);
        found.extend(figures.into_iter().flatten().map(|figure| FioPart {
            job: Some(job_of(job)),
            figure: Figure { line, ..figure },
        }));
    }
    joined(found)
}

/// Name and group, which clones of a job share.
fn job_of(job: &Value) -> (String, Option<u64>) {
    let group = job.get("groupid").and_then(Value::as_u64);
    (name_of(job).to_owned(), group)
}

fn name_of(job: &Value) -> &str {
    job.get("jobname").and_then(Value::as_str).unwrap_or("job")
}

/// Who measured: etalon puts its own version where fio has its.
fn tool_of(version: &Value) -> Tool {
    let is_own = |version: &str| version.starts_with("etalon-");
    match version.as_str().is_some_and(is_own) {
        true => Tool::Etalon,
        false => Tool::Fio,
    }
}

fn figure(tool: Tool, job: &Value, global: &Value, kind: &str) -> Option<Figure> {
    let result = job.get(kind)?;
    let number = |name: &str| result.get(name).and_then(Value::as_f64);
    let bytes = number("io_bytes").filter(|bytes| *bytes > 0.0)?;
    // fio 2 tells KiB where later ones tell bytes, and KiB beside them.
    let is_of_later = ["io_kbytes", "bw_bytes"]
        .map(number)
        .iter()
        .any(Option::is_some);
    let bytes = if is_of_later { bytes } else { bytes * KIB };
    let option = |name: &str| {
        let own = job.get("job options").and_then(|options| options.get(name));
        own.or_else(|| global.get(name)).and_then(Value::as_str)
    };
    let random = option("rw").is_some_and(|rw| rw.contains("rand"));
    let action = Action::transfer(random, kind == "write");
    let mut figure = Figure::new(tool, 1, action, name_of(job));
    figure.bytes = Some(bytes);
    figure.bytes_per_second = number("bw_bytes").or_else(|| number("bw").map(|rate| rate * KIB));
    figure.operations_per_second = number("iops");
    figure.seconds = number("runtime").map(|ms| ms / 1e3);
    figure.block_bytes = option("bs").and_then(|text| option_size(text, 1.0));
    figure.quoted = figure
        .bytes_per_second
        .map(|rate| format!("{rate:.0} B/s"))
        .unwrap_or_default();
    let mut figure = options(job, global).described(figure);
    // A document has every option that was set: what it does not name is at its default.
    let direct = figure.direct.unwrap_or(false);
    figure.direct = Some(direct);
    figure.durable = Some(direct || figure.durable.unwrap_or(false));
    figure.invalid = job.get("etalon").and_then(invalid);
    Some(figure)
}

/// What etalon's verdict on a cell, which stands beside fio's keys, says of an invalid one.
fn invalid(verdict: &Value) -> Option<Vec<String>> {
    let is_invalid = verdict.get("verdict").and_then(Value::as_str) == Some("invalid");
    let reasons = verdict.get("reasons").and_then(Value::as_array);
    let codes = reasons.into_iter().flatten().filter_map(Value::as_str);
    is_invalid.then(|| codes.map(str::to_owned).collect())
}

/// The options of all jobs, and then those of this one.
fn options(job: &Value, global: &Value) -> FioOptions {
    let own = job.get("job options").and_then(Value::as_object);
    let all = global.as_object().into_iter().chain(own).flatten();
    let mut options = FioOptions::default();
    for (name, value) in all {
        options.set(name, value.as_str().unwrap_or_default());
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_and_global_options_are_joined() {
        let text = r#"{"fio version": "fio-3.33", "global options": {"direct": "1", "size": "4g"}, "jobs": [{"jobname": "a", "job options": {"rw": "randread", "bs": "4k"}, "read": {"io_bytes": 8192, "bw_bytes": 4096, "iops": 1.0, "runtime": 2000}, "write": {"io_bytes": 0}}]}"#;
        let found = figures(&Page::read(text));
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].action, found[0].direct, found[0].block_bytes),
            (Action::RandomRead, Some(true), Some(4096.0))
        );
        assert!(figures(&Page::read("{\"a\": 1}")).is_empty());
    }

    #[test]
    fn the_verdict_of_etalon_comes_with_its_figure() {
        let told = |verdict: &str| {
            let text = format!(
                r#"{{"fio version": "etalon-1.0", "jobs": [{{"jobname": "a", "etalon": {verdict}, "read": {{"io_bytes": 8192, "bw_bytes": 4096}}}}]}}"#
            );
            figures(&Page::read(&text)).remove(0).invalid
        };
        let codes = told(r#"{"verdict": "invalid", "reasons": ["page-cache", "steal"]}"#);
        assert_eq!(codes.unwrap(), ["page-cache", "steal"]);
        assert_eq!(told(r#"{"verdict": "invalid"}"#), Some(Vec::new()));
        for verdict in [r#"{"verdict": "valid"}"#, "null", "7"] {
            assert_eq!(told(verdict), None, "{verdict}");
        }
    }

    /// A job that wrote, with options of all jobs and of its own.
    fn written(global: &str, own: &str) -> Figure {
        let text = format!(
            r#"{{"fio version": "fio-3.33", "global options": {{{global}}}, "jobs": [{{"jobname": "w", "job options": {{{own}}}, "write": {{"io_bytes": 8192, "bw_bytes": 4096}}}}]}}"#
        );
        figures(&Page::read(&text)).remove(0)
    }

    #[test]
    fn what_is_durable_and_direct_is_told_by_the_options_of_the_text() {
        for (own, direct, durable) in [
            (r#""rw": "write""#, false, false),
            (r#""sync": "1""#, false, true),
            (r#""sync": "dsync""#, false, true),
            (r#""sync": "none""#, false, false),
            (r#""fdatasync": "1""#, false, true),
            (r#""direct": "1""#, true, true),
            (r#""buffered": "0""#, true, true),
            (r#""buffered": "1""#, false, false),
        ] {
            for figure in [written("", own), written(own, "")] {
                let told = (figure.direct, figure.durable);
                assert_eq!(told, (Some(direct), Some(durable)), "{own}");
            }
        }
        let figure = written(
            r#""direct": "1", "fsync": "1""#,
            r#""direct": "0", "fsync": "0""#,
        );
        assert_eq!((figure.direct, figure.durable), (Some(false), Some(false)));
    }

    #[test]
    fn the_files_of_all_clones_of_a_job_count() {
        let size = |global: &str, own: &str| written(global, own).size();
        let gib = |count: u64| Some((count << 30) as f64);
        let clones = r#""numjobs": "16""#;
        assert_eq!(size(r#""size": "4g""#, clones), gib(64));
        assert_eq!(
            size(clones, r#""size": "4g", "filename": "/mnt/f""#),
            gib(4)
        );
    }

    /// A document of one job that read.
    fn read(version: &str, result: &str) -> String {
        format!(
            "{{\n\"fio version\": \"{version}\",\n\"jobs\": [\n{{\"jobname\": \"r\", \"groupid\": 0, \"job options\": {{\"rw\": \"read\", \"size\": \"4g\"}}, \"read\": {{{result}}}}}]\n}}\n"
        )
    }

    #[test]
    fn documents_that_were_appended_to_a_file_are_runs() {
        let later = |rate: u32| {
            let result = format!(r#""io_bytes": 8192, "io_kbytes": 8, "bw_bytes": {rate}"#);
            read("fio-3.33", &result)
        };
        let text: String = (1..=6).map(later).collect();
        let page = Page::read(&text);
        let found = figures(&page);
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.line, one.bytes_per_second))
            .collect();
        let expected = (0..6).map(|at| (at * 5 + 4, Some(at as f64 + 1.0)));
        assert_eq!(told, expected.collect::<Vec<_>>());
        assert!(unread(&page).is_empty());
        let cut = &text[..text.len() - 10];
        assert_eq!(unread(&Page::read(cut)), [29]);
        let empty = read(
            "fio-3.33",
            r#""io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0"#,
        );
        assert_eq!(unread(&Page::read(&(text + &empty))), [32]);
    }

    #[test]
    fn fio_2_counts_in_kib() {
        let older = read(
            "fio-2.16",
            r#""io_bytes": 10240, "bw": 1024, "iops": 256.0, "runtime": 10000"#,
        );
        let found = figures(&Page::read(&older));
        let told = (found[0].bytes, found[0].bytes_per_second);
        assert_eq!(told, (Some(10_485_760.0), Some(1_048_576.0)));
        let later = read("fio-3.33", r#""io_bytes": 10240, "io_kbytes": 10, "bw": 1"#);
        assert_eq!(figures(&Page::read(&later))[0].bytes, Some(10_240.0));
    }

    #[test]
    fn clones_of_a_job_are_one_run_and_those_of_another_group_are_not() {
        let clone = |group: u32, rate: u32| {
            format!(
                r#"{{"jobname": "c", "groupid": {group}, "job options": {{"rw": "randwrite", "bs": "4k", "size": "4m", "numjobs": "2"}}, "write": {{"io_bytes": {rate}, "io_kbytes": 1, "bw_bytes": {rate}, "iops": 1.5, "runtime": 1000}}}}"#
            )
        };
        let jobs = [
            clone(0, 1000),
            clone(0, 3000),
            clone(1, 2000),
            clone(1, 4000),
        ]
        .join(",");
        let text = format!(r#"{{"fio version": "fio-3.33", "jobs": [{jobs}]}}"#);
        let found = figures(&Page::read(&text));
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.bytes_per_second, one.operations_per_second, one.size()))
            .collect();
        let size = Some(8_388_608.0);
        assert_eq!(
            told,
            [
                (Some(4000.0), Some(3.0), size),
                (Some(6000.0), Some(3.0), size)
            ]
        );
    }

    #[test]
    fn what_etalon_wrote_is_no_figure_of_fio() {
        for (version, tool) in [("fio-3.33", Tool::Fio), ("etalon-0.1.0", Tool::Etalon)] {
            let text = format!(
                r#"{{"fio version": "{version}", "jobs": [{{"jobname": "a", "read": {{"io_bytes": 8192, "iops": 1.0}}}}]}}"#
            );
            let page = Page::read(&text);
            let found = figures(&page);
            assert_eq!(found.iter().map(|one| one.tool).collect::<Vec<_>>(), [tool]);
            assert!(crate::tools::unread(&page, &found).is_empty());
        }
    }
}
