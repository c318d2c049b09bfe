//! The options of iozone's commands, of which letters may stand together (`-eI`) and values follow their letter at once
//! (`-Is4g`), as getopt(3) has it.

use super::Command;

/// The options that take a value (`iozone.c`, its call of `getopt`); `-+n` is one of them, and its value `n`.
const VALUED: &str = "JjkVrtsfFdluUSLHPibXYgnyq+";

/// What a command of iozone asks for: each letter, with the value that it has.
#[derive(Debug, Clone)]
pub(crate) struct IozoneOptions(Vec<(char, Option<String>)>);

impl IozoneOptions {
    /// The options of a command; what its operands are is told by `-f` and `-F`.
    pub(crate) fn of(command: &Command) -> IozoneOptions {
        let mut found = Vec::new();
        let mut words = command.words().iter();
        while let Some(word) = words.next() {
            let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
                continue;
            };
            let mut rest = letters.chars();
            while let Some(letter) = rest.next() {
                let is_valued = VALUED.contains(letter);
                let joined = Some(rest.as_str()).filter(|joined| is_valued && !joined.is_empty());
                let value = || joined.map(str::to_owned).or_else(|| words.next().cloned());
                found.push((letter, is_valued.then(value).flatten()));
                if is_valued {
                    break;
                }
            }
        }
        IozoneOptions(found)
    }

    /// Whether a letter was given.
    pub(crate) fn has(&self, letter: char) -> bool {
        self.0.iter().any(|(own, _)| *own == letter)
    }

    /// Whether `-+` was given with a letter.
    pub(crate) fn has_plus(&self, letter: &str) -> bool {
        self.values('+').contains(&letter)
    }

    /// The values of an option that may be given several times: `-i 0 -i2`.
    pub(crate) fn values(&self, letter: char) -> Vec<&str> {
        let own = self.0.iter().filter(|(own, _)| *own == letter);
        own.filter_map(|(_, value)| value.as_deref()).collect()
    }

    /// The value of an option, the last where it was given several times.
    pub(crate) fn value(&self, letter: char) -> Option<&str> {
        self.values(letter).pop()
    }

    /// Whether the page cache is bypassed.
    pub(crate) fn is_direct(&self) -> bool {
        self.has('I')
    }

    /// Whether what is written is made durable within the time: by O_SYNC, fsync, O_DIRECT or O_DSYNC.
    pub(crate) fn is_durable(&self) -> bool {
        ['o', 'e', 'I'].into_iter().any(|letter| self.has(letter)) || self.has_plus("D")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn of(command: &str) -> IozoneOptions {
        IozoneOptions::of(&Command::all(&Page::read(command), "iozone")[0])
    }

    #[test]
    fn letters_together_are_options_and_values_are_none() {
        for (command, direct, durable) in [
            ("iozone -ec -s 4g", false, true),
            ("iozone -aI", true, true),
            ("iozone -Ia -i 0", true, true),
            ("iozone -Rae", false, true),
            ("iozone -a -+D", false, true),
            ("iozone -a -+n", false, false),
            ("iozone -Rab out.xls -f /mnt/Ie", false, false),
            ("iozone -bIe.xls -a", false, false),
            ("iozone -b -e", false, false),
        ] {
            let options = of(command);
            let told = (options.is_direct(), options.is_durable());
            assert_eq!(told, (direct, durable), "{command}");
        }
    }

    #[test]
    fn values_stand_behind_their_letter_or_in_the_next_word() {
        let options = of("iozone -eIr16k -s 4g -i 0 -i2 -+n -f /mnt/f");
        let told = ['r', 's', 'f', 't'].map(|letter| options.value(letter));
        assert_eq!(told, [Some("16k"), Some("4g"), Some("/mnt/f"), None]);
        assert_eq!(options.values('i'), ["0", "2"]);
        assert!(options.has_plus("n") && !options.has('n'));
    }
}
