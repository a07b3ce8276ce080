//! Every branch of the decision, as data.

use base::TokenCount;
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, any_strategy};
use crate::settings::WindowSettings;
use crate::strategy::{Middle, Replace, Strategy, Tiered};

fn usage(total: u64) -> ContextUsage {
    ContextUsage {
        prefix: TokenCount(1_000),
        items: TokenCount(total - 1_500),
        suffix: TokenCount(500),
    }
}

fn state(epoch: u64, marker: Option<u64>) -> CompactionState {
    CompactionState {
        epoch: Epoch(epoch),
        flush_marker: marker.map(Epoch),
        ladder: Ladder::default(),
        leaves: Leaves::BySummary,
        jobs: JobState::Unavailable,
    }
}

fn decided(total: u64, state: &CompactionState) -> Action {
    let budget = Budget::new(&WindowSettings::default());
    decide(&usage(total), &budget, state)
}

fn compact(flush: FlushNeed, rung: Rung) -> Action {
    Action::Now { flush, rung }
}

fn exhausted(excess: u64) -> Action {
    let excess = TokenCount(excess);
    Action::Exhausted { excess }
}

#[test]
fn compaction_starts_exactly_at_trigger() {
    let state = state(0, None);
    assert_eq!(decided(175_999, &state), Action::Proceed);
    assert_eq!(
        decided(176_000, &state),
        compact(FlushNeed::Needed, Rung::Model)
    );
}

#[test]
fn i4_epoch_is_flushed_once_including_first() {
    let cases = [
        (0, None, FlushNeed::Needed),
        (0, Some(0), FlushNeed::Done),
        (1, Some(0), FlushNeed::Needed),
        (3, Some(3), FlushNeed::Done),
        (3, Some(4), FlushNeed::Done),
        (7, None, FlushNeed::Needed),
    ];
    for (epoch, marker, expected) in cases {
        assert_eq!(
            decided(180_000, &state(epoch, marker)),
            compact(expected, Rung::Model),
            "{epoch} {marker:?}"
        );
    }
}

#[test]
fn failed_rungs_lead_down_ladder_to_exhaustion() {
    use Rung::{Model, Offline, Partial, Staged, Truncate};

    let mut state = state(2, Some(2));
    let mut decisions = Vec::new();
    while let Some(rung) = state.ladder.rung() {
        decisions.push(decided(199_000, &state));
        state.ladder = state.ladder.without(rung);
    }
    let rungs = [Model, Staged, Partial, Offline, Truncate];
    assert_eq!(decisions, rungs.map(|rung| compact(FlushNeed::Done, rung)));
    assert_eq!(decided(196_000, &state), Action::ProceedWithWarning);
    assert_eq!(decided(199_000, &state), exhausted(3_000));
}

#[test]
fn ladder_never_climbs_back() {
    let offline = Ladder::starting_at(Rung::Offline);
    assert_eq!(offline.rung(), Some(Rung::Offline));
    assert_eq!(offline.without(Rung::Model), offline);
    let ended = offline.without(Rung::Truncate);
    assert_eq!(ended.rung(), None);
    assert_eq!(ended.without(Rung::Model).rung(), None);
}

#[test]
fn request_that_fits_is_sent_if_nothing_can_leave() {
    let stuck = CompactionState {
        leaves: Leaves::Nothing,
        ..state(0, None)
    };
    assert_eq!(decided(196_000, &stuck), Action::ProceedWithWarning);
    assert_eq!(decided(196_001, &stuck), exhausted(1));
}

#[test]
fn summary_is_effective_only_if_it_frees_fifth() {
    let check = |replaced, summary| is_effective(TokenCount(replaced), TokenCount(summary));
    for (replaced, summary, expected) in [
        (100, 80, true),
        (100, 81, false),
        (0, 0, false),
        (10, 20, false),
        (u64::MAX, 1, true),
    ] {
        assert_eq!(check(replaced, summary), expected, "{summary}");
    }
}

#[test]
fn handoff_works_in_background_while_reserve_lasts() {
    let soon = JobState::Resting {
        until: TokenCount(180_000),
    };
    let flush = FlushNeed::Needed;
    let (model, offline) = (Rung::Model, Rung::Offline);
    let begin = Action::InBackground { flush, rung: model };
    let now = Action::Now { flush, rung: model };
    let emergency = Action::Emergency {
        flush,
        rung: offline,
    };
    let cases = [
        (175_999, JobState::Free, Action::Proceed),
        (176_000, JobState::Free, begin),
        (190_000, JobState::Free, begin),
        (190_001, JobState::Free, now),
        (176_000, JobState::Busy, Action::Proceed),
        (190_000, JobState::Busy, Action::Proceed),
        (190_001, JobState::Busy, emergency),
        (176_000, JobState::Deferred, begin),
        (190_000, JobState::Deferred, begin),
        (190_001, JobState::Deferred, emergency),
        (179_999, soon, Action::Proceed),
        (180_000, soon, begin),
        (190_001, soon, now),
        (176_000, JobState::Unavailable, now),
    ];
    for (total, jobs, expected) in cases {
        let state = CompactionState {
            jobs,
            ..state(0, None)
        };
        assert_eq!(decided(total, &state), expected, "{total} {jobs:?}");
    }
}

/// The decision at a size in a window with this strategy, for a session without flushes.
fn decided_by(strategy: Strategy, window: u64, total: u64, jobs: JobState) -> Action {
    let settings = WindowSettings {
        strategy,
        ..fixture::window(window)
    };
    let state = CompactionState {
        jobs,
        ..state(0, None)
    };
    decide(&usage(total), &Budget::new(&settings), &state)
}

#[test]
fn replace_starts_at_threshold_and_owner_waits() {
    let strategy = Strategy::Replace(Replace::default());
    let now = compact(FlushNeed::Needed, Rung::Model);
    for (window, total, expected) in [
        (400_000, 199_999, Action::Proceed),
        (400_000, 200_000, now),
        // If the window is smaller than the threshold, the request must still fit the window.
        (200_000, 196_000, Action::Proceed),
        (200_000, 196_001, now),
    ] {
        for jobs in [JobState::Free, JobState::Deferred, JobState::Unavailable] {
            let found = decided_by(strategy, window, total, jobs);
            assert_eq!(found, expected, "{window} {total} {jobs:?}");
        }
    }
    // After an attempt without effect, the owner waits again only once the request has grown.
    let until = TokenCount(204_000);
    for (total, expected) in [(203_999, Action::Proceed), (204_000, now)] {
        let found = decided_by(strategy, 400_000, total, JobState::Resting { until });
        assert_eq!(found, expected, "{total}");
    }
    // While there is room, a request is sent even though a job is making notes.
    assert_eq!(
        decided_by(strategy, 400_000, 250_000, JobState::Busy),
        Action::Proceed
    );
}

#[test]
fn replace_without_threshold_and_off_act_only_in_emergency() {
    let emergency = Action::Emergency {
        flush: FlushNeed::Needed,
        rung: Rung::Truncate,
    };
    for strategy in [
        Strategy::Off,
        Strategy::Replace(Replace { threshold: None }),
    ] {
        for jobs in [JobState::Free, JobState::Busy, JobState::Unavailable] {
            let decided = |total| decided_by(strategy, 200_000, total, jobs);
            assert_eq!(decided(196_000), Action::Proceed, "{strategy:?}");
            assert_eq!(decided(196_001), emergency, "{strategy:?}");
        }
    }
}

#[test]
fn middle_starts_above_its_threshold() {
    let strategy = Strategy::Middle(Middle::default());
    let decided = |total| decided_by(strategy, 200_000, total, JobState::Free);
    assert_eq!(decided(80_000), Action::Proceed);
    assert_eq!(decided(80_001), compact(FlushNeed::Needed, Rung::Model));
}

#[test]
fn tiered_works_in_background_at_80_percent_and_drops_at_95() {
    let strategy = Strategy::Tiered(Tiered::default());
    let begin = Action::InBackground {
        flush: FlushNeed::Needed,
        rung: Rung::Model,
    };
    let emergency = Action::Emergency {
        flush: FlushNeed::Needed,
        rung: Rung::Truncate,
    };
    for (total, jobs, expected) in [
        (102_399, JobState::Free, Action::Proceed),
        (102_400, JobState::Free, begin),
        (108_800, JobState::Free, begin),
        // Only one job runs at a time, even at a larger size.
        (108_800, JobState::Busy, Action::Proceed),
        (121_599, JobState::Deferred, begin),
        (121_599, JobState::Busy, Action::Proceed),
        (
            121_599,
            JobState::Unavailable,
            compact(FlushNeed::Needed, Rung::Model),
        ),
        (121_600, JobState::Busy, emergency),
        (121_600, JobState::Free, emergency),
        (121_600, JobState::Unavailable, emergency),
    ] {
        let found = decided_by(strategy, 128_000, total, jobs);
        assert_eq!(found, expected, "{total} {jobs:?}");
    }
}

#[test]
fn backlog_compaction_follows_reply_unless_jobs_are_unavailable() {
    let after = |flush, rung| Action::AfterReply { flush, rung };
    let decided_with = |total, jobs| {
        decided(
            total,
            &CompactionState {
                jobs,
                ..state(0, None)
            },
        )
    };
    for jobs in [
        JobState::Free,
        JobState::Busy,
        JobState::Deferred,
        JobState::Resting {
            until: TokenCount(500_000),
        },
    ] {
        let action = decided_with(400_000, jobs);
        assert_eq!(action, after(FlushNeed::Needed, Rung::Model), "{jobs:?}");
        assert_ne!(decided_with(399_999, jobs), action, "{jobs:?}");
    }
    let waits = decided_with(400_000, JobState::Unavailable);
    assert_eq!(waits, compact(FlushNeed::Needed, Rung::Model));
}

proptest! {
    #[test]
    fn i6_decision_never_passes_request_above_window(
        prefix in 0_u64..400_000,
        items in 0_u64..400_000,
        suffix in 0_u64..400_000,
        window in 0_u64..400_000,
        leaves in prop::sample::select(vec![Leaves::Nothing, Leaves::ByTruncation, Leaves::BySummary]),
        strategy in any_strategy(),
        n_failed in 0_usize..4,
        jobs in prop::sample::select(vec![JobState::Unavailable, JobState::Free, JobState::Busy, JobState::Deferred, JobState::Resting { until: TokenCount(170_000) }]),
    ) {
        let usage = ContextUsage {
            prefix: TokenCount(prefix),
            items: TokenCount(items),
            suffix: TokenCount(suffix),
        };
        let budget = Budget::new(&WindowSettings {
            context_window: TokenCount(window),
            strategy,
            ..WindowSettings::default()
        });
        let failed = [Rung::Model, Rung::Offline, Rung::Truncate];
        let ladder = failed.into_iter().take(n_failed).fold(Ladder::default(), Ladder::without);
        let state = CompactionState { ladder, leaves, jobs, ..state(0, None) };
        let lasts = usage.total() <= budget.background_max();
        match decide(&usage, &budget, &state) {
            Action::Proceed => prop_assert!(usage.total() < budget.trigger || jobs != JobState::Unavailable && lasts),
            Action::InBackground { .. } => prop_assert!(lasts),
            Action::Emergency { rung, .. } => prop_assert!(rung >= Rung::Offline && (!lasts || usage.total() >= budget.policy.emergency)),
            Action::ProceedWithWarning => prop_assert!(usage.total() <= budget.window),
            Action::AfterReply { rung, .. } => {
                prop_assert!(usage.total() >= budget.backlog_min() && rung < Rung::Truncate);
                prop_assert!(jobs != JobState::Unavailable);
            }
            Action::Now { .. } => {
                prop_assert!(usage.total() >= budget.trigger);
                // The owner does not wait a second time for a model that may hang.
                prop_assert!(jobs != JobState::Deferred || budget.policy.waiting == Waiting::Owner);
            }
            Action::Exhausted { excess } => prop_assert!(usage.total() + budget.soft >= budget.window + excess),
        }
        prop_assert!(budget.background_max() <= budget.request_max());
        prop_assert!(budget.trigger <= budget.request_max() + TokenCount(1));
    }
}
