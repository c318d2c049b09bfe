//! Compression: the same stream through gzip, zstd, xz or none.

use std::io::{self, BufRead, Read, Write};

use super::parameter::{Kind, Parameter};

/// Which compressor.
pub(super) static FORMAT: Parameter = Parameter {
    name: "format",
    kind: Kind::Choice(&["gzip", "zstd", "xz", "none"]),
    default: "gzip",
    help: "the compressor",
};

/// How hard it tries.
pub(super) static LEVEL: Parameter = Parameter {
    name: "level",
    kind: Kind::Text,
    default: "",
    help: "the compressor's level, 0 to 9, zstd to 19; without it each one's own default: gzip 6, zstd 3, xz 6",
};

/// Who compresses.
pub(super) static PROGRAM: Parameter = Parameter {
    name: "program",
    kind: Kind::Choice(&["internal", "system"]),
    default: "internal",
    help: "internal: within this program, one thread; system: the tar and the compressor that are installed",
};

/// A compressor with its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Codec {
    pub(super) name: &'static str,
    pub(super) level: u32,
}

impl Codec {
    /// The codec of a name, at a level or its own default; `None` for a level that it has not.
    pub(super) fn new(name: &str, level: &str) -> Option<Codec> {
        let (name, own, most) = match name {
            "zstd" => ("zstd", 3, 19),
            "xz" => ("xz", 6, 9),
            "none" => ("none", 0, 9),
            _ => ("gzip", 6, 9),
        };
        let level = if level.is_empty() {
            own
        } else {
            level.parse().ok()?
        };
        (level <= most && (name != "zstd" || level > 0)).then_some(Codec { name, level })
    }

    /// The program and its Debian package; `None` for no compression.
    pub(super) fn program(self) -> Option<(&'static str, &'static str)> {
        match self.name {
            "gzip" => Some(("gzip", "gzip")),
            "zstd" => Some(("zstd", "zstd")),
            "xz" => Some(("xz", "xz-utils")),
            _ => None,
        }
    }

    /// What an archive's name ends with.
    pub(super) fn suffix(self) -> &'static str {
        match self.name {
            "gzip" => "tar.gz",
            "zstd" => "tar.zst",
            "xz" => "tar.xz",
            _ => "tar",
        }
    }

    pub(super) fn encoder<W: Write>(self, to: W) -> io::Result<Encoder<W>> {
        Ok(match self.name {
            "gzip" => Encoder::Gzip(flate2::write::GzEncoder::new(
                to,
                flate2::Compression::new(self.level),
            )),
            "zstd" => Encoder::Zstd(zstd::Encoder::new(to, self.level as i32)?),
            "xz" => Encoder::Xz(liblzma::write::XzEncoder::new(to, self.level)),
            _ => Encoder::None(to),
        })
    }

    pub(super) fn decoder<'r, R: BufRead + 'r>(self, from: R) -> io::Result<Box<dyn Read + 'r>> {
        Ok(match self.name {
            "gzip" => Box::new(flate2::bufread::MultiGzDecoder::new(from)),
            "zstd" => Box::new(zstd::Decoder::with_buffer(from)?),
            "xz" => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(from)),
            _ => Box::new(from),
        })
    }
}

/// A compressor at work.
pub(super) enum Encoder<W: Write> {
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    Xz(liblzma::write::XzEncoder<W>),
    None(W),
}

impl<W: Write> Encoder<W> {
    /// Writes what is still held back, and the end.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
            Encoder::None(to) => Ok(to),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
            Encoder::Xz(encoder) => encoder.write(bytes),
            Encoder::None(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
            Encoder::Xz(encoder) => encoder.flush(),
            Encoder::None(to) => to.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(bytes in prop::collection::vec(any::<u8>(), 0..3000), which in 0usize..4) {
            let codec = Codec::new(["gzip", "zstd", "xz", "none"][which], "").unwrap();
            let mut encoder = codec.encoder(Vec::new()).unwrap();
            encoder.write_all(&bytes).unwrap();
            let packed = encoder.finish().unwrap();
            let mut back = Vec::new();
            codec.decoder(&packed[..]).unwrap().read_to_end(&mut back).unwrap();
            prop_assert_eq!(back, bytes);
        }

        #[test]
        fn no_level_panics(level in "\\PC{0,5}") {
            let _ = Codec::new("zstd", &level);
        }
    }

    #[test]
    fn levels_have_ends() {
        assert_eq!(Codec::new("gzip", "").unwrap().level, 6);
        assert_eq!(Codec::new("zstd", "19").unwrap().level, 19);
        assert_eq!(
            (
                Codec::new("xz", "10"),
                Codec::new("gzip", "-1"),
                Codec::new("zstd", "0")
            ),
            (None, None, None)
        );
    }
}
