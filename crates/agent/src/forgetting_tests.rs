//! The effects of forgetting on notes and transcripts together.
//!
//! The tests of the memory crate check the lines of files.

use std::sync::Arc;

use base::Clock;
use dreaming::ChangeReason;
use memory::Reason;
use session::Payload;

use super::*;
use crate::about::known_about_owner;
use crate::agenda::agenda;
use crate::asked::{AskedLine, remember_typed};
use crate::corrected::Corrected;
use crate::jobs::owner_compaction::{CompactionOutcome, compact_now};
use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::corrected;
use crate::test_kit::{Home, OWNER, Script, home, main, offline_home};

const CODE: &str = "The bicycle lock code is 4711";

/// The code is mentioned twice in one session and once in another; the assistant and a note say it, too.
async fn told_everywhere() -> Home {
    let replies = ["Noted.", CODE, "Noted.", "Noted.", "Noted."];
    let script = replies
        .iter()
        .fold(Script::new(), |script, it| script.says(it));
    let home = home(Arc::new(script));
    for said in [
        CODE,
        "  the bicycle LOCK code is 4711 ",
        "The fence is green",
    ] {
        home.say("2026-03-02T08:00:00Z", said).await;
    }
    home.say_in("other", "2026-03-02T08:03:00Z", CODE).await;
    let notes = format!("- {CODE}\n- The gate is red\n");
    home.write("memory/2026-03-01.md", &notes);
    home
}

fn places(plan: &ForgetPlan) -> Vec<(String, Reason)> {
    let lines = plan.lines.iter();
    let lines = lines.map(|it| (it.place().to_string(), it.because));
    let entries = plan.entries.iter();
    let entries = entries.map(|it| (it.place().to_string(), it.because));
    lines.chain(entries).collect()
}

fn at(path: &str, line: usize) -> ForgetLines {
    ForgetLines {
        path: path.to_owned(),
        lines: Some(LineRange::line(line)),
    }
}

/// The found texts that contain a word; neighbouring passages may be found too.
fn found(knowledge: &Knowledge, word: &str) -> Vec<String> {
    let answer = knowledge.search(word, &SearchOptions::default(), &mut |_| {});
    let texts = answer.unwrap().results.into_iter().map(|found| found.text);
    texts.filter(|text| text.contains(word)).collect()
}

#[tokio::test]
async fn forgetting_one_place_forgets_same_words_everywhere() {
    for chosen in [at("sessions/main.jsonl", 2), at("memory/2026-03-01.md", 1)] {
        let home = told_everywhere().await;
        let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
        let plan = knowledge.plan_lines(std::slice::from_ref(&chosen)).unwrap();
        let (said, because): (Vec<String>, Vec<Reason>) = places(&plan).into_iter().unzip();
        let expected = [
            "memory/2026-03-01.md:1",
            "sessions/main.jsonl:2",
            "sessions/main.jsonl:4",
            "sessions/main.jsonl:5",
            "sessions/other.jsonl:2",
        ];
        assert_eq!(said, expected);
        let chosen_for = because.iter().filter(|it| **it == Reason::Chosen);
        assert_eq!(chosen_for.count(), 1, "{because:?}");
        let report = knowledge.forget(&plan, OwnerLines::Leave).unwrap();
        assert_eq!(found(knowledge, "4711"), [""; 0]);
        assert_eq!(found(knowledge, "fence").len(), 1);
        if chosen.path.starts_with("sessions") {
            let again = knowledge.plan_lines(&[chosen]).unwrap_err();
            let expected = format!("already forgotten, under {}", report.report.id);
            assert_eq!(again.to_string(), expected);
            let asked = knowledge
                .plan_question(CODE, 5, OWNER, &mut |_| {})
                .unwrap_err();
            assert_eq!(asked.to_string(), expected);
        }
    }
}

#[tokio::test]
async fn text_said_again_after_forgetting_is_found() {
    let home = told_everywhere().await;
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    let plan = knowledge.plan_lines(&[at("sessions/main.jsonl", 2)]);
    knowledge.forget(&plan.unwrap(), OwnerLines::Leave).unwrap();
    home.say("2026-03-02T09:00:00Z", CODE).await;
    assert_eq!(found(&knowledge, "4711"), [CODE]);
}

fn plan_of(knowledge: &Knowledge, question: &str) -> ForgetPlan {
    let plan = knowledge.plan_question(question, 9, OWNER, &mut |_| {});
    plan.unwrap()
}

/// The texts of notes and entries that a plan forgets.
fn taken(plan: &ForgetPlan) -> Vec<&str> {
    plan.passages().map(|own| own.text).collect()
}

#[tokio::test]
async fn forgetting_does_not_spread_through_unrelated_message() {
    let home = offline_home();
    for said in [
        "The tuner is Ottokar Bluhm.",
        "Kiesewetter moves our piano.",
        "Undo that.",
        "Undo that.",
    ] {
        home.say("2026-03-02T08:00:00Z", said).await;
    }
    let entries = home.entries(&main());
    let said = |at: usize| entries[2 * at].clone();
    home.note_citing(
        "The tuner is Ottokar Bluhm",
        Origin::Agent,
        vec![said(0), said(2)],
    );
    home.note_citing(
        "Kiesewetter moves the piano",
        Origin::Agent,
        vec![said(1), said(2)],
    );
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    let plan = plan_of(&knowledge, "Ottokar Bluhm");
    let expected = [
        "- The tuner is Ottokar Bluhm",
        "user: The tuner is Ottokar Bluhm.",
    ];
    assert_eq!(taken(&plan), expected);
}

#[tokio::test]
async fn forget_keeps_notes_on_other_parts_of_hidden_sentence() {
    for (said, noted, question, expected) in [
        (
            "Jure still owes me 240 euros, and Alma's birthday is on the 9th of March.",
            [
                "Jure owes 240 euros",
                "Alma's birthday is on the 9th of March",
            ],
            "Jure owes 240 euros",
            "Jure owes 240 euros",
        ),
        (
            "The iron is 20 mg, not 14, I misread the label.",
            ["The iron was not 14 mg", "The iron is 20 mg"],
            "iron 14 mg",
            "The iron was not 14 mg",
        ),
    ] {
        let home = offline_home();
        home.say("2026-03-02T08:00:00Z", said).await;
        for text in noted {
            home.note_citing(text, Origin::Agent, vec![home.entries(&main())[0].clone()]);
        }
        let knowledge = home.runtime.memory.knowledge.clone().unwrap();
        let plan = plan_of(&knowledge, question);
        let lines = plan.lines.iter().map(|it| it.text.as_str());
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines, [format!("- {expected}")], "{question}");
    }
}

#[tokio::test]
async fn forget_removes_paraphrased_note_of_hidden_message() {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", "Am Freitag muss ich zum Zahnarzt.")
        .await;
    let said = home.entries(&main())[0].clone();
    home.note_citing("Dentist on 2026-03-06", Origin::Agent, vec![said]);
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    let plan = plan_of(&knowledge, "Zahnarzt");
    let lines: Vec<&str> = plan.lines.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(lines, ["- Dentist on 2026-03-06"]);
}

#[tokio::test]
async fn forget_of_older_value_leaves_current_line_and_undo_restores_it() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    let memory = || home.memory();
    let remember = |text: &str| remember_typed(&home.runtime.home, &asked(text, None)).unwrap();
    home.set("2026-03-01T08:00:00Z");
    remember("Ann lives in Graz");
    home.set("2026-03-02T08:00:00Z");
    let older = corrected(&home.runtime.home, "Ann lives in Graz").unwrap();
    remember_typed(&home.runtime.home, &asked("Ann lives in Linz", Some(older))).unwrap();
    let before = memory();
    let tail = " (until 2026-03-02: Graz)";
    assert!(
        before.contains(&format!("- Ann lives in Linz{tail}")),
        "{before}"
    );
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    for (asked, edit) in [
        ("Graz", ""),
        ("Ann lives in Graz", ""),
        ("that Ann lived in Graz", "- a line of my own\n"),
    ] {
        let plan = plan_of(&knowledge, asked);
        assert!(taken(&plan).contains(&tail.trim()), "{:?}", taken(&plan));
        let id = knowledge
            .forget(&plan, OwnerLines::Remove)
            .unwrap()
            .report
            .id;
        assert!(memory().contains("- Ann lives in Linz"), "{}", memory());
        assert!(!memory().contains("Graz"), "{}", memory());
        assert!(found(&knowledge, "Graz").is_empty());
        assert!(!found(&knowledge, "Linz").is_empty());
        home.write(
            "MEMORY.md",
            &format!("{}{edit}", home.read("workspace/MEMORY.md")),
        );
        let now = home.runtime.home.clock.now();
        let undone = memory::undo_forgetting(&home.runtime.home.workspace, &id, now).unwrap();
        assert_eq!(undone.lost, [], "{edit}");
        assert_eq!(memory().matches("Ann lives in Linz").count(), 1);
        assert!(memory().contains(tail), "{}", memory());
    }
    for both in ["Ann Linz", "Ann lives in Linz and lived in Graz", "Ann"] {
        let whole = plan_of(&knowledge, both);
        assert!(!taken(&whole).contains(&tail.trim()), "{:?}", taken(&whole));
    }
    let whole = plan_of(&knowledge, "Ann Linz");
    knowledge.forget(&whole, OwnerLines::Remove).unwrap();
    assert!(!memory().contains("Ann"), "{}", memory());
}

fn asked(text: &str, replaces: Option<Corrected>) -> AskedLine {
    AskedLine {
        text: text.to_owned(),
        section: None,
        replaces,
        reason: ChangeReason::Changed,
    }
}

/// One message with three facts, each noted separately.
async fn three_things_at_once() -> (Home, Arc<Knowledge>) {
    let home = offline_home();
    let said = "My dog is Rex. I work at Bosch. My sister Anna lives in Graz.";
    home.say_in("main", "2026-03-02T08:00:00Z", said).await;
    let ended = flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut |_| {}).await;
    ended.unwrap();
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    (home, knowledge)
}

#[tokio::test]
async fn forget_removes_one_statement_and_keeps_notes_on_the_rest_of_message() {
    for by in ["place", "question"] {
        let (home, knowledge) = three_things_at_once().await;
        let log = home.read("workspace/memory/2026-03-02.md");
        let line = log.lines().position(|line| line.contains("Bosch"));
        let place = at("memory/2026-03-02.md", line.unwrap() + 1);
        let plan = match by {
            "place" => knowledge.plan_lines(&[place]),
            _ => knowledge.plan_question("do I work at Bosch", 5, OWNER, &mut |_| {}),
        };
        let plan = plan.unwrap();
        let taken: Vec<&str> = plan.lines.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(taken, ["- I work at Bosch."], "{by}");
        assert_eq!(plan.entries.len(), 1, "{by}");
        knowledge.forget(&plan, OwnerLines::Leave).unwrap();
        assert_eq!(found(&knowledge, "Bosch"), [""; 0], "{by}");
        let left = "My dog is Rex. My sister Anna lives in Graz.";
        for (word, note) in [
            ("Anna", "- My sister Anna lives in Graz."),
            ("Rex", "- My dog is Rex."),
        ] {
            // The note is shown, or the message with it, or both.
            let texts = found(&knowledge, word);
            assert!(!texts.is_empty(), "{by}");
            assert!(
                texts.iter().all(|text| text == note || text == left),
                "{by}"
            );
            assert!(
                home.read("workspace/memory/2026-03-02.md").contains(note),
                "{by}"
            );
        }
    }
}

#[tokio::test]
async fn passages_that_match_fewer_words_are_not_forgotten() {
    let home = offline_home();
    for told in [
        "My phone number is 0341 998877.",
        "My car number plate is L-ML 4483.",
        "I hate phone calls before nine.",
    ] {
        home.say("2026-03-02T08:00:00Z", told).await;
    }
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let texts = |question: &str| -> Vec<String> {
        let plan = knowledge
            .plan_question(question, 5, OWNER, &mut |_| {})
            .unwrap();
        plan.entries.iter().map(|it| it.text.clone()).collect()
    };
    let phone = "user: My phone number is 0341 998877.";
    let plate = "user: My car number plate is L-ML 4483.";
    assert_eq!(texts("my phone number"), [phone]);
    assert_eq!(texts("the number plate"), [plate]);
    assert_eq!(texts("number"), [phone, plate]);
}

#[tokio::test]
async fn forget_plan_prefers_statements_to_questions_and_counts_rest() {
    let asked = [
        "Where is the bicycle lock code?",
        "What is the bicycle lock code?",
        "Is the bicycle lock code long?",
        "Who knows the bicycle lock code?",
    ];
    let home = home(Script::replies(5));
    let stated =
        "The lock code of the bicycle in the cellar is 4711, and it was set by Anna in May";
    home.say("2026-03-02T08:00:00Z", stated).await;
    for (minute, question) in asked.iter().enumerate() {
        let now = format!("2026-03-02T09:0{minute}:00Z");
        home.say(&now, question).await;
    }
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let plan = |limit| {
        let plan = knowledge.plan_question("bicycle lock code", limit, OWNER, &mut |_| {});
        let plan = plan.unwrap();
        let texts = plan.entries.iter().map(|it| it.text.clone());
        (texts.collect::<Vec<_>>(), plan.n_more)
    };
    let stated = format!("user: {stated}");
    assert_eq!(plan(1), (vec![stated.clone()], 4));
    let (texts, n_more) = plan(5);
    assert_eq!((texts.len(), n_more), (5, 0));
    let (texts, n_more) = plan(3);
    assert_eq!((texts.len(), n_more), (3, 2));
    assert_eq!(texts[0], stated);
}

/// Messages with several facts: for each fact the words that the owner forgets, the words that would reveal the fact,
/// and three wordings of a question.
const TOLD: [(&str, [[&str; 5]; 3]); 7] = [
    (
        "The school form for Tom\u{e1}s is due on 12 March, with 18 euros in cash. The boiler man comes on Tuesday at nine. My sister Anna moved to Graz.",
        [
            [
                "school form",
                "18 euros",
                "When is the school form due?",
                "What do I have to hand in for Tom\u{e1}s?",
                "how much cash for the form",
            ],
            [
                "boiler man",
                "at nine",
                "When does the boiler man come?",
                "who comes on Tuesday",
                "is somebody looking after the boiler",
            ],
            [
                "Anna moved",
                "Graz",
                "Where does Anna live?",
                "Which town did my sister move to?",
                "Anna's new home",
            ],
        ],
    ),
    (
        "I take 20 mg of lisinopril every morning. Our landlord is Mr Okafor. The spare key hangs behind the blue jug.",
        [
            [
                "lisinopril",
                "20 mg",
                "How much lisinopril do I take?",
                "What is my morning dose?",
                "lisinopril",
            ],
            [
                "landlord",
                "Okafor",
                "Who is our landlord?",
                "whom do we pay the rent to",
                "name of the landlord",
            ],
            [
                "spare key",
                "blue jug",
                "Where is the spare key?",
                "what hangs behind the jug",
                "how do I get in without my key",
            ],
        ],
    ),
    (
        "Meine Versicherungsnummer ist K-4477. Die Reifen lagern bei Auto Brandl. Jonas hat am 3. Mai Geburtstag.",
        [
            [
                "Versicherungsnummer",
                "K-4477",
                "Wie lautet meine Versicherungsnummer?",
                "Nummer der Versicherung",
                "Wo bin ich versichert?",
            ],
            [
                "Reifen",
                "Brandl",
                "Wo lagern die Reifen?",
                "Wer hat meine Reifen?",
                "Reifen Winter",
            ],
            [
                "Geburtstag von Jonas",
                "3. Mai",
                "Wann hat Jonas Geburtstag?",
                "Wie alt wird Jonas im Mai?",
                "Jonas Geburtstag",
            ],
        ],
    ),
    (
        "\u{6b6f}\u{533b}\u{8005}\u{306f}\u{4e2d}\u{5ddd}\u{5148}\u{751f}\u{3067}\u{3059}\u{3002}\u{8eca}\u{306f}\u{767d}\u{3044}\u{30d5}\u{30ea}\u{30fc}\u{30c9}\u{3067}\u{3059}\u{3002}\u{7fa9}\u{6bcd}\u{306f}\u{5439}\u{7530}\u{306b}\u{4f4f}\u{3093}\u{3067}\u{3044}\u{307e}\u{3059}\u{3002}",
        [
            [
                "\u{6b6f}\u{533b}\u{8005}",
                "\u{4e2d}\u{5ddd}",
                "\u{6b6f}\u{533b}\u{8005}\u{306f}\u{8ab0}\u{3067}\u{3059}\u{304b}",
                "\u{6b6f}\u{533b}\u{8005}\u{306e}\u{540d}\u{524d}",
                "\u{6b6f}\u{533b}\u{8005}",
            ],
            [
                "\u{30d5}\u{30ea}\u{30fc}\u{30c9}",
                "\u{767d}\u{3044}",
                "\u{8eca}\u{306f}\u{4f55}\u{3067}\u{3059}\u{304b}",
                "\u{8eca}\u{306e}\u{8272}\u{306f}",
                "\u{30d5}\u{30ea}\u{30fc}\u{30c9}",
            ],
            [
                "\u{7fa9}\u{6bcd}",
                "\u{5439}\u{7530}",
                "\u{7fa9}\u{6bcd}\u{306f}\u{3069}\u{3053}\u{306b}\u{4f4f}\u{3093}\u{3067}\u{3044}\u{307e}\u{3059}\u{304b}",
                "\u{7fa9}\u{6bcd}\u{306e}\u{5bb6}",
                "\u{7fa9}\u{6bcd}",
            ],
        ],
    ),
    (
        "The wifi is called Heron and its code is nine oaks. We fly to Lisbon on gate B7. The cat Miso only eats trout.",
        [
            [
                "wifi",
                "nine oaks",
                "What is the wifi code?",
                "how do guests get online",
                "Heron",
            ],
            [
                "fly to Lisbon",
                "B7",
                "Which gate do we fly from?",
                "When do we fly to Lisbon?",
                "Lisbon",
            ],
            [
                "Miso eats",
                "trout",
                "What does Miso eat?",
                "what is the cat fed",
                "food for the cat Miso",
            ],
        ],
    ),
    (
        "My locker at the pool is 214. The plumber Ferrante asked 340 euros. Grandpa was born in Trieste.",
        [
            [
                "locker",
                "214",
                "Which locker is mine?",
                "number of my locker at the pool",
                "pool locker",
            ],
            [
                "plumber",
                "340",
                "What did the plumber ask for?",
                "How much is Ferrante?",
                "plumber Ferrante euros",
            ],
            [
                "Grandpa",
                "Trieste",
                "Where was Grandpa born?",
                "Grandpa's birthplace",
                "grandpa",
            ],
        ],
    ),
    (
        "The thesis is due on 4 June. Dr Whitlock supervises me. The lab lends the red microscope.",
        [
            [
                "thesis",
                "4 June",
                "When is the thesis due?",
                "deadline of my thesis",
                "thesis",
            ],
            [
                "Whitlock",
                "Whitlock supervises",
                "Who supervises me?",
                "Dr Whitlock",
                "what does Whitlock do for me",
            ],
            [
                "microscope",
                "red microscope",
                "Which microscope does the lab lend?",
                "the lab's microscope",
                "microscope",
            ],
        ],
    ),
];

/// The facts of all messages.
fn facts() -> impl Iterator<Item = &'static [&'static str; 5]> {
    TOLD.iter().flat_map(|(_, facts)| facts)
}

/// Lines that the owner wrote by hand, in other words than the messages.
const BY_HAND: &str = "# Memory

## Facts

- 20 mg of lisinopril in the morning
- Mr Okafor is the landlord, rent on the first
- Spare key: behind the blue jug
- Thesis: due 4 June 2026
- I prefer tea
";

/// The owner has told all of these facts; they are noted, and some are in `MEMORY.md`.
async fn all_facts_told() -> (Home, Arc<Knowledge>) {
    let home = offline_home();
    for (day, (told, _)) in (2..).zip(TOLD) {
        home.say(&format!("2026-03-0{day}T08:00:00Z"), told).await;
    }
    flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut |_| {})
        .await
        .unwrap();
    home.write("MEMORY.md", BY_HAND);
    home.say("2026-03-09T08:00:00Z", "Good morning!").await;
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    (home, knowledge)
}

fn forget_question(knowledge: &Knowledge, phrase: &str) -> ForgetPlan {
    let plan = knowledge.plan_question(phrase, 20, OWNER, &mut |_| {});
    let plan = plan.unwrap();
    knowledge.forget(&plan, OwnerLines::Remove).unwrap();
    plan
}

#[tokio::test]
async fn forgotten_fact_is_not_found_in_any_wording_and_rest_is_kept() {
    let (_home, knowledge) = all_facts_told().await;
    let told = |question: &str, key: &str| {
        let answer = knowledge.search(question, &SearchOptions::default(), &mut |_| {});
        let results = answer.unwrap().results;
        results.iter().any(|found| found.text.contains(key))
    };
    for [phrase, key, ..] in facts() {
        assert!(told(phrase, key), "{phrase}");
    }
    for (forgotten, [phrase, key, questions @ ..]) in facts().enumerate() {
        let plan = forget_question(&knowledge, phrase);
        for question in questions.iter().chain([phrase]) {
            assert!(!told(question, key), "{phrase}: {question}");
        }
        let taken: Vec<&str> = plan.lines.iter().map(|it| it.text.as_str()).collect();
        let parts: Vec<&str> = plan.entries.iter().map(|it| it.part.as_str()).collect();
        for [other, key, ..] in facts().skip(forgotten + 1) {
            assert!(
                told(other, key),
                "{other} went with {phrase}: {taken:?} {parts:?}"
            );
        }
    }
}

#[tokio::test]
async fn forgotten_facts_are_absent_from_lists_summaries_recall_and_answers() {
    let (home, knowledge) = all_facts_told().await;
    let workspace = Arc::clone(&home.runtime.home.workspace);
    let ahead = || agenda(&home.runtime.home, 365).unwrap();
    assert!(ahead().iter().any(|item| item.text.contains("4 June")));
    let listed = || {
        let known = known_about_owner(&workspace, base::Tz::UTC).unwrap();
        let known = known.into_iter().map(|line| line.text);
        let all = known.chain(ahead().into_iter().map(|item| item.text));
        all.collect::<Vec<_>>().join("\n")
    };
    for key in ["20 mg", "Okafor", "blue jug"] {
        assert!(listed().contains(key), "{key}: {}", listed());
    }
    for [phrase, ..] in facts() {
        forget_question(&knowledge, phrase);
    }
    let told = |text: &str| -> Vec<&str> {
        let keys = facts().map(|[_, key, ..]| *key);
        keys.filter(|key| text.contains(key)).collect()
    };
    assert_eq!(told(&listed()), [""; 0]);
    assert!(listed().contains("I prefer tea"), "{}", listed());
    assert_eq!(told(&home.memory()), [""; 0]);
    // The summary of the next compaction reads the messages, which stay in the transcript.
    home.talk_long_in("main").await;
    let compacted = compact_now(&home.runtime, &main(), None, &mut |_| {}).await;
    let Ok(CompactionOutcome::Done { .. }) = compacted else {
        panic!("{compacted:?}");
    };
    let payloads = home.payloads(&main()).into_iter();
    let summary_of = |payload: Payload| {
        let Payload::Compaction(compaction) = payload else {
            return None;
        };
        Some(compaction.summary)
    };
    let summary = payloads.rev().find_map(summary_of).unwrap();
    // The ids of entries are random, and one may contain a figure.
    let summary = summary.lines().filter(|it| !it.starts_with("[Stands for "));
    let summary = summary.collect::<Vec<_>>().join("\n");
    assert_eq!(told(&summary), [""; 0], "{summary}");
    let n_before = home.payloads(&main()).len();
    for [_, key, questions @ ..] in facts() {
        for question in questions {
            let answer = home.say("2026-03-09T10:00:00Z", question).await;
            assert!(!answer.contains(key), "{question}: {answer}");
        }
    }
    // Among them is what each turn recalled.
    for payload in home.payloads(&main()).into_iter().skip(n_before) {
        let payload = format!("{payload:?}");
        assert_eq!(told(&payload), [""; 0], "{payload}");
    }
}

#[tokio::test]
async fn undo_restores_forgotten_sentence_in_place() {
    let (home, knowledge) = three_things_at_once().await;
    let log = home.read("workspace/memory/2026-03-02.md");
    let plan = knowledge.plan_question("do I work at Bosch", 5, OWNER, &mut |_| {});
    let forgot = knowledge.forget(&plan.unwrap(), OwnerLines::Leave).unwrap();
    assert_eq!(found(&knowledge, "Bosch"), [""; 0]);
    memory::undo_forgetting(knowledge.workspace(), &forgot.report.id, home.clock.now()).unwrap();
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), log);
    let mut texts = found(&knowledge, "Bosch");
    texts.sort();
    let said = "My dog is Rex. I work at Bosch. My sister Anna lives in Graz.";
    assert_eq!(texts, ["- I work at Bosch.", said]);
}
