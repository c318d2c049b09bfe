//! From `NAME=VALUE` operands to [`CopySettings`]; touches nothing on the machine.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use etalon_units::quoted;
use etalon_workload::copy::{
    CopySettings, DEFAULT_BLOCK_BYTES, Extent, FileFlags, MAX_BLOCK_BYTES, StatusLevel,
};

use super::flags::{self, TypedConversions};
use super::number::{self, Number};
use super::operand_error::{Conflict, NumberError, OperandError};

/// The operands as typed.
#[derive(Debug, Default)]
struct Typed {
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    block: Option<usize>,
    input_block: Option<usize>,
    output_block: Option<usize>,
    conversion_block: Option<usize>,
    skip: Option<Number>,
    seek: Option<Number>,
    count: Option<Number>,
    conversions: TypedConversions,
    input_flags: FileFlags,
    output_flags: FileFlags,
    status: Option<StatusLevel>,
    warnings: Vec<String>,
}

/// Reads the operands of one copy, in dd's order: a later value of the same name wins, symbols of
/// `conv=`, `iflag=` and `oflag=` add up. What the user should hear about them, also before an
/// error, is added to `warnings`: texts to print after `dd: `.
///
/// # Errors
/// The first operand that cannot be used, then conflicts between operands.
pub fn parse(
    operands: &[OsString],
    warnings: &mut Vec<String>,
) -> Result<CopySettings, OperandError> {
    let mut typed = Typed {
        warnings: std::mem::take(warnings),
        ..Typed::default()
    };
    let taken = operands.iter().try_for_each(|operand| typed.take(operand));
    *warnings = std::mem::take(&mut typed.warnings);
    taken?;
    let settings = typed.resolve()?;
    if settings.output_flags.append && !settings.conversions.notrunc {
        warnings.push("you probably want conv=notrunc with oflag=append".to_owned());
    }
    Ok(settings)
}

impl Typed {
    fn take(&mut self, operand: &OsStr) -> Result<(), OperandError> {
        let unrecognized = || OperandError::Unrecognized(operand.to_owned());
        let bytes = operand.as_bytes();
        let equals = bytes
            .iter()
            .position(|&byte| byte == b'=')
            .ok_or_else(unrecognized)?;
        let value = OsStr::from_bytes(&bytes[equals + 1..]);
        match &bytes[..equals] {
            b"if" => self.input = Some(value.into()),
            b"of" => self.output = Some(value.into()),
            b"conv" => self.conversions.add(value)?,
            b"iflag" => {
                flags::add_flags(&mut self.input_flags, value, OperandError::InputFlag)?;
            }
            b"oflag" => {
                flags::add_flags(&mut self.output_flags, value, OperandError::OutputFlag)?;
            }
            b"status" => self.status = Some(flags::status(value)?),
            b"bs" => self.block = Some(self.size(value)?),
            b"ibs" => self.input_block = Some(self.size(value)?),
            b"obs" => self.output_block = Some(self.size(value)?),
            b"cbs" => self.conversion_block = Some(self.size(value)?),
            b"skip" | b"iseek" => self.skip = Some(self.number(value)?),
            b"seek" | b"oseek" => self.seek = Some(self.number(value)?),
            b"count" => self.count = Some(self.number(value)?),
            _ => return Err(unrecognized()),
        }
        Ok(())
    }

    fn number(&mut self, value: &OsStr) -> Result<Number, OperandError> {
        let text = value.to_str().unwrap_or("-");
        let number = number::parse(text).map_err(|error| match error {
            NumberError::Malformed => OperandError::Number(value.to_owned()),
            NumberError::TooLarge => OperandError::NumberTooLarge(value.to_owned()),
        })?;
        if number.zero_prefix {
            let (zero, ways) = (quoted("0x"), quoted("00x"));
            self.warnings.push(format!(
                "warning: {zero} is a zero multiplier; use {ways} if that is intended"
            ));
        }
        if i64::try_from(number.value).is_err() {
            return Err(OperandError::NumberTooLarge(value.to_owned()));
        }
        Ok(number)
    }

    fn size(&mut self, value: &OsStr) -> Result<usize, OperandError> {
        let number = self.number(value)?;
        if number.value == 0 {
            return Err(OperandError::Number(value.to_owned()));
        }
        usize::try_from(number.value)
            .ok()
            .filter(|&size| size <= MAX_BLOCK_BYTES)
            .ok_or_else(|| OperandError::NumberTooLarge(value.to_owned()))
    }

    fn resolve(self) -> Result<CopySettings, OperandError> {
        if self.output_flags.fullblock {
            return Err(OperandError::OutputFlag("fullblock".into()));
        }
        let conversions = self.conversions.resolve(self.conversion_block)?;
        for flags in [self.input_flags, self.output_flags] {
            if flags.direct && flags.nocache {
                return Err(OperandError::Conflict(Conflict::Cache));
            }
        }
        let size = |own: Option<usize>| self.block.or(own).unwrap_or(DEFAULT_BLOCK_BYTES);
        let input_block = size(self.input_block);
        let output_block = size(self.output_block);
        let extent = |number: Number, by_flag, block| match number.in_bytes || by_flag {
            true => Extent::of_bytes(number.value, block),
            false => Extent {
                blocks: number.value,
                bytes: 0,
            },
        };
        let (skip_bytes, seek_bytes) = (self.input_flags.skip_bytes, self.output_flags.seek_bytes);
        let count_bytes = self.input_flags.count_bytes;
        Ok(CopySettings {
            input: self.input,
            output: self.output,
            input_block,
            output_block,
            regroup: self.block.is_none() || conversions.changes_data,
            skip: self
                .skip
                .map_or_else(Extent::default, |n| extent(n, skip_bytes, input_block)),
            seek: self
                .seek
                .map_or_else(Extent::default, |n| extent(n, seek_bytes, output_block)),
            count: self.count.map(|n| extent(n, count_bytes, input_block)),
            conversions,
            input_flags: self.input_flags,
            output_flags: self.output_flags,
            status: self.status.unwrap_or_default(),
        })
    }
}
