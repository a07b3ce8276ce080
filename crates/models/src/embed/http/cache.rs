//! A cache of vectors, so that no text is sent twice in a short time.
//!
//! Bounded in size; stores hashes and never texts.

use std::collections::{HashMap, VecDeque};

use base::content_hash;

/// Vectors by the hash of their text; evicts the oldest first.
#[derive(Debug, Default)]
pub(super) struct VectorCache {
    known: HashMap<String, Vec<f32>>,
    order: VecDeque<String>,
    n_numbers: usize,
}

/// Maximum numbers in all: 16 MiB.
const NUMBERS_MAX: usize = 4 * 1024 * 1024;

impl VectorCache {
    pub(super) fn get(&self, text: &str) -> Option<&[f32]> {
        let known = self.known.get(&content_hash(text.as_bytes()));
        known.map(Vec::as_slice)
    }

    pub(super) fn put(&mut self, text: &str, vector: Vec<f32>) {
        self.put_within(text, vector, NUMBERS_MAX);
    }

    fn put_within(&mut self, text: &str, vector: Vec<f32>, n_max: usize) {
        let hash = content_hash(text.as_bytes());
        self.n_numbers += vector.len();
        match self.known.insert(hash.clone(), vector) {
            Some(before) => self.n_numbers -= before.len(),
            None => self.order.push_back(hash),
        }
        while self.n_numbers > n_max {
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
    fn the_oldest_go_where_there_is_no_room() {
        let mut cache = VectorCache::default();
        for (text, vector) in [("a", [1.0, 2.0]), ("b", [3.0, 4.0]), ("a", [5.0, 6.0])] {
            cache.put_within(text, vector.to_vec(), 4);
        }
        assert_eq!(cache.get("a"), Some(&[5.0, 6.0][..]));
        cache.put_within("c", vec![7.0, 8.0], 4);
        let held = ["a", "b", "c"].map(|text| cache.get(text).is_some());
        assert_eq!(held, [false, true, true]);
        let sizes = [cache.n_numbers, cache.order.len(), cache.known.len()];
        assert_eq!(sizes, [4, 2, 2]);
    }
}
