//! What is a kind of what: that a sofa is furniture, told by a table that lies in the program.
//!
//! Knows nouns of one word alone, and never copies the table; `README.md` says where it is from.

use std::collections::BTreeSet;

/// The table; every part is a slice of the bytes that it was read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    n_nouns: usize,
    /// So many meanings, the first ones, have something that is a kind of them.
    n_classes: usize,
    ends: &'static [u8],
    meanings: &'static [u8],
    above: &'static [u8],
    names: &'static [u8],
}

/// What a word may mean: the number of a meaning of the table, from 1.
pub(crate) type Meaning = u16;

/// The table that the program carries.
static CARRIED: &[u8] = include_bytes!("kinds.bin");

const MAGIC: &[u8] = b"OCKINDS1";

/// So many meanings are kept of each noun, and so many that each meaning is a kind of.
const KEPT: usize = 2;

/// So many steps up is a kind of something sought; farther up, everything is a kind of thing.
const STEPS_MAX: usize = 6;

/// Endings of plurals with those of their singulars.
const PLURALS: [(&str, &str); 8] = [
    ("ies", "y"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("men", "man"),
    ("s", ""),
];

/// Whether what a lower-case English noun commonly means is a kind of what another one means.
///
/// # Examples
///
/// ```
/// assert!(memory::is_kind_of("poodle", "dog"));
/// assert!(!memory::is_kind_of("dog", "poodle"));
/// ```
pub fn is_kind_of(word: &str, of: &str) -> bool {
    Kinds::carried().is_some_and(|kinds| {
        let classes = kinds.classes(of);
        kinds
            .above(word)
            .iter()
            .any(|above| classes.contains(above))
    })
}

/// The English nouns that commonly mean a kind of what a lower-case one means, in alphabetical order; none where they
/// are more than `n_max`: of such a word everything is a kind.
///
/// # Examples
///
/// ```
/// assert!(memory::kinds_of("boat", 200).contains(&"kayak"));
/// assert!(memory::kinds_of("thing", 200).is_empty());
/// ```
pub fn kinds_of(word: &str, n_max: usize) -> Vec<&'static str> {
    let Some(kinds) = Kinds::carried() else {
        return Vec::new();
    };
    let below = kinds.below(&kinds.classes(word));
    let is_below = |noun: &usize| {
        let commonest = two(kinds.meanings, noun * KEPT);
        commonest.is_some_and(|meaning| below.get(usize::from(meaning)) == Some(&true))
    };
    let found: Vec<usize> = (0..kinds.n_nouns)
        .filter(is_below)
        .take(n_max + 1)
        .collect();
    if found.len() > n_max {
        return Vec::new();
    }
    found
        .into_iter()
        .filter_map(|noun| kinds.name(noun))
        .collect()
}

impl Kinds {
    /// Of each meaning, by its number, whether it is a kind of one of these, by one or more steps.
    fn below(&self, classes: &[Meaning]) -> Vec<bool> {
        let n_meanings = self.above.len() / (KEPT * 2);
        let mut found = vec![false; n_meanings + 1];
        let mut last: BTreeSet<Meaning> = classes.iter().copied().collect();
        for _ in 0..STEPS_MAX {
            let is_next = |idx: &usize| kept(self.above, *idx).any(|above| last.contains(&above));
            let next = (0..n_meanings).filter(is_next);
            last = next
                .filter_map(|idx| Meaning::try_from(idx + 1).ok())
                .collect();
            if last.is_empty() {
                break;
            }
            for meaning in &last {
                if let Some(is_below) = found.get_mut(usize::from(*meaning)) {
                    *is_below = true;
                }
            }
        }
        found
    }

    fn name(&self, noun: usize) -> Option<&'static str> {
        let range = four(self.ends, noun)?..four(self.ends, noun + 1)?;
        std::str::from_utf8(self.names.get(range)?).ok()
    }

    /// The table that the program carries; `None` where the program was put together with something else.
    pub(crate) fn carried() -> Option<Self> {
        Self::read(CARRIED)
    }

    fn read(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (header, rest) = rest.split_at_checked(12)?;
        let (n_nouns, n_meanings) = (four(header, 0)?, four(header, 1)?);
        let n_classes = four(header, 2)?;
        let (ends, rest) = rest.split_at_checked((n_nouns + 1) * 4)?;
        let (meanings, rest) = rest.split_at_checked(n_nouns * KEPT * 2)?;
        let (above, names) = rest.split_at_checked(n_meanings * KEPT * 2)?;
        Some(Self {
            n_nouns,
            n_classes,
            ends,
            meanings,
            above,
            names,
        })
    }

    /// What a lower-case word commonly means, as far as there are kinds of it.
    pub(crate) fn classes(&self, word: &str) -> Vec<Meaning> {
        let noun = self.noun(word);
        let meanings = noun.map(|noun| kept(self.meanings, noun));
        let meanings = meanings.into_iter().flatten();
        meanings
            .filter(|meaning| usize::from(*meaning) <= self.n_classes)
            .collect()
    }

    /// What a noun means.
    pub(super) fn meanings_of(&self, noun: usize) -> Vec<Meaning> {
        kept(self.meanings, noun).collect()
    }

    /// What the commonest meaning of a lower-case word is a kind of, by one or more steps; some come twice.
    pub(crate) fn above(&self, word: &str) -> Vec<Meaning> {
        let noun = self.noun(word);
        let commonest = noun.and_then(|noun| two(self.meanings, noun * KEPT));
        let mut found: Vec<Meaning> = commonest.filter(|it| *it > 0).into_iter().collect();
        let n_own = found.len();
        let mut last = 0;
        for _ in 0..STEPS_MAX {
            let end = found.len();
            for idx in last..end {
                let meaning = found.get(idx).copied().and_then(|it| it.checked_sub(1));
                found.extend(
                    meaning
                        .into_iter()
                        .flat_map(|it| kept(self.above, it.into())),
                );
            }
            last = end;
        }
        found.split_off(n_own)
    }

    /// The number of a noun, in the plural or not.
    pub(super) fn noun(&self, word: &str) -> Option<usize> {
        let singular = || {
            let mut endings = PLURALS.iter();
            endings.find_map(|(plural, singular)| {
                let stem = word.strip_suffix(plural)?;
                self.named(&format!("{stem}{singular}"))
            })
        };
        self.named(word).or_else(singular)
    }

    fn named(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.n_nouns);
        while low < high {
            let middle = low.midpoint(high);
            let range = four(self.ends, middle)?..four(self.ends, middle + 1)?;
            match self.names.get(range)?.cmp(word.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// The meanings that are kept at a place of a part of the table.
fn kept(part: &'static [u8], at: usize) -> impl Iterator<Item = Meaning> {
    let kept = (0..KEPT).filter_map(move |idx| two(part, at * KEPT + idx));
    kept.filter(|meaning| *meaning > 0)
}

fn two(bytes: &[u8], idx: usize) -> Option<u16> {
    let bytes = bytes.get(idx * 2..idx * 2 + 2)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn four(bytes: &[u8], idx: usize) -> Option<usize> {
    let bytes = bytes.get(idx * 4..idx * 4 + 4)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of which the first is a kind of the second.
    fn told<'t>(pairs: &[(&'t str, &'t str)]) -> Vec<(&'t str, &'t str)> {
        let kinds = Kinds::carried().unwrap();
        let is_kind = |(word, of): &(&str, &str)| {
            let classes = kinds.classes(of);
            kinds.above(word).iter().any(|it| classes.contains(it))
        };
        pairs.iter().copied().filter(is_kind).collect()
    }

    #[test]
    fn a_thing_is_a_kind_of_what_it_belongs_to() {
        let pairs = [
            ("sofa", "furniture"),
            ("poodles", "dogs"),
            ("terrier", "animals"),
            ("geese", "birds"),
            ("cousin", "relatives"),
        ];
        assert_eq!(told(&pairs), pairs);
    }

    #[test]
    fn what_it_belongs_to_is_no_kind_of_the_thing() {
        let pairs = [
            ("cousin", "furniture"),
            ("furniture", "sofa"),
            ("dog", "dogs"),
            ("sofa", "nonsenseword"),
            ("nonsenseword", "furniture"),
            ("", "furniture"),
        ];
        assert_eq!(told(&pairs), []);
    }

    #[test]
    fn other_bytes_are_no_table() {
        assert!(Kinds::read(b"").is_none());
        assert!(Kinds::read(b"OCKINDS1\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00").is_none());
    }
}
