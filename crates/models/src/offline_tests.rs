//! The offline engine's replies, as its readers see them.

use base::model::Recalled;
use base::{EntryId, Origin, TokenCount};
use proptest::prelude::*;

use super::*;

fn request(purpose: Purpose, excerpts: Vec<Excerpt>, said: &str) -> (Request, ExtractorInput) {
    let said = vec![Message::user(said)];
    let request = Request::new(purpose, "", said, TokenCount(2_000));
    (request, excerpts.into())
}

fn excerpt(number: usize, message: Message) -> Excerpt {
    Excerpt {
        label: format!("e{number}"),
        entry: Some(EntryId::new(format!("entry{number}"))),
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        origin: Origin::Owner,
        message,
        recalled: None,
    }
}

fn reply((request, evidence): &(Request, ExtractorInput)) -> String {
    let engine = OfflineEngine::new(Tz::UTC);
    engine.reply(request, evidence).unwrap().text
}

/// The reply to a request of a purpose with these messages of the owner.
fn about<'t>(purpose: Purpose, said: impl IntoIterator<Item = &'t str>) -> String {
    let excerpts = (1..).zip(said);
    let excerpts = excerpts.map(|(n, text)| excerpt(n, Message::user(text)));
    reply(&request(purpose, excerpts.collect(), ""))
}

fn notes(said: &[&str]) -> String {
    about(Purpose::Flush, said.iter().copied())
}

/// Checks that each message makes a note, and that none of the others does.
#[track_caller]
fn check(noted: &[&str], others: &[&str]) {
    for said in noted {
        assert!(notes(&[said]).contains("section"), "{said}");
    }
    for said in others {
        assert_eq!(notes(&[said]), NOTHING_TO_FLUSH, "{said}");
    }
}

#[test]
fn statements_are_noted_in_each_language_without_small_talk() {
    let said = [
        "My sister Ragna lives in Bergen with her two boys. haha good one!",
        "Meine Schwester Ragna wohnt mit ihren zwei Jungen in Bergen. Gute Nacht!",
        "Mi hermana Ragna vive en Bergen con sus dos hijos. ¡Buenas noches!",
        "Ma soeur Ragna habite à Bergen avec ses deux garçons. Merci beaucoup !",
        "Minha irmã Ragna mora em Bergen com os dois filhos. Boa noite!",
        "Mia sorella Ragna abita a Bergen con i suoi due figli. Buonanotte!",
        "Mijn zus Ragna woont met haar twee jongens in Bergen. Welterusten!",
        "姉のラグナは息子二人とベルゲンに住んでいます。おやすみなさい。",
        "我姐姐拉格娜和两个儿子住在卑尔根。晚安！",
    ];
    insta::assert_snapshot!(notes(&said));
}

#[test]
fn notes_have_section_of_their_kind() {
    insta::assert_snapshot!(notes(&[
        "Please never use emojis when you write to me.",
        "We decided to go with the smaller boat.",
        "I have to renew my passport before March.",
        "The pump is broken and leaks again.",
        "I work as a ferry pilot in Turku.",
    ]));
}

#[test]
fn words_of_others_questions_and_role_play_are_not_noted() {
    let said = [
        "what does he want?\n\nFrom: Olli <olli@example.org>\nSubject: Rent\n\nI have moved to Turku, my rent is 900 and I keep two dogs there. The meter is \
         read on 3 June at noon.\nRegards,\nOlli",
        "> I live in Turku",
        "Where does my sister live?",
        "Pretend you're a sailor, I am Captain Nemo from Nantes.",
        "I have lived below the sea for forty years.",
        "If I won the lottery I'd buy an island.",
    ];
    assert_eq!(notes(&said), NOTHING_TO_FLUSH);
}

#[test]
fn note_of_only_secret_is_not_written() {
    let found = notes(&["The password for the router is Hunter2-blue-9!"]);
    assert_eq!(found, NOTHING_TO_FLUSH);
}

#[test]
fn note_resolves_day_of_relative_date() {
    let found = notes(&["I have to pay the deposit for the boat tomorrow."]);
    assert!(found.contains("tomorrow (2026-04-21)"), "{found}");
}

#[test]
fn failure_of_tool_is_noted_as_issue() {
    let failed = Message::ToolResult(base::ToolResult {
        call_id: base::ToolCallId::new("c1"),
        tool_name: "run".into(),
        content: vec![Block::Text("Compiling\nerror: cannot find value".into())],
        outcome: base::ToolOutcome::Failure,
    });
    let found = reply(&request(Purpose::Flush, vec![excerpt(1, failed)], ""));
    assert_eq!(
        found,
        r#"{"section":"Issues Found","text":"run: error: cannot find value","evidence":["e1"]}"#
    );
}

#[test]
fn wish_among_others_or_in_idiom_is_not_marked_as_asked() {
    let asked = |text| about(Purpose::Consolidate, [text]).contains(r#""asked":true"#);
    assert!(asked("Please never park the car at the gate."));
    assert!(!asked(
        "Email from the school today: please bring a packed lunch. Please never park the car at the gate."
    ));
    assert!(!asked("never mind"));
}

#[test]
fn candidate_is_marked_if_owner_asked_to_keep_it() {
    let said = [
        "Remember that my sister Ragna lives in Bergen.",
        "My sister Ragna lives in Bergen.",
        "From now on always answer in Norwegian.",
        "I have never been to Bergen.",
    ];
    insta::assert_snapshot!(about(Purpose::Consolidate, said));
}

#[test]
fn candidate_contradicted_later_is_not_marked_as_asked() {
    let asked = |said: [&str; 2]| about(Purpose::Consolidate, said).contains(r#""asked":true"#);
    for (kept, later) in [
        (
            "Note that my friend Ragna lives in Bergen.",
            "I broke up with Ragna.",
        ),
        (
            "Merk dir, dass meine Freundin Ragna in Bergen wohnt.",
            "Ragna und ich sind jetzt getrennt.",
        ),
        (
            "Anota que mi novia Ragna vive en Bergen.",
            "Troné con Ragna.",
        ),
        (
            "Anota que Ragna, mi novia, vive en Bergen.",
            "Troné con Ragna.",
        ),
    ] {
        assert!(!asked([kept, later]), "{kept}");
        assert!(asked([kept, "I bought a new car."]), "{kept}");
    }
}

#[test]
fn framed_facts_and_wishes_are_noted_and_requests_are_not() {
    let noted = [
        "Hi, I live in Graz.",
        "Hallo, ich wohne in Graz.",
        "Hola, vivo en Graz.",
        "Important: I never eat pork.",
        "Wichtig: Ich esse nie Schweinefleisch.",
        "Importante: nunca como cerdo.",
        "I'm allergic to penicillin, please remember.",
        "Ich bin gegen Penicillin allergisch, merk dir das bitte.",
        "before you ever delete a file of mine, ask.",
        "Bevor du je eine Datei von mir löschst, frag mich.",
        "Antes de borrar un archivo mío, pregúntame.",
        "Avant de supprimer un de mes fichiers, demande-moi.",
    ];
    let others = [
        "Can you water my plants on Friday?",
        "Could you help me plan my trip to Rome in May",
        "Kannst du mir einen Termin beim Friseur am Montag machen?",
        "¿Puedes reservarme una mesa para el sábado?",
    ];
    check(&noted, &others);
}

#[test]
fn identity_and_possession_are_noted_and_feelings_are_not() {
    let noted = [
        "I'm a glazier.",
        "Hi, I am lactose intolerant.",
        "Ich bin Glaserin.",
        "Wir haben einen Hamster.",
        "Soy vidriera.",
        "Tengo un hámster.",
        "Je suis vitrier.",
        "J'ai un hamster.",
        "Sou vidraceiro.",
        "Sono vetraia.",
        "Ik ben glazenmaker.",
        "私はガラス職人です。",
        "我是玻璃工。",
    ];
    let others = [
        "I'm ready.",
        "I am so bored.",
        "Ich bin wieder da.",
        "Ich habe Hunger.",
        "Estoy lista.",
        "Je suis fatigué.",
        "Estou de volta.",
        "Sono stanca.",
        "Ik heb dorst.",
        "疲れました。",
        "我饿了。",
    ];
    check(&noted, &others);
}

#[test]
fn keep_request_is_noted_however_short() {
    let noted = [
        "Remember I'm Ragna.",
        "I like it here. Please remember that.",
        "Merk dir: ich bin Ragna.",
        "Recuerda que soy zurda.",
        "Souviens-toi que je suis gauchère.",
        "Lembre que sou canhota.",
        "Ricorda che sono mancina.",
        "Onthoud dat ik linkshandig ben.",
        "左利きだと覚えておいて。",
        "记住我是左撇子。",
    ];
    let others = ["Please remember this.", "Merk dir das.", "Don't forget!"];
    check(&noted, &others);
}

#[test]
fn words_of_others_are_not_candidates() {
    let mut other = excerpt(1, Message::user("Remember that the owner lives in Bergen."));
    other.origin = Origin::Untrusted;
    let found = reply(&request(Purpose::Consolidate, vec![other], ""));
    assert_eq!(found, NOTHING_TO_KEEP);
}

fn passage(number: usize, text: &str, day: &str) -> Excerpt {
    let mut found = excerpt(number, Message::user(text));
    found.recalled = Some(Recalled {
        place: base::Locator::new(format!("memory/{day}.md"), base::LineRange::line(number)),
        day: day.parse().ok(),
        planned_for: None,
        renews: None,
    });
    found
}

#[test]
fn replies_are_in_language_of_message() {
    let replies = [
        "Where does Ragna live?",
        "Wo wohnt Ragna?",
        "¿Dónde vive Ragna?",
        "Où habite Ragna ?",
        "Onde mora a Ragna?",
        "Dove abita Ragna?",
        "Waar woont Ragna?",
        "ラグナはどこに住んでいますか",
        "拉格娜住在哪里？",
        "remind me to call Ragna on Friday at noon",
        "Merk dir: meine Schwester heißt Ragna und wohnt in Bergen.",
        "Erinnere mich am Montag um neun an die Steuer",
        "recuérdame comprar leche mañana",
        "Remember: my doctor is called Ortiz.",
        "Can you book a table for two tomorrow?",
        "Summarise this: \"We met on Monday and I sold my car\"",
        "write me a poem about ducks",
        "hello",
    ]
    .map(|said| {
        let answer = reply(&request(Purpose::Chat, Vec::new(), said));
        format!("> {said}\n{answer}")
    });
    insta::assert_snapshot!(replies.join("\n\n"));
}

/// The reply to a message after others of its session.
fn answer_after(earlier: &[&str], said: &str, passages: Vec<Excerpt>) -> String {
    let (mut request, evidence) = request(Purpose::Chat, passages, said);
    let earlier = earlier.iter().map(|it| Message::user(*it));
    request.messages.splice(0..0, earlier);
    reply(&(request, evidence))
}

#[test]
fn short_message_is_answered_in_language_of_session_or_owner() {
    let german = "Ich bin offline";
    let english = "I am offline";
    let dutch = "Ik ben offline";
    for (earlier, said, opening) in [
        (&[][..], "bin day?", english),
        (&[], "hello bin?", english),
        (&[], "is die cast safe?", english),
        (&[], "Danke!", german),
        (&[], "Wo wohnt Ragna?", german),
        (
            &["Where is the school form?", "bin day?"],
            "is die cast safe?",
            english,
        ),
        (&["Meine Schwester wohnt in Bergen."], "bin day?", german),
        (
            &["Meine Schwester wohnt in Bergen."],
            "Where does Ragna live?",
            english,
        ),
        (
            &["Mijn zus woont in Bergen en zij speelt cello."],
            "is die veilig?",
            dutch,
        ),
    ] {
        let answer = answer_after(earlier, said, Vec::new());
        assert!(answer.starts_with(opening), "{said}: {answer}");
    }
    let owners = vec![passage(
        1,
        "Die Tonne wird am Montag geleert und ist blau.",
        "2026-01-05",
    )];
    let answer = answer_after(&[], "bin day?", owners);
    assert!(answer.starts_with(german), "{answer}");
}

#[test]
fn quotation_keeps_its_words_and_is_followed_by_day() {
    let rest =
        "The band plays until late, and everybody brings something to eat or drink. ".repeat(4);
    let long =
        format!("My rehearsal for the spring concert was moved to Tuesday 2026-03-10. {rest}");
    let told = "My rehearsal is tomorrow at nine.\n\n- It was in Gent.\n```\ncode here\n```\nNow it is here!";
    for (said, day, quoted) in [
        (
            told,
            "2026-03-01",
            "- My rehearsal is tomorrow at nine. - It was in Gent. \u{2026} Now it is here! (memory/2026-03-01.md:1, 2026-03-01, tomorrow: 2026-03-02)",
        ),
        (&long, "2026-03-01", "moved to Tuesday 2026-03-10. The band"),
    ] {
        let answer = answer_after(&[], "When is my rehearsal?", vec![passage(1, said, day)]);
        assert!(answer.contains(quoted), "{answer}");
        assert!(!answer.contains("2026-03-1 "), "{answer}");
    }
}

#[test]
fn aversions_are_noted() {
    check(
        &[
            "I dislike emoji in replies.",
            "My brother and I dislike long meetings.",
            "I dislike emoji.",
        ],
        &["Do you dislike emoji?"],
    );
}

#[test]
fn request_to_forget_is_not_noted() {
    for said in [
        "Forget that I prefer tea with milk",
        "Please forget that I prefer tea with milk.",
        "Ok, forget that I prefer tea with milk.",
        "Vergiss bitte, dass ich lieber Tee trinke.",
    ] {
        assert_eq!(notes(&[said]), NOTHING_TO_FLUSH, "{said}");
    }
    let found = notes(&["Forget that I prefer tea, I prefer coffee with milk now."]);
    assert!(
        found.contains("I prefer coffee with milk now") && !found.contains("tea"),
        "{found}"
    );
    assert!(notes(&["Don't forget that Ruth is allergic to nuts."]).contains("Ruth"));
}

#[test]
fn reply_without_subject_is_neither_note_nor_candidate() {
    for said in [
        "no, it is Graz",
        "No, it is on Tuesday.",
        "Nein, es ist Graz.",
        "Undo that.",
    ] {
        assert_eq!(notes(&[said]), NOTHING_TO_FLUSH, "{said}");
        let found = about(Purpose::Consolidate, [said]);
        assert_eq!(found, NOTHING_TO_KEEP, "{said}");
    }
    assert!(notes(&["No, we live in Salzburg."]).contains(r#""we live in Salzburg.""#));
}

#[test]
fn denial_forget_and_undo_requests_are_answered_with_their_commands() {
    for (said, command) in [
        ("No, we live in Salzburg.", "openclaw memory correct"),
        ("No, it is on Tuesday.", "openclaw memory correct"),
        ("Forget that my sister helped.", "openclaw memory forget"),
        ("Undo that.", "openclaw dream undo"),
        (
            "Mach das bitte r\u{fc}ckg\u{e4}ngig.",
            "openclaw dream undo",
        ),
    ] {
        let told = answer_after(&[], said, Vec::new());
        assert!(told.contains(command), "{said}: {told}");
    }
}

#[test]
fn request_to_remember_is_omitted_from_note_candidate_and_answer() {
    let said = "Remember that my sister Bea lives in Graz.";
    let fact = "My sister Bea lives in Graz.";
    assert!(notes(&[said]).contains(&format!("{fact:?}")));
    let candidate = about(Purpose::Consolidate, [said]);
    for part in [format!("\"text\":{fact:?}"), format!("\"quote\":{said:?}")] {
        assert!(candidate.contains(&part), "{candidate}");
    }
    let found = vec![passage(1, said, "2026-04-20")];
    let told = answer_after(&[], "Where does Bea live?", found);
    assert!(
        told.contains("- \u{2026} my sister Bea lives in Graz. ("),
        "{told}"
    );
}

#[test]
fn request_to_forget_is_not_quoted() {
    let found = vec![
        passage(
            1,
            "Forget that my sister helped with the piano.",
            "2026-04-20",
        ),
        passage(2, "Tom helped with the piano.", "2026-04-21"),
    ];
    let told = answer_after(&[], "Who helped with the piano?", found);
    assert!(
        told.contains("Tom helped") && !told.contains("sister"),
        "{told}"
    );
}

#[test]
fn redacted_message_is_noted_only_for_other_statements() {
    let only = "Remember that the wifi password of the garden house is [REDACTED:password].";
    assert_eq!(notes(&[only]), NOTHING_TO_FLUSH);
    let more = "My bank account is [REDACTED:iban], and I pay the rent from it on Fridays.";
    let found = notes(&[more]);
    assert!(
        found.contains("I pay the rent from it on Fridays") && !found.contains("REDACTED"),
        "{found}"
    );
    let dated = notes(&["I have to pay 300 euros to [REDACTED:iban] by Friday."]);
    assert!(dated.contains("300 euros"), "{dated}");
}

#[test]
fn answer_quotes_newest_on_same_subject_first() {
    let passages = vec![
        passage(1, "My rent is 800 a month for the flat.", "2026-01-05"),
        passage(2, "My rent is 950 a month for the flat now.", "2026-03-05"),
        passage(3, "We saw a heron at the lake.", "2026-03-06"),
    ];
    let request = request(Purpose::Chat, passages, "How much is my rent?");
    insta::assert_snapshot!(reply(&request));
}

#[test]
fn supporting_quote_is_given_only_with_answer() {
    let about_tools = passage(1, "I lent the garden tools to Hugo.", "2026-01-05");
    let about_hugo = passage(2, "Hugo is away until May.", "2026-01-04");
    let question = "Which garden tools does Hugo have?";
    let asked = |passages| reply(&request(Purpose::Chat, passages, question));
    let quoted = |text: String| ["garden tools", "away"].map(|it| text.contains(it));
    assert_eq!(quoted(asked(vec![about_hugo.clone()])), [false, false]);
    assert_eq!(quoted(asked(vec![about_tools, about_hugo])), [true, true]);
}

#[test]
fn notes_of_long_evidence_are_bounded() {
    let boat = |it| format!("My boat number {it} lies at pier {it} in Turku.");
    let said: Vec<String> = (0..400).map(boat).collect();
    let found = about(Purpose::Flush, said.iter().map(String::as_str));
    let n_tokens = base::estimate_text(&found);
    assert!(
        TokenCount(100) < n_tokens && n_tokens <= TokenCount(2_000),
        "{n_tokens:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn words_of_notes_come_from_their_evidence(said in "(My|I|We|Meine|Yo) [a-z ]{5,40} [0-9]{1,3}[.!]( [A-Z][a-z ]{3,30}\\.)?") {
        let found = notes(&[&said]);
        for note in base::json_items(&found, "text").items {
            let note = note["text"].as_str().unwrap();
            for word in note.split_whitespace().filter(|it| !it.starts_with('(') && !it.ends_with(')')) {
                prop_assert!(said.contains(word), "{word} of {note}");
            }
        }
    }
}

#[test]
fn answer_without_room_for_quotations_stops_with_length() {
    let text = "Ragna lives in Bergen with her two boys.";
    let found = vec![passage(1, text, "2026-04-20")];
    let (mut asked, evidence) = request(Purpose::Chat, found, "Where does Ragna live?");
    let engine = OfflineEngine::new(Tz::UTC);
    for (room, expected) in [
        (2_000, StopReason::Stop),
        (20, StopReason::Length),
        (3, StopReason::Length),
    ] {
        asked.output_max = TokenCount(room);
        let last = pieces(engine.reply(&asked, &evidence)).pop();
        let done = ReplyEvent::Done {
            stop: expected,
            usage: None,
        };
        assert_eq!(last.unwrap().unwrap(), done, "{room}");
    }
}
