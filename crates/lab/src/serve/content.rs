//! The data of a disk: its medium, and before it a volatile cache where its power may fail.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::medium::Medium;
use crate::disk::{CutOrder, VolatileCache};

/// What a volatile cache takes until it is emptied without having been asked, in bytes: more than the cache
/// of any disk of the catalogue, so that nothing becomes durable that another disk would have lost.
const CACHE_BYTES: u64 = 256 << 20;

/// What becomes of a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushPromise {
    /// What was answered before it is on the medium when it is answered.
    Kept,
    /// It is answered, and nothing else happens; writes that force unit access are lied about as well.
    Ignored,
}

/// The data of one disk, from one server to the next.
#[derive(Debug)]
pub struct Content {
    medium: Medium,
    power: Option<Volatile>,
}

/// What is lost with the power.
#[derive(Debug)]
struct Volatile {
    cache: Mutex<VolatileCache>,
    promise: FlushPromise,
}

impl Volatile {
    fn cache(&self) -> MutexGuard<'_, VolatileCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    /// A disk of zeroes whose power never fails: every write is durable at once.
    ///
    /// # Errors
    /// The kernel's, which refused the memory.
    pub fn new(bytes: u64) -> io::Result<Content> {
        Ok(Content {
            medium: Medium::new(bytes)?,
            power: None,
        })
    }

    /// The same, which reads as noise of the seed where nothing was written.
    ///
    /// # Errors
    /// The kernel's, which refused the memory.
    pub fn with_noise(bytes: u64, seed: u64) -> io::Result<Content> {
        Ok(Content {
            medium: Medium::with_noise(bytes, seed)?,
            power: None,
        })
    }

    /// The same disk with a volatile cache: what was not flushed is lost with the power.
    #[must_use]
    pub fn losing_power(self, promise: FlushPromise) -> Content {
        let cache = Mutex::new(VolatileCache::new());
        Content {
            power: Some(Volatile { cache, promise }),
            ..self
        }
    }

    /// The same disk, whose medium asks this for room instead of the machine: every 16 MiB, and where there was none
    /// at every write.
    #[must_use]
    pub fn while_room(self, has_room: fn() -> bool) -> Content {
        Content {
            medium: self.medium.while_room(has_room),
            ..self
        }
    }

    /// Another disk of this size and noise on which nothing was written, and whose power never fails.
    ///
    /// # Errors
    /// The kernel's, which refused the memory.
    pub fn twin(&self) -> io::Result<Content> {
        Ok(Content {
            medium: self.medium.twin()?,
            power: None,
        })
    }

    /// The power fails: what was not flushed is kept or lost sector by sector, and the cache is empty. How many
    /// bytes are lost.
    ///
    /// # Errors
    /// The kernel's, and `StorageFull` where the machine has no memory left.
    pub fn cut(&self, order: CutOrder) -> io::Result<u64> {
        self.with_cache(|cache| self.keep_of(cache, order))
    }

    /// What this disk would hold if the power failed now takes the place of all that its twin held; this one
    /// goes on. How many bytes would be lost.
    ///
    /// # Errors
    /// Those of [`Content::cut`].
    pub fn cut_into(&self, order: CutOrder, twin: &Content) -> io::Result<u64> {
        self.with_cache(|cache| {
            twin.medium.copy_of(&self.medium)?;
            twin.keep_of(&mut cache.clone(), order)
        })
    }

    /// Everything reaches the medium, as it does in a disk that has been left alone for a while, also in one
    /// that ignores flushes.
    ///
    /// # Errors
    /// Those of [`Content::cut`].
    pub fn settle(&self) -> io::Result<()> {
        self.with_cache(|cache| self.put(cache.flush()))
    }

    /// What it reads as now, from byte `offset` on.
    ///
    /// # Errors
    /// The kernel's.
    pub fn read(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut read = vec![0; usize::try_from(length).unwrap_or(0)];
        self.read_into(offset, &mut read)?;
        Ok(read)
    }

    /// The same into memory that is there.
    ///
    /// # Errors
    /// The kernel's.
    pub fn read_into(&self, offset: u64, data: &mut [u8]) -> io::Result<()> {
        // Nothing may leave the cache for the medium in between.
        let cache = self.power.as_ref().map(Volatile::cache);
        self.medium.read_into(offset, data)?;
        if let Some(cache) = cache {
            cache.overlay(offset, data);
        }
        Ok(())
    }

    /// Writes whole sectors, which a cut may lose until they are flushed.
    ///
    /// # Errors
    /// Those of [`Content::cut`].
    pub fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let Some(power) = &self.power else {
            return self.medium.write(offset, data);
        };
        let mut cache = power.cache();
        cache.write(offset, data);
        match cache.bytes() > CACHE_BYTES {
            true => self.put(cache.flush()),
            false => Ok(()),
        }
    }

    /// A flush is answered.
    ///
    /// # Errors
    /// Those of [`Content::cut`].
    pub fn flush(&self) -> io::Result<()> {
        match self.ignores_flush() {
            true => Ok(()),
            false => self.settle(),
        }
    }

    /// A write that forces unit access is answered.
    ///
    /// # Errors
    /// Those of [`Content::cut`].
    pub fn force(&self, offset: u64, length: u64) -> io::Result<()> {
        match self.ignores_flush() {
            true => Ok(()),
            false => self.with_cache(|cache| self.put(cache.take(offset, length))),
        }
    }

    /// What was there is not needed any more; what of it the cache held is gone as well.
    ///
    /// # Errors
    /// The kernel's.
    pub fn discard(&self, offset: u64, length: u64) -> io::Result<()> {
        self.with_cache(|cache| {
            cache.take(offset, length).for_each(drop);
            self.medium.discard(offset, length)
        })
    }

    fn ignores_flush(&self) -> bool {
        let promise = self.power.as_ref().map(|power| power.promise);
        promise == Some(FlushPromise::Ignored)
    }

    /// Does it with the cache, which nobody else changes meanwhile; with an empty one where the power never fails.
    fn with_cache<T>(&self, act: impl FnOnce(&mut VolatileCache) -> T) -> T {
        match &self.power {
            Some(power) => act(&mut power.cache()),
            None => act(&mut VolatileCache::new()),
        }
    }

    /// Empties the cache as a cut does, keeps what is kept, and says how many bytes are not.
    fn keep_of(&self, cache: &mut VolatileCache, order: CutOrder) -> io::Result<u64> {
        let held = cache.bytes();
        let kept = cache.cut(order);
        let kept_bytes: u64 = kept.iter().map(|(_, data)| data.len() as u64).sum();
        self.put(kept)?;
        Ok(held - kept_bytes)
    }

    /// Puts these sectors onto the medium.
    fn put(&self, sectors: impl IntoIterator<Item = (u64, Vec<u8>)>) -> io::Result<()> {
        let put = |(offset, data): (u64, Vec<u8>)| self.medium.write(offset, &data);
        sectors.into_iter().try_for_each(put)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 1 << 20;

    fn disk(promise: FlushPromise) -> Content {
        Content::with_noise(MOST, 7).unwrap().losing_power(promise)
    }

    fn sector(content: &Content, offset: u64) -> u8 {
        let read = content.read(offset, 512).unwrap();
        if read.iter().all(|byte| *byte == read[0]) {
            read[0]
        } else {
            u8::MAX
        }
    }

    #[test]
    fn a_cut_loses_what_was_not_flushed_and_nothing_else() {
        let content = disk(FlushPromise::Kept);
        content.write(0, &[1; 512]).unwrap();
        content.flush().unwrap();
        content.write(512, &[2; 1024]).unwrap();
        content.force(1024, 512).unwrap();
        content.write(0, &[3; 512]).unwrap();
        assert_eq!(sector(&content, 0), 3, "what was written is read");
        content.cut(CutOrder::LosesAll).unwrap();
        let found = [0, 512, 1024].map(|offset| sector(&content, offset));
        assert_eq!(found, [1, u8::MAX, 2]);
    }

    #[test]
    fn a_disk_that_ignores_flushes_keeps_only_what_has_settled() {
        let content = disk(FlushPromise::Ignored);
        content.write(0, &[1; 512]).unwrap();
        content.settle().unwrap();
        content.write(512, &[2; 1024]).unwrap();
        content.flush().unwrap();
        content.force(1024, 512).unwrap();
        content.cut(CutOrder::LosesAll).unwrap();
        let found = [0, 512, 1024].map(|offset| sector(&content, offset));
        assert_eq!(found, [1, u8::MAX, u8::MAX]);
    }

    #[test]
    fn what_a_cut_would_leave_is_another_disk_and_this_one_goes_on() {
        let content = disk(FlushPromise::Kept);
        let left = content.twin().unwrap();
        left.write(4096, &[9; 4096]).unwrap();
        content.write(0, &[1; 512]).unwrap();
        content.flush().unwrap();
        content.write(512, &[2; 512]).unwrap();
        content.cut_into(CutOrder::LosesAll, &left).unwrap();
        let before = disk(FlushPromise::Kept);
        before.write(0, &[1; 512]).unwrap();
        assert!(left.read(0, MOST).unwrap() == before.read(0, MOST).unwrap());
        assert_eq!(sector(&content, 512), 2);
        // The power of the other one does not fail, and a trim takes what the cache held.
        content.discard(0, 4096).unwrap();
        content.settle().unwrap();
        assert_eq!(sector(&content, 512), u8::MAX);
    }

    #[test]
    fn a_disk_whose_power_never_fails_loses_nothing() {
        let content = Content::new(MOST).unwrap();
        content.write(0, &[1; 512]).unwrap();
        content.cut(CutOrder::LosesAll).unwrap();
        assert_eq!(sector(&content, 0), 1);
    }
}
