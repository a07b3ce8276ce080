//! The language files, and the matcher that reads them.

use super::*;

#[test]
fn every_language_file_is_read_and_has_every_key() {
    for file in FILES {
        let language = read(file).unwrap();
        for cue in Cue::ALL {
            let known = language.cues.get(&cue).map_or(0, Vec::len);
            assert!(known > 0, "{} has no cue for {cue:?}", language.code);
        }
        for phrase in language.phrases.all() {
            assert!(!phrase.trim().is_empty(), "{}", language.code);
        }
        assert!(language.phrases.secret.contains("{kinds}"));
        assert_eq!(language.spaced, language.stemmer.is_some());
    }
    assert_eq!(languages().len(), FILES.len());
}

#[test]
fn language_is_told_by_script_and_small_words() {
    for (text, code) in [
        ("The bridge is closed on Sundays", Some("en")),
        ("Die Brücke ist am Sonntag gesperrt", Some("de")),
        ("El puente está cerrado los domingos", Some("es")),
        ("Le pont est fermé le dimanche", Some("fr")),
        ("A ponte está fechada aos domingos", Some("pt")),
        ("Il ponte è chiuso la domenica", Some("it")),
        ("De brug is op zondag gesloten", Some("nl")),
        ("橋は日曜日に閉まっています", Some("ja")),
        ("这座桥星期天不开放", Some("zh")),
        ("recuérdame comprar leche", Some("es")),
        ("12:30 42", None),
    ] {
        assert_eq!(language_of(text).map(|it| it.code.as_str()), code, "{text}");
    }
}

#[test]
fn what_stands_beside_a_text_tells_between_two_languages() {
    let code = |beside| language_beside("Was ?", beside).map(|it| it.code.as_str());
    assert_eq!(code("Meine Tochter spielt Geige"), Some("de"));
    assert_eq!(code("My daughter plays the violin"), Some("en"));
    assert_eq!(code("Ma fille joue du violon"), Some("en"));
}

#[test]
fn cues_match_whole_words_at_their_place() {
    let english = read(FILES[0]).unwrap();
    assert!(english.holds(Cue::Request, "Translate this, please"));
    assert!(!english.holds(Cue::Request, "The translate button leaks"));
    assert!(!english.holds(Cue::Wish, "The fever broke"));
    assert!(english.holds(Cue::Wish, "Never book me the aisle"));
    assert!(!english.holds(Cue::Wish, "I have never been to Turku"));
    assert!(english.tells_to("Always name the chapter when I ask about a book"));
    assert!(!english.tells_to("I prefer wooden toys"));
    assert_eq!(english.without_joint("and I like tea"), "I like tea");
    assert_eq!(
        english.without_joint("Andrea likes tea"),
        "Andrea likes tea"
    );
    let japanese = read(FILES[7]).unwrap();
    assert_eq!(japanese.without_joint("でも犬が好きです"), "犬が好きです");
    assert!(japanese.holds(Cue::Question, "駅はどこですか。"));
}
