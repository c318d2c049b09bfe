//! A C program made from a seed, with a configure step and a Makefile, whose output is known.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::error::WorkError;
use super::step::Step;

/// Functions in each file.
const FUNCTIONS: usize = 12;

/// Statements in each function.
const STATEMENTS: usize = 20;

/// Headers that the configure step looks for; the last exists nowhere.
const HEADERS: [&str; 14] = [
    "stdio.h",
    "stdlib.h",
    "string.h",
    "stdint.h",
    "unistd.h",
    "errno.h",
    "fcntl.h",
    "time.h",
    "limits.h",
    "sys/types.h",
    "sys/stat.h",
    "sys/time.h",
    "pthread.h",
    "etalon/nowhere.h",
];

/// Functions that it tries to link.
const SYMBOLS: [&str; 6] = [
    "malloc",
    "memcpy",
    "strtoul",
    "snprintf",
    "getpid",
    "etalon_nowhere",
];

/// One statement on the running value.
#[derive(Debug, Clone, Copy)]
enum Statement {
    Multiply(u32, u32),
    Fold(u32),
    Turn(u32),
}

impl Statement {
    fn draw(random: &mut Xoshiro256PlusPlus) -> Statement {
        match random.random_range(0..3u32) {
            0 => Statement::Multiply(random.random::<u32>() | 1, random.random()),
            1 => Statement::Fold(random.random_range(1..32)),
            _ => Statement::Turn(random.random_range(1..32)),
        }
    }

    /// What the compiled statement computes.
    fn apply(self, x: u32) -> u32 {
        match self {
            Statement::Multiply(a, b) => x.wrapping_mul(a).wrapping_add(b),
            Statement::Fold(n) => x ^ (x >> n),
            Statement::Turn(n) => x.rotate_left(n),
        }
    }

    fn c(self) -> String {
        match self {
            Statement::Multiply(a, b) => format!("x = x * {a}u + {b}u;"),
            Statement::Fold(n) => format!("x ^= x >> {n};"),
            Statement::Turn(n) => format!("x = (x << {n}) | (x >> {});", 32 - n),
        }
    }
}

/// A program's sources, and what it prints.
#[derive(Debug)]
pub(super) struct ProgramSource {
    /// Names and contents.
    pub(super) files: Vec<(String, String)>,
    /// What the built program prints, line end included.
    pub(super) output: String,
}

impl ProgramSource {
    /// A program of so many units.
    pub(super) fn new(units: u64, seed: u64) -> ProgramSource {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x6275_696c);
        let (mut files, mut x) = (Vec::new(), 1u32);
        let (mut header, mut calls) = (String::new(), String::new());
        for number in 0..units {
            let (text, after) = unit(number, x, &mut random);
            x = after;
            files.push((format!("unit{number:05}.c"), text));
            // A String takes every line.
            let _ = writeln!(header, "uint32_t unit{number:05}(uint32_t x);");
            let _ = writeln!(calls, "    x = unit{number:05}(x);");
        }
        files.push((
            "units.h".into(),
            format!("#include \"config.h\"\n#include <stdint.h>\n{header}"),
        ));
        files.push(("main.c".into(), format!(
            "#include \"units.h\"\n#include <stdio.h>\n\nint main(void)\n{{\n    uint32_t x = 1;\n{calls}    printf(\"%08x\\n\", x);\n    return 0;\n}}\n"
        )));
        files.push(("configure".into(), configure()));
        files.push(("Makefile.in".into(), makefile()));
        ProgramSource {
            files,
            output: format!("{x:08x}\n"),
        }
    }

    /// Bytes in all files.
    pub(super) fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, text)| text.len() as u64).sum()
    }

    /// Writes the sources into a new directory.
    pub(super) fn write(&self, root: &Path, step: &mut Step<'_>) -> Result<(), WorkError> {
        fs::create_dir(root).map_err(WorkError::io("create the directory", root))?;
        for (name, text) in &self.files {
            step.go_on()?;
            let path = root.join(name);
            fs::write(&path, text).map_err(WorkError::io("write the file", &path))?;
        }
        let script = root.join("configure");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&script, executable)
            .map_err(WorkError::io("set the attributes of", &script))
    }
}

/// One file's text, and the running value after its statements.
fn unit(number: u64, mut x: u32, random: &mut Xoshiro256PlusPlus) -> (String, u32) {
    let mut text =
        String::from("#include \"units.h\"\n#include <stdlib.h>\n#include <string.h>\n\n");
    let mut calls = String::new();
    for function in 0..FUNCTIONS {
        let name = format!("part{number:05}_{function:02}");
        let _ = writeln!(text, "static uint32_t {name}(uint32_t x)\n{{");
        for _ in 0..STATEMENTS {
            let statement = Statement::draw(random);
            x = statement.apply(x);
            let _ = writeln!(text, "    {}", statement.c());
        }
        let _ = writeln!(text, "    return x;\n}}\n");
        let _ = writeln!(calls, "    x = {name}(x);");
    }
    let _ = writeln!(
        text,
        "uint32_t unit{number:05}(uint32_t x)\n{{\n{calls}    return x;\n}}"
    );
    (text, x)
}

/// A script that asks the compiler one question at a time, as configure scripts do.
fn configure() -> String {
    let mut script = String::from(
        "#!/bin/sh\n# Asks the compiler what it has; writes config.h and Makefile.\nset -e\nsrc=$(dirname \"$0\")\n: \"${CC:=cc}\"\n: > config.h\n\
         try() {\n    if \"$CC\" \"$2\" -o conftest.out conftest.c >conftest.log 2>&1; then\n        echo \"#define $1 1\" >> config.h\n    else\n        echo \"/* $1 is not there */\" >> config.h\n    fi\n    rm -f conftest.out conftest.c conftest.log\n}\n",
    );
    for header in HEADERS {
        let name = header.to_uppercase().replace(['/', '.'], "_");
        let _ = writeln!(
            script,
            "printf '#include <{header}>\\nint main(void) {{ return 0; }}\\n' > conftest.c\ntry HAVE_{name} -c"
        );
    }
    for symbol in SYMBOLS {
        let name = symbol.to_uppercase();
        let _ = writeln!(
            script,
            "printf 'char {symbol}(void);\\nint main(void) {{ return {symbol}(); }}\\n' > conftest.c\ntry HAVE_{name} -fno-builtin"
        );
    }
    script
        .push_str("sed -e \"s|@CC@|$CC|\" -e \"s|@SRC@|$src|\" \"$src/Makefile.in\" > Makefile\n");
    script
}

fn makefile() -> String {
    "CC = @CC@\nSRC = @SRC@\nCFLAGS = -O2 -I. -I$(SRC)\nUNITS := $(patsubst $(SRC)/%.c,%.o,$(wildcard $(SRC)/*.c))\n\n\
     program: $(UNITS)\n\t$(CC) -o $@ $(UNITS)\n\n%.o: $(SRC)/%.c $(SRC)/units.h config.h\n\t$(CC) $(CFLAGS) -c -o $@ $<\n"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Crc;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        let source = ProgramSource::new(3, 42);
        assert_eq!(source.files.len(), 7);
        let mut crc = Crc::new();
        source
            .files
            .iter()
            .for_each(|(name, text)| crc.update(format!("{name}\n{text}").as_bytes()));
        assert_eq!(
            (crc.sum(), source.output.as_str()),
            (2_229_083_235, "efefb829\n"),
            "pinned: a change makes old results incomparable"
        );
        assert_ne!(ProgramSource::new(3, 43).output, source.output);
    }

    #[test]
    fn statements_compute_what_c_computes() {
        assert_eq!(Statement::Multiply(3, 5).apply(u32::MAX), 2);
        assert_eq!(Statement::Fold(4).apply(0xf0), 0xff);
        assert_eq!(Statement::Turn(8).apply(0x1200_0034), 0x0000_3412);
    }
}
