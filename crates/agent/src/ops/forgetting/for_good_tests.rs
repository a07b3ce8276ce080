//! Removing for good: what it lists, what it finds in other words, and what a crash in the middle leaves.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::disk::{CrashDisk, MemoryDisk, replace};
use base::{Clock, Disk, FixedClock, HomeLayout, Message, Origin, TokenCount, Tz};
use compaction::WindowSettings;
use memory::{AddedUnder, Note, add_note};
use session::StoredMessage;

use super::*;
use crate::forgetting::ForgetPlanError;
use crate::knowledge::index::{IndexAccess, IndexPlace, Knowledge};
use crate::knowledge::scope::Viewer;
use crate::ops::{Forget, ForgetPlanReply, ForgetReply, Operation, PlanForget, ReadSession};
use crate::runtime::HomeAccess;

const FACT: &str = "The safe in Zwenkau opens with the blue heron";
const WORDS: &str = "blue heron";
const MINUTE: Duration = Duration::from_mins(1);

/// A home whose index is in memory.
struct Place {
    home: HomeAccess,
    knowledge: Knowledge,
    clock: Arc<FixedClock>,
    window: WindowSettings,
}

impl Place {
    fn on(disk: impl Disk + 'static) -> Self {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        let clock = Arc::new(FixedClock::new("2026-03-02T08:00:00Z".parse().unwrap()));
        let layout = HomeLayout::new("/home");
        let home = HomeAccess::open(&disk, &layout, clock.clone(), Tz::UTC);
        let place = IndexPlace {
            disk: Arc::new(MemoryDisk::new()),
            directory: PathBuf::new(),
        };
        let source = SessionSource::new(home.sessions.clone(), Tz::UTC);
        let workspace = Arc::clone(&home.workspace);
        let access = IndexAccess::InMemory;
        let knowledge = Knowledge::new(place, workspace, source, clock.clone(), access);
        Self {
            home,
            knowledge,
            clock,
            window: WindowSettings {
                context_window: TokenCount(32_000),
                ..WindowSettings::default()
            },
        }
    }

    fn at(&self) -> OpContext<'_> {
        OpContext::new(&self.home, &self.window, &self.knowledge, &Viewer::Owner)
    }

    fn say(&self, name: &str, message: Message) {
        let name = name.parse().unwrap();
        let limit = resume_limit(&self.window);
        let mut turn = self.home.sessions.begin_turn(&name, limit).unwrap();
        let now = self.clock.now();
        let message = StoredMessage::new(message, Origin::Owner);
        turn.append_message(now, message).unwrap();
        self.clock.advance(MINUTE / 60);
    }

    fn plan(&self, request: PlanForget) -> Result<ForgetPlanReply, OpError> {
        let request = PlanForget {
            what: FACT.to_owned(),
            remove_own_lines: true,
            is_command: true,
            ..request
        };
        request.run(&self.at())
    }

    fn forget(&self) -> ForgetReply {
        let token = self.plan(PlanForget::default()).unwrap().token.unwrap();
        let confirm = Forget {
            token,
            ..Forget::default()
        };
        confirm.run(&self.at()).unwrap()
    }

    fn remove(&self) -> Result<ForgetReply, OpError> {
        let now = PlanForget {
            now: true,
            ..PlanForget::default()
        };
        let confirm = Forget {
            token: self.plan(now)?.token.unwrap(),
            now: true,
            ..Forget::default()
        };
        confirm.run(&self.at())
    }
}

/// The files of a home in which the fact was said, noted, typed, and repeated in other words.
fn planted() -> MemoryDisk {
    let disk = MemoryDisk::new();
    let place = Place::on(disk.clone());
    place.home.workspace.init().unwrap();
    place.say("main", Message::user(format!("Good morning. {FACT}.")));
    place.say(
        "main",
        Message::assistant("Tea at four. THE SAFE IN ZWENKAU OPENS WITH THE BLUE HERON!"),
    );
    // Too few of the words for the request itself.
    place.say("main", Message::assistant("Listen! With the Blue Heron."));
    place.say("main", Message::user("The bins go out on Mondays."));
    place.say(
        "work",
        Message::user(format!("Listen: {FACT}. Do you see?")),
    );
    let note = Note {
        text: FACT.to_owned(),
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let now = place.clock.now();
    let under = AddedUnder::default();
    add_note(&place.home.workspace, (&note, &under), now, Tz::UTC).unwrap();
    let typed = format!("Tea\n{FACT}.\n");
    let history = Path::new("/home/state/chat-history");
    replace(&disk, history, typed.as_bytes()).unwrap();
    disk
}

/// The files that have the words in any case.
fn holding(disk: &MemoryDisk) -> Vec<String> {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        text.contains(WORDS)
    };
    let all = disk.snapshot().into_iter();
    let held = all.filter(|(_, bytes)| holds(bytes));
    held.map(|(path, _)| path.display().to_string()).collect()
}

fn shown(place: &Place, name: &str) -> String {
    let read = ReadSession {
        name: name.to_owned(),
        ..ReadSession::default()
    };
    let items = read.run(&place.at()).unwrap().items.into_iter();
    items.map(|item| item.text).collect::<Vec<_>>().join("\n")
}

#[test]
fn removal_for_good_also_takes_other_case_and_parts_that_were_hidden() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE);
    let done = place.remove().unwrap();
    assert_eq!((done.undo.as_str(), done.warnings), ("", vec![]));
    assert_eq!(holding(&disk), [""; 0]);
    let (main, work) = (shown(&place, "main"), shown(&place, "work"));
    for kept in [
        "Good morning.",
        "Tea at four.",
        "Listen!",
        "The bins go out",
    ] {
        assert!(main.contains(kept), "{kept}: {main}");
    }
    assert!(work.contains("Do you see?"), "{work}");
}

#[test]
fn removal_after_plain_forget_removes_rest_and_then_says_that_nothing_is_left() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE);
    let forgot = place.forget();
    assert!(!holding(&disk).is_empty());
    let again = place.plan(PlanForget::default()).unwrap_err();
    assert!(matches!(
        again,
        OpError::Forget(ForgetPlanError::Already { .. })
    ));
    place.clock.advance(MINUTE);
    let done = place.remove().unwrap();
    assert_eq!(done.id, forgot.id);
    assert_eq!(holding(&disk), [""; 0]);
    let again = place.remove().unwrap_err();
    assert!(
        matches!(again, OpError::Forget(ForgetPlanError::Already { .. })),
        "{again}"
    );
}

#[test]
fn plan_of_removal_lists_each_line_that_loses_text_and_warns() {
    let disk = planted();
    let place = Place::on(disk);
    place.clock.advance(MINUTE);
    let listed = |request: PlanForget| {
        let plan = place.plan(request).unwrap();
        let items = plan.items.iter();
        let lines = items.filter(|item| item.keeper == "transcript");
        let lines: Vec<(String, &str)> = lines
            .map(|item| (item.place().to_string(), item.action))
            .collect();
        (lines, plan.warnings.len())
    };
    let (hidden, n_warnings) = listed(PlanForget::default());
    assert!(hidden.iter().all(|(_, action)| *action == "hide"));
    assert_eq!(n_warnings, 0);
    let (mut removed, n_warnings) = listed(PlanForget {
        now: true,
        ..PlanForget::default()
    });
    removed.sort();
    let expected = [
        "sessions/main.jsonl:2",
        "sessions/main.jsonl:3",
        "sessions/main.jsonl:4",
        "sessions/work.jsonl:2",
    ];
    let expected = expected.map(|place| (place.to_owned(), "remove"));
    assert_eq!((removed, n_warnings), (expected.to_vec(), 1));
}

#[test]
fn message_said_again_in_other_words_after_forget_stays() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE);
    place.forget();
    place.clock.advance(MINUTE);
    place.say("main", Message::user("It opens with the Blue Heron again."));
    place.remove().unwrap();
    assert_eq!(holding(&disk), ["/home/sessions/main.jsonl"]);
    assert!(shown(&place, "main").contains("opens with the Blue Heron again"));
}

#[test]
fn session_in_use_keeps_its_text_until_same_request_is_made_again() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE);
    let work = "work".parse().unwrap();
    let limit = resume_limit(&place.window);
    let turn = place.home.sessions.begin_turn(&work, limit).unwrap();
    let done = place.remove().unwrap();
    assert_eq!(done.warnings.len(), 1, "{:?}", done.warnings);
    assert!(done.warnings[0].contains("the same command removes it there"));
    let held = holding(&disk);
    assert_eq!(held[0], "/home/sessions/work.jsonl");
    assert!(held[1].ends_with(".removal") && held.len() == 2, "{held:?}");
    drop(turn);
    assert_eq!(place.remove().unwrap().warnings, [""; 0]);
    assert_eq!(holding(&disk), [""; 0]);
}

#[test]
fn damaged_record_of_removal_is_named_and_nothing_is_removed() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE);
    let work = "work".parse().unwrap();
    let turn = place
        .home
        .sessions
        .begin_turn(&work, resume_limit(&place.window));
    place.remove().unwrap();
    drop(turn);
    let files = disk.snapshot();
    let record = files
        .keys()
        .find(|it| it.extension().is_some_and(|it| it == "removal"));
    replace(&disk, record.unwrap(), b"{").unwrap();
    let before = disk.snapshot();
    let refused = place.remove().unwrap_err().to_string();
    assert!(refused.contains(".removal, which says"), "{refused}");
    assert_eq!(disk.snapshot(), before);
}

/// Crashes a removal between any two writes of it, and makes the same request again.
fn check_crashes(start: &MemoryDisk) {
    let act = |disk: CrashDisk| {
        let place = Place::on(disk);
        place.clock.advance(MINUTE);
        place.remove().map(|_| ())
    };
    let mut n_crashes = 0;
    for crash in CrashDisk::crashes_between(start, act) {
        let crash = crash.reported();
        let place = Place::on(crash.found.clone());
        place.clock.advance(2 * MINUTE);
        match place.remove() {
            Ok(_) | Err(OpError::Forget(ForgetPlanError::Already { .. })) => {}
            Err(error) => panic!("{}: {error}", crash.when),
        }
        assert_eq!(holding(&crash.found), [""; 0], "{}", crash.when);
        assert!(shown(&place, "main").contains("The bins go out"));
        n_crashes += 1;
    }
    assert!(n_crashes > 40, "{n_crashes}");
}

#[test]
fn removal_that_a_crash_cut_off_is_finished_by_same_request() {
    check_crashes(&planted());
}

#[test]
fn removal_after_plain_forget_that_a_crash_cut_off_is_finished_by_same_request() {
    let disk = planted();
    let place = Place::on(disk.clone());
    place.clock.advance(MINUTE / 2);
    place.forget();
    check_crashes(&disk);
}
