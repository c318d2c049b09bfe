//! A unit of systemd that goes on with a plan after each start of the machine.

use std::path::Path;

use rustix::process::geteuid;

use super::ResumeArgs;
use crate::stores;

/// Variables that say where the journal and the store lie.
const VARIABLES: [&str; 3] = ["XDG_STATE_HOME", "XDG_DATA_HOME", "ETALON_STORE"];

/// The unit, with how it is installed (systemd.unit(5), systemd.service(5)).
pub(super) fn unit(args: &ResumeArgs) -> anyhow::Result<String> {
    let store = std::path::absolute(stores::path(&args.how.store)?)?;
    let mut words = vec![
        std::env::current_exe()?.display().to_string(),
        "resume".to_owned(),
        "--after-reboot".to_owned(),
    ];
    words.extend(args.id.map(|id| id.to_string()));
    words.extend(args.options());
    words.extend(["--store".to_owned(), store.display().to_string()]);
    let words: Vec<String> = words.iter().map(|word| argument(word)).collect();
    let variables = VARIABLES.iter().filter_map(|name| {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty())?;
        Some(format!(
            "Environment={}\n",
            quoted(&format!("{name}={value}"))
        ))
    });
    Ok(text(
        &words.join(" "),
        &variables.collect::<String>(),
        place_of(&store),
    ))
}

fn text(command: &str, environment: &str, place: &str) -> String {
    let user = geteuid().as_raw();
    format!(
        "# Goes on with a plan at each start of the machine, where one was interrupted before it. As root:
#   etalon resume --print-unit > /etc/systemd/system/etalon-resume.service
#   systemctl enable etalon-resume.service
# Once the plan has come to its end:
#   systemctl disable etalon-resume.service
#   rm /etc/systemd/system/etalon-resume.service
# What it does: journalctl -u etalon-resume
[Unit]
Description=Go on with the plan of etalon that a reboot interrupted
After=local-fs.target remote-fs.target multi-user.target
RequiresMountsFor={place}

[Service]
Type=exec
User={user}
{environment}ExecStart={command}

[Install]
WantedBy=multi-user.target
"
    )
}

fn place_of(store: &Path) -> &str {
    let place = store.parent().and_then(Path::to_str);
    place
        .filter(|place| !place.contains([' ', '%', '"', '\\']))
        .unwrap_or("/")
}

/// A word of a command: variables begin with $ (systemd.service(5), "COMMAND LINES").
fn argument(word: &str) -> String {
    quoted(word).replace('$', "$$")
}

/// A word as systemd reads it anywhere: specifiers begin with %. In a variable $ means nothing (systemd.exec(5),
/// `Environment=`).
fn quoted(word: &str) -> String {
    let mut text = String::from("\"");
    for character in word.chars() {
        match character {
            '%' => text.push_str("%%"),
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_program_as_they_are() {
        assert_eq!(argument("/srv/my store"), "\"/srv/my store\"");
        assert_eq!(argument(r#"a"b\c%d$e"#), r#""a\"b\\c%%d$$e""#);
        assert_eq!(quoted(r#"A=b\c%d$e"#), r#""A=b\\c%%d$e""#);
    }
}
