//! Replaces values that differ between runs with fixed words.
//!
//! Keeps values that tests check: times in a recording, and token counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use base::{Clock, SystemClock, Timestamp};
use regex::{Captures, Regex};

static UUID: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b";
    Regex::new(pattern).unwrap()
});

static HASH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[0-9a-f]{64}\b").unwrap());

static INSTANT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})";
    Regex::new(pattern).unwrap()
});

static DURATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"("(?:durationMs|tookMs)":)\d+"#).unwrap());

/// A time closer to now than this, in days, comes from the clock and not from a recording.
const NEAR_DAYS: i64 = 2;

/// Replaces all ids with one word.
pub(crate) fn without_ids(text: &str) -> Cow<'_, str> {
    UUID.replace_all(text, "[ID]")
}

/// Replaces the test's folder, ids (numbered in order of appearance), hashes, durations and current times.
pub(crate) fn normalise(text: &str, folder: &str) -> String {
    let text = text
        .replace(&format!("{folder}/home"), "[HOME]")
        .replace(folder, "[FOLDER]");
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let text = UUID.replace_all(&text, |found: &Captures<'_>| {
        let next = numbers.len() + 1;
        let number = *numbers.entry(found[0].to_owned()).or_insert(next);
        format!("[ID {number}]")
    });
    let text = HASH.replace_all(&text, "[HASH]");
    let text = DURATION.replace_all(&text, "$1[MS]");
    let now = SystemClock::new().now();
    let text = INSTANT.replace_all(&text, |found: &Captures<'_>| {
        let is_near = found[0]
            .parse::<Timestamp>()
            .is_ok_and(|at| (now - at).num_days().abs() < NEAR_DAYS);
        if is_near { "[NOW]" } else { &found[0] }.to_owned()
    });
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalise_replaces_variable_parts_only() {
        let now = SystemClock::new().now().to_rfc3339();
        let (a, b) = (
            "0198f3aa-0000-7000-8000-00000000000a",
            "0198f3aa-0000-7000-8000-00000000000b",
        );
        let hash = "ab".repeat(32);
        let text = format!(
            "/t/x/home/a /t/x/b {a} {b} {a} {hash} {now} 2020-01-02T03:04:05Z \"tookMs\":12 1,234"
        );
        assert_eq!(
            normalise(&text, "/t/x"),
            "[HOME]/a [FOLDER]/b [ID 1] [ID 2] [ID 1] [HASH] [NOW] 2020-01-02T03:04:05Z \"tookMs\":[MS] 1,234"
        );
    }
}
