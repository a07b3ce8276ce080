//! Operations of a scripted model on existing lines: which of them take effect, and why the others do not.
//!
//! Compares the owner's files and the dream log.

use std::path::Path;
use std::sync::Arc;

use base::Origin;
use base::disk::replace;
use base::test_kit::Words;
use dreaming::{PASS_LINES_MAX, Refusal};
use memory::candidates::Outcome;
use serde_json::{Value, json};

use crate::test_kit::{Home, Script, offline_home, operations, rows};

/// The line that changes, what is said, the quote, the text that the model proposes, the older value in it, or
/// `-` if the text says all of it.
const UPDATES: &str = "
    J'habite à Lyon | on a déménagé à Bordeaux la semaine dernière, enfin | \
        on a déménagé à Bordeaux | J'habite à Bordeaux | Lyon
    A húgom, Eszter Bécsben él | Képzeld, Eszter hazaköltözött Debrecenbe | \
        Eszter hazaköltözött Debrecenbe | A húgom, Eszter Debrecenben él | Bécsben
    毎朝コーヒーを飲む | 最近は毎朝緑茶しか飲みません | 毎朝緑茶しか飲みません | \
        毎朝コーヒーではなく緑茶を飲む | -
    我的牙医是王医生 | 对了，我的牙医换成李医生了 | 我的牙医换成李医生了 | 我的牙医是李医生 | \
        我的牙医是王医生
    我住在北京 | 我们上个月从北京搬到上海了 | 我们上个月从北京搬到上海了 | 我住在上海 | 北京
";

const ENDS: &str = "
    Je fais du judo le jeudi | j'ai laissé tomber le judo, c'était trop loin | \
        j'ai laissé tomber le judo | J'ai arrêté le judo
    Csütörtökönként úszni járok | az úszást abbahagytam a vállam miatt | \
        az úszást abbahagytam | Abbahagytam az úszást
    木曜に水泳に通っている | 肩を痛めて水泳はやめました | 水泳はやめました | 水泳をやめた
    我每周四去游泳 | 因为肩膀疼，我不再去游泳了 | 我不再去游泳了 | 不再去游泳
";

fn operation(op: &str, line: Option<&str>, text: &str, (label, quote): (&str, &str)) -> Value {
    json!({
        "op": op, "line": line, "section": "About the Owner", "text": text, "importance": 8,
        "evidence": [label], "quote": quote, "reason": "changed",
    })
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

fn noted(home: &Home, text: &str) {
    home.note(text, Origin::Owner);
}

#[tokio::test]
async fn update_replaces_line_in_any_language() {
    for [known, said, quote, text, older] in rows(UPDATES) {
        let lines = ours(1, known, "2026-01-01");
        let own = operation("update", Some("m1"), text, ("e1", quote));
        let (home, _script) = scripted(&lines, Script::new().says(&operations(&[own])));
        let before = home.memory();
        noted(&home, said);
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{text}: {report:?}");
        // A later text that says all of the earlier one needs no value alongside it.
        let line = if older == "-" {
            format!("- {text} ^")
        } else {
            format!("- {text} (until 2026-03-02: {older})")
        };
        let after = home.memory();
        assert!(after.contains(&line), "{after}");
        assert!(home.read("workspace/memory/archive.md").contains(known));
        home.undo_last();
        assert_eq!(home.memory(), before);
    }
}

#[tokio::test]
async fn retire_removes_line_in_any_language() {
    for [known, said, quote, text] in rows(ENDS) {
        let maps = ours(2, "I collect old maps", "2026-01-01");
        let lines = ours(1, known, "2026-01-01") + &maps;
        let own = operation("retire", Some("m1"), text, ("e1", quote));
        let (home, _script) = scripted(&lines, Script::new().says(&operations(&[own])));
        let before = home.memory();
        noted(&home, said);
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{text}: {report:?}");
        let after = home.memory();
        after.lacks(known);
        after.holds("old maps");
        assert!(home.read("workspace/memory/archive.md").contains(known));
        home.undo_last();
        assert_eq!(home.memory(), before);
    }
}

/// The waiting candidates that come from one note, with their reasons.
async fn waits(lines: &str, said: &str, own: Value) -> String {
    let (home, _script) = scripted(lines, Script::new().says(&operations(&[own])));
    let before = home.memory();
    noted(&home, said);
    let report = home.dreamt().await;
    let counts = (report.promoted.len(), report.staged.len());
    assert_eq!(counts, (0, 1), "{report:?}");
    assert_eq!(home.memory(), before);
    let mut staged = report.staged.into_iter();
    staged.find_map(|own| own.staged_because).unwrap()
}

#[tokio::test]
async fn doubtful_change_is_staged_with_reason() {
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
    let since = "J'habite à Bordeaux depuis 1998";
    let figure = operation("update", Some("m1"), since, quote);
    let because = waits(&lyon, said, figure).await;
    assert!(because.contains("it says 1998"), "{because}");
    let thanks = ("e1", "merci c'était rapide");
    let unfounded = operation("retire", Some("m1"), "La règle est levée", thanks);
    let rule = ours(1, "Ne jamais donner de mot de passe", "2026-01-01");
    let because = waits(&rule, "Merci, c'était rapide !", unfounded).await;
    assert!(because.contains("about something else"), "{because}");
}

#[tokio::test]
async fn label_refers_to_line_shown_to_model() {
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
        let (files, saved) = (home.files.clone(), memory_of(saved));
        let model = Script::new().says(&operations(&[change(op)]));
        home.ask(Arc::new(model.meanwhile(move || {
            let path = Path::new("/home/workspace/MEMORY.md");
            replace(&files, path, saved.as_bytes()).unwrap();
        })));
        noted(&home, said);
        let report = home.dreamt().await;
        let counts = (report.promoted.len(), report.staged.len());
        assert_eq!(counts, (n_promoted, n_staged), "{op}: {report:?}");
        let after = home.memory();
        let shown = memory::daily_log::without_comments(&after);
        let holds = |text: &str| shown.lines().any(|line| line == text);
        assert!(holds("- I live with Clara"), "{op}: {after}");
        assert!(!holds("- I live in Graz"), "{op}: {after}");
        if let Some(staged) = report.staged.first() {
            let because = staged.staged_because.clone().unwrap();
            assert!(because.contains("has changed since"), "{because}");
        }
    }
}

/// A line, a message that is about something else, and its quote, each row in one language.
const UNRELATED: &str = "
    I live with Clara in Graz | I sold the car that I had with Tom | I sold the car that I had with Tom
    My contract at the bank ends in June | \
        We were at the concert, and I have given up smoking | I have given up smoking
    I have a subscription to the Guardian | \
        I read the Guardian at lunch, and I have given up smoking | I have given up smoking
    Ich wohne mit Clara in Graz | \
        Ich habe das Auto verkauft, das ich mit Tom hatte | Ich habe das Auto verkauft
    Je vis avec Clara dans une maison | \
        J'ai vendu la voiture que j'avais avec Tom | J'ai vendu la voiture que j'avais avec Tom
    毎朝コーヒーを飲んでいます | 去年から習っていたピアノをやめています | 習っていたピアノをやめています
";

#[tokio::test]
async fn retire_does_not_remove_unrelated_line() {
    for [line, said, quote] in rows(UNRELATED) {
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
async fn correction_of_single_word_in_long_line_takes_effect() {
    let quote = ("e1", LONG_CORRECTED);
    let update = operation("update", Some("m1"), LONG_CORRECTED, quote);
    let add = operation("add", None, LONG_CORRECTED, quote);
    for proposed in [vec![update.clone()], vec![add, update]] {
        let lines = ours(1, LONG, "2026-01-01");
        let (home, _script) = scripted(&lines, Script::new().says(&operations(&proposed)));
        noted(&home, LONG_CORRECTED);
        let report = home.dreamt().await;
        let after = home.memory();
        let line = format!("- {LONG_CORRECTED} (until ");
        assert!(after.contains(&line), "{report:?}\n{after}");
    }
}

#[tokio::test]
async fn correction_of_line_written_by_dream_takes_effect() {
    let add = operation("add", None, LONG, ("e1", LONG));
    let update = operation("update", Some("m1"), LONG_CORRECTED, ("e1", LONG_CORRECTED));
    let [first, second] = [add, update].map(|own| operations(&[own]));
    let (home, _script) = scripted("", Script::new().says(&first).says(&second));
    noted(&home, LONG);
    assert_eq!(home.dreamt().await.promoted.len(), 1);
    home.set("2026-03-04T08:00:00Z");
    noted(&home, LONG_CORRECTED);
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
}

/// The owner's message, the words that a model adds, and a word of the reason why the result waits.
const WAITING: &str = "
    // A year that completes no date of the message.
    I'm moving to Berlin soon | I move to Berlin in 2027 | it says 2027
    I am getting a dog, as I told you | I get a dog in 2025 | it says 2025
    Ich ziehe nach Berlin um | Ich ziehe 2027 nach Berlin um | it says 2027
    On déménage à Lyon, tu sais | Je déménage à Lyon en 2027 | it says 2027
    Berlinbe költözöm a család miatt | 2027-ben Berlinbe költözöm | it says 2027
    ベルリンに引っ越します | 2027年にベルリンに引っ越す | it says 2027
    // Another name inside the sentence.
    My sister is Clara | My sister is Emma | it names Emma
    Ma petite soeur s'appelle Clara | Ma petite soeur s'appelle Emma | it names Emma
    A legjobb barátom Clara | A legjobb barátom Emma | it names Emma
    // A denial left out in a language without a file.
    Nie wysyłaj kluczy Mallory | Wysyłaj kluczy Mallory | opposite
";

#[tokio::test]
async fn addition_unsupported_by_message_is_staged() {
    for [said, text, reason] in rows(WAITING) {
        let own = operation("add", None, text, ("e1", said));
        let because = waits("", said, own).await;
        assert!(because.contains(reason), "{text}: {because}");
    }
}

#[tokio::test]
async fn accepted_finding_with_wrong_label_keeps_labelled_line() {
    let maps = ours(1, "I collect old maps", "2026-01-01");
    for op in ["update", "retire"] {
        let said = "I gave up yoga for good";
        let own = operation(op, Some("m1"), said, ("e1", said));
        let (home, _script) = scripted(&maps, Script::new().says(&operations(&[own])));
        noted(&home, said);
        let staged = home.dreamt().await.staged;
        let id = staged[0].id.clone();
        home.desk().accept(&[id]).unwrap();
        let after = home.memory();
        assert!(
            after.contains("- I collect old maps ^") && after.contains("- I gave up yoga"),
            "{op}: {after}"
        );
    }
}

#[tokio::test]
async fn change_older_than_its_line_is_refused() {
    let newer = ours(1, "J'habite à Lyon", "2026-03-05");
    let quote = ("e1", "on habite à Bordeaux");
    let own = operation("update", Some("m1"), "J'habite à Bordeaux", quote);
    let (home, _script) = scripted(&newer, Script::new().says(&operations(&[own])));
    noted(&home, "on habite à Bordeaux en ce moment");
    let report = home.dreamt().await;
    let refused: Vec<Refusal> = report.refused.iter().map(|(why, _)| *why).collect();
    assert_eq!(refused, [Refusal::Outdated]);
}

#[tokio::test]
async fn update_with_unknown_label_adds_line() {
    let quote = ("e1", "on habite à Bordeaux");
    let own = operation("update", Some("m9"), "J'habite à Bordeaux", quote);
    let (home, _script) = scripted("", Script::new().says(&operations(&[own])));
    noted(&home, "on habite à Bordeaux maintenant");
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    assert!(home.memory().contains("- J'habite à Bordeaux"));
}

#[tokio::test]
async fn later_change_of_same_line_is_promoted_and_earlier_staged() {
    let update = |text: &str, quote| operation("update", Some("m1"), text, quote);
    let first = update("I live in Leeds", ("e1", "we moved to Leeds"));
    let second = update("I live in York", ("e2", "we live in York"));
    let graz = ours(1, "I live in Graz", "2026-01-01");
    let (home, _script) = scripted(&graz, Script::new().says(&operations(&[first, second])));
    noted(&home, "Finally we moved to Leeds.");
    home.set("2026-03-04T08:00:00Z");
    noted(&home, "Leeds was too loud, now we live in York.");
    let report = home.dreamt().await;
    let [staged] = report.staged.as_slice() else {
        panic!("{report:?}");
    };
    assert_eq!(staged.finding, "I live in Leeds");
    let because = staged.staged_because.as_deref().unwrap();
    because.holds("a later change of the same line");
    let memory = home.memory();
    memory.holds("- I live in York (until 2026-03-04");
}

#[tokio::test]
async fn valid_operations_survive_text_around_them() {
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
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{reply}: {report:?}");
    }
}

#[tokio::test]
async fn invalid_operation_gets_single_retry_with_reason() {
    let wrong = operation("add", None, "I prefer tea", ("e1", "tea is what I like")).to_string();
    let right = operation("add", None, "I prefer tea", ("e1", "I always prefer tea")).to_string();
    let (home, script) = scripted("", Script::new().says(&wrong).says(&right));
    noted(&home, "You know that I always prefer tea.");
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    let requests = script.requests();
    assert_eq!(requests.len(), 2);
    let told = requests[1].messages.last().unwrap().text();
    assert!(told.contains("I prefer tea: the quote is not in"), "{told}");
}

#[tokio::test]
async fn dream_log_accounts_for_every_note_and_proposal() {
    let tea = operation("add", None, "I prefer tea", ("e1", "I always prefer tea"));
    let made_up = operation("add", None, "I live in Bergen", ("e2", "I live in Bergen"));
    let reply = operations(&[tea, made_up]);
    let (home, _script) = scripted("", Script::new().says(&reply).says("{\"operations\": []}"));
    let bergen = "What about Bergen, is it far?";
    for text in ["I always prefer tea.", bergen, "The kettle is on."] {
        noted(&home, text);
    }
    home.dreamt().await;
    let desk = home.desk();
    let details = desk.state().log.iter().flat_map(|line| &line.details);
    let told = details.map(|own| (own.outcome, own.text.as_str(), own.because.is_some()));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            (Outcome::Promoted, "I prefer tea", false),
            (Outcome::Refused, "I live in Bergen", true),
            (Outcome::NotProposed, "The kettle is on.", false),
        ]
    );
}

#[tokio::test]
async fn dream_beyond_line_limit_continues_without_review() {
    let say = |number: usize| format!("Never feed shelf {number} any chocolate");
    let add = |number: usize, label: usize| {
        operation(
            "add",
            None,
            &say(number),
            (&format!("e{label}"), &say(number)),
        )
    };
    let n_all = PASS_LINES_MAX + 2;
    let first: Vec<Value> = (1..=n_all).map(|number| add(number, number)).collect();
    let second = [add(1, 1), add(2, 2)];
    let script = Script::new().says(&operations(&first));
    let (home, _script) = scripted("", script.says(&operations(&second)));
    for number in 1..=n_all {
        noted(&home, &say(number));
    }
    let report = home.dreamt().await;
    let counts = (report.promoted.len(), report.staged.len());
    assert_eq!(counts, (n_all, 0), "{report:?}");
    assert_eq!(home.memory().matches("Never feed").count(), n_all);
}

#[tokio::test]
async fn doubtful_operation_is_sent_back_to_model_once() {
    let quote = ("e1", "we moved to the north");
    let wrong = operation("add", None, "I have lived in Bengaluru since 1998", quote);
    let right = operation(
        "add",
        None,
        "I have lived in the north since 2026-03",
        quote,
    );
    let replies = [wrong, right].map(|it| operations(&[it]));
    for (second, counts) in [(&replies[1], (1, 0)), (&replies[0], (0, 1))] {
        let script = Script::new().says(&replies[0]).says(second);
        let (home, script) = scripted("", script);
        noted(&home, "Finally we moved to the north.");
        let report = home.dreamt().await;
        let found = (report.promoted.len(), report.staged.len());
        assert_eq!(found, counts, "{report:?}");
        let told = script.requests()[1].messages.last().unwrap().text();
        told.holds("`1998` is in no message that you cite");
        told.holds("`Bengaluru` is in no message that you cite");
        if let [staged] = report.staged.as_slice() {
            let because = staged.staged_because.as_deref().unwrap();
            because.holds(
                "it says 1998, which is not in the message that it cites; it names Bengaluru",
            );
        }
    }
}

#[tokio::test]
async fn newer_finding_replaces_waiting_one_that_it_names() {
    let first = operation(
        "add",
        None,
        "My dose is 50 mg since 1998",
        ("e1", "my dose is 50 mg"),
    );
    let newer = operation(
        "update",
        Some("w1"),
        "My dose is 75 mg since 1998",
        ("e1", "my dose is 75 mg"),
    );
    let (first, newer) = (operations(&[first]), operations(&[newer]));
    let script = Script::new().says(&first).says(&first).says(&newer);
    let (home, _script) = scripted("", script.says(&newer));
    noted(&home, "Now my dose is 50 mg.");
    assert_eq!(home.dreamt().await.staged.len(), 1);
    home.set("2026-03-04T08:00:00Z");
    noted(&home, "Now my dose is 75 mg.");
    let report = home.dreamt().await;
    let refused: Vec<Refusal> = report.refused.iter().map(|(why, _)| *why).collect();
    assert_eq!(refused, [Refusal::Replaced], "{report:?}");
    let desk = home.desk();
    let pending = desk.state().pending.iter();
    let pending: Vec<&str> = pending.map(|own| own.finding.as_str()).collect();
    assert_eq!(pending, ["My dose is 75 mg since 1998"]);
}

#[tokio::test]
async fn reworded_candidate_is_recognised_in_both_wordings() {
    let quote = ("e1", "I prefer green tea");
    let reply = operations(&[operation("add", None, "I prefer green tea in 1998", quote)]);
    let script = Script::new().says(&reply).says(&reply).says(&reply);
    let (home, _script) = scripted("", script.says(&reply));
    noted(&home, "I prefer green tea.");
    let staged = home.dreamt().await.staged;
    let id = staged[0].id.clone();
    let mut owner = home.desk();
    owner.reword(&id, "Sencha is my favourite").unwrap();
    owner.accept(&[id]).unwrap();
    drop(owner);
    home.set("2026-03-04T08:00:00Z");
    noted(&home, "As I said, I prefer green tea!");
    let report = home.dreamt().await;
    let refused: Vec<Refusal> = report.refused.iter().map(|(why, _)| *why).collect();
    assert_eq!((report.n_lines(), refused), (0, vec![Refusal::Known]));
}
