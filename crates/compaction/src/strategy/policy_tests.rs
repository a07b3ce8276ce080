//! The default sizes of the programs that the strategies come from.

use super::*;
use crate::budget::Budget;
use crate::fixture;
use crate::rung::Rung;
use crate::settings::WindowSettings;

fn policy(window: u64, strategy: Strategy) -> Policy {
    let settings = WindowSettings {
        strategy,
        ..fixture::window(window)
    };
    Budget::new(&settings).policy
}

#[test]
fn permille_share_is_rounded_up() {
    assert_eq!(Permille(800).of(TokenCount(128_000)), TokenCount(102_400));
    assert_eq!(Permille(850).of(TokenCount(1_001)), TokenCount(851));
    assert_eq!(
        Permille(1_000).of(TokenCount(u64::MAX)),
        TokenCount(u64::MAX)
    );
}

#[test]
fn strategy_defaults_match_original_programs() {
    let tiered = policy(128_000, Strategy::Tiered(Tiered::default()));
    assert_eq!(
        tiered,
        Policy {
            trigger: TokenCount(102_400),
            lasts_max: TokenCount(121_599),
            waiting: Waiting::Nobody,
            emergency: TokenCount(121_600),
        }
    );
    assert_eq!(Tiered::default().aggressive, Permille(850));
    let replace = policy(1_000_000, Strategy::Replace(Replace::default()));
    assert_eq!(replace.trigger, TokenCount(200_000));
}

#[test]
fn i6_strategy_trigger_never_exceeds_window() {
    let strategies = [
        Strategy::Replace(Replace::default()),
        Strategy::Middle(Middle::default()),
        Strategy::Off,
        Strategy::Tiered(Tiered {
            background: Permille(990),
            aggressive: Permille(995),
            emergency: Permille(1_000),
        }),
    ];
    for strategy in strategies {
        let found = policy(32_000, strategy);
        assert!(found.trigger <= TokenCount(30_001), "{strategy:?}");
    }
}

#[test]
fn truncation_is_first_rung_if_summaries_are_off() {
    let off = Strategy::Replace(Replace { threshold: None });
    let first = [Strategy::Off, off, Strategy::Handoff].map(|it| it.first_rung(Rung::Model));
    assert_eq!(first, [Rung::Truncate, Rung::Truncate, Rung::Model]);
}

#[test]
fn middle_tries_only_first_rung() {
    let middle = Strategy::Middle(Middle::default());
    let tried = |first| {
        let rungs = [Rung::Model, Rung::Staged, Rung::Partial, Rung::Offline];
        rungs.map(|rung| middle.tries(rung, first))
    };
    assert_eq!(tried(Rung::Model), [true, false, false, false]);
    assert_eq!(tried(Rung::Offline), [false, false, false, true]);
}

#[test]
fn middle_reports_failure_in_words_of_original_program() {
    let failure = |strategy: Strategy, rung| strategy.failure(rung, "no route");
    let middle = Strategy::Middle(Middle::default());
    assert_eq!(
        [
            failure(middle, Rung::Model),
            failure(middle, Rung::Truncate),
            failure(Strategy::Handoff, Rung::Staged)
        ],
        [
            "Compaction failed: no route. Falling back to history trimming.",
            "no summary from truncate: no route",
            "no summary from staged: no route"
        ]
    );
}
