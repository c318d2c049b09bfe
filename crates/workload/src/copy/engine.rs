//! The copy itself: block by block from a source to a sink, counting.

use std::time::Instant;

use etalon_units::{Bytes, Nanos};

use super::buffer::AlignedBuffer;
use super::convert::Converter;
use super::counts::Counts;
use super::early_end::EarlyEnd;
use super::ends::{Sink, Source};
use super::input_side::{InputSide, NotRead};
use super::notice::{Notice, Side};
use super::observer::{Go, Observer};
use super::output_side::OutputSide;
use super::settings::{CopySettings, StatusLevel};

/// How a copy ended, with the sink for what is measured afterwards.
#[derive(Debug)]
pub struct Copied<K> {
    /// What was moved; also after a failure.
    pub counts: Counts,
    /// From before the first positioning until the output is closed, and durable where `conv=` asks.
    pub elapsed: Nanos,
    /// What failed first; the observer was told of it and of what followed.
    pub failure: Option<Notice>,
    /// The observer ended it.
    pub stopped: bool,
    /// The output: closed for the filesystem, still there for who looks at it or makes it durable.
    pub sink: K,
}

impl<K> Copied<K> {
    /// Whether something failed.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }
}

/// Copies from `source` to `sink`; `Err` when there is no memory for the buffers.
///
/// # Errors
/// [`Notice::OutOfMemory`]; nothing was read or written.
pub fn copy<S: Source, K: Sink>(
    settings: &CopySettings,
    source: S,
    sink: K,
    observer: &mut dyn Observer,
) -> Result<Copied<K>, Notice> {
    let block = AlignedBuffer::new(settings.input_block)
        .map_err(|_| Notice::OutOfMemory(Side::Input, settings.input_block))?;
    let gather_bytes = if settings.regroup {
        settings.output_block
    } else {
        0
    };
    let gathered = AlignedBuffer::new(gather_bytes)
        .map_err(|_| Notice::OutOfMemory(Side::Output, settings.output_block))?;
    let start = Instant::now();
    let mut engine = Engine {
        settings,
        input: InputSide::new(source, settings),
        output: OutputSide::new(sink, settings, gathered),
        converter: Converter::new(settings.conversions),
        counts: Counts::default(),
        observer,
        before: 0,
        failure: None,
        stopped: false,
    };
    match engine.run(block) {
        Ok(()) => {}
        Err(EarlyEnd::Stopped) => engine.stopped = true,
        Err(EarlyEnd::Failed(notice)) => engine.report(&notice),
    }
    engine.finish();
    let elapsed = start.elapsed().into();
    Ok(Copied {
        counts: engine.counts,
        failure: engine.failure,
        stopped: engine.stopped,
        sink: engine.output.into_sink(),
        elapsed,
    })
}

struct Engine<'a, S, K> {
    settings: &'a CopySettings,
    input: InputSide<S>,
    output: OutputSide<K>,
    converter: Converter,
    counts: Counts,
    observer: &'a mut dyn Observer,
    /// Length of the block before this one where that was short, else zero.
    before: usize,
    failure: Option<Notice>,
    stopped: bool,
}

impl<S: Source, K: Sink> Engine<'_, S, K> {
    /// All of it but the end; an error ends the copy on the spot.
    fn run(&mut self, mut block: AlignedBuffer) -> Result<(), EarlyEnd> {
        let settings = self.settings;
        if !settings.skip.is_zero() {
            let counts = &self.counts;
            self.input
                .skip(settings, block.get_mut(), self.observer, counts)?;
        }
        if !settings.seek.is_zero() {
            self.output.seek(settings)?;
        }
        while let Some(want) = self.next_length() {
            if self.observer.go_on(&self.counts) == Go::Stop {
                self.stopped = true;
                break;
            }
            if !self.one(block.get_mut(), want)? {
                break;
            }
        }
        let rest = self.converter.rest();
        self.output.gather(rest, self.observer, &mut self.counts)?;
        self.counts.truncated = self.converter.truncated();
        self.output.flush(self.observer, &mut self.counts)?;
        Ok(self.output.close_hole()?)
    }

    /// What follows also after a failure: what was written is made durable where `conv=` asks.
    fn finish(&mut self) {
        if !self.stopped {
            for failure in self.output.make_durable() {
                self.report(&failure);
            }
        }
        self.input.finish();
        self.output.drop_all();
        // Ext4 and xfs write in close() what replaces a file that was cut; dd's own clock runs until then.
        if let Some(failure) = self.output.close() {
            self.report(&failure);
        }
    }

    /// How much to read next; `None` when `count=` is reached.
    fn next_length(&self) -> Option<usize> {
        let whole = self.settings.input_block;
        let Some(count) = self.settings.count else {
            return Some(whole);
        };
        match self.counts.records_in() {
            done if done < count.blocks => Some(whole),
            done if done == count.blocks && count.bytes > 0 => Some(count.bytes),
            _ => None,
        }
    }

    /// One block of at most `want` bytes; `false` when there are no more.
    fn one(&mut self, block: &mut [u8], want: usize) -> Result<bool, EarlyEnd> {
        let conversions = self.settings.conversions;
        if conversions.sync && conversions.noerror {
            block.fill(conversions.padding());
        }
        let read = match self
            .input
            .block(&mut block[..want], self.observer, &self.counts)
        {
            Ok(0) => return Ok(false),
            Ok(n) => n,
            Err(NotRead::Stopped) => {
                self.stopped = true;
                return Ok(false);
            }
            Err(NotRead::Failed(errno)) => {
                let notice = Notice::ReadFailed(self.input.name().clone(), errno);
                if !self.after_read_error(&notice) {
                    return Ok(false);
                }
                if !conversions.sync || self.before > 0 {
                    return Ok(true);
                }
                // A block of padding stands for what could not be read.
                0
            }
        };
        self.hand_over(block, read)?;
        Ok(true)
    }

    /// Whether reading goes on after an error.
    fn after_read_error(&mut self, notice: &Notice) -> bool {
        let noerror = self.settings.conversions.noerror;
        self.counts.failed_in += 1;
        if !noerror || self.settings.status != StatusLevel::None {
            self.observer.notice(notice);
        }
        if !noerror {
            self.fails(notice);
            return false;
        }
        self.observer.statistics(&self.counts);
        let unread = self.settings.input_block - self.before;
        if let Err(notice) = self.input.pass_over(unread) {
            self.report(&notice);
        }
        true
    }

    fn hand_over(&mut self, block: &mut [u8], read: usize) -> Result<(), EarlyEnd> {
        let whole = self.settings.input_block;
        let mut length = read;
        self.counts.read = Bytes(self.counts.read.get() + read as u64);
        if read < whole {
            self.counts.partial_in += 1;
            self.before = read;
            if self.settings.conversions.sync {
                length = block.len();
                // With noerror it was padded before the read: a direct read that failed may have
                // brought sectors beside the bad one, and they are kept.
                if !self.settings.conversions.noerror {
                    block[read..].fill(self.settings.conversions.padding());
                }
            }
        } else {
            self.counts.full_in += 1;
            self.before = 0;
        }
        if self.settings.regroup {
            let data = self.converter.convert(&mut block[..length]);
            let gathered = self.output.gather(data, self.observer, &mut self.counts);
            self.counts.truncated = self.converter.truncated();
            gathered
        } else {
            let data = &block[..length];
            self.output
                .pass(data, length == whole, self.observer, &mut self.counts)
        }
    }

    fn report(&mut self, notice: &Notice) {
        if notice.is_failure() {
            self.fails(notice);
        }
        self.observer.notice(notice);
    }

    fn fails(&mut self, notice: &Notice) {
        self.failure.get_or_insert_with(|| notice.clone());
    }
}
