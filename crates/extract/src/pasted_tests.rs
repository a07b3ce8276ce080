//! What somebody else wrote, told by structure.

use super::*;
use crate::language::language_of;

#[track_caller]
fn check(text: &str, expected: &str) {
    let own = own_part(text, language_of(text));
    assert_eq!(own.trim(), expected);
}

#[test]
fn letter_behind_a_request_is_not_the_owners() {
    let letter = "Dear resident,\nI have moved to Turku and my new number is on the door. The meters are read on the \
                  third of June, so leave the cellar open.\nKind regards,\nOlli Saari";
    check(
        &format!("what does he want?\n\n{letter}"),
        "what does he want?",
    );
    check(letter, "");
}

#[test]
fn owners_own_letter_is_kept() {
    let text = "Hello,\n\nI live in Turku and my boat is called Meri. She is moored at the old pier until October.";
    check(text, text);
}

#[test]
fn letter_in_another_script_is_not_the_owners() {
    check(
        "要点を教えてください。\n\n山田様\nいつもお世話になっております。私は先月大阪に転居しました。今後ともよろしくお願いいたします。",
        "要点を教えてください。",
    );
}

#[test]
fn chat_of_several_is_not_the_owners() {
    check(
        "look at this\nMia: I sold my car\nJon: I am moving to Rome\nMia: no way",
        "look at this",
    );
}

#[test]
fn quoted_speech_leaves_a_mark_and_a_title_stays() {
    check(
        "She told me \"you never call your sister\", and left",
        "She told me \u{fffc}, and left",
    );
    check(
        "My talk is \"Small Models in Hospitals\" now",
        "My talk is \"Small Models in Hospitals\" now",
    );
    check(
        "彼は「君はいつも会議に遅れてくるね。」と言った",
        "彼は\u{fffc}と言った",
    );
}

#[test]
fn text_behind_a_line_that_shows_it_is_not_the_owners() {
    let block = "The committee met in spring and I was elected as its chair. ".repeat(4);
    check(
        &format!("Summarise this article:\n{block}"),
        "Summarise this article:",
    );
}

#[test]
fn mail_headers_begin_what_somebody_else_wrote() {
    check(
        "any thoughts?\n\nFrom: a@example.org\nDate: 3 May\nI resign.",
        "any thoughts?",
    );
}
