//! Tells from a question what it asks for of whoever asks: their job, their home, their pet.
//!
//! Reads the question alone, in English and German; what tells it is for others to know.

use super::conduct::is_instruction;
use super::fact::{self, About, Reading};
use super::question::part;
use super::relative::is_of_relative;
use super::sentence::sentences;
use super::signal::{Plain, plain};

/// What somebody may ask for of themselves without naming a word of how they told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Matter {
    /// What they do for a living, and for whom.
    Work,
    /// Where they live.
    Home,
    /// Where they come from.
    Origin,
    /// How they are called.
    Name,
    /// When they were born.
    Birth,
    /// Their animals.
    Pet,
    /// What they must not be given.
    Allergy,
    /// What they take.
    Medicine,
    /// What they suffer from.
    Illness,
    /// Whom they live with or love.
    Partner,
    /// Their children.
    Child,
    /// Their brothers and sisters.
    Sibling,
    /// What they eat.
    Diet,
    /// What they drive.
    Car,
    /// Which telephone they have.
    Phone,
    /// Under which number they are called.
    PhoneNumber,
    /// For whom they work, as a person.
    Boss,
    /// Who treats them.
    Doctor,
    /// From whom they rent.
    Landlord,
    /// What they do for pleasure.
    Hobby,
    /// What they play on.
    Instrument,
    /// What they speak.
    Language,
    /// How they want to be answered.
    Wish,
}

/// The words that ask for something.
struct Asking {
    /// For what.
    matters: &'static [Matter],
    /// Of each of these groups a word has to stand in the question.
    keys: &'static [&'static [&'static str]],
    /// These may stand beside them; any other word asks for something else.
    beside: &'static [&'static str],
}

const fn asking(
    matters: &'static [Matter],
    keys: &'static [&'static [&'static str]],
    beside: &'static [&'static str],
) -> Asking {
    Asking {
        matters,
        keys,
        beside,
    }
}

/// Phrases that count as one word.
const PHRASES: &[(&str, &str)] = &[
    (" for a living ", " livelihood "),
    (" my living ", " my livelihood "),
    (" free time ", " leisure "),
    (" spare time ", " leisure "),
    (" freie zeit ", " freizeit "),
    (" go out with ", " dating "),
    (" going out with ", " dating "),
    (" mother tongue ", " tongue "),
];

/// Words that may stand in any such question.
#[rustfmt::skip]
pub(super) const ANYWHERE: &[&str] = &[
    "what", "whats", "which", "who", "whom", "whose", "whos", "is", "are", "am", "was", "were", "be", "been", "do", "does",
    "have", "has", "had", "got", "i", "i'm", "i've", "me", "my", "mine", "our", "we", "us", "myself", "own", "the", "a",
    "an", "any", "some", "of", "for", "with", "to", "at", "in", "by", "kind", "kinds", "sort", "sorts", "type",
    "name", "names", "named", "called", "exactly", "now", "currently", "current", "these", "days", "nowadays",
    "today", "moment", "still", "again", "please", "tell", "remind", "you", "know", "remember", "can", "could", "and",
    "hi", "hello", "hey", "there", "it", "actually",
    "was", "welche", "welcher", "welches", "welchen", "welchem", "wer", "wen", "wem", "wie", "ich", "mir", "mich", "mein",
    "meine", "meinen", "meinem", "meiner", "meines", "unser", "unsere", "wir", "uns", "habe", "hab", "haben", "hat", "bin",
    "ist", "sind", "hei\u{df}t", "heisst", "hei\u{df}en", "heissen", "der", "die", "das", "den", "dem", "ein", "eine",
    "einen", "einem", "einer", "denn", "eigentlich", "noch", "mal", "nochmal", "bitte", "sag", "wei\u{df}t", "du", "gerade",
    "derzeit", "aktuell", "jetzt", "von", "f\u{fc}r", "zu", "zur", "zum", "bei", "mit", "an", "auf", "so", "da",
];

/// Words with which somebody speaks of themselves: without one, the question is about something else.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "i", "i'm", "i've", "me", "my", "mine", "myself", "our", "we", "us", "ich", "mir", "mich", "mein", "meine", "meinen",
    "meinem", "meiner", "meines", "unser", "unsere", "wir", "uns",
];

use Matter::{
    Allergy, Birth, Boss, Car, Child, Diet, Doctor, Hobby, Home, Illness, Instrument, Landlord,
    Language, Medicine, Name, Origin, Partner, Pet, Phone, PhoneNumber, Sibling, Wish, Work,
};

/// Which words ask for what.
#[rustfmt::skip]
const ASKED: &[Asking] = &[
    asking(&[Work],
        &[&["job", "profession", "occupation", "work", "working", "livelihood", "employer", "employed", "employs", "career",
            "workplace", "beruf", "beruflich", "arbeit", "arbeite", "arbeitgeber", "arbeitsplatz"]],
        &["where", "as", "earn", "make", "money", "line", "company", "firm", "place", "how", "wo", "als"]),
    asking(&[Home],
        &[&["home", "live", "living", "based", "address", "flat", "house", "apartment", "city", "town", "residence",
            "wohne", "wohnen", "lebe", "hause", "zuhause", "daheim", "adresse", "anschrift", "wohnort", "wohnung"]],
        &["where", "country", "street", "place", "located", "wo", "stadt", "ort", "land"]),
    asking(&[Origin],
        &[&["from", "nationality", "citizenship", "hometown", "born", "her", "herkunft", "woher", "geboren"]],
        &["where", "come", "originally", "country", "komme", "stamme", "aus", "urspr\u{fc}nglich", "wo"]),
    asking(&[Name], &[&["name", "called", "hei\u{df}e", "heisse"]], &["first", "last", "full", "how"]),
    asking(&[Birth],
        &[&["old", "age", "born", "birthday", "birthdate", "birth", "alt", "alter", "geboren", "geburtstag",
            "geburtsdatum", "geburtsjahr"]],
        &["how", "when", "years", "many", "year", "date", "day", "celebrate", "wann", "jahre", "viele", "tag", "jahr"]),
    asking(&[Pet], &[&["pet", "pets", "animal", "animals", "haustier", "haustiere", "tier", "tiere"]],
        &["how", "many", "live", "keep", "home", "breed", "viele", "halte", "lebt", "leben", "wohnt"]),
    asking(&[Allergy],
        &[&["allergy", "allergies", "allergic", "intolerance", "intolerances", "allergie", "allergien", "allergisch",
            "unvertr\u{e4}glichkeit", "unvertr\u{e4}glichkeiten"]],
        &["suffer", "from", "foods", "food", "medicine", "medicines", "medication", "gegen", "wogegen", "worauf", "reagiere", "leide", "unter"]),
    asking(&[Allergy],
        &[&["medicine", "medicines", "medication", "medications", "drug", "drugs", "pills", "medikament", "medikamente"],
            &["not", "never", "avoid", "nicht", "nie", "keine", "mustn't", "shouldn't", "can't", "cannot"]],
        &["doctor", "doctors", "give", "given", "prescribe", "prescribed", "take", "must", "should", "may", "anybody",
            "arzt", "geben", "verschreiben", "nehmen", "darf", "soll", "muss", "bekommen"]),
    asking(&[Diet, Allergy],
        &[&["eat", "essen", "esse", "food", "foods", "dish", "dishes", "meal", "meals", "speisen", "gerichte"],
            &["not", "never", "avoid", "should", "must", "may", "cannot", "can't", "shouldn't", "mustn't", "nicht", "nie",
                "keine", "kein", "soll", "sollte", "darf", "muss", "meiden"]],
        &["serve", "cook", "kann"]),
    asking(&[Diet],
        &[&["eat", "diet", "dietary", "food", "foods", "essen", "esse", "ern\u{e4}hrung", "ern\u{e4}hre"]],
        &["follow", "requirements", "restrictions", "needs", "eating", "habits"]),
    asking(&[Medicine],
        &[&["medicine", "medicines", "medication", "medications", "pills", "pill", "drug", "drugs", "tablets", "meds",
            "medikament", "medikamente", "tabletten", "arznei", "arzneien"]],
        &["take", "taking", "swallow", "use", "need", "on", "every", "day", "daily", "prescribed", "nehme", "schlucke",
            "brauche", "nehmen", "muss", "must", "should"]),
    asking(&[Illness],
        &[&["illness", "illnesses", "disease", "diseases", "condition", "conditions", "diagnosis", "diagnoses", "ailments",
            "krankheit", "krankheiten", "diagnose", "diagnosen"]],
        &["suffer", "from", "medical", "chronic", "health", "leide", "unter"]),
    asking(&[Partner],
        &[&["partner", "spouse", "husband", "wife", "girlfriend", "boyfriend", "fianc\u{e9}", "fianc\u{e9}e", "fiance",
            "fiancee", "married", "dating", "together", "relationship", "partnerin", "frau", "mann", "ehefrau", "ehemann",
            "freundin", "freund", "verheiratet", "zusammen", "verlobt"]],
        &["life", "significant", "other", "half", "better"]),
    asking(&[Child], &[&["kid", "kids", "child", "children", "offspring", "kinder", "nachwuchs"]],
        &["how", "many", "viele"]),
    asking(&[Sibling], &[&["sibling", "siblings", "geschwister"]], &["how", "many", "viele"]),
    asking(&[Car], &[&["car", "cars", "vehicle", "vehicles", "drive", "auto", "wagen", "fahrzeug", "fahre"]],
        &["make", "model", "brand", "marke", "use", "driving"]),
    asking(&[Phone], &[&["phone", "smartphone", "mobile", "cellphone", "telephone", "handy", "telefon"]],
        &["use", "make", "model", "brand", "benutze", "marke", "cell", "nutze"]),
    asking(&[PhoneNumber], &[&["number", "telefonnummer", "handynummer", "nummer"]],
        &["phone", "mobile", "telephone", "cell", "telefon", "handy"]),
    asking(&[Boss],
        &[&["boss", "manager", "supervisor", "superior", "report", "chef", "chefin", "vorgesetzter", "vorgesetzte"]],
        &["line", "work", "under"]),
    asking(&[Doctor],
        &[&["doctor", "gp", "physician", "arzt", "\u{e4}rztin", "hausarzt", "haus\u{e4}rztin", "treats"]],
        &["family", "general", "practitioner", "see", "go", "gehe"]),
    asking(&[Landlord], &[&["landlord", "landlady", "vermieter", "vermieterin"]],
        &["flat", "house", "apartment", "wohnung"]),
    asking(&[Landlord], &[&["rent", "renting", "miete"], &["who", "whom", "wem", "wer"]],
        &["from", "flat", "house", "apartment", "wohne", "wohnung"]),
    asking(&[Hobby, Instrument],
        &[&["hobby", "hobbies", "pastime", "pastimes", "interests", "fun", "leisure", "freizeit", "hobbys"]],
        &["time", "like", "enjoy", "favourite", "favorite", "after", "work", "mache", "gern", "gerne"]),
    asking(&[Instrument], &[&["instrument", "instruments", "instrumente"]],
        &["play", "musical", "spiele", "learn", "learning"]),
    asking(&[Language],
        &[&["language", "languages", "tongue", "sprache", "sprachen", "muttersprache", "fremdsprachen"]],
        &["speak", "native", "mother", "first", "fluent", "fluently", "understand", "spreche", "kann", "beherrsche"]),
    asking(&[Wish],
        &[&["reply", "replies", "answer", "answers", "answered", "respond", "talk", "addressed", "spoken", "antworten",
            "antwortest", "reden", "schreiben", "sprechen"],
            &["how", "should", "want", "like", "prefer", "tone", "style", "soll", "sollst", "will", "m\u{f6}chte", "ton"]],
        &["your", "long", "write", "when", "would", "formal", "deine", "dass", "speak"]),
];

/// What a message asks for of whoever wrote it, where it asks for nothing narrower.
///
/// # Examples
///
/// ```
/// use models::{Matter, matters_asked};
///
/// assert_eq!(matters_asked("What do I do for a living?"), [Matter::Work]);
/// assert_eq!(matters_asked("What does my sister do for a living?"), []);
/// assert_eq!(matters_asked("I work as a nurse."), []);
/// ```
pub fn matters_asked(words: &str) -> Vec<Matter> {
    let mut found: Vec<Matter> = Vec::new();
    for sentence in sentences(words) {
        let Some(question) = part(&sentence.text).question else {
            continue;
        };
        for matter in asked_in(question) {
            if !found.contains(&matter) {
                found.push(matter);
            }
        }
    }
    found
}

/// What a question asks for of whoever asks it.
pub(super) fn asked_in(question: &str) -> Vec<Matter> {
    let Plain(mut words) = plain(question);
    for (phrase, word) in PHRASES {
        words = words.replace(phrase, word);
    }
    let words: Vec<&str> = words
        .split_whitespace()
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .collect();
    if !words.iter().any(|word| OWN.contains(word)) {
        return Vec::new();
    }
    let asks = |row: &&Asking| {
        let mut keys = row.keys.iter();
        let is_key = |word: &str| row.keys.iter().any(|group| group.contains(&word));
        let fits =
            |word: &str| is_key(word) || row.beside.contains(&word) || ANYWHERE.contains(&word);
        keys.all(|group| words.iter().any(|word| group.contains(word)))
            && words.iter().all(|word| fits(word))
    };
    let rows = ASKED.iter().filter(asks);
    rows.flat_map(|row| row.matters).copied().collect()
}

/// Whether a sentence tells something of somebody who belongs to whoever says it.
pub(super) fn is_of_others(sentence: &str) -> bool {
    is_of_relative(sentence) || matches!(fact::read(sentence), Reading::Fact(About::Kin, _))
}

/// Words of how something is said.
#[rustfmt::skip]
const MANNER: &[&str] = &[
    "tone", "style", "answer", "answers", "reply", "replies", "formal", "informal", "wording", "emoji", "emojis", "antworten",
    "ton", "stil", "concise", "brief",
];

/// Whether a sentence tells how whoever says it wants to be answered.
///
/// # Examples
///
/// ```
/// assert!(models::tells_conduct("Please keep your answers short."));
/// assert!(models::tells_conduct("I prefer a formal tone."));
/// assert!(!models::tells_conduct("I prefer tea."));
/// ```
pub fn tells_conduct(sentence: &str) -> bool {
    let Plain(words) = plain(sentence);
    let holds = |list: &[&str]| words.split_whitespace().any(|word| list.contains(&word));
    let is_wish = holds(&["prefer", "like", "want", "bevorzuge", "will", "mag"]);
    is_instruction(sentence) || is_wish && holds(MANNER)
}

#[cfg(test)]
#[path = "matter_tests.rs"]
mod tests;
