//! The words for people and animals of somebody, in English and German.
//!
//! Data only, in lower case.

/// A person or an animal, by what they are to somebody.
#[derive(Debug)]
pub(super) struct Relative {
    /// With which words it is asked for; each of them names it, too.
    pub(super) asked: &'static [&'static str],
    /// Which words name it besides, or say something of it.
    pub(super) besides: &'static [&'static str],
}

const fn relative(asked: &'static [&'static str], besides: &'static [&'static str]) -> Relative {
    Relative { asked, besides }
}

/// What tells that somebody has, or had, a partner.
#[rustfmt::skip]
const WED: &[&str] = &[
    "married", "engaged", "divorced", "separated", "widowed", "dating", "spouse", "partner",
    "partnerin", "verheiratet", "verlobt", "geheiratet", "geschieden", "verwitwet",
];

const PARENTS: &[&str] = &["parents", "eltern"];

const CHILDREN: &[&str] = &[
    "child",
    "children",
    "kid",
    "kids",
    "baby",
    "babies",
    "twins",
    "triplets",
    "eldest",
    "oldest",
    "youngest",
    "kind",
    "kinder",
    "kindern",
    "zwillinge",
];

const SIBLINGS: &[&str] = &["sibling", "siblings", "twin", "geschwister"];

/// Who may be asked for.
#[rustfmt::skip]
pub(super) const RELATIVES: &[Relative] = &[
    relative(&["mother", "mum", "mom", "mummy", "mommy", "mama", "mutter", "mutti"], PARENTS),
    relative(&["father", "dad", "daddy", "papa", "vater", "vati"], PARENTS),
    relative(&["parents", "parent", "eltern"],
        &["mother", "mum", "mom", "mutter", "mama", "father", "dad", "vater", "papa"]),
    relative(&["sister", "sisters", "schwester", "schwestern"], SIBLINGS),
    relative(&["brother", "brothers", "bruder", "br\u{fc}der"], SIBLINGS),
    relative(&["sibling", "siblings", "geschwister"],
        &["sister", "sisters", "brother", "brothers", "twin", "schwester", "schwestern", "bruder", "br\u{fc}der"]),
    relative(&["son", "sons", "sohn", "s\u{f6}hne"], CHILDREN),
    relative(&["daughter", "daughters", "tochter", "t\u{f6}chter"], CHILDREN),
    relative(&["child", "children", "kid", "kids", "baby", "kind", "kinder"],
        &["son", "sons", "daughter", "daughters", "twins", "triplets", "eldest", "oldest", "youngest", "sohn", "s\u{f6}hne",
            "tochter", "t\u{f6}chter", "zwillinge"]),
    relative(&["wife", "ehefrau", "frau"], WED),
    relative(&["husband", "ehemann", "mann"], WED),
    relative(&["partner", "partnerin", "spouse"],
        &["wife", "husband", "girlfriend", "boyfriend", "fianc\u{e9}", "fianc\u{e9}e", "fiance", "fiancee", "married", "engaged",
            "dating", "divorced", "separated", "frau", "mann", "freundin", "freund", "verlobte", "verlobter", "verheiratet"]),
    relative(&["girlfriend", "boyfriend", "fianc\u{e9}", "fianc\u{e9}e", "fiance", "fiancee", "verlobte", "verlobter"],
        &["partner", "dating", "engaged", "freundin", "freund", "verlobt"]),
    relative(&["freundin", "freund"], &["girlfriend", "boyfriend", "friend", "friends", "partner", "partnerin", "freunde"]),
    relative(&["friend", "friends", "freunde"], &["mate", "freund", "freundin"]),
    relative(&["grandmother", "grandma", "granny", "gran", "nan", "nana", "oma", "gro\u{df}mutter", "grossmutter"],
        &["grandparents", "gro\u{df}eltern"]),
    relative(&["grandfather", "grandpa", "grandad", "granddad", "opa", "gro\u{df}vater", "grossvater"],
        &["grandparents", "gro\u{df}eltern"]),
    relative(&["grandparents", "gro\u{df}eltern"],
        &["grandmother", "grandma", "granny", "gran", "grandfather", "grandpa", "grandad", "oma", "opa"]),
    relative(&["grandson", "enkel", "enkelsohn"], &["grandchild", "grandchildren", "grandkids", "enkelkinder"]),
    relative(&["granddaughter", "enkelin", "enkeltochter"], &["grandchild", "grandchildren", "grandkids", "enkelkinder"]),
    relative(&["grandchild", "grandchildren", "grandkids", "enkelkinder", "enkelkind"],
        &["grandson", "grandsons", "granddaughter", "granddaughters", "enkel", "enkelin"]),
    relative(&["aunt", "auntie", "aunts", "tante"], &[]),
    relative(&["uncle", "uncles", "onkel"], &[]),
    relative(&["cousin", "cousins", "cousine", "vetter"], &[]),
    relative(&["niece", "nieces", "nichte"], &[]),
    relative(&["nephew", "nephews", "neffe"], &[]),
    relative(&["mother-in-law", "schwiegermutter"], &["in-laws", "parents-in-law", "schwiegereltern"]),
    relative(&["father-in-law", "schwiegervater"], &["in-laws", "parents-in-law", "schwiegereltern"]),
    relative(&["brother-in-law", "schwager"], &[]),
    relative(&["sister-in-law", "schw\u{e4}gerin"], &[]),
    relative(&["son-in-law", "schwiegersohn"], &[]),
    relative(&["daughter-in-law", "schwiegertochter"], &[]),
    relative(&["stepmother", "stepmum", "stepmom", "stiefmutter"], &[]),
    relative(&["stepfather", "stepdad", "stiefvater"], &[]),
    relative(&["stepson", "stiefsohn"], &["stepchildren", "stepkids"]),
    relative(&["stepdaughter", "stieftochter"], &["stepchildren", "stepkids"]),
    relative(&["stepbrother", "stiefbruder"], &[]),
    relative(&["stepsister", "stiefschwester"], &[]),
    relative(&["godmother", "patentante"], &["godparents"]),
    relative(&["godfather", "patenonkel"], &["godparents"]),
    relative(&["godson", "goddaughter", "godchild", "patenkind"], &["godchildren"]),
    relative(&["neighbour", "neighbours", "neighbor", "neighbors", "nachbar", "nachbarin", "nachbarn"], &[]),
    relative(&["flatmate", "flatmates", "roommate", "roommates", "housemate", "housemates", "mitbewohner", "mitbewohnerin"], &[]),
    relative(&["colleague", "colleagues", "coworker", "kollege", "kollegin", "kollegen"], &[]),
    relative(&["boss", "chef", "chefin"], &["manager", "supervisor", "report", "vorgesetzter", "vorgesetzte"]),
    relative(&["dog", "dogs", "puppy", "hund", "hunde", "h\u{fc}ndin"], &["pup", "welpe"]),
    relative(&["cat", "cats", "kitten", "katze", "katzen", "kater"], &["tomcat"]),
    relative(&["rabbit", "rabbits", "bunny", "kaninchen", "hase"], &[]),
    relative(&["horse", "pony", "pferd"], &["mare", "stallion", "gelding", "stute", "hengst"]),
    relative(&["hamster"], &[]),
    relative(&["parrot", "papagei"], &[]),
    relative(&["tortoise", "turtle", "schildkr\u{f6}te"], &[]),
];

/// Those of them whose things are those of the household: who asks for `my dog's vet` told of `our vet`.
pub(super) const ANIMALS: &[&str] = &[
    "dog", "cat", "rabbit", "horse", "hamster", "parrot", "tortoise",
];

/// Words that may stand before them.
#[rustfmt::skip]
pub(super) const BEFORE: &[&str] = &[
    "best", "old", "older", "oldest", "elder", "eldest", "young", "younger", "youngest", "little", "big", "twin", "late",
    "new", "first", "second", "third", "middle", "only", "own", "dear", "other", "two", "three", "four", "ex", "great",
    "half", "upstairs", "downstairs", "kleine", "kleiner", "kleinen", "gro\u{df}e", "gro\u{df}er", "gro\u{df}en", "\u{e4}ltere",
    "\u{e4}lterer", "\u{e4}lteste", "j\u{fc}ngere", "j\u{fc}ngerer", "j\u{fc}ngste", "beste", "bester", "liebe", "lieber", "neue",
    "neuer", "alte", "alter", "zweite", "zweiter", "erste", "erster", "beiden", "zwei", "drei",
];

/// What somebody has to do with who is named by the word before: `my dog walker` is no dog.
#[rustfmt::skip]
pub(super) const BEHIND: &[&str] = &[
    "walker", "walkers", "sitter", "sitters", "groomer", "trainer", "breeder", "food", "bed", "bowl", "basket", "toy", "toys",
    "collar", "lead", "leash", "school", "show", "litter", "flap", "minder", "seat", "support", "benefit", "allowance", "shower",
    "monitor", "carrier", "insurance", "vet", "lover", "person", "people", "tax", "park", "hair", "hotel", "kennel", "riding",
    "box", "stable", "club", "group", "country", "city", "company", "firm", "organisation", "organization",
];

/// Words with which somebody speaks of what is theirs.
#[rustfmt::skip]
pub(super) const MINE: &[&str] = &[
    "my", "our", "mein", "meine", "meinen", "meinem", "meiner", "meines", "unser", "unsere", "unseren", "unserem", "unserer",
];

/// Words before what belongs to somebody else.
#[rustfmt::skip]
pub(super) const OF_OTHERS: &[&str] = &[
    "her", "his", "their", "your", "ihr", "ihre", "ihren", "ihrem", "ihrer", "sein", "seine", "seinen", "seinem", "seiner",
    "dein", "deine", "deinen", "deinem", "deiner",
];

/// Words with which the next sentence speaks of whoever the one before named.
#[rustfmt::skip]
pub(super) const PRONOUNS: &[&str] = &[
    "he", "he's", "she", "she's", "they", "they're", "it", "it's", "his", "her", "their", "er", "sie", "seine", "sein", "ihr", "ihre",
];

/// The same verbs and pronouns as somebody says them of themselves.
#[rustfmt::skip]
pub(super) const OF_ONESELF: &[(&str, &str)] = &[
    ("lives", "live"), ("works", "work"), ("lebt", "lebe"), ("wohnt", "wohne"), ("arbeitet", "arbeite"), ("hei\u{df}t", "hei\u{df}e"),
    ("heisst", "heisse"), ("leben", "lebe"), ("eats", "eat"), ("speaks", "speak"), ("drives", "drive"), ("takes", "take"),
];

/// Words of an age or of the day on which somebody was born.
#[rustfmt::skip]
pub(super) const OF_BIRTH: &[&str] = &[
    "birthday", "born", "birth", "age", "aged", "turns", "turned", "turning", "geboren", "geburtstag", "jahre", "toddler",
    "newborn", "teenager",
];

/// Words before an age.
#[rustfmt::skip]
pub(super) const BEFORE_AGE: &[&str] = &[
    "is", "are", "was", "were", "he's", "she's", "they're", "ist", "sind", "wird", "wurde", "now", "already", "just", "nearly",
    "almost", "about", "over", "jetzt", "schon", "fast",
];

/// Words behind the number of an age.
#[rustfmt::skip]
pub(super) const SPANS: &[&str] = &[
    "year", "years", "month", "months", "weeks", "jahr", "jahre", "monate", "wochen",
];

/// Numbers of an age.
#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy",
    "eighty", "ninety", "ein", "eins", "zwei", "drei", "vier", "f\u{fc}nf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
    "zw\u{f6}lf", "dreizehn", "vierzehn", "f\u{fc}nfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
    "drei\u{df}ig", "vierzig", "f\u{fc}nfzig", "sechzig", "siebzig", "achtzig", "neunzig",
];

/// Words of a home.
#[rustfmt::skip]
pub(super) const OF_HOME: &[&str] = &[
    "live", "lives", "lived", "living", "moved", "moving", "home", "house", "flat", "apartment", "address", "based", "stays",
    "settled", "near", "neighbour", "neighbor", "wohnt", "wohnen", "lebt", "leben", "zog", "gezogen", "zieht", "wohnung", "haus",
    "adresse", "daheim", "zuhause",
];

/// Beginnings of words of what somebody must not be given.
#[rustfmt::skip]
pub(super) const OF_ALLERGY: &[&str] = &[
    "allerg", "intoleran", "hives", "hay", "hayfever", "coeliac", "celiac", "lactose", "gluten", "react", "rash", "anaphyl",
    "epipen", "vertr\u{e4}gt", "unvertr\u{e4}glich", "heuschnupfen", "laktose", "tolerate",
];

/// Words of something else than a job.
#[rustfmt::skip]
pub(super) const NOT_OF_WORK: &[&str] = &[
    "live", "lives", "lived", "moved", "birthday", "born", "turns", "turned", "allergic", "allergy", "called", "named", "hei\u{df}t",
    "heisst", "wohnt", "lebt", "geburtstag", "geboren", "allergisch",
];

/// Words for several people or animals that do not end as such words do.
#[rustfmt::skip]
pub(super) const SEVERAL: &[&str] = &[
    "children", "kinder", "s\u{f6}hne", "t\u{f6}chter", "schwestern", "br\u{fc}der", "geschwister", "freunde", "enkelkinder",
    "grandchildren", "eltern", "gro\u{df}eltern", "nachbarn", "kollegen", "hunde", "katzen",
];

/// Words that have a capital at the start of a sentence, beside the common ones of English.
#[rustfmt::skip]
pub(super) const NO_NAMES: &[&str] = &[
    "yesterday", "today", "tonight", "tomorrow", "here", "both", "each", "one", "two", "three", "four", "it's", "he's", "she's",
    "they're", "we're", "we've", "we'll", "us", "him", "that's", "what's", "who's", "whose", "whom", "hello", "hi", "thanks", "yes",
    "everybody", "everyone", "nobody", "somebody", "someone", "only", "even", "maybe", "perhaps", "sometimes", "usually", "often",
    "last", "next", "since", "before", "because", "while", "although", "though", "during", "until", "once", "still", "again", "each",
    "another", "other", "new", "old", "most", "many", "much", "few", "every", "too", "soon", "later", "then", "well", "meanwhile",
    "er", "sie", "es", "ich", "wir", "ihr", "du", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "einen", "einem",
    "wer", "wie", "wo", "was", "wann", "warum", "welche", "welcher", "hier", "dort", "heute", "gestern", "morgen", "und", "aber",
    "auch", "beide", "seit", "sein", "seine", "ihre", "am", "im", "in", "bei", "mit", "von", "nach", "f\u{fc}r", "jetzt",
];

/// Words with which somebody says that they have somebody.
#[rustfmt::skip]
pub(super) const HAVING: &[&str] = &[
    "have", "has", "had", "got", "i've", "we've", "adopted", "habe", "hab", "haben", "hat",
];

/// Words with which somebody speaks of themselves.
pub(super) const SPEAKING: &[&str] = &[
    "i", "i'm", "i've", "we", "we're", "me", "us", "ich", "wir", "mir", "mich", "uns",
];
