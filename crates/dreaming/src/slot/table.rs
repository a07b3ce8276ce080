//! The tables of the grammar: people, words of time, tools, countries.
//!
//! Data only; English.

use super::ended::Behind::{self, Death, ForGood, Trade};
use super::ended::Ending;
use super::sort::Sort::{self, Animal, Group, Partner, Taken, Thing};

/// Contractions, as they are written with and without their mark.
#[rustfmt::skip]
pub(super) const CONTRACTIONS: &[(&str, [&str; 2])] = &[
    ("i'm", ["i", "am"]), ("im", ["i", "am"]), ("i've", ["i", "have"]), ("ive", ["i", "have"]),
    ("i'd", ["i", "would"]), ("i'll", ["i", "will"]), ("we're", ["we", "are"]), ("we've", ["we", "have"]),
    ("weve", ["we", "have"]), ("we'd", ["we", "would"]), ("we'll", ["we", "will"]), ("dont", ["do", "not"]),
    ("doesnt", ["does", "not"]), ("cannot", ["can", "not"]), ("can't", ["can", "not"]),
];

/// People of whom nobody has two at a time.
#[rustfmt::skip]
pub(super) const ONLY_ONE: &[&str] = &[
    "wife", "husband", "partner", "spouse", "girlfriend", "boyfriend", "fiance", "fiancee", "mother", "mom", "mum",
    "father", "dad",
];

/// People and animals besides; of them a person may have several.
#[rustfmt::skip]
pub(super) const SEVERAL: &[&str] = &[
    "son", "daughter", "child", "children", "kid", "baby", "brother", "sister", "sibling", "parent", "grandparent",
    "grandmother", "grandma", "grandfather", "grandpa", "grandson", "granddaughter", "aunt", "uncle", "cousin",
    "niece", "nephew", "friend", "flatmate", "roommate", "housemate", "neighbour", "neighbor", "boss", "manager",
    "mentor", "colleague", "coworker", "teacher", "professor", "tutor", "coach", "doctor", "dentist", "therapist",
    "vet", "lawyer", "accountant", "landlord", "landlady", "client", "supervisor", "gp", "hairdresser", "cleaner",
    "plumber", "nanny", "dog", "cat", "puppy", "kitten", "rabbit",
    "horse", "parrot", "hamster", "pet",
];

/// Those of whom one follows another.
#[rustfmt::skip]
pub(super) const ONE_AT_A_TIME: &[&str] = &[
    "boss", "manager", "supervisor", "mentor", "landlord", "landlady", "doctor", "gp", "dentist", "therapist", "vet",
    "accountant", "lawyer", "hairdresser", "cleaner", "coach", "tutor",
];

/// Of them those of whom one speaks as of the only one: the later name holds.
#[rustfmt::skip]
pub(super) const IN_OFFICE: &[&str] = &[
    "boss", "manager", "supervisor", "landlord", "landlady", "doctor", "gp", "dentist", "therapist", "vet",
];

/// What a thing or a person is like, and yet begins with a capital.
#[rustfmt::skip]
pub(super) const WRITTEN_LIKE_NAMES: &[&str] = &[
    "american", "austrian", "british", "canadian", "catholic", "indian", "irish", "ok", "okay", "swiss",
];

/// Words of offices and parts of the world, with which two words tell no name of a person.
#[rustfmt::skip]
pub(super) const NO_PERSONS: &[&str] = &[
    "president", "director", "officer", "manager", "lead", "leader", "head", "chief", "senior", "junior", "doctor", "surgeon",
    "physician", "boss", "partner", "team", "bank", "north", "south", "east", "west", "northern", "southern", "eastern",
    "western", "central", "upper", "lower", "latin", "native", "roman", "orthodox", "black", "white", "asian", "african",
    "arab", "muslim", "christian", "jewish", "jew", "very", "so", "too", "not", "always", "never", "really", "quite", "on",
    "in", "at", "old", "new", "good", "great", "bad", "the", "my", "our", "his", "her", "out", "away", "back",
];

/// How the last of such words ends where it tells whence or of what faith somebody is.
pub(super) const NO_LAST_NAMES: &[&str] = &["an", "ish", "ese", "ic", "ist", "ite"];

/// Titles, of which the dot ends no clause, and which many have.
pub(super) const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "st"];

/// Where people work that is told without a name.
#[rustfmt::skip]
pub(super) const INSTITUTIONS: &[&str] = &[
    "hospital", "clinic", "school", "kindergarten", "university", "college", "library", "museum", "bakery", "pharmacy",
    "restaurant", "hotel", "bank", "post", "court", "brewery", "nursery", "factory", "supermarket", "workshop", "garage",
];

/// People of whom there is one.
pub(super) const KIN: &[&str] = ONLY_ONE;

/// Words before them.
#[rustfmt::skip]
pub(super) const BEFORE_KIN: &[&str] = &[
    "best", "older", "oldest", "elder", "eldest", "younger", "youngest", "little", "big", "twin", "new", "old", "late",
    "ex", "former", "first", "second",
];

/// Words that make somebody else of them.
pub(super) const FORMER: &[&str] = &["ex", "former", "late", "old", "first", "second"];

/// What may stand before a subject and only says when, or nothing.
#[rustfmt::skip]
pub(super) const FRONT: &[&str] = &[
    "the", "in", "on", "at", "since", "last", "this", "a", "one", "two", "three", "few", "couple", "of", "ago", "day",
    "days", "week", "weeks", "month", "months", "year", "years", "yesterday", "today", "recently", "now",
    "currently", "nowadays", "these", "as", "from", "well", "so", "and", "but", "actually", "by", "way", "btw", "fyi",
    "hi", "hello", "hey", "yes", "oh", "turns", "turned", "out", "second", "thought", "thoughts", "sorry", "no", "that", "update", "correction", "finally", "january", "february", "march", "april",
    "may", "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "spring", "summer", "autumn", "winter",
];

/// Auxiliary verbs and adverbs between a subject and its verb.
#[rustfmt::skip]
pub(super) const BETWEEN: &[&str] = &[
    "have", "has", "had", "do", "does", "just", "recently", "now", "currently", "finally", "actually", "already",
    "still", "been", "officially", "since",
];

/// Words, anywhere, with which something is not simply so, or holds beside something else.
#[rustfmt::skip]
pub(super) const UNSURE: &[&str] = &[
    "when", "whenever", "if", "unless", "while", "during", "sometimes", "often", "occasionally", "partly", "mostly",
    "half", "temporarily", "until", "till", "maybe", "perhaps", "probably", "would", "could", "might", "should", "almost",
    "nearly", "virtually", "basically", "every", "each", "weekends", "weekdays", "weekend", "mornings", "evenings",
    "nights", "summers", "winters", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
    "sundays", "also", "too", "second", "another", "other", "both", "part-time", "side", "imagine", "pretend",
    "dream", "novel", "game", "story", "thinks", "says", "said", "wish", "whether", "used",
];

/// Words behind a value, with which something new begins.
#[rustfmt::skip]
pub(super) const BEHIND: &[&str] = &[
    "in", "on", "since", "with", "because", "and", "but", "last", "this", "next", "yesterday", "today", "now",
    "recently", "ago", "a", "two", "three", "four", "five", "after", "near", "by", "so", "instead", "again", "any",
    "anymore", "as", "from", "to", "at", "where", "which", "who", "these", "nowadays",
];

/// For what somebody moves or works.
#[rustfmt::skip]
pub(super) const REASONS: &[&str] = &[
    "work", "love", "good", "family", "university", "studies", "years", "months", "now", "two", "three", "four",
    "five", "six", "seven", "eight", "nine", "ten", "many", "over",
];

/// Words before the name of a place where somebody lives.
#[rustfmt::skip]
pub(super) const BEFORE_PLACE: &[&str] = &[
    "a", "an", "the", "my", "our", "own", "small", "smaller", "big", "bigger", "larger", "new", "old", "little",
    "beautiful", "quiet", "flat", "apartment", "house", "village", "town", "city", "suburb", "district", "outskirts",
    "north", "south", "east", "west", "centre", "center", "countryside", "of", "in", "near", "outside", "close", "to",
    "back",
];

/// Words before the name of somebody for whom one works.
#[rustfmt::skip]
pub(super) const BEFORE_EMPLOYER: &[&str] = &[
    "a", "an", "the", "city", "town", "university", "hospital", "ministry", "bank", "of", "company", "called", "now",
];

/// Names of tools, of chats and of days; nobody lives in one, or is employed by it.
#[rustfmt::skip]
pub(super) const NO_PLACES: &[&str] = &[
    "linux", "ubuntu", "debian", "fedora", "arch", "windows", "macos", "mac", "android", "ios", "vim", "neovim",
    "emacs", "helix", "zed", "sublime", "vscode", "code", "docker", "podman", "kubernetes", "slack", "python", "rust",
    "react", "vue", "svelte", "angular", "typescript", "javascript", "java", "go", "kotlin", "swift", "ruby", "scala",
    "elixir", "haskell", "zig", "c", "aws", "azure", "gcp", "firefox", "chrome", "safari", "brave", "obsidian",
    "notion", "logseq", "jira", "trello", "asana", "linear", "postgresql", "postgres", "mysql", "mariadb", "sqlite",
    "redis", "mongo", "kafka", "elasticsearch", "github", "gitlab", "git", "bitbucket", "teams", "zoom", "discord",
    "telegram", "whatsapp", "signal", "matrix", "excel", "word", "sheets", "gmail", "outlook", "proton",
    "thunderbird", "production", "staging", "terraform", "ansible", "nix", "flutter", "django", "flask", "rails",
    "node", "deno", "bun", "bash", "zsh", "fish", "tmux", "markdown", "latex", "english", "plan", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
];

/// Whole countries and continents: who lives in a city lives in one of them, too.
#[rustfmt::skip]
pub(super) const COUNTRIES: &[&str] = &[
    "europe", "asia", "africa", "america", "australia", "austria", "germany", "switzerland", "france", "italy",
    "spain", "portugal", "england", "scotland", "wales", "britain", "uk", "ireland", "netherlands", "holland",
    "belgium", "luxembourg", "denmark", "norway", "sweden", "finland", "iceland", "poland", "czechia", "slovakia",
    "slovenia", "hungary", "croatia", "serbia", "bosnia", "montenegro", "albania", "macedonia", "greece", "bulgaria",
    "romania", "moldova", "ukraine", "russia", "belarus", "estonia", "latvia", "lithuania", "turkey", "israel",
    "egypt", "morocco", "tunisia", "algeria", "nigeria", "kenya", "ghana", "india", "china", "japan", "korea",
    "taiwan", "vietnam", "thailand", "indonesia", "malaysia", "philippines", "pakistan", "bangladesh", "iran",
    "iraq", "canada", "usa", "us", "mexico", "brazil", "argentina", "chile", "peru", "colombia", "cuba", "states",
    "zealand", "kingdom", "republic", "california", "texas", "bavaria", "tyrol", "styria",
];

/// Things of which one has one value, after `my`.
#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[&str] = &[
    "name", "full name", "first name", "last name", "surname", "birthday", "address", "home address",
    "postal address", "phone number", "mobile number", "email", "email address", "age", "height", "weight",
    "e-mail", "e-mail address", "mail address", "number", "telephone number", "phone", "mobile", "mobile phone number",
    "cell number", "cell phone number", "cell", "home number", "shoe size", "blood type", "timezone", "time zone", "hometown", "nationality", "pronouns", "salary", "rent",
    "employer",
];

/// Nouns for the same thing.
#[rustfmt::skip]
pub(super) const SAME_ATTRIBUTES: &[&[&str]] = &[
    &["phone number", "number", "telephone number", "phone"],
    &["mobile number", "mobile", "mobile phone number", "cell number", "cell phone number", "cell"],
    &["email", "email address", "e-mail", "e-mail address", "mail address"],
    &["address", "home address", "postal address"], &["timezone", "time zone"],
];

/// Of them those whose value is one number, however it is spaced.
pub(super) const KINDS_OF_NUMBER: &[&str] = &[
    "phone number",
    "mobile number",
    "home number",
    "work phone number",
    "work mobile number",
    "office phone number",
    "business phone number",
    "business mobile number",
];

/// Values that are written small.
#[rustfmt::skip]
pub(super) const COLOURS: &[&str] = &[
    "red", "green", "blue", "yellow", "orange", "purple", "violet", "pink", "black", "white", "grey", "gray", "brown",
    "turquoise", "teal",
];

const fn ending(phrase: &'static str, sorts: &'static [Sort], behind: Behind) -> Ending {
    Ending {
        phrase,
        sorts,
        behind,
    }
}

/// What comes to an end by itself: said of somebody or something.
#[rustfmt::skip]
pub(super) const ENDED_BY_FATE: &[Ending] = &[
    ending("died", &[Animal], Death), ending("passed away", &[Animal], Death), ending("passed on", &[Animal], Trade),
    ending("put down", &[Animal], Death), ending("put to sleep", &[Animal], Death), ending("dead", &[Animal], Death),
    ending("ran away", &[Animal], ForGood), ending("run away", &[Animal], ForGood), ending("rehomed", &[Animal], Trade),
    ending("broke down for good", &[Thing], Trade), ending("stolen", &[Thing], Trade), ending("sold", &[Thing, Animal], Trade),
    ending("given away", &[Thing, Animal], Trade), ending("cancelled", &[Group], Trade),
];

/// What the owner ends: said of what follows.
#[rustfmt::skip]
pub(super) const ENDED_BY_OWNER: &[Ending] = &[
    ending("sold", &[Thing, Animal], Trade), ending("gave away", &[Thing, Animal], Trade),
    ending("got rid of", &[Thing, Animal], Trade), ending("no longer have", &[Thing, Animal], Trade),
    ending("no longer own", &[Thing, Animal], Trade), ending("do not have", &[Thing, Animal], ForGood),
    ending("rehomed", &[Animal], Trade), ending("put down", &[Animal], Trade), ending("buried", &[Animal], Trade),
    ending("returned", &[Thing], ForGood), ending("stopped taking", &[Taken], Trade), ending("came off", &[Taken], Trade), ending("no longer take", &[Taken], Trade),
    ending("cancelled", &[Group], Trade), ending("canceled", &[Group], Trade), ending("stopped going to", &[Group], Trade),
    ending("no longer go to", &[Group], Trade), ending("quit", &[Group], ForGood), ending("left", &[Group, Partner], ForGood),
    ending("gave up", &[Group, Thing], ForGood), ending("dropped out of", &[Group], Trade),
    ending("divorced", &[Partner], Trade), ending("separated from", &[Partner], Trade), ending("broke up with", &[Partner], Trade),
    ending("split up with", &[Partner], Trade), ending("terminated", &[Group], Trade),
    ending("stopped", &[Group], ForGood), ending("ended", &[Group], ForGood),
    ending("finished", &[Group], Trade), ending("completed", &[Group], Trade),
];

/// What ends between the owner and somebody.
#[rustfmt::skip]
pub(super) const ENDED_BETWEEN: &[Ending] = &[
    ending("split up", &[Partner], ForGood), ending("broke up", &[Partner], ForGood), ending("separated", &[Partner], ForGood),
    ending("divorced", &[Partner], ForGood), ending("got divorced", &[Partner], ForGood), ending("parted", &[Partner], ForGood),
    ending("split", &[Partner], ForGood),
];

/// Ends of things and of ties that are told as something done; who has left a church or quit smoking tells how it is since.
#[rustfmt::skip]
pub(super) const EVENTS: &[&str] = &[
    "stolen", "sold", "gave away", "got rid of", "rehomed", "returned", "cancelled", "canceled", "terminated", "stopped", "ended",
    "stopped taking", "came off", "no longer take", "broke up with", "split up with", "split up", "broke up", "split", "parted",
];

/// Animals that people keep.
#[rustfmt::skip]
pub(super) const ANIMALS: &[&str] = &[
    "dog", "cat", "puppy", "kitten", "rabbit", "horse", "parrot", "hamster", "pet", "pony", "budgie", "tortoise", "guinea",
    "canary", "hen", "goat", "sheep", "donkey", "fish", "snake", "lizard", "ferret", "bunny", "greyhound", "cats", "dogs",
];

/// Those whom one lives with and may part from.
pub(crate) const PARTNERS: &[&str] = &[
    "wife",
    "husband",
    "partner",
    "spouse",
    "girlfriend",
    "boyfriend",
    "fiance",
    "fiancee",
];

/// Things that are bought and sold.
#[rustfmt::skip]
pub(super) const OWNED: &[&str] = &[
    "car", "van", "motorbike", "motorcycle", "scooter", "bike", "bicycle", "boat", "caravan", "camper", "trailer", "phone",
    "laptop", "computer", "tablet", "watch", "camera", "piano", "violin", "guitar", "cello", "printer", "console", "drone",
    "cottage", "house", "flat",
];

/// What one joins and leaves.
#[rustfmt::skip]
pub(super) const GROUPS: &[&str] = &[
    "club", "choir", "gym", "band", "orchestra", "team", "church", "party", "union", "course", "class", "membership",
    "subscription", "association",
];

/// What of a thing one pays for: who gave it up has given up the thing.
pub(super) const PAID_FOR: &[&str] = &["membership", "subscription", "abo", "mitgliedschaft"];

/// What one studies for, and brings to an end.
pub(super) const STUDIES: &[&str] = &[
    "phd",
    "doctorate",
    "master",
    "masters",
    "master's",
    "bachelor",
    "bachelors",
    "bachelor's",
    "degree",
    "apprenticeship",
    "traineeship",
    "internship",
    "diploma",
];

/// Words that are written like names where they begin a line, and words behind a thing.
#[rustfmt::skip]
pub(super) const NO_NAMES: &[&str] = &[
    "i", "we", "my", "our", "the", "a", "an", "and", "or", "in", "on", "at", "of", "for", "to", "with", "last", "this",
    "that", "yesterday", "today", "ago", "two", "three", "one", "because", "since", "by", "any", "anymore", "more", "when",
    "after", "before", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "it", "them", "him", "her", "all", "some", "both", "he", "she", "they", "his", "their", "there", "it's", "is",
    "herr", "frau", "mr", "mrs", "ms", "dr", "st", "always", "never", "please", "user", "owner", "job", "work",
    "so", "every",
];
