//! What a scripted model says of lines that are there: which of it takes effect, and why the rest does not.
//!
//! Compares the owner's files and the dream log.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::model::{Model, ModelProfile, ReplyStream, Request};
use base::{Origin, TokenCount};
use dreaming::{DreamSettings, Promotion, Refusal};
use memory::candidates::{Desk, DreamDetail, Outcome, Review};
use memory::{Note, add_note};
use serde_json::{Value, json};

use super::*;
use crate::test_kit::{Home, Script, offline_home};

/// What a model says of one line.
struct Change {
    op: &'static str,
    known: &'static str,
    said: &'static str,
    quote: &'static str,
    text: &'static str,
}

const UPDATES: [Change; 3] = [
    Change {
        op: "update",
        known: "J'habite à Lyon",
        said: "on a déménagé à Bordeaux la semaine dernière, enfin",
        quote: "on a déménagé à Bordeaux",
        text: "J'habite à Bordeaux",
    },
    Change {
        op: "update",
        known: "A húgom, Eszter Bécsben él",
        said: "Képzeld, Eszter hazaköltözött Debrecenbe",
        quote: "Eszter hazaköltözött Debrecenbe",
        text: "A húgom, Eszter Debrecenben él",
    },
    Change {
        op: "update",
        known: "毎朝コーヒーを飲む",
        said: "最近は毎朝緑茶しか飲みません",
        quote: "毎朝緑茶しか飲みません",
        text: "毎朝コーヒーではなく緑茶を飲む",
    },
];

const ENDS: [Change; 3] = [
    Change {
        op: "retire",
        known: "Je fais du judo le jeudi",
        said: "j'ai laissé tomber le judo, c'était trop loin",
        quote: "j'ai laissé tomber le judo",
        text: "J'ai arrêté le judo",
    },
    Change {
        op: "retire",
        known: "Csütörtökönként úszni járok",
        said: "az úszást abbahagytam a vállam miatt",
        quote: "az úszást abbahagytam",
        text: "Abbahagytam az úszást",
    },
    Change {
        op: "retire",
        known: "木曜に水泳に通っている",
        said: "肩を痛めて水泳はやめました",
        quote: "水泳はやめました",
        text: "水泳をやめた",
    },
];

fn operation(op: &str, line: Option<&str>, text: &str, (label, quote): (&str, &str)) -> Value {
    json!({
        "op": op, "line": line, "section": "About the Owner", "text": text, "importance": 8,
        "evidence": [label], "quote": quote, "reason": "changed",
    })
}

impl Change {
    fn reply(&self) -> String {
        let own = operation(self.op, Some("m1"), self.text, ("e1", self.quote));
        json!({ "operations": [own] }).to_string()
    }
}

/// A line of ours, said on a day.
fn ours(number: usize, text: &str, day: &str) -> String {
    let hash = base::short_hash(text);
    format!(
        "- {text} <!-- n:aaa{number} e:sessions/old.jsonl#e{number} h:{hash} o:owner d:{day} -->\n"
    )
}

/// `MEMORY.md` with these lines.
fn memory_of(lines: &str) -> String {
    format!("# Long-term memory\n\n## About the Owner\n\n{lines}")
}

/// A home with these lines, and a model that follows a script.
fn scripted(lines: &str, script: Script) -> (Home, Arc<Script>) {
    let mut home = offline_home();
    home.write("MEMORY.md", &memory_of(lines));
    let script = Arc::new(script);
    home.ask(script.clone());
    (home, script)
}

/// A model that answers after somebody saved another `MEMORY.md`.
#[derive(Debug)]
struct Overtaken {
    script: Script,
    files: MemoryDisk,
    saved: String,
}

impl Model for Overtaken {
    fn profile(&self) -> ModelProfile {
        self.script.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let path = Path::new("/home/workspace/MEMORY.md");
        replace(&self.files, path, self.saved.as_bytes()).unwrap();
        self.script.stream(request)
    }
}

fn noted(home: &Home, text: &str) {
    let note = Note {
        text: text.to_owned(),
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    add_note(
        &home.runtime.home.workspace,
        &note,
        home.runtime.home.clock.now(),
        home.runtime.home.timezone,
    )
    .unwrap();
}

/// What a gated dream of the daily logs reports.
pub(super) async fn dreamt(home: &Home) -> dreaming::DreamReport {
    let settings = DreamSettings {
        triggers: Vec::new(),
        lookback_days: 7,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount(1_000_000),
    };
    let request = DreamRequest {
        begin: Begin::Now,
        backfill: Backfill::Logs,
    };
    let dreamt = dream(&home.runtime, &settings, request, &mut |_| {}).await;
    let DreamOutcome::Dreamt { report, .. } = dreamt.unwrap() else {
        panic!("no dream");
    };
    *report
}

fn desk(home: &Home) -> Desk<'_> {
    Desk::open(
        &home.runtime.home.workspace,
        home.runtime.home.clock.now(),
        Review::TakeIn,
    )
    .unwrap()
}

fn memory(home: &Home) -> String {
    home.read("workspace/MEMORY.md")
}

#[tokio::test]
async fn update_takes_the_place_of_a_line_in_any_language() {
    for change in UPDATES {
        let lines = ours(1, change.known, "2026-01-01");
        let (home, _script) = scripted(&lines, Script::new().says(&change.reply()));
        let before = memory(&home);
        noted(&home, change.said);
        let report = dreamt(&home).await;
        assert_eq!(report.promoted.len(), 1, "{}: {report:?}", change.text);
        let line = format!(
            "- {} (until 2026-03-02, said 2026-01-01: {})",
            change.text, change.known
        );
        assert!(memory(&home).contains(&line), "{}", memory(&home));
        assert!(
            home.read("workspace/memory/archive.md")
                .contains(change.known)
        );
        desk(&home).undo().unwrap();
        assert_eq!(memory(&home), before);
    }
}

#[tokio::test]
async fn retire_takes_a_line_out_in_any_language() {
    for change in ENDS {
        let lines =
            ours(1, change.known, "2026-01-01") + &ours(2, "I collect old maps", "2026-01-01");
        let (home, _script) = scripted(&lines, Script::new().says(&change.reply()));
        let before = memory(&home);
        noted(&home, change.said);
        let report = dreamt(&home).await;
        assert_eq!(report.promoted.len(), 1, "{}: {report:?}", change.text);
        let after = memory(&home);
        assert!(
            !after.contains(change.known) && after.contains("old maps"),
            "{after}"
        );
        assert!(
            home.read("workspace/memory/archive.md")
                .contains(change.known)
        );
        desk(&home).undo().unwrap();
        assert_eq!(memory(&home), before);
    }
}

/// What waits of one note, with the reason.
async fn waits(lines: &str, said: &str, own: Value) -> String {
    let reply = json!({ "operations": [own] }).to_string();
    let (home, _script) = scripted(lines, Script::new().says(&reply));
    let before = memory(&home);
    noted(&home, said);
    let report = dreamt(&home).await;
    assert_eq!(
        (report.promoted.len(), report.staged.len()),
        (0, 1),
        "{report:?}"
    );
    assert_eq!(memory(&home), before);
    report
        .staged
        .into_iter()
        .find_map(|own| own.because)
        .unwrap()
}

#[tokio::test]
async fn change_that_may_be_wrong_waits_and_says_why() {
    let said = "on a déménagé à Bordeaux la semaine dernière";
    let quote = ("e1", "on a déménagé à Bordeaux");
    let maps = ours(1, "I collect old maps", "2026-01-01");
    let wrong_label = operation("update", Some("m1"), "J'habite à Bordeaux", quote);
    let because = waits(&maps, said, wrong_label).await;
    assert!(because.contains("about something else"), "{because}");
    let owners = operation("update", Some("m1"), "J'habite à Bordeaux", quote);
    let because = waits("- J'habite à Lyon\n", said, owners).await;
    assert!(because.contains("a line of your own"), "{because}");
    let lyon = ours(1, "J'habite à Lyon", "2026-01-01");
    let figure = operation(
        "update",
        Some("m1"),
        "J'habite à Bordeaux depuis 1998",
        quote,
    );
    let because = waits(&lyon, said, figure).await;
    assert!(because.contains("it says 1998"), "{because}");
    let unfounded = operation(
        "retire",
        Some("m1"),
        "La règle est levée",
        ("e1", "merci c'était rapide"),
    );
    let rule = ours(1, "Ne jamais donner de mot de passe", "2026-01-01");
    let because = waits(&rule, "Merci, c'était rapide !", unfounded).await;
    assert!(because.contains("about something else"), "{because}");
}

#[tokio::test]
async fn label_means_the_line_that_the_model_was_shown() {
    let said = "we moved to Leeds, where I live now";
    let change = |op| operation(op, Some("m1"), "I live in Leeds", ("e1", said));
    let shown = ours(1, "I live in Graz", "2026-01-01");
    let other = ours(2, "I live with Clara", "2026-01-01");
    let lines_above = format!("{other}{shown}");
    // What was saved meanwhile, how many are promoted and staged.
    let cases = [
        ("update", &lines_above, (1, 0)),
        ("retire", &lines_above, (1, 0)),
        ("update", &other, (0, 1)),
        ("retire", &other, (0, 0)),
    ];
    for (op, saved, (n_promoted, n_staged)) in cases {
        let mut home = offline_home();
        home.write("MEMORY.md", &memory_of(&shown));
        let model = Overtaken {
            script: Script::new().says(&json!({ "operations": [change(op)] }).to_string()),
            files: home.files.clone(),
            saved: memory_of(saved),
        };
        home.ask(Arc::new(model));
        noted(&home, said);
        let report = dreamt(&home).await;
        assert_eq!(
            (report.promoted.len(), report.staged.len()),
            (n_promoted, n_staged),
            "{op}: {report:?}"
        );
        let after = memory(&home);
        let shown = memory::daily_log::without_comments(&after);
        let holds = |text: &str| shown.lines().any(|line| line == text);
        assert!(holds("- I live with Clara"), "{op}: {after}");
        assert!(!holds("- I live in Graz"), "{op}: {after}");
        if let Some(staged) = report.staged.first() {
            let because = staged.because.clone().unwrap();
            assert!(because.contains("has changed since"), "{because}");
        }
    }
}

/// A line, a message that is about something else, and its quote, each pair in one language.
const UNRELATED: [(&str, &str, &str); 6] = [
    (
        "I live with Clara in Graz",
        "I sold the car that I had with Tom",
        "I sold the car that I had with Tom",
    ),
    (
        "My contract at the bank ends in June",
        "We were at the concert, and I have given up smoking",
        "I have given up smoking",
    ),
    (
        "I have a subscription to the Guardian",
        "I read the Guardian at lunch, and I have given up smoking",
        "I have given up smoking",
    ),
    (
        "Ich wohne mit Clara in Graz",
        "Ich habe das Auto verkauft, das ich mit Tom hatte",
        "Ich habe das Auto verkauft",
    ),
    (
        "Je vis avec Clara dans une maison",
        "J'ai vendu la voiture que j'avais avec Tom",
        "J'ai vendu la voiture que j'avais avec Tom",
    ),
    (
        "毎朝コーヒーを飲んでいます",
        "去年から習っていたピアノをやめています",
        "習っていたピアノをやめています",
    ),
];

#[tokio::test]
async fn end_of_one_thing_does_not_take_out_a_line_about_another() {
    for (line, said, quote) in UNRELATED {
        let own = operation("retire", Some("m1"), quote, ("e1", quote));
        let because = waits(&ours(1, line, "2026-01-01"), said, own).await;
        assert!(
            because.contains("about something else"),
            "{said}: {because}"
        );
    }
}

const LONG: &str = "When somebody calls about the flat in the old town while I am away at sea, never give them \
                    my new address";
const LONG_CORRECTED: &str = "When somebody calls about the flat in the old town while I am away at sea, always \
                              give them my new address";

#[tokio::test]
async fn correction_of_one_word_in_a_long_line_takes_effect() {
    let quote = ("e1", LONG_CORRECTED);
    let update = operation("update", Some("m1"), LONG_CORRECTED, quote);
    let add = operation("add", None, LONG_CORRECTED, quote);
    for proposed in [vec![update.clone()], vec![add, update]] {
        let reply = json!({ "operations": proposed }).to_string();
        let lines = ours(1, LONG, "2026-01-01");
        let (home, _script) = scripted(&lines, Script::new().says(&reply));
        noted(&home, LONG_CORRECTED);
        let report = dreamt(&home).await;
        let after = memory(&home);
        assert!(
            after.contains(&format!("- {LONG_CORRECTED} (until ")),
            "{report:?}\n{after}"
        );
    }
}

#[tokio::test]
async fn correction_of_a_line_that_a_dream_wrote_takes_effect() {
    let add = operation("add", None, LONG, ("e1", LONG));
    let update = operation("update", Some("m1"), LONG_CORRECTED, ("e1", LONG_CORRECTED));
    let [first, second] = [add, update].map(|own| json!({ "operations": [own] }).to_string());
    let (home, _script) = scripted("", Script::new().says(&first).says(&second));
    noted(&home, LONG);
    assert_eq!(dreamt(&home).await.promoted.len(), 1);
    home.set("2026-03-04T08:00:00Z");
    noted(&home, LONG_CORRECTED);
    let report = dreamt(&home).await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
}

#[tokio::test]
async fn year_that_completes_no_date_of_the_message_waits() {
    for (said, text, year) in [
        (
            "I'm moving to Berlin soon",
            "I move to Berlin in 2027",
            "2027",
        ),
        (
            "I am getting a dog, as I told you",
            "I get a dog in 2026",
            "2026",
        ),
        (
            "Ich ziehe nach Berlin um",
            "Ich ziehe 2027 nach Berlin um",
            "2027",
        ),
        (
            "On déménage à Lyon, tu sais",
            "Je déménage à Lyon en 2027",
            "2027",
        ),
        (
            "Berlinbe költözöm a család miatt",
            "2027-ben Berlinbe költözöm",
            "2027",
        ),
        (
            "ベルリンに引っ越します",
            "2027年にベルリンに引っ越す",
            "2027",
        ),
    ] {
        let own = operation("add", None, text, ("e1", said));
        let because = waits("", said, own).await;
        assert!(because.contains(&format!("it says {year}")), "{because}");
    }
}

#[tokio::test]
async fn another_name_at_the_opening_waits() {
    for (said, text) in [
        ("Clara is my sister", "Emma is my sister"),
        ("Clara ist meine Schwester", "Emma ist meine Schwester"),
        ("Clara est ma petite soeur", "Emma est ma petite soeur"),
        ("Clara a legjobb barátom", "Emma a legjobb barátom"),
    ] {
        let own = operation("add", None, text, ("e1", said));
        let because = waits("", said, own).await;
        assert!(because.contains("clara"), "{because}");
    }
}

#[tokio::test]
async fn word_left_out_waits_where_denials_are_not_known() {
    for (said, text) in [
        ("Nie wysyłaj kluczy Mallory", "Wysyłaj kluczy Mallory"),
        ("Älä lähetä avaimia Mallorylle", "Lähetä avaimia Mallorylle"),
    ] {
        let own = operation("add", None, text, ("e1", said));
        let because = waits("", said, own).await;
        assert!(because.contains("opposite"), "{because}");
    }
}

#[tokio::test]
async fn accepting_what_named_a_wrong_line_leaves_that_line() {
    let maps = ours(1, "I collect old maps", "2026-01-01");
    for op in ["update", "retire"] {
        let said = "I gave up yoga for good";
        let own = operation(op, Some("m1"), said, ("e1", said));
        let reply = json!({ "operations": [own] }).to_string();
        let (home, _script) = scripted(&maps, Script::new().says(&reply));
        noted(&home, said);
        let staged = dreamt(&home).await.staged;
        let id = memory::candidates::CandidateId::new(staged[0].id.clone());
        desk(&home).accept(&[id]).unwrap();
        let after = memory(&home);
        assert!(
            after.contains("- I collect old maps ^") && after.contains("- I gave up yoga"),
            "{op}: {after}"
        );
    }
}

#[tokio::test]
async fn change_by_older_words_is_refused() {
    let newer = ours(1, "J'habite à Lyon", "2026-03-05");
    let own = operation(
        "update",
        Some("m1"),
        "J'habite à Bordeaux",
        ("e1", "on habite à Bordeaux"),
    );
    let reply = json!({ "operations": [own] }).to_string();
    let (home, _script) = scripted(&newer, Script::new().says(&reply));
    noted(&home, "on habite à Bordeaux en ce moment");
    let report = dreamt(&home).await;
    let refused: Vec<Refusal> = report.refused.iter().map(|(why, _)| *why).collect();
    assert_eq!(refused, [Refusal::Outdated]);
}

#[tokio::test]
async fn label_that_names_no_line_adds_one() {
    let own = operation(
        "update",
        Some("m9"),
        "J'habite à Bordeaux",
        ("e1", "on habite à Bordeaux"),
    );
    let reply = json!({ "operations": [own] }).to_string();
    let (home, _script) = scripted("", Script::new().says(&reply));
    noted(&home, "on habite à Bordeaux maintenant");
    let report = dreamt(&home).await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    assert!(memory(&home).contains("- J'habite à Bordeaux"));
}

#[tokio::test]
async fn of_two_changes_of_one_line_the_later_holds_and_the_other_waits() {
    let first = operation(
        "update",
        Some("m1"),
        "I live in Leeds",
        ("e1", "we moved to Leeds"),
    );
    let second = operation(
        "update",
        Some("m1"),
        "I live in York",
        ("e2", "we live in York"),
    );
    let reply = json!({ "operations": [first, second] }).to_string();
    let (home, _script) = scripted(
        &ours(1, "I live in Graz", "2026-01-01"),
        Script::new().says(&reply),
    );
    noted(&home, "Finally we moved to Leeds.");
    home.set("2026-03-04T08:00:00Z");
    noted(&home, "Leeds was too loud, now we live in York.");
    let report = dreamt(&home).await;
    let staged: Vec<&str> = report
        .staged
        .iter()
        .map(|own| own.finding.as_str())
        .collect();
    assert_eq!(staged, ["I live in Leeds"]);
    assert!(
        memory(&home).contains("- I live in York (until 2026-03-04"),
        "{}",
        memory(&home)
    );
    let because = report
        .staged
        .iter()
        .find_map(|own| own.because.clone())
        .unwrap();
    assert!(
        because.contains("a later change of the same line"),
        "{because}"
    );
}

#[tokio::test]
async fn whatever_a_model_writes_around_them_valid_operations_survive() {
    let tea = operation("add", None, "I prefer tea", ("e1", "I always prefer tea")).to_string();
    let with_unknown_keys = tea.replacen('{', "{\"confidence\": 0.9, \"tags\": [], ", 1);
    let many = [
        format!("```json\n{{\"operations\": [{tea}]}}\n```"),
        format!("Here is what I would keep:\n\n{tea}\n\nLet me know!"),
        format!("{{\"operations\": [{tea}, {{\"op\": \"add\", \"text\": \"I pre"),
        format!("{{\"op\": \"add\", \"text\": 5}}\n{tea}"),
        format!("[{with_unknown_keys}]"),
    ];
    for reply in many {
        let (home, _script) = scripted("", Script::new().says(&reply).says("{\"operations\": []}"));
        noted(&home, "You know that I always prefer tea.");
        let report = dreamt(&home).await;
        assert_eq!(report.promoted.len(), 1, "{reply}: {report:?}");
    }
}

#[tokio::test]
async fn model_gets_one_retry_that_says_what_was_wrong() {
    let wrong = operation("add", None, "I prefer tea", ("e1", "tea is what I like")).to_string();
    let right = operation("add", None, "I prefer tea", ("e1", "I always prefer tea")).to_string();
    let (home, script) = scripted("", Script::new().says(&wrong).says(&right));
    noted(&home, "You know that I always prefer tea.");
    let report = dreamt(&home).await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    let requests = script.requests();
    assert_eq!(requests.len(), 2);
    let told = requests[1].messages.last().unwrap().text();
    assert!(told.contains("I prefer tea: its quote is not in"), "{told}");
}

#[tokio::test]
async fn log_accounts_for_every_note_and_proposal() {
    let tea = operation("add", None, "I prefer tea", ("e1", "I always prefer tea"));
    let made_up = operation("add", None, "I live in Bergen", ("e2", "I live in Bergen"));
    let reply = json!({ "operations": [tea, made_up] }).to_string();
    let (home, _script) = scripted("", Script::new().says(&reply).says("{\"operations\": []}"));
    for text in [
        "I always prefer tea.",
        "What about Bergen, is it far?",
        "The kettle is on.",
    ] {
        noted(&home, text);
    }
    dreamt(&home).await;
    let desk = desk(&home);
    let details: Vec<DreamDetail> = desk
        .state()
        .log
        .iter()
        .flat_map(|line| line.details.clone())
        .collect();
    let told: Vec<(Outcome, &str, bool)> = details
        .iter()
        .map(|own| (own.outcome, own.text.as_str(), own.because.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            (Outcome::Promoted, "I prefer tea", false),
            (Outcome::Refused, "I live in Bergen", true),
            (Outcome::NotProposed, "The kettle is on.", false),
        ]
    );
}

#[tokio::test]
async fn the_next_dream_takes_up_what_did_not_fit_without_asking_the_owner() {
    let animals = [
        "ants", "bees", "cows", "dogs", "eels", "fish", "goats", "hens", "ibex", "jays",
    ];
    let say = |animal: &str| format!("Never feed {animal} any chocolate");
    let operations = |animals: &[&str]| {
        let number = |place: usize| format!("e{}", place + 1);
        let all: Vec<Value> = animals
            .iter()
            .enumerate()
            .map(|(place, own)| operation("add", None, &say(own), (&number(place), &say(own))))
            .collect();
        json!({ "operations": all }).to_string()
    };
    let (home, _script) = scripted(
        "",
        Script::new()
            .says(&operations(&animals))
            .says(&operations(&animals[..2])),
    );
    for animal in animals {
        noted(&home, &say(animal));
    }
    let first = dreamt(&home).await;
    assert_eq!(
        (first.promoted.len(), first.staged.len()),
        (8, 0),
        "{first:?}"
    );
    let second = dreamt(&home).await;
    assert_eq!(
        (second.promoted.len(), second.staged.len()),
        (2, 0),
        "{second:?}"
    );
    assert_eq!(memory(&home).matches("Never feed").count(), animals.len());
}

#[tokio::test]
async fn candidate_that_the_owner_reworded_is_known_in_both_wordings() {
    let own = operation(
        "add",
        None,
        "I prefer green tea in 1998",
        ("e1", "I prefer green tea"),
    );
    let again = operation(
        "add",
        None,
        "I prefer green tea in 1998",
        ("e1", "I prefer green tea"),
    );
    let replies = [own, again].map(|own| json!({ "operations": [own] }).to_string());
    let [first, second] = replies;
    let (home, _script) = scripted("", Script::new().says(&first).says(&second));
    noted(&home, "I prefer green tea.");
    let staged = dreamt(&home).await.staged;
    let id = memory::candidates::CandidateId::new(staged[0].id.clone());
    let mut owner = desk(&home);
    owner.reword(&id, "Sencha is my favourite").unwrap();
    owner.accept(&[id]).unwrap();
    drop(owner);
    home.set("2026-03-04T08:00:00Z");
    noted(&home, "As I said, I prefer green tea!");
    let report = dreamt(&home).await;
    let refused: Vec<Refusal> = report.refused.iter().map(|(why, _)| *why).collect();
    assert_eq!((report.n_lines(), refused), (0, vec![Refusal::Known]));
}
