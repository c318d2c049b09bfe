//! What files hold, byte by byte from a seed.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::text::TextSource;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileContent {
    /// Words and lines, as in prose and source code; compressors make a third of it.
    Text,
    /// Random bytes, as in photographs and films.
    Incompressible,
    /// Random bytes in base64 lines, as in attachments; compressors make three quarters of it.
    Base64,
}

/// A word that no generated text contains, but the lines that `grep-tree` plants.
pub(crate) const NEEDLE: &str = "storage_etalon_needle";

/// Writes the contents of one file, piece by piece.
pub(crate) struct Filler<'t> {
    content: FileContent,
    random: Xoshiro256PlusPlus,
    text: &'t TextSource,
    /// What was made and not handed out yet.
    rest: Vec<u8>,
    at: usize,
}

impl<'t> Filler<'t> {
    pub(crate) fn new(content: FileContent, seed: u64, text: &'t TextSource) -> Filler<'t> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Filler {
            content,
            random,
            text,
            rest: Vec::new(),
            at: 0,
        }
    }

    /// Fills `piece` with what comes next.
    pub(crate) fn fill(&mut self, piece: &mut [u8]) {
        if self.content == FileContent::Incompressible {
            // Whole words, so that the bytes do not depend on how they are asked for.
            return self.fill_whole(piece);
        }
        let mut done = 0;
        while done < piece.len() {
            if self.at == self.rest.len() {
                self.rest.clear();
                self.at = 0;
                self.more();
            }
            let length = (piece.len() - done).min(self.rest.len() - self.at);
            piece[done..done + length].copy_from_slice(&self.rest[self.at..self.at + length]);
            done += length;
            self.at += length;
        }
    }

    fn fill_whole(&mut self, piece: &mut [u8]) {
        let mut done = 0;
        while done < piece.len() {
            if self.at == self.rest.len() {
                self.rest.resize(4096, 0);
                self.random.fill(&mut self.rest[..]);
                self.at = 0;
            }
            let length = (piece.len() - done).min(self.rest.len() - self.at);
            piece[done..done + length].copy_from_slice(&self.rest[self.at..self.at + length]);
            done += length;
            self.at += length;
        }
    }

    fn more(&mut self) {
        match self.content {
            FileContent::Base64 => self.base64_line(),
            _ => self.text.lines(&mut self.random, &mut self.rest),
        }
    }

    /// 76 characters and a line end (RFC 2045, section 6.8).
    fn base64_line(&mut self) {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        while self.rest.len() < 76 {
            let mut bits: u64 = self.random.random();
            for _ in 0..10 {
                self.rest.push(LETTERS[(bits & 63) as usize]);
                bits >>= 6;
            }
        }
        self.rest.truncate(76);
        self.rest.extend_from_slice(b"\r\n");
    }
}
