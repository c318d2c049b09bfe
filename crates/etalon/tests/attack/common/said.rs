//! What the program said, and how it ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use etalon_testbed::HANG;

pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    pub(crate) hung: bool,
}

impl Said {
    pub(crate) fn out(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.err).into_owned()
    }

    /// Neither a panic nor a hang, whatever else.
    pub(crate) fn is_orderly(&self) -> bool {
        !self.hung && !self.err().contains("panicked") && self.signal.is_none()
    }

    /// Whether it ended with one of these codes, in order.
    pub(crate) fn ended(&self, codes: &[i32]) -> bool {
        self.is_orderly() && self.code.is_some_and(|code| codes.contains(&code))
    }
}

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.hung, self.signal, self.code) {
            (true, ..) => f.write_str("hung")?,
            (_, Some(signal), _) => write!(f, "signal {signal}")?,
            (.., code) => write!(f, "exit {code:?}")?,
        }
        let short = |text: String| text.chars().take(600).collect::<String>();
        write!(
            f,
            ", out {:?}, err {:?}",
            short(self.out()),
            short(self.err())
        )
    }
}

/// Runs a program to its end.
pub(crate) fn run(command: Command) -> Said {
    finish(start(command))
}

/// Starts a program whose words are kept.
pub(crate) fn start(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Waits for the end of a program, and ends it where it hangs.
pub(crate) fn finish(mut child: Child) -> Said {
    let begun = Instant::now();
    let out = gather(child.stdout.take());
    let err = gather(child.stderr.take());
    let mut hung = false;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > HANG && !hung {
            hung = true;
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(1));
    };
    Said {
        code: status.code(),
        signal: status.signal(),
        out: out.join().unwrap(),
        err: err.join().unwrap(),
        hung,
    }
}

fn gather(pipe: Option<impl std::io::Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        bytes
    })
}
