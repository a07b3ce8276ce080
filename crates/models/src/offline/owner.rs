//! Knows the question for everything that is known about the owner: `What do you know about me?`.
//!
//! Reads the question alone.

use super::fact::is_fact;
use super::question::part;
use super::sentence::sentences;
use super::signal::{Plain, is_english, plain};
use super::wanted::about;

/// Fewer telling words of another language are a greeting.
const FOREIGN_WORDS_MIN: usize = 2;

/// The questions and orders, without what may be left out of them: whoever asks what another knows of them, or
/// wants something remembered, says other words.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "who am i", "do you know me", "do you know who i am", "who i am", "describe me", "what have i told you",
    "what do you know about me", "what do you know of me", "what do you remember about me", "what do you remember of me",
    "what did you learn about me", "what have you learned about me", "what have you learnt about me",
    "what have you noted about me", "what have you stored about me", "what have you saved about me",
    "what have you kept about me", "how much do you know about me", "what can you tell me about me",
    "what can you tell me about myself", "do you know anything about me", "do you know something about me",
    "do you remember anything about me", "what you know about me", "what you know of me", "what you remember about me",
    "what you have learned about me", "what you have noted about me", "that you know about me", "you know about me",
    "you remember about me",
    "wer bin ich", "kennst du mich", "was wei\u{df}t du \u{fc}ber mich", "was weisst du \u{fc}ber mich",
    "was weisst du ueber mich", "was wei\u{df}t du von mir", "was wissen sie \u{fc}ber mich",
    "was hast du dir \u{fc}ber mich gemerkt", "was hast du \u{fc}ber mich gelernt", "was du \u{fc}ber mich wei\u{df}t",
    "was du von mir wei\u{df}t",
    "qui suis je", "tu me connais", "que sais tu de moi", "que sais tu sur moi", "que savez vous de moi",
    "que savez vous sur moi", "qu'est ce que tu sais de moi", "qu'est ce que tu sais sur moi", "ce que tu sais de moi",
    "ce que tu sais sur moi",
    "qui\u{e9}n soy", "qui\u{e9}n soy yo", "qu\u{e9} sabes de m\u{ed}", "qu\u{e9} sabes sobre m\u{ed}",
    "qu\u{e9} recuerdas de m\u{ed}", "lo que sabes de m\u{ed}", "lo que sabes sobre m\u{ed}",
    "chi sono", "chi sono io", "cosa sai di me", "che cosa sai di me", "che sai di me", "cosa sai su di me",
    "quem sou eu", "o que sabes sobre mim", "o que sabe sobre mim", "o que voc\u{ea} sabe sobre mim",
];

/// Orders to tell, which may stand before.
const ORDERS: &[&str] = &[
    "tell me ",
    "show me ",
    "list ",
    "summarise ",
    "summarize ",
    "sag mir ",
    "erz\u{e4}hl mir ",
    "erz\u{e4}hle mir ",
    "dis moi ",
    "dime ",
    "dimmi ",
];

/// Words that may stand anywhere in them.
#[rustfmt::skip]
const FURTHER: &[&str] = &[
    "all", "already", "and", "anyway", "can", "could", "else", "everything", "exactly", "far", "hello", "hey", "hi", "now",
    "ok", "please", "so", "then", "today", "yet", "alles", "bisher", "bitte", "denn", "eigentlich", "schon",
];

/// The same in languages that are written without blanks, and in Korean.
#[rustfmt::skip]
const UNSPACED: &[&str] = &[
    "\u{6211}\u{662f}\u{8c01}", "\u{6211}\u{662f}\u{8ab0}", "\u{4f60}\u{77e5}\u{9053}\u{6211}\u{4ec0}\u{4e48}",
    "\u{4f60}\u{77e5}\u{9053}\u{6211}\u{4ec0}\u{9ebc}", "\u{5173}\u{4e8e}\u{6211}\u{4f60}\u{77e5}\u{9053}\u{4ec0}\u{4e48}",
    "\u{4f60}\u{77e5}\u{9053}\u{5173}\u{4e8e}\u{6211}\u{7684}\u{4ec0}\u{4e48}", "\u{4f60}\u{4e86}\u{89e3}\u{6211}\u{5417}",
    "\u{79c1}\u{306f}\u{8ab0}", "\u{79c1}\u{306f}\u{8ab0}\u{3067}\u{3059}\u{304b}",
    "\u{79c1}\u{306b}\u{3064}\u{3044}\u{3066}\u{4f55}\u{3092}\u{77e5}\u{3063}\u{3066}\u{3044}\u{307e}\u{3059}\u{304b}",
    "\u{b098}\u{b294} \u{b204}\u{ad6c}\u{c608}\u{c694}", "\u{b0b4}\u{ac00} \u{b204}\u{ad6c}\u{c608}\u{c694}",
    "\u{c800}\u{c5d0} \u{b300}\u{d574} \u{bb50} \u{c54c}\u{c544}\u{c694}",
    "\u{b098}\u{c5d0} \u{b300}\u{d574} \u{bb50} \u{c54c}\u{c544}",
];

/// What stands before the kind of a secret in the place of the secret.
pub(super) const SECRET_MARK: &str = "[REDACTED:";

/// Whether somebody asks for all that is known about them.
///
/// # Examples
///
/// ```
/// assert!(models::asks_about_owner("What do you know about me?"));
/// assert!(!models::asks_about_owner("What did Ann say about me?"));
/// ```
pub fn asks_about_owner(words: &str) -> bool {
    let found = sentences(words);
    found.iter().any(|sentence| asks(&sentence.text))
}

/// Words with which somebody speaks of themselves; the values that are read are told in English.
const OWN: [&str; 14] = [
    "i", "i'm", "i've", "me", "my", "our", "we", "ich", "mich", "mein", "meine", "wir", "unser",
    "unsere",
];

/// Whether a message asks for something of whoever wrote it: where they live, what their car is.
///
/// # Examples
///
/// ```
/// assert!(models::asks_for_own("Where do I live?"));
/// assert!(!models::asks_for_own("I live in Graz."));
/// assert!(!models::asks_for_own("Where is Graz?"));
/// ```
pub fn asks_for_own(words: &str) -> bool {
    sentences(words).iter().any(|sentence| {
        let question = part(&sentence.text).question;
        question.is_some_and(|question| {
            let Plain(words) = plain(question);
            words.split_whitespace().any(|word| OWN.contains(&word))
        })
    })
}

/// The sentences of a message that tell something of whoever wrote it, in their order.
///
/// In a language whose facts are not known, all that asks nothing.
///
/// # Examples
///
/// ```
/// let told = models::told_about_owner("Hello! I live in Graz. What is the weather?");
/// assert_eq!(told, "I live in Graz.");
/// ```
pub fn told_about_owner(words: &str) -> String {
    let tells = |text: &String| {
        let is_asked = part(text).question.is_some();
        let is_foreign = !is_english(text) && about(text).n_words() >= FOREIGN_WORDS_MIN;
        let is_whole = !text.contains(SECRET_MARK);
        !is_asked && is_whole && (is_fact(text) || is_foreign)
    };
    let found = sentences(words).into_iter().map(|sentence| sentence.text);
    let told: Vec<String> = found.filter(tells).collect();
    told.join(" ")
}

/// How many sentences of a message tell a plain fact, each of which a flush notes.
///
/// # Examples
///
/// ```
/// assert_eq!(models::n_facts("I live in Graz. Hello! I work at Bosch. Where is Linz?"), 2);
/// ```
pub fn n_facts(words: &str) -> usize {
    let tells = |text: &str| part(text).question.is_none() && is_fact(text);
    let found = sentences(words);
    found
        .iter()
        .filter(|sentence| tells(&sentence.text))
        .count()
}

fn asks(sentence: &str) -> bool {
    let Plain(words) = plain(sentence);
    if UNSPACED.contains(&words.trim()) {
        return true;
    }
    let said: Vec<&str> = words
        .split_whitespace()
        .filter(|word| !FURTHER.contains(word))
        .collect();
    let said = said.join(" ");
    let without_order = ORDERS.iter().find_map(|order| said.strip_prefix(order));
    WHOLE.contains(&said.as_str()) || without_order.is_some_and(|rest| WHOLE.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i14_of_a_message_with_a_secret_the_rest_is_told() {
        let told = told_about_owner("My PIN is [REDACTED:pin]. I live in Graz. Where do I work?");
        assert_eq!(told, "I live in Graz.");
    }

    #[test]
    fn who_asks_what_is_known_about_them_is_told_from_who_asks_for_something() {
        for question in [
            "What do you know about me?",
            "Hello! What do you know about me so far?",
            "what do you remember about me",
            "Tell me everything you know about me, please.",
            "Who am I?",
            "Tell me who I am!",
            "Show me what you know about me.",
            "Hi, what have you learned about me so far?",
            "Sag mir bitte alles, was du \u{fc}ber mich wei\u{df}t.",
            "Was wei\u{df}t du \u{fc}ber mich?",
            "Was hast du dir bisher \u{fc}ber mich gemerkt?",
            "Wer bin ich?",
            "Que sais-tu de moi ?",
            "\u{bf}Qu\u{e9} sabes de m\u{ed}?",
            "\u{4f60}\u{77e5}\u{9053}\u{6211}\u{4ec0}\u{4e48}\u{ff1f}",
            "\u{79c1}\u{306f}\u{8ab0}\u{3067}\u{3059}\u{304b}",
        ] {
            assert!(asks_about_owner(question), "{question}");
        }
        for other in [
            "Who am I meeting tomorrow?",
            "What did Ann say about me?",
            "What do you know about my car?",
            "I told Ann about me.",
            "Do you remember what Anna said about me?",
            "Tell me what Tom thinks of me.",
            "Tell me what Tom knows about me.",
            "Show me the photo of me.",
            "What did Tom tell you about me?",
            "What does Tom know about me?",
            "What do you know about me and Tom?",
            "Don't tell anybody about me.",
            "Don't tell me what you know about me.",
            "Remember this about me. I'm allergic to nuts.",
            "What do you know! My train was on time.",
            "Was wei\u{df} Tom \u{fc}ber mich?",
            "\u{4f60}\u{77e5}\u{9053}\u{6211}\u{4ec0}\u{4e48}\u{65f6}\u{5019}\u{642c}\u{5bb6}\u{5417}",
            "\u{79c1}\u{306f}\u{8ab0}\u{3068}\u{4f1a}\u{3044}\u{307e}\u{3059}\u{304b}",
            "Where do I live?",
            "Remind me of the train.",
            "",
        ] {
            assert!(!asks_about_owner(other), "{other}");
        }
    }
}
