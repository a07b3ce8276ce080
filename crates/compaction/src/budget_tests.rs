//! The budget compared with the examples in the documentation and with its own limits.

use base::TokenCount;
use proptest::prelude::*;

use super::*;

fn settings(window: u64, reserve: u64, soft: u64) -> WindowSettings {
    WindowSettings {
        context_window: TokenCount(window),
        reserve_tokens_floor: Free::Default(TokenCount(reserve)),
        soft_threshold_tokens: Free::Default(TokenCount(soft)),
        ..WindowSettings::default()
    }
}

fn set(window: u64, reserve: u64, soft: u64) -> WindowSettings {
    WindowSettings {
        reserve_tokens_floor: Free::Set(TokenCount(reserve)),
        soft_threshold_tokens: Free::Set(TokenCount(soft)),
        ..settings(window, 0, 0)
    }
}

#[track_caller]
fn check(reserve: u64, soft: u64, expected: [u64; 6]) {
    let settings = settings(expected[0], reserve, soft);
    assert_eq!(Budget::new(&settings), budget(expected));
}

/// A `handoff` budget whose trigger leaves the whole reserve free.
fn budget(numbers: [u64; 6]) -> Budget {
    let [window, reserve, soft, trigger, keep_recent, oversized] = numbers.map(TokenCount);
    Budget {
        window,
        reserve,
        soft,
        full: trigger,
        trigger,
        strategy: crate::Strategy::Handoff,
        policy: Policy {
            trigger,
            lasts_max: window.saturating_sub(soft.max(TokenCount(reserve.0 / 2))),
            waiting: crate::Waiting::Nobody,
            emergency: TokenCount(u64::MAX),
        },
        keep_recent,
        oversized,
    }
}

#[test]
fn trigger_is_window_minus_reserve_and_soft_threshold() {
    check(
        20_000,
        4_000,
        [200_000, 20_000, 4_000, 176_000, 20_000, 50_000],
    );
    check(
        15_000,
        3_000,
        [100_000, 15_000, 3_000, 82_000, 20_000, 25_000],
    );
}

#[test]
fn small_window_caps_reserve_and_soft_threshold() {
    check(20_000, 4_000, [32_000, 8_000, 2_000, 22_000, 6_600, 8_000]);
    check(20_000, 4_000, [16_000, 4_000, 1_000, 11_000, 3_300, 4_000]);
}

#[test]
fn reserve_set_by_owner_is_kept_in_any_window() {
    let of = |window, reserve, soft| Budget::new(&set(window, reserve, soft));
    assert_eq!(
        of(50_000, 20_000, 4_000),
        budget([50_000, 20_000, 4_000, 26_000, 7_800, 12_500])
    );
    assert_eq!(of(200_000, 20_000, 4_000).trigger, TokenCount(176_000));
    assert_eq!(of(100_000, 15_000, 3_000).trigger, TokenCount(82_000));
    let own = set(20_000, 20_000, 4_000);
    let error = Budget::new(&own).check_prefix(&own, TokenCount(500));
    assert_eq!(
        error.unwrap_err().to_string(),
        "the window of 20,000 tokens is too small by 13,066: these settings need 33,066, the sum of 20,000 \
         (compaction.reserveTokensFloor), 4,000 (compaction.softThresholdTokens), 8,266 for the largest message, 300 \
         for a summary and 500 for the prompt"
    );
}

#[test]
fn small_window_is_refused_if_detected_and_warned_if_configured() {
    let warning = |window| {
        Ok(Some(WindowWarning {
            window: TokenCount(window),
            recommended: TokenCount(32_000),
        }))
    };
    let refused = Err(BudgetError::WindowRefused {
        window: TokenCount(15_999),
        minimum: TokenCount(16_000),
    });
    let check = |window, source| check_window(TokenCount(window), source);
    assert_eq!(check(32_000, WindowSource::Detected), Ok(None));
    assert_eq!(check(31_999, WindowSource::Detected), warning(31_999));
    assert_eq!(check(16_000, WindowSource::Detected), warning(16_000));
    assert_eq!(check(15_999, WindowSource::Detected), refused);
    assert_eq!(check(32_000, WindowSource::Configured), Ok(None));
    assert_eq!(check(15_999, WindowSource::Configured), warning(15_999));
    assert_eq!(check(1, WindowSource::Configured), warning(1));
}

#[test]
fn prefix_without_room_is_refused_with_missing_tokens() {
    let own = settings(16_000, 20_000, 4_000);
    let budget = Budget::new(&own);
    assert_eq!(budget.check_prefix(&own, TokenCount(6_700)), Ok(()));
    let error = budget.check_prefix(&own, TokenCount(7_000)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the window of 16,000 tokens is too small by 682: these settings need 16,682, the sum of 4,170 \
         (compaction.reserveTokensFloor), 1,042 (compaction.softThresholdTokens), 4,170 for the largest message, 300 \
         for a summary and 7,000 for the prompt"
    );
    let smallest = settings(16_682, 20_000, 4_000);
    let found = Budget::new(&smallest).check_prefix(&smallest, TokenCount(7_000));
    assert_eq!(found, Ok(()));
    let none = settings(0, 20_000, 4_000);
    assert!(matches!(
        Budget::new(&none).check_prefix(&none, TokenCount::ZERO),
        Err(BudgetError::PrefixTooLarge { .. })
    ));
}

proptest! {
    #[test]
    fn budget_shares_fit_into_any_window(window: u64, reserve: u64, soft: u64, keep: u64) {
        let budget = Budget::new(&WindowSettings {
            keep_recent_tokens: TokenCount(keep),
            ..settings(window, reserve, soft)
        });
        prop_assert_eq!(budget.trigger + budget.soft + budget.reserve, budget.window);
        prop_assert!(budget.keep_recent.0 <= budget.trigger.0 / 10 * 3 + 3);
        prop_assert!(budget.prefix_max() + budget.oversized <= budget.trigger);
    }

    #[test]
    fn owners_reserve_is_kept_or_prefix_check_fails(window in 1_u64..50_000, reserve in 0_u64..40_000, soft in 0_u64..10_000) {
        let own = set(window, reserve, soft);
        let budget = Budget::new(&own);
        prop_assert_eq!((budget.reserve.0, budget.soft.0), (reserve, soft));
        prop_assert_eq!(budget.trigger.0, window.saturating_sub(reserve + soft));
        let is_spent = reserve + soft >= window;
        prop_assert!(!is_spent || budget.check_prefix(&own, TokenCount::ZERO).is_err());
    }

    #[test]
    fn needed_window_in_error_is_smallest_sufficient(window in 1_u64..50_000, reserve in 0_u64..40_000, is_set: bool, prefix in 0_u64..100_000) {
        let with = |window| if is_set { set(window, reserve, 4_000) } else { settings(window, reserve, 4_000) };
        let check = |window| Budget::new(&with(window)).check_prefix(&with(window), TokenCount(prefix));
        if let Err(BudgetError::PrefixTooLarge { needed, .. }) = check(window) {
            prop_assert_eq!(check(needed.0), Ok(()));
            prop_assert!(check(needed.0 - 1).is_err());
        }
    }
}
