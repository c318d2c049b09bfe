//! The engine and its peers as commands that give one figure.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};
use serde_json::Value;

/// Something that can be run again and again; each time it gives one figure.
pub struct Contestant {
    /// What the table calls it.
    pub name: String,
    /// Runs once.
    pub run: Box<dyn Fn() -> anyhow::Result<f64>>,
}

/// How commands are kept on one processor.
#[derive(Debug, Clone, Copy)]
pub struct Pinned {
    /// The processor's number.
    pub cpu: u32,
    /// With the scheduling class FIFO, so that other work on the machine does not disturb; needs
    /// root.
    pub fifo: bool,
}

impl Pinned {
    /// `program` on that processor, killed after `seconds`.
    pub fn command(self, program: &Path, seconds: u32) -> Command {
        let mut words: Vec<String> = Vec::new();
        if self.fifo {
            words.extend(["chrt", "-f", "10"].map(str::to_owned));
        }
        let limit = format!("{seconds}");
        words.extend(["taskset", "-c", &self.cpu.to_string()].map(str::to_owned));
        words.extend(["timeout", "-s", "INT", "-k", "2", &limit].map(str::to_owned));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(program);
        command
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(mut command: Command) -> anyhow::Result<Value> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    let text = text(&output);
    let start = text.find('{').unwrap_or(0);
    serde_json::from_str(&text[start..]).with_context(|| {
        format!(
            "{command:?} gave no JSON: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// The engine on `target`; the figure is operations per second.
pub fn engine(name: &str, pinned: Pinned, target: &Path, workload: &Value) -> Contestant {
    engine_field(name, pinned, target, workload, |record| {
        record["iops"].as_f64()
    })
}

/// The engine on `target`; `figure` takes one figure from its record.
pub fn engine_field(
    name: &str,
    pinned: Pinned,
    target: &Path,
    workload: &Value,
    figure: fn(&Value) -> Option<f64>,
) -> Contestant {
    let (target, workload) = (target.to_owned(), workload.to_string());
    let run = move || {
        let program = std::env::current_exe()?.with_file_name("engine_point");
        let mut command = pinned.command(&program, 120);
        command.arg(&target).arg(&workload);
        let record = json(command)?;
        if record["ended"] != "complete" {
            bail!("the run ended as {}", record["ended"]);
        }
        figure(&record).context("the record lacks the figure")
    };
    Contestant {
        name: name.to_owned(),
        run: Box::new(run),
    }
}

/// fio with `options` besides `--filename`; the figure is operations per second.
pub fn fio(name: &str, pinned: Pinned, target: &Path, options: &[&str]) -> Contestant {
    let target = format!("--filename={}", target.display());
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    let run = move || {
        let mut command = pinned.command(Path::new("fio"), 120);
        command
            .args(["--name=a", "--thread", "--output-format=json", &target])
            .args(&options);
        let record = json(command)?;
        let job = &record["jobs"][0];
        let rate = |side: &str| job[side]["iops"].as_f64().unwrap_or(0.0);
        Ok(rate("read") + rate("write"))
    };
    Contestant {
        name: name.to_owned(),
        run: Box::new(run),
    }
}

/// fio's `t/io_uring` at `program`; the figure is the rate of its last whole second.
pub fn t_io_uring(program: PathBuf, pinned: Pinned, target: &Path, options: &[&str]) -> Contestant {
    let target = target.to_owned();
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    let run = move || {
        // It prints once a second and does not end by itself.
        let mut command = pinned.command(&program, 3);
        let output = command.args(&options).arg(&target).output()?;
        let text = text(&output);
        let line = text.lines().rfind(|line| line.starts_with("IOPS="));
        let word = line.and_then(|line| line.split([',', ' ']).next());
        let figure = word
            .and_then(|word| word.strip_prefix("IOPS="))
            .and_then(with_suffix);
        figure.with_context(|| format!("no rate in: {text}"))
    };
    Contestant {
        name: "t/io_uring".to_owned(),
        run: Box::new(run),
    }
}

/// Reads `1.32M` or `950.1K`.
fn with_suffix(word: &str) -> Option<f64> {
    let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &word[number.len()..] {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

/// elbencho at `program`, one thread that reads 4 KiB at random with `pread`; the figure is
/// operations per second. The program's run takes about `bytes` / 4096 operations.
pub fn elbencho(program: PathBuf, pinned: Pinned, target: &Path, bytes: &str) -> Contestant {
    let (target, bytes) = (target.to_owned(), bytes.to_owned());
    let run = move || {
        let file = tempfile::NamedTempFile::new()?;
        let mut command = pinned.command(&program, 120);
        command
            .args(["-r", "--rand", "-b", "4k", "-t", "1", "--direct", "--lat"])
            .args(["--nolive", "--randamount", &bytes, "--jsonfile"])
            .arg(file.path())
            .arg(&target);
        let output = command.output()?;
        let text = std::fs::read_to_string(file.path())?;
        elbencho_rate(&text).with_context(|| {
            format!(
                "no rate in: {text}{}",
                String::from_utf8_lossy(&output.stdout)
            )
        })
    };
    Contestant {
        name: "elbencho pread".to_owned(),
        run: Box::new(run),
    }
}

/// Operations per second of the last thread to end, from elbencho's JSON line.
fn elbencho_rate(text: &str) -> Option<f64> {
    let record: Value = text
        .lines()
        .find_map(|line| serde_json::from_str(line).ok())?;
    let last = &record["last_done"]["iops"];
    last.as_f64().or_else(|| last.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_with_suffixes() {
        assert_eq!(with_suffix("1.5M"), Some(1.5e6));
        assert_eq!(with_suffix("950.5K"), Some(950_500.0));
        assert_eq!(with_suffix("17"), Some(17.0));
        assert_eq!(with_suffix("17G"), None);
        assert_eq!(with_suffix(""), None);
    }

    #[test]
    fn elbencho_s_line() {
        assert_eq!(
            elbencho_rate(r#"{"last_done": {"iops": "1400000"}}"#),
            Some(1.4e6)
        );
        assert_eq!(elbencho_rate("no json"), None);
    }
}
