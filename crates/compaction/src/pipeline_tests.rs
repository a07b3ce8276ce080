//! Show, decide, cut and apply together, on conversations that grow message by message.

use base::{EntryId, Message, Origin, TokenCount};
use proptest::prelude::*;
use proptest::strategy::Strategy as Any;
use session::{Compaction, Epoch, View, ViewContent, ViewItem};

use crate::audit::Audit;
use crate::budget::Budget;
use crate::fixture::{any_conversation, any_strategy, as_of, bullets, glance, view, window};
use crate::rung::{Ladder, Rung};
use crate::settings::WindowSettings;
use crate::show::show;
use crate::shown::Shown;
use crate::strategy::{Middle, Replace, Strategy, compaction_entry, leaves, plan, truncation};
use crate::summarise::{Summary, SummaryBrief, SummaryPlan, render_summary};
use crate::trigger::{Action, CompactionState, ContextUsage, JobState, Leaves, decide};
use crate::truncate::Truncation;

/// A model's behaviour when it is asked for a summary.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Fails,
    Babbles,
    Summarises,
}

struct Session {
    settings: WindowSettings,
    budget: Budget,
    view: View,
    state: CompactionState,
    prefix: TokenCount,
}

impl Session {
    fn new(settings: WindowSettings, prefix: u64) -> Self {
        Self {
            budget: Budget::new(&settings),
            settings,
            view: View::default(),
            state: CompactionState {
                epoch: Epoch(0),
                flush_marker: None,
                ladder: Ladder::default(),
                leaves: Leaves::Nothing,
                jobs: JobState::Unavailable,
            },
            prefix: TokenCount(prefix),
        }
    }

    fn shown(&self) -> (Shown, ContextUsage) {
        let shown = show(&self.view, &self.settings, &self.budget);
        let usage = shown.usage(self.prefix, TokenCount(10));
        (shown, usage)
    }

    /// Compacts until the request may be sent. Returns its size and the rungs used.
    fn settle(&mut self, answers: &mut impl Iterator<Item = Answer>) -> (TokenCount, Vec<Rung>) {
        let mut applied = Vec::new();
        // Each request starts with a full ladder: a rung that failed for a smaller request may work for this one.
        self.state.ladder = Ladder::default();
        for _ in 0..100 {
            let (shown, usage) = self.shown();
            self.state.leaves = leaves(&shown, &usage, &self.budget);
            match decide(&usage, &self.budget, &self.state) {
                Action::Proceed | Action::ProceedWithWarning => return (usage.total(), applied),
                Action::Exhausted { excess } => panic!("too large by {excess}"),
                Action::InBackground { rung, .. }
                | Action::AfterReply { rung, .. }
                | Action::Now { rung, .. }
                | Action::Emergency { rung, .. } => {
                    let before = self.view.clone();
                    let made = match rung {
                        Rung::Truncate => truncation(&self.view, &shown, &usage, &self.budget)
                            .map(|Truncation { plan, text }| (plan, text)),
                        Rung::Model | Rung::Staged | Rung::Partial | Rung::Offline => {
                            plan(&self.view, &shown, &usage, &self.budget)
                                .and_then(|plan| summarised(plan, answers.next().unwrap()))
                        }
                    };
                    if let Some((plan, summary)) = made {
                        let after = plan.tokens_after(&summary);
                        let summary = Summary::new(summary, rung, &Audit::of(&plan));
                        self.apply(&plan, compaction_entry(&plan, summary, self.state.epoch));
                        let found = self.shown().1.total();
                        assert_eq!(found, after, "i6: one count before and after");
                        self.state.ladder = Ladder::default();
                        applied.push(rung);
                    } else {
                        assert_eq!(self.view, before, "i5: a failed rung changes nothing");
                        self.state.ladder = self.state.ladder.without(rung);
                    }
                }
            }
        }
        panic!("no end to it");
    }

    /// Updates the view as appending the entry would.
    fn apply(&mut self, plan: &SummaryPlan, compaction: Compaction) {
        let items = &self.view.items;
        let kept = items
            .iter()
            .position(|item| Some(&item.entry) == plan.first_kept.as_ref());
        assert_eq!(kept.is_none(), plan.first_kept.is_none());
        let kept = kept.unwrap_or(items.len());
        let find = |entry: &EntryId| items.iter().find(|item| item.entry == *entry).unwrap();
        let pinned: Vec<ViewItem> = plan.keep_first.iter().map(|id| find(id).clone()).collect();
        let at = items[0].at;
        let entry = EntryId::new(format!("c{}", self.state.epoch.0));
        let content = ViewContent::Summary(compaction.summary);
        let summary = ViewItem::new(entry, at, Origin::System, content);
        let front = pinned.into_iter().chain([summary]);
        self.view.items.splice(..kept, front.collect::<Vec<_>>());
        self.state.epoch = self.state.epoch.next();
    }
}

fn summarised(plan: SummaryPlan, answer: Answer) -> Option<(SummaryPlan, String)> {
    let reply = match answer {
        Answer::Fails => return None,
        Answer::Babbles => "blah ".repeat(4_000),
        Answer::Summarises => format!("## Goals and Intent\n{}", bullets("fact number", 200)),
    };
    let brief = brief(plan, 0);
    let summary = render_summary(&reply, &brief, &Audit::of(&brief.plan), Rung::Model).ok()?;
    let plan = brief.plan;
    plan.is_effective(&summary).then_some((plan, summary))
}

fn brief(plan: SummaryPlan, minutes: u64) -> SummaryBrief {
    SummaryBrief {
        plan,
        as_of: as_of(minutes),
        instructions: None,
    }
}

fn any_answers() -> impl Any<Value = Vec<Answer>> {
    let answer = prop::sample::select(vec![Answer::Fails, Answer::Babbles, Answer::Summarises]);
    prop::collection::vec(answer, 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn i3_i5_i6_growing_conversation_never_exceeds_its_window(
        conversation in any_conversation(8_000),
        answers in any_answers(),
        strategy in prop_oneof![Just(Strategy::Handoff), small(any_strategy())],
        window in 2_000_u64..12_000,
        prefix_percent in 0_u64..100,
    ) {
        let settings = WindowSettings { context_window: TokenCount(window), strategy, ..WindowSettings::default() };
        let budget = Budget::new(&settings);
        // The suffix takes 10 tokens.
        let prefix = budget.prefix_max().percent(prefix_percent).saturating_sub(TokenCount(10));
        prop_assert_eq!(budget.check_prefix(&settings, prefix), Ok(()));
        let mut session = Session::new(settings, prefix.0);
        let mut answers = answers.into_iter().cycle();
        for item in conversation.items {
            session.view.items.push(item);
            let (total, applied) = session.settle(&mut answers);
            prop_assert!(total <= budget.request_max());
            prop_assert!(
                total < budget.trigger || !applied.is_empty() || session.state.leaves == Leaves::Nothing
                    || strategy != Strategy::Handoff,
                "{} of {} after {:?}", total, budget.trigger, applied
            );
            let sent = session.shown().0.messages();
            prop_assert_eq!(unanswered(&sent), Vec::<String>::new(), "i3");
        }
    }
}

/// The same strategies with thresholds small enough for these windows.
fn small(strategies: impl Any<Value = Strategy>) -> impl Any<Value = Strategy> {
    let less = |tokens: TokenCount| TokenCount(tokens.0 / 30);
    strategies.prop_map(move |strategy| match strategy {
        Strategy::Replace(Replace { threshold }) => Strategy::Replace(Replace {
            threshold: threshold.map(less),
        }),
        Strategy::Middle(middle) => Strategy::Middle(Middle {
            threshold: less(middle.threshold),
            ..middle
        }),
        other @ (Strategy::Handoff | Strategy::Tiered(_) | Strategy::Off) => other,
    })
}

/// Calls without exactly one result right after their message, and results without a call.
fn unanswered(messages: &[Message]) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    for message in messages {
        if let Message::ToolResult(result) = message {
            let id = result.call_id.to_string();
            match open.iter().position(|call| *call == id) {
                Some(at) => drop(open.remove(at)),
                None => wrong.push(id),
            }
        } else {
            wrong.append(&mut open);
            open.extend(message.tool_calls().map(|call| call.id.to_string()));
        }
    }
    wrong.append(&mut open);
    wrong
}

#[test]
fn view_before_and_after_compaction_with_details() {
    let mut session = Session::new(window(2_000), 100);
    let long = "The invoice of ACME for 1,240.50 EUR is due on 2026-05-02. ".repeat(40);
    session.view = view(&format!(
        "user: my name is Ada, read the invoices\nassistant: call(c1)\ntool(c1): {long}\n\
         assistant: read, one is due\nuser: {long}\nassistant: noted\nuser: which one is due first?"
    ));
    let before = glance(&session.view.items);
    let (shown, usage) = session.shown();
    let plan = plan(&session.view, &shown, &usage, &session.budget).unwrap();
    let reply = "## Goals and Intent\n- Ada wants to know which invoice is due first\n\
                 ## Technical Context and Decisions\n- ACME: 1,240.50 EUR, due 2026-05-02";
    let brief = brief(plan, 5);
    let audit = Audit::of(&brief.plan);
    let text = render_summary(reply, &brief, &audit, Rung::Offline).unwrap();
    let summary = Summary::new(text, Rung::Offline, &audit);
    let entry = compaction_entry(&brief.plan, summary, Epoch(0));
    let details = format!("{:#?}", entry.details);
    session.apply(&brief.plan, entry);
    let after = glance(&session.view.items);
    let snapshot = format!("{before}\n\n=== after ===\n\n{after}\n\n{details}");
    insta::assert_snapshot!(snapshot);
}
