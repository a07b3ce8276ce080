//! The order of candidates: which ones are called older than another.
//!
//! Does not ask a model.

use base::Origin;
use memory::candidates::{FoundIn, Proposal};

use super::*;

fn candidate(id: &str, day: &str, finding: &str) -> Candidate {
    let day: base::Day = day.parse().unwrap();
    Candidate {
        id: CandidateId::new(id),
        finding: finding.into(),
        proposed_as: None,
        section: "Facts".into(),
        proposal: Proposal::Add,
        evidence: Vec::new(),
        origin: Origin::Owner,
        found_in: FoundIn::DailyLog,
        day,
        proposed_at: day.noon(base::Tz::UTC),
        score: 60,
        signals: Vec::new(),
        staged_because: None,
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: true,
    }
}

#[test]
fn review_order_lists_older_candidates_on_same_subject() {
    let pending = [
        candidate("aa", "2026-05-02", "My office is in Szeged"),
        candidate("bb", "2026-05-02", "My office is in Graz"),
        candidate("cc", "2026-04-01", "My office is in Wien, near the garden"),
        candidate("dd", "2026-03-01", "The garden near the river is closed"),
    ];
    let ReviewOrder { ids, older } = ReviewOrder::of(&pending);
    assert_eq!(ids.len(), pending.len());
    let older_than = |id: &str| -> Vec<String> {
        let older = &older[&CandidateId::new(id)];
        older.iter().map(ToString::to_string).collect()
    };
    assert_eq!(older_than("aa"), ["cc"]);
    assert_eq!(older_than("bb"), ["cc"]);
    assert_eq!(older_than("dd"), [""; 0]);
}
