//! Generated conversations: tool loops, huge results, pictures, many scripts, and forks and rewinds while notes and
//! summaries are made.
//!
//! Every case is the same on every run.

use std::collections::{BTreeMap, BTreeSet};

use agent::{fork, poll_jobs, rewind};
use base::disk::read_all;
use base::model::{Purpose, ReplyEvent, Request};
use base::{
    Assistant, Block, Image, Message, NOTHING_TO_FLUSH, StopReason, TokenCount, ToolCall,
    ToolOutcome, ToolResult,
};
use compaction::{Middle, Replace, Tiered};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use session::{EntrySelector, Payload, SessionName};

use super::oracle::{append, append_calls, call, i5_nothing_is_lost, i6_fits, verifies};
use super::talk::{Gated, Talk, main, rungs};
use crate::in_process::{i3_calls_stand_with_their_results, tokens_of};
use crate::pipeline::{Answer, said, unavailable};

const WINDOW: u64 = 8_000;

const N_CASES: u32 = 28;

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// The owner says something, and the reply calls tools in this many rounds.
    Say {
        script: usize,
        n_chars: usize,
        n_rounds: usize,
        n_calls: usize,
    },
    /// Another program has run a tool loop in this session.
    Loop {
        n_calls: usize,
        n_chars: usize,
        n_open: usize,
    },
    /// The owner shows pictures.
    Show { n_pictures: usize },
    /// One piece of the background work is done.
    Piece,
    /// All of it is done and added to the session.
    Work,
    /// The conversation continues from an earlier entry.
    Rewind { percent: usize },
    /// It continues in a fork.
    Fork,
    /// The owner chooses another strategy.
    Choose { strategy: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let say = (0..4_usize, 100..1_200_usize, 0..3_usize, 1..4_usize);
    let say = say.prop_map(|(script, n_chars, n_rounds, n_calls)| Step::Say {
        script,
        n_chars,
        n_rounds,
        n_calls,
    });
    let tools = (1..300_usize, 1..200_usize, 0..3_usize);
    let tools = tools.prop_map(|(n_calls, n_chars, n_open)| Step::Loop {
        n_calls,
        n_chars,
        n_open,
    });
    let huge = (1..4_usize, 10_000..60_000_usize).prop_map(|(n_calls, n_chars)| Step::Loop {
        n_calls,
        n_chars,
        n_open: 0,
    });
    prop_oneof![
        16 => say,
        1 => tools,
        1 => huge,
        1 => (1..4_usize).prop_map(|n_pictures| Step::Show { n_pictures }),
        4 => Just(Step::Piece),
        6 => Just(Step::Work),
        2 => (50..100_usize).prop_map(|percent| Step::Rewind { percent }),
        1 => Just(Step::Fork),
        1 => (0..N_STRATEGIES).prop_map(|strategy| Step::Choose { strategy }),
    ]
}

const N_STRATEGIES: usize = 5;
const OFF: usize = 4;

/// The strategies, with sizes that this window reaches.
fn chosen(strategy: usize) -> compaction::Strategy {
    match strategy % N_STRATEGIES {
        0 => compaction::Strategy::Handoff,
        1 => compaction::Strategy::Tiered(Tiered::default()),
        2 => compaction::Strategy::Replace(Replace {
            threshold: Some(TokenCount(5_000)),
        }),
        3 => compaction::Strategy::Middle(Middle {
            threshold: TokenCount(5_000),
            ..Middle::default()
        }),
        _ => compaction::Strategy::Off,
    }
}

const N_MOODS: usize = 7;

/// The mood in which the model never answers.
const HANGS: usize = 6;

/// How a model makes summaries, chosen by the number of the case.
fn answer(mood: usize) -> impl Fn(&Request) -> Answer {
    move |request| match request.purpose {
        Purpose::Flush => said(NOTHING_TO_FLUSH),
        Purpose::Chat | Purpose::Consolidate => said("Verstanden, 了解。"),
        Purpose::Summarise => match mood {
            0 | 1 => said("## Goals and Intent\n- The owner keeps a list of 渡船."),
            2 => said("la la la"),
            3 => said("- everything matters and more\n".repeat(3_000)),
            4 => said(request.system.clone()),
            _ => Err(unavailable()),
        },
    }
}

const SCRIPTS: [&str; 4] = [
    "The ferry leaves at 7. ",
    "Fähre, größer. ",
    "渡し船は七時。",
    "🛶⛴️ ",
];

fn text(script: usize, n_chars: usize) -> String {
    let unit = SCRIPTS[script % SCRIPTS.len()];
    unit.chars().cycle().take(n_chars).collect()
}

/// The counts over all cases.
#[derive(Debug, Default)]
struct Seen {
    n_requests: usize,
    n_beside: usize,
    n_waited_for: usize,
    n_turned_away: usize,
    largest: TokenCount,
    /// The strategies whose compactions took effect.
    made_by: BTreeSet<String>,
}

/// A conversation under way.
struct World {
    talk: Talk,
    name: SessionName,
    n_sessions: usize,
    /// The bytes of every session as they were after the last step.
    files: BTreeMap<SessionName, Vec<u8>>,
    seen: Seen,
}

impl World {
    fn new(mood: usize, strategy: usize) -> Self {
        let model = Gated::new(answer(mood));
        let model = if mood == HANGS {
            model.never_summarising()
        } else {
            model
        };
        let mut talk = Talk::alone(model, WINDOW);
        talk.runtime.engine.settings.strategy = chosen(strategy);
        // Not far from where the strategy acts: without one, that is the whole window.
        let n_said = if strategy == OFF { 21 } else { 13 };
        let history = (0..n_said).flat_map(|number| {
            let asked = Message::user(super::talk::message(number, 350));
            [asked, Message::assistant("Noted.")]
        });
        append(&talk, &main(), history.collect());
        Self {
            talk,
            name: main(),
            n_sessions: 1,
            files: BTreeMap::new(),
            seen: Seen::default(),
        }
    }

    async fn take(&mut self, step: &Step) {
        let had_job = self.talk.runtime.jobs.has_job(&self.name);
        match step {
            Step::Say {
                script,
                n_chars,
                n_rounds,
                n_calls,
            } => {
                let rounds = (0..*n_rounds).map(|_| calls_of("lookup", "{}", *n_calls));
                self.talk.model.will_reply(rounds);
                let message = Message::user(text(*script, *n_chars));
                self.talk.say_in(&self.name, message).await;
            }
            Step::Loop {
                n_calls,
                n_chars,
                n_open,
            } => {
                let messages = tool_loop(*n_calls, *n_chars);
                append(&self.talk, &self.name, messages);
                if *n_open > 0 {
                    append_calls(&self.talk, &self.name, *n_open);
                }
            }
            Step::Show { n_pictures } => {
                let message = Message::User {
                    content: vec![picture(); *n_pictures],
                    name: None,
                };
                self.talk.say_in(&self.name, message).await;
            }
            Step::Piece => self.piece().await,
            Step::Work => {
                let events = self.talk.work_in(&self.name).await;
                self.seen.n_beside += rungs(&events).len();
            }
            Step::Rewind { percent } => self.rewind(*percent).await,
            Step::Fork => self.fork().await,
            Step::Choose { strategy } => {
                self.talk.runtime.engine.settings.strategy = chosen(*strategy);
            }
        }
        let is_turned_away = matches!(step, Step::Rewind { .. } | Step::Fork) && had_job;
        self.seen.n_turned_away += usize::from(is_turned_away);
        self.check();
    }

    async fn piece(&mut self) {
        if !self.talk.runtime.jobs.has_job(&self.name) {
            return;
        }
        self.talk.model.let_through(1);
        self.talk.runtime.jobs.news(&self.name).await;
        let mut events = Vec::new();
        poll_jobs(&self.talk.runtime, &self.name, &mut |event| {
            events.push(event);
        })
        .unwrap();
        self.talk.model.shut();
        self.seen.n_beside += rungs(&events).len();
    }

    async fn rewind(&mut self, percent: usize) {
        if !self.talk.runtime.home.sessions.exists(&self.name).unwrap() {
            return;
        }
        let entries = self.talk.entries(&self.name);
        let messages: Vec<_> = entries
            .iter()
            .filter(|entry| matches!(entry.payload, Payload::Message(_)))
            .collect();
        let Some(target) = messages.get(messages.len() * percent / 100) else {
            return;
        };
        let to = EntrySelector::Entry(target.id.to_string());
        rewind(&self.talk.runtime, &self.name, &to, &mut |_| {})
            .await
            .unwrap();
    }

    async fn fork(&mut self) {
        if !self.talk.runtime.home.sessions.exists(&self.name).unwrap() {
            return;
        }
        let new: SessionName = format!("fork{}", self.n_sessions).parse().unwrap();
        fork(&self.talk.runtime, &self.name, None, &new, &mut |_| {})
            .await
            .unwrap();
        self.n_sessions += 1;
        self.name = new;
    }

    fn check(&mut self) {
        for request in self.talk.model.take_asked() {
            i3_calls_stand_with_their_results(&request);
            i6_fits(&request, TokenCount(WINDOW));
            self.seen.largest = self.seen.largest.max(tokens_of(&request));
            self.seen.n_requests += 1;
        }
        let sessions = &self.talk.runtime.home.sessions;
        if !sessions.exists(&self.name).unwrap() {
            return;
        }
        let path = sessions.path(&self.name);
        let bytes = read_all(&*self.talk.disk, &path, u64::MAX).unwrap();
        let before = self.files.insert(self.name.clone(), bytes);
        let before = before.unwrap_or_default();
        assert!(
            self.files[&self.name].starts_with(&before),
            "a line changed"
        );
        i5_nothing_is_lost(&self.talk, &self.name);
    }

    async fn finish(mut self) -> Seen {
        for name in self.talk.runtime.home.sessions.names().unwrap() {
            self.talk.work_in(&name).await;
            self.name = name;
            self.check();
            verifies(&self.talk, &self.name);
        }
        let counted = |name| {
            let entries = self.talk.entries(&name);
            let made = entries.iter().filter(|it| matches!(&it.payload, Payload::Compaction(made) if made.details.copied_from.is_none()));
            made.count()
        };
        let made_by = |name| {
            let entries = self.talk.entries(&name).into_iter();
            entries.filter_map(|it| {
                if let Payload::Compaction(made) = it.payload {
                    made.details.strategy
                } else {
                    None
                }
            })
        };
        let found = self.talk.runtime.home.sessions.names().unwrap();
        self.seen.made_by = found.into_iter().flat_map(made_by).collect();
        let names = self.talk.runtime.home.sessions.names().unwrap();
        let n_all: usize = names.into_iter().map(counted).sum();
        self.seen.n_waited_for = n_all.saturating_sub(self.seen.n_beside);
        self.seen
    }
}

/// A reply of calls, whose ids are the same each time, as some providers assign them.
pub(super) fn calls_of(tool: &str, arguments: &str, n_calls: usize) -> Vec<ReplyEvent> {
    let calls = (0..n_calls).map(|number| {
        ReplyEvent::ToolCall(ToolCall {
            name: tool.to_owned(),
            arguments: arguments.to_owned(),
            ..call(format!("call-{number}"))
        })
    });
    let done = ReplyEvent::Done {
        stop: StopReason::ToolUse,
        usage: None,
    };
    calls.chain([done]).collect()
}

fn picture() -> Block {
    Block::Image(Image {
        mime_type: "image/png".into(),
        reference: "ferry.png".into(),
    })
}

/// A question and the loop that answers it: three calls per round, some of which return pictures.
pub(super) fn tool_loop(n_calls: usize, n_chars: usize) -> Vec<Message> {
    let mut messages = vec![Message::user("Look everything up.")];
    for round in 0..n_calls.div_ceil(3) {
        let numbers = round * 3..n_calls.min(round * 3 + 3);
        let id = |number: usize| format!("loop-{number}");
        let calls = numbers
            .clone()
            .map(|number| Block::ToolCall(call(id(number))));
        messages.push(Message::Assistant(Assistant {
            content: calls.collect(),
            stop: StopReason::ToolUse,
            usage: None,
        }));
        for number in numbers {
            let mut content = vec![Block::Text(text(number, n_chars))];
            if number % 7 == 6 {
                content.push(picture());
            }
            messages.push(Message::ToolResult(ToolResult {
                call_id: base::ToolCallId::new(id(number)),
                tool_name: "lookup".into(),
                content,
                outcome: ToolOutcome::Success,
            }));
        }
    }
    messages
}

fn run(mood: usize, strategy: usize, steps: &[Step]) -> Seen {
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    executor.block_on(async {
        let mut world = World::new(mood, strategy);
        for step in steps {
            world.take(step).await;
        }
        world.finish().await
    })
}

#[test]
fn i2_i3_i5_i6_hold_in_every_generated_conversation() {
    let config = Config {
        cases: N_CASES,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut all = Seen::default();
    let totals = std::cell::RefCell::new(&mut all);
    let steps = prop::collection::vec(step(), 10..35);
    // Two of them work alongside the chat, and have the most to go wrong.
    let first = prop::sample::select(vec![0, 0, 1, 1, 2, 3, 4]);
    let cases = (0..N_MOODS, first, steps);
    let outcome = TestRunner::new_with_rng(config, rng).run(&cases, |(mood, strategy, steps)| {
        let seen = run(mood, strategy, &steps);
        let mut totals = totals.borrow_mut();
        totals.n_requests += seen.n_requests;
        totals.n_beside += seen.n_beside;
        totals.n_waited_for += seen.n_waited_for;
        totals.n_turned_away += seen.n_turned_away;
        totals.largest = totals.largest.max(seen.largest);
        totals.made_by.extend(seen.made_by);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    // All of it was there to be tested.
    assert!(all.n_requests > 100, "{all:?}");
    assert!(all.n_beside > 5 && all.n_waited_for > 5, "{all:?}");
    assert!(all.n_turned_away > 3, "{all:?}");
    assert!(all.largest > TokenCount(6_000), "{all:?}");
    let made_by: Vec<&str> = all.made_by.iter().map(String::as_str).collect();
    assert_eq!(made_by, ["handoff", "middle", "none", "replace", "tiered"]);
}
