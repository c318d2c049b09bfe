//! A guest that writes, and the moments at which the power of its disk fails.

use std::thread;
use std::time::Instant;

use etalon_lab::powercut::{DrawnCut, PowerCut, Promised};

use super::disks::Disks;
use super::talk::{Said, Talk};
use super::writing_clock::WritingClock;
use super::written::Written;

/// Cuts, and of those whose filesystem could not be mounted, or whose database not be opened, why.
pub(super) type CutResults = (Vec<PowerCut>, Vec<String>);

/// A guest at work.
pub(super) struct Cutting<'a> {
    written: Written,
    talk: Talk<'a>,
    disks: &'a Disks,
    seed: u64,
    promised: Vec<Promised>,
    clock: WritingClock,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(
        written: Written,
        talk: Talk<'a>,
        disks: &'a Disks,
        seed: u64,
    ) -> Cutting<'a> {
        Cutting {
            written,
            talk,
            disks,
            seed,
            promised: Vec::new(),
            clock: WritingClock::default(),
        }
    }

    /// So many cuts, one after the other.
    pub(super) fn all(mut self, cuts: u64) -> anyhow::Result<CutResults> {
        while self.talk.hear()? != Said::Begin {}
        // The filesystem was made a while ago, and the disk has had nothing to do since.
        self.disks.settle()?;
        let (mut made, mut unmountable) = (Vec::new(), Vec::new());
        for number in 1..=cuts {
            let (cut, why) = self.one(number)?;
            made.push(cut);
            unmountable.extend(why);
        }
        self.talk.say("quit")?;
        Ok((made, unmountable))
    }

    fn one(&mut self, number: u64) -> anyhow::Result<(PowerCut, Option<String>)> {
        self.talk.say("write")?;
        self.clock.start(Instant::now());
        let drawn = DrawnCut::of(self.seed, number);
        self.write_on(&drawn)?;
        // Whatever was promised until here was promised before the cut.
        let promised = self.promised.clone();
        // The guest still writes until it is told to look; what it promises meanwhile has the moment of the cut.
        self.clock.stop(Instant::now());
        let at_ns = self.now_ns();
        let dropped_bytes = self.disks.cut(drawn.order)?;
        self.talk.say("look")?;
        let found = self.found()?;
        let given = match found {
            Ok(bytes) => self.disks.take(bytes)?,
            Err(_) => Vec::new(),
        };
        let lost = self.written.lost(self.seed, &promised, &given);
        let promised = promised.len() as u64;
        let cut = PowerCut {
            number,
            at_ns,
            promised,
            lost,
            dropped_bytes,
        };
        Ok((cut, found.err()))
    }

    /// Lets records be written until the drawn moment.
    fn write_on(&mut self, drawn: &DrawnCut) -> anyhow::Result<()> {
        let (promises, delay) = self.written.moment(drawn);
        let enough = self.promised.len() as u64 + promises;
        while (self.promised.len() as u64) < enough {
            match self.talk.hear()? {
                Said::Kept(number) => self.promise(number),
                Said::End => break,
                _ => {}
            }
        }
        thread::sleep(delay);
        while let Some(said) = self.talk.heard() {
            if let Said::Kept(number) = said {
                self.promise(number);
            }
        }
        Ok(())
    }

    fn promise(&mut self, number: u64) {
        let at_ns = self.now_ns();
        self.promised.push(Promised { number, at_ns });
    }

    /// How many bytes of records the guest has found, or why it could not look.
    fn found(&mut self) -> anyhow::Result<Result<u64, String>> {
        loop {
            match self.talk.hear()? {
                Said::Found(bytes) => return Ok(Ok(bytes)),
                Said::Unmountable(why) => return Ok(Err(why)),
                Said::Kept(number) => self.promise(number),
                Said::Begin | Said::End | Said::Failed(_) => {}
            }
        }
    }

    fn now_ns(&self) -> u64 {
        self.clock.at_ns(Instant::now())
    }
}
