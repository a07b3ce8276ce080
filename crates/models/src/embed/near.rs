//! The precomputed near words of the bundled model, made by `weights/near.py`.
//!
//! Never trusts the lengths in the file.

use base::NEAR_COSINE_MIN;

use super::weights::four;

#[derive(Debug, Clone, Copy)]
pub(crate) struct NearWords {
    n_tokens: usize,
    firsts: &'static [u8],
    entries: &'static [u8],
}

/// The embedded table; `weights/README.md` describes how to make it.
static BUNDLED: &[u8] = include_bytes!("../weights/near.bin");

const MAGIC: &[u8] = b"OCNEAR02";
const ENTRY_BYTES: usize = 3;

impl NearWords {
    pub(crate) fn bundled() -> Option<Self> {
        Self::read(BUNDLED)
    }

    /// Parses a table; `None` if the bytes are invalid.
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let (n_tokens, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(4)?;
        let n_tokens = four(n_tokens, 0)?;
        let n_first_bytes = n_tokens.checked_add(1)?.checked_mul(4)?;
        let (firsts, entries) = rest.split_at_checked(n_first_bytes)?;
        Some(Self {
            n_tokens,
            firsts,
            entries,
        })
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.n_tokens
    }

    /// The tokens near a token, itself included, nearest first, with their cosines; none for a subword token.
    pub(crate) fn of(&self, token: usize) -> impl Iterator<Item = (usize, f32)> + use<> {
        let first = |token: usize| four(self.firsts, token)?.checked_mul(ENTRY_BYTES);
        let range = first(token).zip(first(token + 1));
        let entries = range.and_then(|(start, end)| self.entries.get(start..end));
        let entries = entries.unwrap_or_default().chunks_exact(ENTRY_BYTES);
        entries.filter_map(|entry| {
            let (token, cosine) = entry.split_first_chunk::<2>()?;
            let step = f32::from(*cosine.first()?) / f32::from(u8::MAX);
            let cosine = NEAR_COSINE_MIN + step * (1.0 - NEAR_COSINE_MIN);
            Some((u16::from_le_bytes(*token).into(), cosine))
        })
    }
}

#[cfg(test)]
mod tests {
    use base::NEAR_MAX;

    use super::*;
    use crate::embed::weights::StaticWeights;

    /// The smallest difference of two cosines that the table can represent.
    const STEP: f32 = (1.0 - NEAR_COSINE_MIN) / 255.0;

    /// The neighbours of a token, found by comparing it exactly with every word.
    fn found(weights: &StaticWeights, token: usize) -> Vec<(usize, f32)> {
        let row = |token| -> Vec<f32> { weights.row(token).map(f32::from).collect() };
        let asked = row(token);
        let length = |row: &[f32]| base::dot(row, row).sqrt().max(f32::MIN_POSITIVE);
        let is_word = |token: &usize| weights.name(*token).chars().all(char::is_alphanumeric);
        let cosine = |token| {
            let other = row(token);
            let cosine = base::dot(&asked, &other) / length(&asked) / length(&other);
            (token, cosine)
        };
        let tokens = (0..weights.n_tokens()).filter(is_word).map(cosine);
        let mut found: Vec<(usize, f32)> = tokens
            .filter(|(_, cosine)| *cosine >= NEAR_COSINE_MIN)
            .collect();
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        found.truncate(NEAR_MAX);
        found
    }

    fn bundled() -> (StaticWeights, NearWords) {
        let weights = StaticWeights::bundled().unwrap();
        (weights, NearWords::bundled().unwrap())
    }

    #[test]
    fn near_words_table_matches_weights() {
        let (weights, near) = bundled();
        assert_eq!(near.n_tokens(), weights.n_tokens());
        for word in ["boat", "tax", "garden", "anna", "7", "quickly"] {
            let token = weights.find(word).unwrap();
            let known: Vec<(usize, f32)> = near.of(token).collect();
            let found = found(&weights, token);
            assert_eq!(known.len(), found.len(), "{word}");
            for ((_, known), (_, found)) in known.iter().zip(&found) {
                let apart = (known - found).abs();
                assert!(apart < STEP / 2.0 + 1e-4, "{word}: {known} {found}");
            }
            assert_eq!(known.first(), Some(&(token, 1.0)), "{word}");
            // Those at the end may be as near as one that has no place.
            let is_in = |(list, margin): (&[(usize, f32)], f32), other: &[(usize, f32)]| {
                let last = list.last().map_or(0.0, |(_, cosine)| *cosine);
                let mut clear = list.iter().filter(|(_, cosine)| *cosine > last + margin);
                clear.all(|(token, _)| other.iter().any(|(other, _)| other == token))
            };
            assert!(is_in((&known, STEP), &found), "{word}");
            assert!(is_in((&found, 1e-4), &known), "{word}");
        }
    }

    #[test]
    fn word_part_has_no_near_words() {
        let (weights, near) = bundled();
        let part = weights.find("##ble").unwrap();
        assert_eq!(near.of(part).count(), 0);
        assert_eq!(near.of(usize::from(u16::MAX)).count(), 0);
    }

    #[test]
    fn invalid_near_words_table_is_rejected() {
        static LONG: [u8; 12] = *b"OCNEAR02\xff\xff\xff\xff";
        assert!(NearWords::read(&[]).is_none() && NearWords::read(&LONG).is_none());
    }
}
