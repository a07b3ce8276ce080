//! Compactions and what is long enough for them, for tests.

use base::{EntryId, TokenCount};
use session::{Compaction, CompactionDetails};

use crate::test_kit::Home;

/// A compaction that keeps what begins at this entry.
pub(crate) fn compaction(first_kept: EntryId) -> Compaction {
    Compaction {
        epoch: None,
        summary: "They talked about a hall.".to_owned(),
        first_kept,
        tokens_before: TokenCount(9),
        details: CompactionDetails::default(),
    }
}

impl Home {
    /// Says enough in a session that a compaction is possible, but not yet necessary.
    pub(crate) async fn talk_long_in(&self, name: &str) {
        let filling = "so it goes on ".repeat(750);
        for minute in 0..5 {
            let at = format!("2026-03-02T08:0{minute}:00Z");
            let text = format!("I decided to rent hall {minute}. {filling}");
            self.say_in(name, &at, &text).await;
        }
    }
}
