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

/// Whole questions.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "who am i", "do you know me", "do you know who i am", "tell me who i am", "describe me", "what have i told you",
    "what have i told you so far", "what do you know", "wer bin ich", "kennst du mich", "qui suis je",
    "tu me connais", "qui\u{e9}n soy", "qui\u{e9}n soy yo", "chi sono", "chi sono io", "quem sou eu",
];

/// What is asked about, at the end of the question.
#[rustfmt::skip]
const ABOUT_ME: &[&str] = &[
    "about me", "about myself", "of me", "\u{fc}ber mich", "ueber mich", "von mir", "sur moi", "de moi", "sobre m\u{ed}",
    "de m\u{ed}", "su di me", "di me", "sobre mim",
];

/// Words that may follow.
const FURTHER: &[&str] = &[
    "already",
    "alles",
    "anyway",
    "at",
    "everything",
    "exactly",
    "far",
    "now",
    "please",
    "so",
    "today",
    "yet",
    "bisher",
    "schon",
    "bitte",
];

/// Words of who knows or is to tell; without one of them something else is asked.
#[rustfmt::skip]
const KNOWING: &[&str] = &[
    "know", "remember", "learned", "learnt", "tell", "told", "noted", "stored", "kept", "saved", "recall", "summarise",
    "summarize", "list", "show", "wei\u{df}t", "weisst", "wissen", "gemerkt", "erz\u{e4}hl", "erz\u{e4}hle", "sag", "sais",
    "savez", "sabes", "sabe", "sai", "conosci",
];

/// The same in languages that are written without blanks, and in Korean.
#[rustfmt::skip]
const UNSPACED: &[&str] = &[
    "\u{6211}\u{662f}\u{8c01}", "\u{6211}\u{662f}\u{8ab0}", "\u{5173}\u{4e8e}\u{6211}\u{4f60}\u{77e5}\u{9053}",
    "\u{95dc}\u{65bc}\u{6211}\u{4f60}\u{77e5}\u{9053}", "\u{4f60}\u{77e5}\u{9053}\u{6211}\u{4ec0}\u{4e48}",
    "\u{4f60}\u{77e5}\u{9053}\u{5173}\u{4e8e}\u{6211}", "\u{4f60}\u{5bf9}\u{6211}\u{4e86}\u{89e3}",
    "\u{4f60}\u{5c0d}\u{6211}\u{4e86}\u{89e3}", "\u{4f60}\u{4e86}\u{89e3}\u{6211}",
    "\u{79c1}\u{306b}\u{3064}\u{3044}\u{3066}\u{4f55}", "\u{79c1}\u{306e}\u{3053}\u{3068}\u{3092}\u{77e5}",
    "\u{79c1}\u{306f}\u{8ab0}", "\u{b098}\u{c5d0} \u{b300}\u{d574}", "\u{c800}\u{c5d0} \u{b300}\u{d574}",
    "\u{b0b4}\u{ac00} \u{b204}\u{ad6c}", "\u{c81c}\u{ac00} \u{b204}\u{ad6c}",
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

fn asks(sentence: &str) -> bool {
    if UNSPACED.iter().any(|phrase| sentence.contains(phrase)) {
        return true;
    }
    let Plain(words) = plain(sentence);
    let words = words.trim();
    if WHOLE.contains(&words) {
        return true;
    }
    let mut core = words;
    while let Some((before, last)) = core.rsplit_once(' ')
        && FURTHER.contains(&last)
    {
        core = before;
    }
    let knows = words.split(' ').any(|word| KNOWING.contains(&word));
    let core = core.strip_suffix(" gemerkt").unwrap_or(core);
    let is_about = ABOUT_ME.iter().any(|phrase| {
        let before = core.strip_suffix(phrase);
        before.is_some_and(|before| before.ends_with(' '))
    });
    // `I told Ann about me` tells something.
    let is_told = words.starts_with("i ") || words.starts_with("ich ");
    knows && is_about && !is_told
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
            "Where do I live?",
            "Remind me of the train.",
            "",
        ] {
            assert!(!asks_about_owner(other), "{other}");
        }
    }
}
