//! The kernel that a guest of the laboratory boots: the laboratory sets the level before anything of the plan runs, and
//! within the guest it is read back from the command line that the kernel was booted with.

use std::fs;

use etalon_model::LevelFact;
use etalon_stack::Roots;
use serde_json::Value;

use super::booted::Mark;
use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
    Need,
};

/// The word of the kernel's command line that names the level.
const MARK: &str = "etalon.kernel=";
/// Words that a guest cannot boot without as they are.
const TAKEN: [&str; 6] = [
    "rdinit=", "init=", "initrd=", "console=", "panic=", "etalon.",
];

/// The factor.
pub(super) struct GuestKernel;

/// One kernel, as a plan names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelLevel {
    /// How cells call it.
    pub name: String,
    /// An image, the directory of an unpacked package, or `host` for that of this machine.
    pub image: String,
    /// Words of its command line.
    pub parameters: Vec<String>,
    /// Modules that it loads at its start, besides those of every guest.
    pub modules: Vec<String>,
}

impl Factor for GuestKernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    fn summary(&self) -> &'static str {
        "the kernel of a guest, which etalon lab run boots anew in each block"
    }

    fn accepted(&self) -> &'static str {
        "an image (vmlinuz, bzImage), the directory of an unpacked package, or \"host\", such as \"./linux-6.1\", or a table: { value = \"slow\", image = \"./linux-6.1\", parameters = \"mitigations=off\", modules = \"null_blk\" }"
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Kernel
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        Ok(Box::new(KernelLevel::of(level)?))
    }
}

impl KernelLevel {
    /// Reads a level as a plan writes it.
    ///
    /// # Errors
    /// [`LevelError`], which quotes it and says what is accepted.
    pub fn of(level: &Value) -> Result<KernelLevel, LevelError> {
        let mut table = LevelTable::new(&GuestKernel, level);
        let name = table.text()?;
        let mut words = |option| {
            let text = table.take(option)?.unwrap_or_default();
            Ok::<Vec<String>, LevelError>(text.split_whitespace().map(str::to_owned).collect())
        };
        let (parameters, modules) = (words("parameters")?, words("modules")?);
        let image = table.take("image")?.unwrap_or_else(|| name.clone());
        table.end()?;
        if name.trim().is_empty() || image.trim().is_empty() {
            return Err(table.wrong(None));
        }
        if let Some(why) = unfit(&parameters) {
            return Err(table.wrong(Some(why)));
        }
        Ok(KernelLevel {
            name,
            image,
            parameters,
            modules,
        })
    }

    /// The word by which a kernel that was booted for this level is known.
    #[must_use]
    pub fn mark(&self) -> String {
        self.word().into_word()
    }

    fn word(&self) -> Mark {
        Mark::of(MARK, &self.name)
    }

    /// The release that runs, and the words that it was booted with.
    fn facts(&self, roots: &Roots) -> Vec<LevelFact> {
        let release = roots.procfs.join("sys/kernel/osrelease");
        let release = fs::read_to_string(release).unwrap_or_default();
        let release = (!release.is_empty()).then(|| LevelFact::words("release", release.trim()));
        let words = self.parameters.join(" ");
        let words = (!words.is_empty()).then(|| LevelFact::words("parameters", words));
        release.into_iter().chain(words).collect()
    }
}

/// What keeps a guest from booting with these words, if anything does.
#[must_use]
pub fn unfit(parameters: &[String]) -> Option<String> {
    let is_taken = |word: &&String| TAKEN.iter().any(|taken| word.starts_with(taken));
    if let Some(word) = parameters.iter().find(is_taken) {
        return Some(format!("'{word}' is what the guest boots by; leave it out"));
    }
    let is_unfit = |word: &&String| word.chars().any(char::is_control) || word.contains('"');
    let word = parameters.iter().find(is_unfit)?;
    Some(format!("'{word}' is no word of a kernel's command line"))
}

impl Level for KernelLevel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_due(&self, ground: &Ground) -> bool {
        self.word().is_due(ground)
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        self.word().needs(ground, "the kernel is varied by the laboratory, which boots each in a guest: etalon lab run PLAN")
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if let Some(need) = self.needs(ground).pop() {
            return Err(need.into());
        }
        self.word().read_back(ground, self.facts(&ground.roots))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_level_is_a_place_or_a_table_and_bears_its_name_on_the_command_line() {
        let plain = KernelLevel::of(&json!("./linux 6.1")).unwrap();
        assert_eq!(plain.image, plain.name);
        assert_eq!(plain.mark(), "etalon.kernel=.%2flinux%206.1");
        let table = json!({ "value": "slow", "image": "host", "parameters": "a=1  b.c=2", "modules": "null_blk" });
        let slow = KernelLevel::of(&table).unwrap();
        assert_eq!((slow.name.as_str(), slow.image.as_str()), ("slow", "host"));
        assert_eq!(slow.parameters, ["a=1", "b.c=2"]);
        assert_eq!(slow.modules, ["null_blk"]);
    }

    #[test]
    fn what_no_guest_boots_with_is_quoted() {
        for (level, quoted) in [
            (json!(""), "''"),
            (
                json!({ "value": "x", "parameters": "rdinit=/bin/sh" }),
                "'rdinit=/bin/sh'",
            ),
            (
                json!({ "value": "x", "parameters": "etalon.part=7" }),
                "'etalon.part=7'",
            ),
            (json!({ "value": "x", "parameters": "a=\"b" }), "'a=\"b'"),
            (
                json!({ "value": "x", "kernel": "y" }),
                "unknown option 'kernel'",
            ),
        ] {
            let error = KernelLevel::of(&level).unwrap_err().to_string();
            assert!(
                error.contains(quoted) && error.contains("./linux-6.1"),
                "{error}"
            );
        }
    }
}
