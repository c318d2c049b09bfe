//! The size of a workload's operations: one, or several by chance.

use std::fmt;
use std::str::FromStr;

use etalon_units::{Bytes, ParseBytesError};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Most sizes of one workload; each takes part in every draw.
const MOST: u64 = 1024;

/// The size of a workload's operations; where there are several, the run's seed draws one for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlockSizes {
    /// All have this size; at least 1 byte.
    #[serde(skip)]
    One(Bytes),
    /// These sizes by their shares of the operations.
    Weighted(Vec<BlockShare>),
    /// All sizes of a range, each as likely as the others.
    Range(BlockRange),
}

/// One size and how often it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockShare {
    /// Size of the operation; at least 1 byte.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Its share of the operations in percent, 1..=100; all shares add up to 100.
    pub percent: u8,
}

/// The sizes from the smallest to the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockRange {
    /// The smallest size; at least 1 byte.
    #[serde(rename = "smallest_bytes", alias = "smallest")]
    pub smallest: Bytes,
    /// The largest size.
    #[serde(rename = "largest_bytes", alias = "largest")]
    pub largest: Bytes,
    /// Distance between two sizes; where it is missing, each size is twice the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "step_bytes", alias = "step")]
    pub step: Option<Bytes>,
}

/// How a record has it, in two keys of the workload.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct BlockKeys {
    /// Size of one operation, or the largest of `block_sizes`; at least 1 byte.
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    #[serde(default = "default_size")]
    largest: Bytes,
    /// Operations of several sizes; missing where all have `block_size_bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block_sizes: Option<BlockSizes>,
}

fn default_size() -> Bytes {
    Bytes::kib(4)
}

impl BlockKeys {
    pub(crate) fn serialize<S: Serializer>(sizes: &BlockSizes, to: S) -> Result<S::Ok, S::Error> {
        let keys = BlockKeys {
            largest: sizes.largest(),
            block_sizes: sizes.is_mix().then(|| sizes.clone()),
        };
        Serialize::serialize(&keys, to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BlockSizes, D::Error> {
        let BlockKeys {
            largest,
            block_sizes,
        } = Deserialize::deserialize(from)?;
        match block_sizes {
            None => Ok(BlockSizes::One(largest)),
            Some(sizes) if sizes.largest() == largest => Ok(sizes),
            Some(sizes) => Err(D::Error::custom(format_args!(
                "block_size_bytes is {}, and the largest of block_sizes '{sizes}' is {}; both have to be the same",
                largest.get(),
                sizes.largest().get()
            ))),
        }
    }
}

/// Why a text or a record gives no block sizes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockSizesError {
    /// The one size cannot be read.
    #[error(transparent)]
    One(#[from] ParseBytesError),
    /// One of the sizes cannot be read.
    #[error("block sizes '{input}': {source}")]
    Size {
        /// What was given.
        input: String,
        /// What is wrong with the size.
        source: ParseBytesError,
    },
    /// A part of a mix without a usable weight.
    #[error(
        "block sizes '{input}': '{part}' is not a size with a weight of 1 to 100 percent; write for example 4k:60,64k:40"
    )]
    Weight {
        /// What was given.
        input: String,
        /// The part in question.
        part: String,
    },
    /// Weights that do not add up.
    #[error("block sizes '{input}': the weights add up to {sum} percent; make them add up to 100")]
    Sum {
        /// What was given.
        input: String,
        /// Their sum in percent.
        sum: u32,
    },
    /// A range whose end is not reached.
    #[error(
        "block sizes '{input}': the range does not end at its largest size; without a step the sizes double (4k-64k is 4k, 8k, 16k, 32k, 64k), with one they grow by it (4k-64k/4k)"
    )]
    Range {
        /// What was given.
        input: String,
    },
    /// Too many sizes.
    #[error("block sizes '{input}': {count} sizes are more than {MOST}; use a larger step")]
    Many {
        /// What was given.
        input: String,
        /// How many there are.
        count: u64,
    },
}

impl BlockSizes {
    /// Every size with its weight; a weight means a share only beside the sum of all.
    ///
    /// # Errors
    /// [`BlockSizesError`] where shares do not add up to 100 percent, or a range misses its end.
    pub fn weights(&self) -> Result<Vec<(Bytes, u32)>, BlockSizesError> {
        match self {
            BlockSizes::One(size) => Ok(vec![(*size, 1)]),
            BlockSizes::Weighted(shares) => self.shares(shares),
            BlockSizes::Range(range) => self.sizes_of(range),
        }
    }

    fn shares(&self, shares: &[BlockShare]) -> Result<Vec<(Bytes, u32)>, BlockSizesError> {
        let input = || self.to_string();
        let useless = |share: &&BlockShare| share.percent == 0 || share.size == Bytes::ZERO;
        if let Some(share) = shares.iter().find(useless) {
            let part = share.to_string();
            return Err(BlockSizesError::Weight {
                input: input(),
                part,
            });
        }
        let sum = shares.iter().map(|share| u32::from(share.percent)).sum();
        match sum {
            100 => Ok(shares.iter().map(|s| (s.size, s.percent.into())).collect()),
            sum => Err(BlockSizesError::Sum {
                input: input(),
                sum,
            }),
        }
    }

    fn sizes_of(&self, range: &BlockRange) -> Result<Vec<(Bytes, u32)>, BlockSizesError> {
        let input = self.to_string();
        let (first, last) = (range.smallest.get(), range.largest.get());
        let count = match range.step.map(Bytes::get) {
            _ if first == 0 || last <= first => None,
            Some(step) => (last - first)
                .checked_div(step)
                .filter(|n| first + n * step == last),
            None => Some(u64::from((last / first).ilog2())).filter(|n| first << n == last),
        };
        let count = 1 + match count {
            Some(steps) => steps,
            None => return Err(BlockSizesError::Range { input }),
        };
        if count > MOST {
            return Err(BlockSizesError::Many { input, count });
        }
        let size = |n| range.step.map_or(first << n, |step| first + n * step.get());
        Ok((0..count).map(|n| (Bytes(size(n)), 1)).collect())
    }

    /// Whether operations have several sizes.
    pub fn is_mix(&self) -> bool {
        self.one().is_none()
    }

    /// The size that all operations have; `None` where there are several.
    pub fn one(&self) -> Option<Bytes> {
        match self {
            BlockSizes::One(size) => Some(*size),
            BlockSizes::Weighted(_) | BlockSizes::Range(_) => None,
        }
    }

    /// The largest size; zero where there is none.
    pub fn largest(&self) -> Bytes {
        match self {
            BlockSizes::One(size) => *size,
            BlockSizes::Weighted(shares) => {
                let sizes = shares.iter().map(|share| share.size);
                sizes.max().unwrap_or_default()
            }
            BlockSizes::Range(range) => range.largest,
        }
    }

    /// The mean size in bytes.
    ///
    /// # Errors
    /// As [`BlockSizes::weights`].
    pub fn mean(&self) -> Result<f64, BlockSizesError> {
        let weights = self.weights()?;
        let sum: f64 = weights.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let bytes = weights
            .iter()
            .map(|(size, weight)| size.as_f64() * f64::from(*weight));
        Ok(bytes.sum::<f64>() / sum)
    }
}

impl From<Bytes> for BlockSizes {
    fn from(size: Bytes) -> BlockSizes {
        BlockSizes::One(size)
    }
}

impl fmt::Display for BlockShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.size.exact(), self.percent)
    }
}

impl fmt::Display for BlockSizes {
    /// As in a cell's name: `4 KiB`, `4 KiB:60+64 KiB:40`, `4 KiB-64 KiB`, `4 KiB-64 KiB/4 KiB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockSizes::One(size) => f.write_str(&size.exact()),
            BlockSizes::Weighted(shares) => {
                let shares: Vec<String> = shares.iter().map(BlockShare::to_string).collect();
                f.write_str(&shares.join("+"))
            }
            BlockSizes::Range(range) => {
                write!(f, "{}-{}", range.smallest.exact(), range.largest.exact())?;
                let step = range.step.map(Bytes::exact);
                step.map_or(Ok(()), |step| write!(f, "/{step}"))
            }
        }
    }
}

impl FromStr for BlockSizes {
    type Err = BlockSizesError;

    /// Reads `4k`, a mix `4k:60,64k:40`, or a range `4k-64k` or `4k-64k/4k`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // What begins with a dash is a negative size.
        if !text.contains(':') && text.find('-').is_none_or(|at| at == 0) {
            return Ok(BlockSizes::One(text.parse()?));
        }
        let size = |part: &str| {
            part.parse::<Bytes>()
                .map_err(|source| BlockSizesError::Size {
                    input: text.to_owned(),
                    source,
                })
        };
        let sizes = match text.split_once('-').filter(|_| !text.contains(':')) {
            Some((smallest, rest)) => {
                let (largest, step) = match rest.split_once('/') {
                    Some((largest, step)) => (largest, Some(size(step)?)),
                    None => (rest, None),
                };
                BlockSizes::Range(BlockRange {
                    smallest: size(smallest)?,
                    largest: size(largest)?,
                    step,
                })
            }
            None => {
                let shares = text.split(',').map(|part| share(text, part));
                BlockSizes::Weighted(shares.collect::<Result<_, _>>()?)
            }
        };
        sizes.weights().map_err(|error| error.of(text))?;
        Ok(sizes)
    }
}

fn share(text: &str, part: &str) -> Result<BlockShare, BlockSizesError> {
    let useless = || BlockSizesError::Weight {
        input: text.to_owned(),
        part: part.to_owned(),
    };
    let (size, percent) = part.split_once(':').ok_or_else(useless)?;
    let size = size.parse().map_err(|source| BlockSizesError::Size {
        input: text.to_owned(),
        source,
    })?;
    let percent = percent
        .trim_end_matches('%')
        .parse()
        .map_err(|_| useless())?;
    Ok(BlockShare { size, percent })
}

impl BlockSizesError {
    /// The same, of what was typed.
    fn of(mut self, text: &str) -> BlockSizesError {
        match &mut self {
            // It has the input from who read it.
            BlockSizesError::One(_) => {}
            BlockSizesError::Size { input, .. }
            | BlockSizesError::Weight { input, .. }
            | BlockSizesError::Sum { input, .. }
            | BlockSizesError::Range { input }
            | BlockSizesError::Many { input, .. } => text.clone_into(input),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IoWorkload;

    fn sizes(text: &str) -> Vec<u64> {
        let sizes: BlockSizes = text.parse().unwrap();
        let weights = sizes.weights().unwrap();
        weights.iter().map(|(size, _)| size.get() / 1024).collect()
    }

    #[test]
    fn ranges_double_or_grow_by_their_step() {
        assert_eq!(sizes("4k-64k"), [4, 8, 16, 32, 64]);
        assert_eq!(sizes("4k-16k/4k"), [4, 8, 12, 16]);
        assert_eq!(sizes("4k:60,64k:40"), [4, 64]);
        let mean = |text: &str| text.parse::<BlockSizes>().unwrap().mean().unwrap();
        assert_eq!(mean("4k:75%,8k:25%"), 5120.0);
        assert_eq!(mean("4k-12k/4k"), 8192.0);
    }

    #[test]
    fn what_cannot_be_used_is_quoted() {
        for text in [
            "4k:60,64k:30",
            "4k:0,64k:100",
            "4k:60,64k",
            "4q",
            "-4k",
            "4k:x,8k:50",
            "0:50,4k:50",
            "4k-48k",
            "64k-4k",
            "4k-4k",
            "0-4k",
            "4k-10k/4k",
            "4k-8k/0",
            "4q-8k",
            "1-2049/1",
            "4k:101",
            "4k-18014398509481984k",
        ] {
            let error = text.parse::<BlockSizes>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn a_record_reads_back_and_is_short() {
        for (text, shown) in [
            ("4k:60,64k:40", "4 KiB:60+64 KiB:40"),
            ("4k-64k", "4 KiB-64 KiB"),
            ("4k-64k/4k", "4 KiB-64 KiB/4 KiB"),
        ] {
            let sizes: BlockSizes = text.parse().unwrap();
            assert_eq!(sizes.to_string(), shown);
            let json = serde_json::to_string(&sizes).unwrap();
            assert_eq!(serde_json::from_str::<BlockSizes>(&json).unwrap(), sizes);
            assert!(sizes.is_mix());
        }
        let one: BlockSizes = "4k".parse().unwrap();
        assert_eq!((&one, one.is_mix()), (&Bytes::kib(4).into(), false));
        assert_eq!(
            (one.to_string(), one.mean()),
            ("4 KiB".to_owned(), Ok(4096.0))
        );
    }

    /// Every workload ever kept has one of these two forms.
    #[test]
    fn a_workload_has_them_in_two_keys() {
        let read = |keys: &str| serde_json::from_str::<IoWorkload>(&format!("{{{keys}}}"));
        for (keys, text) in [
            (r#""block_size_bytes":8192"#, "8k"),
            (
                r#""block_size_bytes":65536,"block_sizes":{"weighted":[{"size_bytes":4096,"percent":60},{"size_bytes":65536,"percent":40}]}"#,
                "4k:60,64k:40",
            ),
            (
                r#""block_size_bytes":16384,"block_sizes":{"range":{"smallest_bytes":4096,"largest_bytes":16384}}"#,
                "4k-16k",
            ),
        ] {
            let workload = read(keys).unwrap();
            assert_eq!(workload.block_size, text.parse().unwrap());
            let json = serde_json::to_value(&workload).unwrap();
            let wanted: serde_json::Value = serde_json::from_str(&format!("{{{keys}}}")).unwrap();
            for key in ["block_size_bytes", "block_sizes"] {
                assert_eq!(json.get(key), wanted.get(key), "{json}");
            }
        }
        let older =
            read(r#""block_size":16384,"block_sizes":{"range":{"smallest":4096,"largest":16384}}"#);
        assert_eq!(older.unwrap().block_size, "4k-16k".parse().unwrap());
        assert_eq!(read("").unwrap(), IoWorkload::default());
        for (keys, said) in [
            (
                r#""block_size_bytes":8192,"block_sizes":{"range":{"smallest_bytes":4096,"largest_bytes":16384}}"#,
                "the largest of block_sizes",
            ),
            (r#""block_size_kib":8"#, "block_size_kib"),
            (r#""block_size_bytes":"4k""#, "4k"),
        ] {
            let error = read(keys).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
