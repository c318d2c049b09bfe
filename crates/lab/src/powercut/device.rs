//! Records on a bare disk of the catalogue, on its virtual clock.

use std::io;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Durability, PowerCut, Promised, Records};
use crate::catalogue::Class;
use crate::disk::{CutOrder, Disk, DiskError, Fault, FaultyDisk, Request, RequestKind};
use crate::serve::{Content, FlushPromise};

/// What a writer needs of a disk that it fills with records.
#[derive(Debug, Clone, Copy)]
pub struct DeviceWriter {
    /// The class of the disk.
    pub class: &'static Class,
    /// Its size.
    pub bytes: u64,
    /// What it does with flushes.
    pub promise: FlushPromise,
    /// When a record is taken for durable.
    pub durability: Durability,
    /// The most records that are written until the power fails.
    pub records: u64,
    /// Decides the moments, what each cut leaves, and the times and the noise of the disk.
    pub seed: u64,
}

/// Power cuts of a bare disk, each at a moment of its own while records are written one after the other. They
/// need no machine: the disk is a model on a virtual clock, and everything comes again with the seed.
#[derive(Debug)]
pub struct DeviceCuts {
    writer: DeviceWriter,
    records: Records,
    /// How long all records take.
    span_ns: u64,
}

/// Why no power could be cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// The model failed.
    #[error("the disk failed after {at_ns} ns: {error}")]
    Disk {
        /// When.
        at_ns: u64,
        /// Why.
        error: DiskError,
    },
    /// The model does not answer any more.
    #[error("the disk answers no more; this is a fault of the model")]
    Stuck,
    /// What a disk holds found no memory.
    #[error(
        "the content of a disk cannot be kept in memory: {0}; free some memory, or take a smaller --disk"
    )]
    Memory(#[from] io::Error),
}

impl DeviceCuts {
    /// Lets the writer write all records once, to know how long that takes.
    ///
    /// # Errors
    /// [`CutError`].
    pub fn new(writer: DeviceWriter) -> Result<DeviceCuts, CutError> {
        let records = Records::new(writer.seed);
        let mut uncut = Writing::begin(&writer, u64::MAX)?;
        uncut.write_all(&writer, records)?;
        Ok(DeviceCuts {
            span_ns: uncut.now_ns,
            writer,
            records,
        })
    }

    /// Writes to a fresh disk, cuts its power, and reads the promised records from what is left. Cuts are
    /// numbered from 1 on, and each is the same whenever it is made.
    ///
    /// # Errors
    /// [`CutError`].
    pub fn cut(&self, number: u64) -> Result<PowerCut, CutError> {
        let mut draw = Xoshiro256PlusPlus::seed_from_u64(self.writer.seed.wrapping_add(number));
        let at_ns = draw.random_range(0..=self.span_ns);
        let order = CutOrder::AnyOrder {
            seed: draw.random(),
        };
        let mut writing = Writing::begin(&self.writer, at_ns)?;
        writing.write_all(&self.writer, self.records)?;
        let (content, promised) = (writing.content, writing.promised);
        let dropped_bytes = content.cut(order)?;
        let left = content.read(0, Records::offset(self.writer.records))?;
        Ok(PowerCut {
            number,
            at_ns,
            promised: promised.len() as u64,
            lost: self.records.lost(&promised, &left),
            dropped_bytes,
        })
    }
}

/// A disk that is being written to until its power fails.
struct Writing {
    disk: Box<dyn Disk>,
    content: Content,
    promised: Vec<Promised>,
    now_ns: u64,
    ends_ns: u64,
    last_id: u64,
}

impl Writing {
    fn begin(writer: &DeviceWriter, ends_ns: u64) -> Result<Writing, CutError> {
        let faults = match writer.promise {
            FlushPromise::Kept => Vec::new(),
            FlushPromise::Ignored => vec![Fault::IgnoresFlush],
        };
        let disk = writer.class.disk(writer.bytes, writer.seed);
        let content = Content::with_noise(writer.bytes, writer.seed)?;
        Ok(Writing {
            disk: Box::new(FaultyDisk::new(disk, faults)),
            content: content.losing_power(writer.promise),
            promised: Vec::new(),
            now_ns: 0,
            ends_ns,
            last_id: 0,
        })
    }

    /// Writes record after record until the power fails, or all are written.
    fn write_all(&mut self, writer: &DeviceWriter, records: Records) -> Result<(), CutError> {
        for number in 0..writer.records {
            if !self.write(number, writer.durability, records)? {
                break;
            }
            let at_ns = self.now_ns;
            self.promised.push(Promised { number, at_ns });
        }
        Ok(())
    }

    /// Whether the record was promised before the power failed.
    fn write(
        &mut self,
        number: u64,
        durability: Durability,
        records: Records,
    ) -> Result<bool, CutError> {
        let (offset, length) = (Records::offset(number), Records::BYTES);
        let fua = durability == Durability::Dsync;
        // What is under way may be in the cache, and may be on the medium.
        self.content.write(offset, &records.content(number))?;
        if !self.ask(RequestKind::Write { fua }, offset, length)? {
            return Ok(false);
        }
        match durability {
            Durability::None => {}
            Durability::Dsync => self.content.force(offset, length)?,
            Durability::Fsync if !self.ask(RequestKind::Flush, 0, 0)? => return Ok(false),
            Durability::Fsync => self.content.flush()?,
        }
        Ok(true)
    }

    /// Whether the disk has answered before the power failed.
    fn ask(
        &mut self,
        kind: RequestKind,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> Result<bool, CutError> {
        self.last_id += 1;
        let request = Request {
            id: self.last_id,
            kind,
            offset_bytes,
            length_bytes,
        };
        self.disk.submit(self.now_ns, request);
        loop {
            let next_ns = self.disk.next_event_ns().ok_or(CutError::Stuck)?;
            if next_ns > self.ends_ns {
                return Ok(false);
            }
            let Some(ended) = self.disk.step().filter(|ended| ended.id == request.id) else {
                continue;
            };
            let at_ns = ended.at_ns;
            self.now_ns = at_ns;
            return match ended.failed {
                Some(error) => Err(CutError::Disk { at_ns, error }),
                None => Ok(true),
            };
        }
    }
}
