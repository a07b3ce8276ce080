//! The embedded static model: names, weights and rows of tokens, read in place.
//!
//! Never copies the rows, and never trusts the lengths in the file.

use std::ops::Range;

/// A static model; all parts are slices of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticWeights {
    n_tokens: usize,
    pub(crate) dimensions: usize,
    offsets: &'static [u8],
    slots: &'static [u8],
    factors: &'static [u8],
    rows: &'static [u8],
    names: &'static [u8],
}

/// The embedded model; `weights/README.md` names its source.
static BUNDLED: &[u8] = include_bytes!("../weights/static.bin");

const MAGIC: &[u8] = b"OCSTATIC";
const VERSION: usize = 1;

impl StaticWeights {
    pub(crate) fn bundled() -> Option<Self> {
        Self::read(BUNDLED)
    }

    /// Parses a model; `None` if the bytes are invalid.
    pub(crate) fn read(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (header, rest) = rest.split_at_checked(16)?;
        let number = |idx: usize| four(header, idx);
        if number(0)? != VERSION {
            return None;
        }
        let (n_tokens, dimensions, n_slots) = (number(1)?, number(2)?, number(3)?);
        if !n_slots.is_power_of_two() || n_tokens >= n_slots.min(usize::from(u16::MAX)) {
            return None;
        }
        let (offsets, rest) = rest.split_at_checked((n_tokens + 1) * 4)?;
        let (slots, rest) = rest.split_at_checked(n_slots * 2)?;
        let (factors, rest) = rest.split_at_checked(n_tokens * 4)?;
        let (rows, names) = rest.split_at_checked(n_tokens * dimensions)?;
        Some(Self {
            n_tokens,
            dimensions,
            offsets,
            slots,
            factors,
            rows,
            names,
        })
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.n_tokens
    }

    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let n_slots = self.slots.len() / 2;
        let mut slot = usize::try_from(fnv(name.as_bytes())).unwrap_or(0) & (n_slots - 1);
        for _ in 0..n_slots {
            let token = two(self.slots, slot)?.checked_sub(1)?;
            if self.name_bytes(token)? == name.as_bytes() {
                return Some(token);
            }
            slot = (slot + 1) & (n_slots - 1);
        }
        None
    }

    /// The name of a token; word-internal tokens start with `##`.
    pub(crate) fn name(&self, token: usize) -> &'static str {
        let bytes = self.name_bytes(token).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn name_bytes(&self, token: usize) -> Option<&'static [u8]> {
        let range: Range<usize> = four(self.offsets, token)?..four(self.offsets, token + 1)?;
        self.names.get(range)
    }

    /// The weight of a token in a sum.
    pub(crate) fn weight(&self, token: usize) -> f32 {
        let bytes = self.factors.get(token * 4..token * 4 + 4);
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0.0, f32::from_le_bytes)
    }

    /// The row of a token: its direction, as signed bytes.
    pub(crate) fn row(&self, token: usize) -> impl Iterator<Item = i8> + use<> {
        let start = token * self.dimensions;
        let row = self.rows.get(start..start + self.dimensions);
        let row = row.unwrap_or_default().iter();
        row.map(|byte| byte.cast_signed())
    }
}

fn two(bytes: &[u8], idx: usize) -> Option<usize> {
    let bytes = bytes.get(idx * 2..idx * 2 + 2)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?).into())
}

pub(super) fn four(bytes: &[u8], idx: usize) -> Option<usize> {
    let bytes = bytes.get(idx * 4..idx * 4 + 4)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

/// FNV-1a, the hash with which the script fills the slots.
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_find_every_token_by_name() {
        let weights = StaticWeights::bundled().unwrap();
        assert_eq!((weights.n_tokens(), weights.dimensions), (55_068, 128));
        for token in 0..weights.n_tokens() {
            assert_eq!(weights.find(weights.name(token)), Some(token));
        }
        assert_eq!(weights.find("no such token"), None);
    }

    #[test]
    fn invalid_weights_are_rejected() {
        static SHORT: [u8; 40] = [1; 40];
        assert!(StaticWeights::read(&[]).is_none());
        assert!(StaticWeights::read(&SHORT).is_none());
        assert!(StaticWeights::read(BUNDLED.get(..1_000).unwrap()).is_none());
    }
}
