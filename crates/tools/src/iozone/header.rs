//! The lines before the first figure.

use std::ffi::OsString;
use std::io::{self, Write};

use etalon_units::visible_name;

use super::columns::columns_for;
use super::{Options, Unit, modes};

/// Everything up to the table or the first group.
pub(crate) fn write(out: &mut dyn Write, options: &Options, args: &[OsString]) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        out,
        "\tIozone: the file operations of iozone, carried out by etalon"
    )?;
    writeln!(out, "\t        Version {version} of etalon")?;
    writeln!(out, "\t\tCompiled for {} bit mode.", usize::BITS)?;
    writeln!(
        out,
        "\t\tBuild: {}-{} ",
        std::env::consts::OS,
        std::env::consts::ARCH
    )?;
    let now = jiff::Zoned::now().strftime("%a %b %e %H:%M:%S %Y");
    writeln!(out, "\n\tRun began: {now}\n")?;
    for line in modes::lines(options) {
        writeln!(out, "\t{line}")?;
    }
    if options.machine {
        writeln!(out, "\n\tMachine = {}", machine())?;
    }
    writeln!(out, "\tCommand line used: {}", command_line(args))?;
    if options.unit == Unit::KiloBytes {
        writeln!(out, "\tOutput is in kBytes/sec")?;
    }
    for line in modes::pauses(options) {
        writeln!(out, "\t{line}")?;
    }
    writeln!(out, "\tTime Resolution = 0.000000001 seconds.")?;
    writeln!(
        out,
        "\tProcessor cache size set to {} kBytes.",
        options.cache.get() >> 10
    )?;
    writeln!(
        out,
        "\tProcessor cache line size set to {} bytes.",
        options.cache_line
    )?;
    writeln!(
        out,
        "\tFile stride size set to {} * record size.",
        options.settings.stride
    )
}

/// The command line as it could be typed again, quotes apart.
pub(crate) fn command_line(args: &[OsString]) -> String {
    let words = args.iter().map(visible_name);
    std::iter::once("iozone".to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// What `uname -a` tells.
fn machine() -> String {
    let name = rustix::system::uname();
    let parts = [
        name.sysname(),
        name.nodename(),
        name.release(),
        name.version(),
        name.machine(),
    ];
    parts
        .map(|part| part.to_string_lossy().into_owned())
        .join(" ")
}

/// The two lines above the figures.
pub(crate) fn table_head(out: &mut dyn Write, options: &Options) -> io::Result<()> {
    let columns = columns_for(options);
    let mut lines = (" ".repeat(24), format!("{:>16}{:>8}", "kB", "reclen"));
    for (index, op) in columns.iter().enumerate() {
        let names = super::columns::names_of(*op);
        let width = head_width(index, names.width);
        lines.0.push_str(&format!("{:>width$}", names.head.0));
        lines.1.push_str(&format!("{:>width$}", names.head.1));
    }
    writeln!(out, "{}\n{}", lines.0, lines.1)
}

/// The width of a head by the place of its column; iozone's first head stands one to the left of
/// its figures.
fn head_width(index: usize, width: usize) -> usize {
    match index {
        0 => width - 1,
        1 => width + 1,
        _ => width,
    }
}
