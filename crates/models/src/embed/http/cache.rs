//! A cache of vectors, so that no text is sent twice in a short time.
//!
//! Bounded in size; stores hashes and never texts.

use std::collections::{HashMap, VecDeque};

use base::content_hash;

/// Vectors by the hash of their text; evicts the oldest first.
#[derive(Debug)]
pub(super) struct VectorCache {
    known: HashMap<String, Vec<f32>>,
    order: VecDeque<String>,
    n_numbers: usize,
    /// Maximum numbers in all.
    n_max: usize,
}

/// 16 MiB.
const NUMBERS_MAX: usize = 4 * 1024 * 1024;

impl Default for VectorCache {
    fn default() -> Self {
        Self::within(NUMBERS_MAX)
    }
}

impl VectorCache {
    /// A cache of at most `n_max` numbers.
    pub(super) fn within(n_max: usize) -> Self {
        Self {
            known: HashMap::new(),
            order: VecDeque::new(),
            n_numbers: 0,
            n_max,
        }
    }

    pub(super) fn get(&self, text: &str) -> Option<&[f32]> {
        let known = self.known.get(&content_hash(text.as_bytes()));
        known.map(Vec::as_slice)
    }

    pub(super) fn put(&mut self, text: &str, vector: Vec<f32>) {
        let hash = content_hash(text.as_bytes());
        self.n_numbers += vector.len();
        match self.known.insert(hash.clone(), vector) {
            Some(before) => self.n_numbers -= before.len(),
            None => self.order.push_back(hash),
        }
        while self.n_numbers > self.n_max {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            let gone = self.known.remove(&oldest);
            self.n_numbers -= gone.map_or(0, |vector| vector.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_cache_beyond_limit_drops_oldest() {
        let mut cache = VectorCache::within(4);
        for (text, vector) in [("a", [1.0, 2.0]), ("b", [3.0, 4.0]), ("a", [5.0, 6.0])] {
            cache.put(text, vector.to_vec());
        }
        assert_eq!(cache.get("a"), Some(&[5.0, 6.0][..]));
        cache.put("c", vec![7.0, 8.0]);
        assert_eq!(
            ["a", "b", "c"].map(|text| cache.get(text).is_some()),
            [false, true, true]
        );
        assert_eq!(
            (cache.n_numbers, cache.order.len(), cache.known.len()),
            (4, 2, 2)
        );
    }
}
