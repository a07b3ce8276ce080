//! A provider's count is accepted only if the request can have had this size.

use base::{Assistant, Origin, Usage};
use proptest::prelude::*;
use session::ViewContent;

use super::*;
use crate::fixture::entry;
use crate::settings::Free;

/// The usage in a reply to a request of `estimate` tokens for which the provider reports `counted`.
fn reply(counted: u64, estimate: Option<u64>) -> Usage {
    Usage {
        input: TokenCount(counted / 3),
        cache_read: TokenCount(counted / 3),
        cache_write: TokenCount(counted - counted / 3 * 2),
        output: TokenCount(1_000_000),
        estimate: estimate.map(TokenCount),
    }
}

fn view(usages: &[Option<Usage>]) -> View {
    let items = usages.iter().zip(1..).map(|(usage, number)| {
        let message = Message::Assistant(Assistant {
            usage: *usage,
            ..Assistant::default()
        });
        entry(number, Origin::Agent, ViewContent::Message(message))
    });
    View {
        items: items.collect(),
        is_cut: false,
    }
}

#[track_caller]
fn check(counted: &[(u64, u64)], expected: (u64, u64)) {
    let usages: Vec<_> = counted
        .iter()
        .map(|(provider, estimate)| Some(reply(*provider, Some(*estimate))))
        .collect();
    let scale = Scale::learned(&view(&usages));
    assert_eq!((scale.provider, scale.estimate), expected, "{counted:?}");
}

#[test]
fn newest_plausible_count_is_anchor() {
    check(&[(1_600, 1_000)], (1_600, 1_000));
    check(&[(1_600, 1_000), (1_700, 1_100)], (1_700, 1_100));
    // A large tool result was added in between.
    check(&[(1_600, 1_000), (33_000, 20_000)], (33_000, 20_000));
    // The added text is in another script, which counts three times as much.
    check(
        &[(1_000, 1_000), (9_000, 4_000), (9_200, 4_100)],
        (9_200, 4_100),
    );
    // A compaction happened in between.
    check(&[(160_000, 100_000), (32_000, 20_000)], (32_000, 20_000));
}

#[test]
fn running_totals_are_not_used_as_counts() {
    check(
        &[(1_600, 1_000), (3_300, 1_050), (5_000, 1_100)],
        (1_600, 1_000),
    );
    check(&[(160_000, 100_000), (192_000, 20_000)], (160_000, 100_000));
    // Each message is half as large as all messages before it.
    let mut totals = Vec::new();
    let mut total = 0;
    for estimate in [735, 1_155, 1_575, 1_995, 2_415, 2_835, 3_255, 3_675] {
        total += estimate;
        totals.push((total, estimate));
        check(&totals, (735, 735));
    }
}

#[test]
fn absurd_counts_are_ignored() {
    check(&[(1_000, 1_000), (12, 1_050)], (1_000, 1_000));
    check(&[(1_000, 1_000), (9_000_000, 1_050)], (1_000, 1_000));
    check(
        &[(1_000, 1_000), (9_000_000, 1_050), (1_090, 1_100)],
        (1_090, 1_100),
    );
    check(&[(u64::MAX / 4, 1_000)], (1, 1));
    check(&[(12, 1_000)], (1, 1));
}

#[test]
fn missing_zero_and_foreign_counts_are_ignored() {
    let scale = |usages: &[Option<Usage>]| Scale::learned(&view(usages));
    assert_eq!(scale(&[]), Scale::ONE);
    assert_eq!(scale(&[None, None]), Scale::ONE);
    assert_eq!(scale(&[Some(reply(0, Some(1_000)))]), Scale::ONE);
    assert_eq!(scale(&[Some(reply(1_600, None))]), Scale::ONE);
    assert_eq!(scale(&[Some(reply(1_600, Some(0)))]), Scale::ONE);
    let learned = scale(&[
        Some(reply(1_600, Some(1_000))),
        None,
        Some(reply(0, Some(9))),
    ]);
    assert_eq!(learned.to_provider(TokenCount(10)), TokenCount(16));
}

#[test]
fn scale_converts_settings_to_estimated_tokens() {
    let scale = Scale {
        provider: 8,
        estimate: 5,
    };
    let scaled = scale.settings(&WindowSettings::default());
    let expected = WindowSettings {
        context_window: TokenCount(125_000),
        reserve_tokens_floor: Free::Default(TokenCount(12_500)),
        soft_threshold_tokens: Free::Default(TokenCount(2_500)),
        keep_recent_tokens: TokenCount(12_500),
        ..WindowSettings::default()
    };
    assert_eq!(scaled, expected);
}

proptest! {
    #[test]
    fn i6_estimate_limit_is_largest_that_provider_accepts(provider in 1_u64..1_000_000, estimate in 1_u64..1_000_000, window in 0_u64..10_000_000) {
        let scale = Scale { provider, estimate };
        let most = scale.to_estimate(TokenCount(window));
        prop_assert!(scale.to_provider(most) <= TokenCount(window));
        prop_assert!(scale.to_provider(most + TokenCount(1)) > TokenCount(window));
    }
}
