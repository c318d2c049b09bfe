//! The line beside what a tool says, on a screen that is kept.

use super::*;

/// What a terminal got.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn later(aside: &Aside, seconds: u64) {
    let mut line = lock(&aside.0);
    let now = line.begun + Duration::from_secs(seconds);
    line.show(now);
}

#[test]
fn a_silent_tool_is_said_to_be_at_work_until_it_speaks() {
    let screen = Screen::default();
    let aside = Aside::new("hdparm", Box::new(screen.clone()));
    later(&aside, 1);
    assert_eq!(screen.text(), "");
    later(&aside, 3);
    let shown = "\r\x1b[Khdparm: at work for 3 s; Ctrl-C ends it";
    assert_eq!(screen.text(), shown);
    let mut out = aside.before(screen.clone(), true);
    out.write_all(b"done\n").unwrap();
    assert_eq!(screen.text(), format!("{shown}\r\x1b[Kdone\n"));
    drop(aside);
    assert_eq!(screen.text(), format!("{shown}\r\x1b[Kdone\n"));
}

#[test]
fn a_line_of_the_tool_that_is_not_ended_stays() {
    let screen = Screen::default();
    let aside = Aside::new("iozone", Box::new(screen.clone()));
    let mut out = aside.before(screen.clone(), true);
    out.write_all(b"  64  4").unwrap();
    later(&aside, 60);
    assert_eq!(screen.text(), "  64  4");
    out.write_all(b"  123\n").unwrap();
    later(&aside, 60);
    assert!(screen.text().ends_with("at work for 60 s; Ctrl-C ends it"));
    drop(aside);
    assert!(screen.text().ends_with("\r\x1b[K"));
}

#[test]
fn what_goes_elsewhere_does_not_keep_the_line_away() {
    let (screen, file) = (Screen::default(), Screen::default());
    let aside = Aside::new("iozone", Box::new(screen.clone()));
    aside.before(file, false).write_all(b"64").unwrap();
    later(&aside, 60);
    assert!(screen.text().contains("at work"));
}

#[test]
fn nothing_is_said_beside_another_line_of_progress() {
    let screen = Screen::default();
    let aside = Aside::new("import", Box::new(screen.clone()));
    aside.rest(true);
    later(&aside, 9);
    assert_eq!(screen.text(), "");
    aside.rest(false);
    later(&aside, 9);
    let shown = "\r\x1b[Kimport: at work for 9 s; Ctrl-C ends it";
    assert_eq!(screen.text(), shown);
    aside.spoke(true);
    assert_eq!(screen.text(), format!("{shown}\r\x1b[K"));
    // Behind the beginning of a line it would destroy that.
    aside.spoke(false);
    later(&aside, 20);
    assert_eq!(screen.text(), format!("{shown}\r\x1b[K"));
}
