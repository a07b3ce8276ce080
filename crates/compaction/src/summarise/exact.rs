//! The last part of a summary: identifiers that no other line of it holds.
//!
//! Adds only what the audit of the span found; what does not fit stays in the index.

use base::{TokenCount, estimate_text};

use crate::Audit;

/// The heading of the part.
pub(crate) const EXACT_HEADING: &str = "Exact identifiers";

/// What stands between two identifiers.
pub(crate) const EXACT_SEPARATOR: &str = "; ";

/// What the part is sure of, in hundredths of the summary.
pub(super) const EXACT_PERCENT: u64 = 30;

/// The part of a summary whose sections are `body`: first what the model listed, then what the audit
/// misses, most used first, as far as `room` goes. Empty where nothing is missing.
pub(super) fn part(own: &[String], audit: &Audit, body: &str, room: TokenCount) -> String {
    let mut lines = format!("\n\n## {EXACT_HEADING}");
    for line in own {
        let with_line = format!("{lines}\n{line}");
        if estimate_text(&with_line) <= room {
            lines = with_line;
        }
    }
    let known = format!("{body}{lines}");
    let mut list = String::new();
    let used = estimate_text(&lines);
    for identifier in audit.missing_identifiers(&known) {
        let start = if list.is_empty() {
            "\n- "
        } else {
            EXACT_SEPARATOR
        };
        let is_single = !identifier.contains(EXACT_SEPARATOR) && !identifier.contains('\n');
        let longer = format!("{list}{start}{identifier}");
        // One more than the parts take: a sum of estimates may be less than the estimate of the sum.
        let fits = used + estimate_text(&longer) + TokenCount(1) <= room;
        if is_single && fits {
            list = longer;
        }
    }
    let part = format!("{lines}{list}");
    if part.trim() == format!("## {EXACT_HEADING}") {
        return String::new();
    }
    part
}

/// What the sections must leave of `max` so that the part finds its share.
pub(super) fn share(own: &[String], audit: &Audit, body: &str, max: TokenCount) -> TokenCount {
    let wanted = part(own, audit, body, max);
    estimate_text(&wanted).min(max.percent(EXACT_PERCENT))
}
