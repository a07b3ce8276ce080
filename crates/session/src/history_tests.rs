//! After any history, reopening a session shows what its turn showed, and no message is flushed twice.
//!
//! Compares the session with a model that keeps every entry in memory.

use std::collections::HashSet;
use std::path::Path as FilePath;

use base::disk::{Disk, MemoryDisk};
use proptest::prelude::*;

use super::*;
use crate::test_kit::{NO_LIMIT, at, compaction, entries, home, main, said, store, texts};
use crate::{EntrySelector, FlushIntent, MessageRange, StateCache, verify};

#[derive(Debug, Clone)]
enum Step {
    Say(String),
    Several(u8),
    /// `kept` and `pinned` count back along the path from the leaf. A count past the root means the compaction
    /// itself.
    Compact {
        kept: usize,
        pinned: usize,
    },
    Flush,
    Reset,
    /// The number of entries back from the end of the file.
    Rewind(usize),
    /// The number of entries back from the end of the file; the fork begins at that entry.
    Fork(usize),
    Reopen {
        tail: String,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => "[a-z\u{e9}\u{1f642}]{1,8}".prop_map(Step::Say),
        2 => (1_u8..4).prop_map(Step::Several),
        3 => (0_usize..12, 0_usize..20).prop_map(|(kept, pinned)| Step::Compact { kept, pinned }),
        3 => Just(Step::Flush),
        1 => Just(Step::Reset),
        2 => (0_usize..20).prop_map(Step::Rewind),
        1 => (0_usize..20).prop_map(Step::Fork),
        2 => prop_oneof![
            Just(String::new()),
            Just("{\"type\":\"mess".to_owned()),
            Just("{\"type\":\"label\",\"id\":\"x\",\"parentId\":null,\"timestamp\":\"2026-04-12T10:00:00Z\"}".to_owned()),
        ].prop_map(|tail| Step::Reopen { tail }),
    ]
}

/// The reference implementation: a list of all entries.
#[derive(Debug, Default)]
struct Model {
    entries: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    id: EntryId,
    parent: Option<usize>,
    what: What,
}

#[derive(Debug)]
enum What {
    Said(String),
    Compaction {
        summary: String,
        kept: EntryId,
        pinned: Option<EntryId>,
    },
    Reset,
    Silent,
}

impl Model {
    fn add(&mut self, id: EntryId, what: What) {
        let parent = self.entries.len().checked_sub(1);
        self.entries.push(Known { id, parent, what });
    }

    /// The path from the root to the leaf.
    fn path(&self) -> Vec<&Known> {
        let leaf = self.entries.len().checked_sub(1);
        leaf.map_or_else(Vec::new, |leaf| self.path_to(leaf))
    }

    fn back_from_leaf(&self, n_back: usize) -> Option<&Known> {
        self.path().into_iter().rev().nth(n_back)
    }

    fn view(&self) -> Vec<String> {
        self.view_of(&self.path())
    }

    /// The path from the root to the entry at this index of the file.
    fn path_to(&self, place: usize) -> Vec<&Known> {
        let parent = |known: &&Known| known.parent.map(|parent| &self.entries[parent]);
        let mut path: Vec<&Known> =
            std::iter::successors(self.entries.get(place), parent).collect();
        path.reverse();
        path
    }

    fn view_of(&self, path: &[&Known]) -> Vec<String> {
        let decides = |known: &&Known| matches!(known.what, What::Compaction { .. } | What::Reset);
        let Some(newest) = path.iter().rposition(decides) else {
            return path.iter().filter_map(|known| known.text()).collect();
        };
        let after = path[newest + 1..].iter().filter_map(|known| known.text());
        let What::Compaction {
            summary,
            kept,
            pinned,
        } = &path[newest].what
        else {
            return after.collect();
        };
        let is_reset = |known: &&Known| matches!(known.what, What::Reset);
        let begins = path[..newest].iter().rposition(is_reset).unwrap_or(0);
        let kept_from = path[..newest].iter().position(|known| known.id == *kept);
        let kept_from = kept_from.filter(|from| *from >= begins).unwrap_or(newest);
        let kept = &path[kept_from..newest];
        let pinned = pinned
            .iter()
            .filter(|pinned| kept.iter().all(|known| known.id != **pinned));
        let pinned = pinned.filter_map(|pinned| {
            let known = self.entries.iter().find(|known| known.id == *pinned);
            known.and_then(Known::text)
        });
        pinned
            .chain([format!("[{summary}]")])
            .chain(kept.iter().filter_map(|known| known.text()))
            .chain(after)
            .collect()
    }
}

impl Known {
    fn text(&self) -> Option<String> {
        match &self.what {
            What::Said(text) => Some(text.clone()),
            What::Compaction { .. } | What::Reset | What::Silent => None,
        }
    }
}

struct Run {
    disk: MemoryDisk,
    /// Kept across reopening, as a process that serves keeps it.
    states: StateCache,
    turn: Option<Turn>,
    model: Model,
    now: i64,
    n_repairs: usize,
    flushed: HashSet<EntryId>,
}

impl Run {
    fn new() -> Self {
        let disk = home();
        let states = StateCache::default();
        let store = store(disk.clone()).knowing(states.clone());
        let turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
        Self {
            disk,
            states,
            turn: Some(turn),
            model: Model::default(),
            now: 0,
            n_repairs: 0,
            flushed: HashSet::new(),
        }
    }

    fn turn(&mut self) -> &mut Turn {
        self.turn.as_mut().unwrap()
    }

    fn act(&mut self, step: &Step) {
        self.now += 1;
        let now = at(self.now);
        match step {
            Step::Say(text) => {
                let id = self.turn().append_message(now, said(text)).unwrap();
                self.model.add(id, What::Said(text.clone()));
            }
            Step::Several(n) => {
                let texts: Vec<String> = (0..*n).map(|nth| format!("{nth} of {n}")).collect();
                let messages = texts.iter().map(|text| (now, said(text))).collect();
                let ids = self.turn().append_messages(messages).unwrap();
                for (id, text) in ids.into_iter().zip(texts) {
                    self.model.add(id, What::Said(text));
                }
            }
            Step::Compact { kept, pinned } => self.compact(*kept, *pinned),
            Step::Flush => self.flush(),
            Step::Reset => {
                self.turn().append_reset(now).unwrap();
                let id = self.turn().leaf().unwrap().clone();
                self.model.add(id, What::Reset);
            }
            Step::Rewind(n_back) => {
                let Some(target) = self.model.entries.iter().rev().nth(*n_back) else {
                    return;
                };
                let target = target.id.clone();
                let planned = self.plan_rewind(&target);
                let id = self.turn().append_rewind(now, &target).unwrap();
                assert_eq!(&planned, self.turn().view());
                self.model.add(id, What::Silent);
                let parent = self
                    .model
                    .entries
                    .iter()
                    .position(|known| known.id == target);
                self.model.entries.last_mut().unwrap().parent = parent;
            }
            Step::Fork(n_back) => self.fork(*n_back),
            Step::Reopen { tail } => self.reopen(tail),
        }
    }

    /// Checks that a rewind plan lists the messages by which the two paths in the model differ.
    fn plan_rewind(&self, target: &EntryId) -> View {
        let store = store(self.disk.clone());
        let spot = EntrySelector::Entry(target.to_string());
        let plan = store.plan_rewind(&main(), &spot, NO_LIMIT).unwrap();
        let known = &self.model.entries;
        let place = known.iter().position(|known| known.id == *target).unwrap();
        let (live, other) = (self.model.path(), self.model.path_to(place));
        let apart = |from: &[&Known], than: &[&Known]| -> Option<MessageRange> {
            let is_apart = |known: &&&Known| than.iter().all(|other| other.id != known.id);
            let said = |known: &&&Known| known.text().is_some();
            let ids: Vec<EntryId> = from
                .iter()
                .filter(is_apart)
                .filter(said)
                .map(|known| known.id.clone())
                .collect();
            Some(MessageRange {
                first: ids.first()?.clone(),
                last: ids.last()?.clone(),
                n_messages: ids.len(),
            })
        };
        assert_eq!(plan.left, apart(&live, &other));
        assert_eq!(plan.back, apart(&other, &live));
        plan.view
    }

    /// Checks that a fork shows what its original showed and has flushed as much.
    fn fork(&mut self, n_back: usize) {
        let known = &self.model.entries;
        let Some(place) = known.len().checked_sub(n_back + 1) else {
            return;
        };
        let spot = EntrySelector::Entry(known[place].id.to_string());
        let expected = self.model.view_of(&self.model.path_to(place));
        let store = store(self.disk.clone());
        let fork = store.read_fork(&main(), Some(&spot), NO_LIMIT).unwrap();
        let name = format!("fork-{}", self.now).parse().unwrap();
        let mut turn = store.begin_turn(&name, NO_LIMIT).unwrap();
        turn.begin_as_fork(at(self.now), &fork).unwrap();
        assert_eq!(texts(turn.view()), expected);
        let again = turn.begin_as_fork(at(self.now), &fork).unwrap_err();
        assert_eq!(again.to_string(), format!("session {name} already exists"));
        let reread = store.read(&name, NO_LIMIT).unwrap();
        assert_eq!(
            (&reread.view, &reread.state, reread.leaf.as_ref()),
            (turn.view(), turn.state(), turn.leaf())
        );
        let is_unflushed = |entry: Result<Entry, DiskError>| {
            if let Payload::Message(stored) = entry.unwrap().payload {
                stored.copied_from.map(|from| from.entry)
            } else {
                None
            }
        };
        let unflushed: Vec<EntryId> = turn.unflushed().unwrap().filter_map(is_unflushed).collect();
        let items = fork.view.items.iter();
        let was_unflushed = items.filter(|item| {
            !self.flushed.contains(&item.entry)
                && matches!(item.content, crate::ViewContent::Message(_))
        });
        let was_unflushed: Vec<EntryId> = was_unflushed.map(|item| item.entry.clone()).collect();
        // Flushes cover prefixes: a pinned entry may be shown out of order, but everything before a covered entry is
        // covered.
        assert!(unflushed.iter().all(|entry| was_unflushed.contains(entry)));
        let is_in_order = fork
            .view
            .items
            .windows(2)
            .all(|pair| pair[0].at <= pair[1].at);
        assert!(!is_in_order || unflushed == was_unflushed);
        let report = verify(store.lines(&name).unwrap()).unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
    }

    fn compact(&mut self, kept: usize, pinned: usize) {
        let now = at(self.now);
        let before = self.turn().view().clone();
        let id = EntryId::generate(now);
        let kept = self
            .model
            .back_from_leaf(kept)
            .map_or(id.clone(), |known| known.id.clone());
        let pinned = self
            .model
            .back_from_leaf(pinned)
            .map(|known| known.id.clone());
        let epoch = self.turn().state().compaction_count;
        let mut made = compaction(epoch.0, kept.clone());
        let pointer = pinned
            .as_ref()
            .and_then(|id| self.turn().locate(id).unwrap());
        made.details.keep_first.extend(pointer);
        let summary = made.summary.clone();
        let draft = Entry {
            id: id.clone(),
            ..Entry::draft(now, Payload::Compaction(made))
        };
        self.turn().append_one(draft).unwrap();
        assert_eq!(self.turn().state().compaction_count, epoch.next());
        let after = self.turn().view().clone();
        let gone = before.items.into_iter();
        let gone = gone.filter(|item| after.items.iter().all(|kept| kept.entry != item.entry));
        let spot = EntrySelector::EndOf(epoch);
        let replaced = store(self.disk.clone()).replaced(&main(), Some(&spot), NO_LIMIT);
        assert_eq!(replaced.unwrap().items, gone.collect::<Vec<_>>());
        self.model.add(
            id,
            What::Compaction {
                summary,
                kept,
                pinned,
            },
        );
    }

    fn flush(&mut self) {
        let now = at(self.now);
        let unflushed = self.turn().unflushed().unwrap();
        let ids: Vec<EntryId> = unflushed.map(|entry| entry.unwrap().id).collect();
        let (Some(from), Some(to)) = (ids.first(), ids.last()) else {
            return;
        };
        let state = self.turn().state().clone();
        let intent = FlushIntent {
            log_file: "memory/2026-04-12.md".into(),
            epoch: state.compaction_count,
            span: (from.clone(), to.clone()),
            before_compaction: false,
        };
        let begun = Meta {
            intent: Some(intent),
            ..state.clone()
        };
        let done = Meta {
            flushed_through: Some(to.clone()),
            memory_flush_at: Some(now),
            ..state
        };
        for meta in [begun, done] {
            let id = self.turn().append_meta(now, meta).unwrap();
            self.model.add(id, What::Silent);
        }
        for id in ids {
            assert!(self.flushed.insert(id.clone()), "{id} was flushed twice");
        }
    }

    fn reopen(&mut self, tail: &str) {
        drop(self.turn.take());
        let path = FilePath::new(crate::test_kit::PATH);
        let has_begun = self.disk.stat(path).unwrap().is_some();
        if has_begun {
            self.disk.append(path, tail.as_bytes()).unwrap();
        }
        let turn = store(self.disk.clone())
            .knowing(self.states.clone())
            .begin_turn(&main(), NO_LIMIT)
            .unwrap();
        self.n_repairs = usize::from(has_begun && !tail.is_empty());
        self.turn = Some(turn);
    }

    fn check(&mut self) {
        let expected = self.model.view();
        let n_repairs = self.n_repairs;
        let disk = self.disk.clone();
        let path: Vec<EntryId> = self
            .model
            .path()
            .iter()
            .filter(|known| known.text().is_some())
            .map(|known| known.id.clone())
            .collect();
        let turn = self.turn();
        assert_eq!(texts(turn.view()), expected);
        let cuts = turn
            .repairs()
            .iter()
            .filter(|repair| matches!(repair, Repair::TornTail { .. }));
        assert_eq!(cuts.count(), n_repairs);
        let unflushed = turn.unflushed().unwrap();
        let unflushed: Vec<EntryId> = unflushed.map(|entry| entry.unwrap().id).collect();
        if turn.leaf().is_some() {
            let snapshot = store(disk).read(&main(), NO_LIMIT).unwrap();
            assert_eq!(&snapshot.view, turn.view());
            assert_eq!(&snapshot.state, turn.state());
            assert_eq!(snapshot.leaf.as_ref(), turn.leaf());
            assert_eq!(&snapshot.session, turn.session_id());
        }
        let expected: Vec<EntryId> = path
            .into_iter()
            .filter(|id| !self.flushed.contains(id))
            .collect();
        assert_eq!(unflushed, expected);
    }

    /// Checks I1, and that `verify` finds nothing.
    fn check_file(mut self) {
        drop(self.turn.take());
        if self.model.entries.is_empty() {
            return;
        }
        let store = store(self.disk.clone());
        let written = entries(&store, &main());
        let expected = self.model.entries.iter().map(|known| &known.id);
        let written = written.iter().map(|entry| &entry.id);
        assert_eq!(written.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        let report = verify(store.lines(&main()).unwrap()).unwrap();
        assert_eq!(report.findings, []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn i1_i2_i4_reopened_session_shows_view_of_last_turn(
        steps in proptest::collection::vec(step(), 1..30),
    ) {
        let mut run = Run::new();
        for step in &steps {
            let before = crate::test_kit::transcript(&run.disk);
            run.act(step);
            let after = crate::test_kit::transcript(&run.disk);
            assert!(after.starts_with(&before), "a line was changed by {step:?}");
            run.check();
        }
        run.check_file();
    }
}
