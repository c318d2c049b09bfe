//! A headless Chromium that is told what to do through pipes, by the Chrome DevTools Protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>). Every name but this machine's addresses is unknown to it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

/// It reads what it is told from the third descriptor and answers through the fourth; one that hangs is ended.
const START: &str = "exec timeout 300 chromium --headless --no-sandbox --remote-debugging-pipe --user-data-dir=\"$HOME\" \
    --no-first-run --disable-gpu --disable-dev-shm-usage --disable-background-networking --disable-component-update \
    --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1' 3<&0 4>&1 </dev/null >/dev/null 2>&1";

/// A browser with one page; it ends with the test.
pub(crate) struct Browser {
    child: Child,
    told: ChildStdin,
    answers: BufReader<ChildStdout>,
    page: Option<String>,
    asked: u64,
    /// What went wrong in a page: errors of scripts, and what the browser refused to load.
    complaints: Vec<String>,
    _home: tempfile::TempDir,
}

impl Browser {
    /// None where there is no Chromium; the test is skipped by name then.
    pub(crate) fn start(test: &str) -> Option<Browser> {
        if Command::new("chromium").arg("--version").output().is_err() {
            etalon_testbed::skip(test, "no chromium here");
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        // What it leaves in the directory for temporary files goes with its home.
        let shell = shell
            .args(["-c", START])
            .env("HOME", home.path())
            .env("TMPDIR", home.path());
        let mut child = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut browser = Browser {
            told: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
            page: None,
            asked: 0,
            complaints: Vec::new(),
            _home: home,
        };
        browser.open();
        Some(browser)
    }

    fn open(&mut self) {
        let made = self.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": made["targetId"], "flatten": true });
        let page = self.ask("Target.attachToTarget", target);
        self.page = page["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            self.ask(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Opens an address, and waits until all of it is there.
    pub(crate) fn visit(&mut self, address: &str) {
        let gone = self.ask("Page.navigate", json!({ "url": address }));
        assert!(gone["errorText"].is_null(), "{address}: {gone}");
        while self.next()["method"] != "Page.loadEventFired" {}
    }

    /// Light or dark, as the reader's desktop asks for it, on a screen of this width.
    pub(crate) fn look(&mut self, scheme: &str, width: u32) {
        let wanted = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask("Emulation.setEmulatedMedia", json!({ "features": wanted }));
        let screen =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", screen);
    }

    /// The value of an expression, which is waited for where it is a promise.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut said = self.ask("Runtime.evaluate", asked);
        assert!(said["exceptionDetails"].is_null(), "{said}");
        said["result"]["value"].take()
    }

    /// What went wrong since the last time.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.asked += 1;
        let mut message = json!({ "id": self.asked, "method": method, "params": parameters });
        if let Some(page) = &self.page {
            message["sessionId"] = page.as_str().into();
        }
        self.told
            .write_all(format!("{message}\0").as_bytes())
            .unwrap();
        loop {
            let mut answer = self.next();
            if answer["id"] == self.asked {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.answers.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        let said: Value = serde_json::from_slice(&bytes).unwrap();
        let is_error = said["params"]["entry"]["level"] == "error"
            || said["params"]["type"] == "error"
            || said["method"] == "Runtime.exceptionThrown";
        if is_error {
            self.complaints.push(said["params"].to_string());
        }
        said
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // `timeout` leads a group of its own, in which the browser's processes are.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}
