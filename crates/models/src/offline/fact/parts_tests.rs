//! What is taken back by the sentence behind it.
//!
//! Paragraphs alone.

use super::*;

#[test]
fn what_turns_out_to_be_somebody_elses_is_taken_back() {
    let left = |text: &str| -> Vec<String> {
        let found = with_antecedents(crate::offline::sentence::sentences(text));
        found.into_iter().map(|sentence| sentence.text).collect()
    };
    let own = "I have a dog.";
    for taken_back in [
        "Actually, no, it's my sister's dog.",
        "No wait, that's my flatmate's.",
        "Actually no, it's not mine.",
    ] {
        assert_eq!(left(&format!("{own} {taken_back}")), [taken_back]);
    }
    for said in [
        "Actually, no problem.",
        "It's my sister's birthday, too.",
        "Actually, no, it's big.",
        "No wait, that's what her doctor said.",
        "No wait, it's Anna's turn to cook.",
        "No wait, it's Anna's turn.",
    ] {
        assert_eq!(left(&format!("{own} {said}")), [own, said]);
    }
}
