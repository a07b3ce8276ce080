//! Compactions, and conversations that are long enough for them, for tests.

use base::{EntryId, TokenCount};
use session::{Compaction, CompactionDetails};

use crate::test_kit::Home;

/// A compaction that keeps the messages from this entry on.
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
    /// Sends enough messages in a session for a compaction to be possible, but not yet necessary.
    pub(crate) async fn talk_long_in(&self, name: &str) {
        let filling = "so it goes on ".repeat(750);
        for minute in 0..5 {
            let at = format!("2026-03-02T08:0{minute}:00Z");
            let text = format!("I decided to rent hall {minute}. {filling}");
            self.say_in(name, &at, &text).await;
        }
    }
}
