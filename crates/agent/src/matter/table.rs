//! With which words somebody tells what they do, have and are, and with which it is looked for.
//!
//! Data only; English and German, in lower case, without articles and adverbs.

use models::Matter;

/// How something is told.
#[derive(Debug)]
pub(super) struct Telling {
    pub(super) matter: Matter,
    /// Nouns behind `my`, and behind a verb of having.
    pub(super) nouns: &'static [&'static str],
    /// The same by what they are a kind of.
    pub(super) kinds: &'static [&'static str],
    /// How the words behind `I` begin.
    pub(super) says: &'static [&'static str],
    /// What to look for, each a search of its own.
    pub(super) sought: &'static [&'static str],
}

/// Verbs with which somebody tells that they have something.
#[rustfmt::skip]
pub(super) const HAVING: &[&str] = &[
    "have", "have got", "got", "own", "keep", "adopted", "bought", "drive", "use", "rescued", "ride", "lease", "sold", "lost",
    "had", "no longer have", "do not have", "habe", "haben", "besitze", "fahre", "halte", "halten", "benutze", "nutze",
];

/// Verbs behind which a language is one that somebody knows.
#[rustfmt::skip]
pub(super) const SPEAKING: &[&str] = &[
    "speak", "can speak", "spreche", "am learning", "learn", "lerne", "am fluent", "am native", "know",
];

/// Words that change nothing of what is told.
#[rustfmt::skip]
pub(super) const BETWEEN: &[&str] = &[
    "a", "an", "the", "also", "always", "now", "currently", "just", "still", "really", "actually", "already", "recently",
    "finally", "both", "very", "strictly", "severely", "mostly", "mainly", "only", "ein", "eine", "einen", "einem", "einer",
    "der", "die", "das", "den", "dem", "jetzt", "nun", "auch", "noch", "schon", "sehr", "immer", "gerade", "leider", "seit",
    "von", "beruf", "strikt",
];

/// Words that end what stands before them.
#[rustfmt::skip]
pub(super) const BEHIND: &[&str] = &[
    "called", "named", "and", "or", "at", "who", "that", "which", "with", "from", "since", "for", "but", "because", "of", "on",
    "under", "near", "as", "too", "today", "yesterday", "is", "are", "whose", "namens", "mit", "und", "oder", "in",
];

/// Words behind which a noun is not what is had.
#[rustfmt::skip]
pub(super) const APART: &[&str] = &[
    "of", "to", "in", "at", "for", "from", "with", "on", "about", "by", "who", "that", "which", "'s", "former", "previous",
    "late", "ex", "my", "f\u{fc}r", "mit", "bei", "in", "auf", "zu",
];

/// Words for what is so no more.
#[rustfmt::skip]
pub(super) const FORMER: &[&str] = &[
    "former", "late", "ex", "previous", "fr\u{fc}here", "fr\u{fc}herer", "fr\u{fc}heres", "ehemalige", "ehemaliger", "ehemaliges",
    "verstorbene", "verstorbener", "erste", "erster", "letzte", "letzter",
];

/// What somebody runs who tells what they do, besides kinds of shops.
#[rustfmt::skip]
pub(super) const BUSINESSES: &[&str] = &[
    "shop", "store", "business", "company", "firm", "farm", "bakery", "restaurant", "caf\u{e9}", "cafe", "bar", "pub", "hotel",
    "guesthouse", "studio", "clinic", "practice", "agency", "consultancy", "salon", "workshop", "brewery", "winery", "gallery",
    "garage", "gym", "startup", "nursery", "kindergarten", "bookshop", "pharmacy", "kiosk", "stall", "laundry", "dairy",
];

/// Verbs with which they tell that.
pub(super) const RUNNING: &[&str] = &["run", "own", "manage", "opened", "started", "co-own"];

/// What somebody is who is told by their trade, as far as English nouns are a kind of it.
pub(super) const TRADES: &[&str] = &[
    "worker",
    "professional",
    "educator",
    "engineer",
    "scientist",
    "artist",
    "performer",
    "writer",
    "employee",
    "official",
    "serviceman",
    "creator",
    "farmer",
    "entertainer",
    "businessman",
    "administrator",
    "craftsman",
    "communicator",
];

/// How German words for trades end, in the masculine.
#[rustfmt::skip]
pub(super) const TRADE_ENDINGS: &[&str] = &[
    "lehrer", "arzt", "\u{e4}rzt", "pfleger", "schwester", "ingenieur", "entwickler", "programmierer", "informatiker",
    "tischler", "schreiner", "koch", "k\u{f6}ch", "verk\u{e4}ufer", "b\u{e4}cker", "elektriker", "mechaniker", "anwalt",
    "anw\u{e4}lt", "polizist", "rentner", "pensionist", "kellner", "buchhalter", "architekt", "friseur", "g\u{e4}rtner",
    "k\u{fc}nstler", "musiker", "pilot", "sekret\u{e4}r", "beamter", "beamt", "bauer", "b\u{e4}uer", "landwirt",
    "journalist", "berater", "leiter", "techniker", "meister", "maler", "fahrer", "richter", "student", "forscher",
    "wissenschaftler", "apotheker", "hebamme", "therapeut", "psycholog", "biolog", "chemiker", "physiker", "notar",
    "makler", "fotograf", "schauspieler", "autor", "\u{fc}bersetzer", "dolmetscher", "grafiker", "designer", "metzger",
    "fleischer", "maurer", "dachdecker", "installateur", "schlosser", "schneider", "erzieher", "bibliothekar",
];

/// How everything that can be asked for is told.
#[rustfmt::skip]
pub(super) const TOLD: &[Telling] = &[
    Telling {
        matter: Matter::Work,
        nouns: &["job", "profession", "occupation", "employer", "work", "trade", "beruf", "arbeit", "arbeitgeber"],
        kinds: &[],
        says: &["work as", "work at", "work for", "work in", "work part-time", "work full-time", "work from home", "am working as", "am working at", "am working for", "am employed", "am self-employed", "am freelance",
            "am retired", "am unemployed", "am out of work", "am between jobs", "teach", "started as", "started at",
            "started new job", "started job", "got job", "found job", "quit my job", "quit job", "left my job", "lost my job", "retired",
            "work nights", "work night shifts", "work shifts", "work evenings", "work weekends", "was fired", "was laid off", "am head of", "am in charge of", "resigned",
            "arbeite", "bin angestellt", "bin selbst\u{e4}ndig", "bin selbstst\u{e4}ndig", "bin arbeitslos", "bin in pension",
            "bin in rente", "unterrichte", "habe gek\u{fc}ndigt"],
        sought: &["work job", "employed profession", "run own bakery shop restaurant", "teach", "started job", "quit job", "retired", "arbeite Beruf", "gek\u{fc}ndigt"],
    },
    Telling {
        matter: Matter::Home,
        nouns: &["home", "flat", "house", "apartment", "address", "place", "wohnung", "haus", "adresse", "anschrift"],
        kinds: &[],
        says: &["live", "am living", "moved", "have moved", "relocated", "rent flat", "rent apartment", "rent house",
            "share flat", "am based", "wohne", "wohnen", "lebe", "leben", "bin nach", "sind nach", "bin umgezogen"],
        sought: &["live", "moved", "flat house", "address", "wohne", "gezogen", "Adresse"],
    },
    Telling {
        matter: Matter::Origin,
        nouns: &["nationality", "citizenship", "hometown", "nationalit\u{e4}t"],
        kinds: &[],
        says: &["am originally from", "originally come from", "was born in", "grew up in", "komme aus", "stamme aus"],
        sought: &["born", "grew", "come from", "hometown nationality", "originally", "geboren", "komme stamme"],
    },
    Telling {
        matter: Matter::Name,
        nouns: &["name", "nickname", "vorname", "nachname", "spitzname"],
        kinds: &[],
        says: &["am called", "hei\u{df}e", "heisse", "go by"],
        sought: &["name called", "hei\u{df}e", "Name"],
    },
    Telling {
        matter: Matter::Birth,
        nouns: &["birthday", "age", "birthdate", "birth", "geburtstag", "alter", "geburtsdatum"],
        kinds: &[],
        says: &["was born", "am turning", "celebrate my birthday", "bin geboren", "bin am", "bin im", "wurde am", "wurde im"],
        sought: &["born", "birthday", "years old", "turned", "geboren", "Geburtstag", "Jahre alt"],
    },
    Telling {
        matter: Matter::Pet,
        nouns: &["dog", "dogs", "cat", "cats", "puppy", "kitten", "rabbit", "rabbits", "horse", "pony", "parrot", "hamster",
            "pet", "pets", "budgie", "budgies", "tortoise", "canary", "hens", "goat", "goats", "snake", "lizard", "ferret",
            "fish", "goldfish", "animals", "hund", "hunde", "katze", "katzen", "kater", "h\u{fc}ndin", "hase", "hasen", "kaninchen",
            "pferd", "vogel", "wellensittich", "meerschweinchen", "papagei", "schildkr\u{f6}te", "haustier", "haustiere"],
        kinds: &["dog", "cat", "parrot", "rabbit", "tortoise"],
        says: &[],
        sought: &["dog", "cat", "pet", "rabbit hamster", "parrot horse", "Hund", "Katze", "Hase Kaninchen", "Haustier"],
    },
    Telling {
        matter: Matter::Allergy,
        nouns: &["allergy", "allergies", "intolerance", "allergie", "allergien", "unvertr\u{e4}glichkeit"],
        kinds: &["allergy"],
        says: &["am allergic", "am lactose", "am lactose-intolerant", "am gluten", "am intolerant", "can not tolerate",
            "react badly to", "have hay fever", "get hives", "have coeliac", "have celiac", "am coeliac", "am celiac",
            "bin allergisch", "vertrage kein", "vertrage keine", "vertrage keinen", "habe heuschnupfen"],
        sought: &["allergic allergy", "intolerant intolerance", "hay fever", "allergisch", "Allergie", "vertrage"],
    },
    Telling {
        matter: Matter::Medicine,
        nouns: &["medication", "medicine", "medicines", "pills", "tablets", "inhaler", "insulin", "medikament", "medikamente",
            "tabletten"],
        kinds: &[],
        says: &[],
        sought: &["medication medicine", "tablets pills", "take", "prescribed", "doctor put", "Medikament", "Tabletten",
            "nehme"],
    },
    Telling {
        matter: Matter::Illness,
        nouns: &["diabetes", "asthma", "migraine", "migraines", "epilepsy", "arthritis", "hypertension", "eczema", "adhd",
            "diagnosis", "illness", "disease", "condition", "diagnose", "krankheit", "bluthochdruck", "rheuma", "epilepsie",
            "migr\u{e4}ne"],
        kinds: &["disease", "disorder", "illness"],
        says: &["am diabetic", "am asthmatic", "am epileptic", "suffer from", "was diagnosed", "have been diagnosed",
            "leide an", "leide unter", "bin diabetiker", "bin diabetikerin", "bin asthmatiker", "bin asthmatikerin"],
        sought: &["diabetes asthma", "illness disease", "diagnosed", "suffer", "Diagnose", "leide Krankheit"],
    },
    Telling {
        matter: Matter::Partner,
        nouns: &["wife", "husband", "partner", "spouse", "girlfriend", "boyfriend", "fianc\u{e9}", "fianc\u{e9}e", "fiance",
            "fiancee", "frau", "mann", "ehefrau", "ehemann", "partnerin", "freundin", "freund", "verlobte", "verlobter"],
        kinds: &[],
        says: &["am married", "got married", "married", "am engaged", "am dating", "am seeing", "am going out with",
            "am single", "am divorced", "am widowed", "am separated", "am together with", "bin verheiratet", "bin verlobt",
            "bin geschieden", "bin single"],
        sought: &["wife", "husband", "girlfriend boyfriend", "partner", "married", "divorced separated", "Frau Mann",
            "Freundin Freund", "verheiratet"],
    },
    Telling {
        matter: Matter::Child,
        nouns: &["son", "sons", "daughter", "daughters", "child", "children", "kid", "kids", "baby", "twins", "sohn",
            "s\u{f6}hne", "tochter", "t\u{f6}chter", "kind", "kinder", "zwillinge"],
        kinds: &[],
        says: &["became father", "became mother", "am father of", "am mother of"],
        sought: &["son", "daughter", "children kids", "baby twins", "Sohn", "Tochter", "T\u{f6}chter", "S\u{f6}hne", "Kinder"],
    },
    Telling {
        matter: Matter::Sibling,
        nouns: &["brother", "brothers", "sister", "sisters", "sibling", "siblings", "bruder", "br\u{fc}der", "schwester",
            "schwestern", "geschwister"],
        kinds: &[],
        says: &["am only child", "bin einzelkind"],
        sought: &["brother", "sister", "siblings", "Bruder", "Schwester", "Geschwister"],
    },
    Telling {
        matter: Matter::Diet,
        nouns: &["diet", "ern\u{e4}hrung", "di\u{e4}t"],
        kinds: &[],
        says: &["am vegan", "am vegetarian", "am pescatarian", "do not eat", "never eat", "eat no", "eat kosher", "eat halal",
            "eat vegan", "eat vegetarian", "eat meat", "eat fish", "eat everything", "eat gluten", "follow vegan", "follow vegetarian", "follow keto", "follow gluten",
            "can not eat", "keep kosher", "no longer eat", "stopped eating", "became vegan", "became vegetarian", "went vegan",
            "bin vegan", "bin vegetarisch", "bin vegetarier", "bin vegetarierin", "bin veganer", "bin veganerin", "esse kein",
            "esse keine", "esse keinen", "esse nur", "esse nicht", "esse wieder", "esse vegetarisch", "esse vegan",
            "ern\u{e4}hre mich"],
        sought: &["vegetarian vegan", "eat", "diet", "esse", "Vegetarier vegetarisch", "Veganer vegan", "ern\u{e4}hre"],
    },
    Telling {
        matter: Matter::Car,
        nouns: &["car", "cars", "van", "motorbike", "motorcycle", "scooter", "camper", "auto", "wagen", "motorrad", "moped"],
        kinds: &["car", "motorcycle"],
        says: &[],
        sought: &["car", "drive", "bought", "van motorbike", "Auto", "fahre", "Wagen Motorrad"],
    },
    Telling {
        matter: Matter::Phone,
        nouns: &["phone", "smartphone", "mobile", "handy", "cellphone"],
        kinds: &[],
        says: &[],
        sought: &["phone", "smartphone mobile", "iphone", "pixel samsung", "fairphone nokia", "Handy"],
    },
    Telling {
        matter: Matter::PhoneNumber,
        nouns: &["number", "phone", "mobile", "cell", "handynummer", "telefonnummer", "nummer", "handy"],
        kinds: &[],
        says: &[],
        sought: &["phone number", "mobile", "Telefonnummer", "Handynummer Nummer"],
    },
    Telling {
        matter: Matter::Boss,
        nouns: &["boss", "manager", "supervisor", "chef", "chefin", "vorgesetzter", "vorgesetzte"],
        kinds: &[],
        says: &["report to"],
        sought: &["boss", "manager", "supervisor report", "Chef", "Vorgesetzter"],
    },
    Telling {
        matter: Matter::Doctor,
        nouns: &["doctor", "gp", "physician", "arzt", "\u{e4}rztin", "hausarzt", "haus\u{e4}rztin"],
        kinds: &[],
        says: &["am patient of"],
        sought: &["doctor", "gp physician", "Arzt", "Hausarzt"],
    },
    Telling {
        matter: Matter::Landlord,
        nouns: &["landlord", "landlady", "vermieter", "vermieterin"],
        kinds: &[],
        says: &["rent from", "am renting from"],
        sought: &["landlord", "landlady", "rent", "Vermieter"],
    },
    Telling {
        matter: Matter::Hobby,
        nouns: &["hobby", "hobbies", "pastime", "hobbys"],
        kinds: &[],
        says: &["collect", "paint", "knit", "sew", "garden", "hike", "climb", "swim", "ski", "surf", "dance", "sing", "fish",
            "bake", "draw", "read", "cycle", "jog", "run every", "sail", "go hiking", "go running", "go swimming", "go climbing", "go fishing", "go dancing",
            "go sailing", "go skiing", "go cycling", "go jogging", "go riding", "go camping", "go surfing", "do yoga", "play chess", "play football",
            "play tennis", "play golf", "play cards", "play basketball", "play volleyball", "play badminton", "love", "enjoy", "like", "am keen on", "am into", "am member of", "train",
            "sammle", "male", "stricke", "n\u{e4}he", "wandere", "klettere", "schwimme", "tanze", "singe", "angle", "backe",
            "zeichne", "lese", "gehe gern", "gehe gerne", "spiele", "mache gern", "laufe", "jogge", "segle", "koche gern",
            "liebe"],
        sought: &["hobby", "play", "collect", "enjoy love", "go every weekend", "paint knit garden", "hiking climbing swimming",
            "Hobby", "spiele", "gern", "sammle"],
    },
    Telling {
        matter: Matter::Instrument,
        nouns: &["violin", "viola", "cello", "piano", "guitar", "flute", "drums", "trumpet", "harp", "clarinet", "saxophone",
            "organ", "accordion", "bass", "banjo", "geige", "klavier", "gitarre", "cello", "fl\u{f6}te", "schlagzeug", "trompete", "klarinette"],
        kinds: &[],
        says: &[],
        sought: &["play", "piano violin", "guitar cello", "spiele", "Klavier Geige", "Gitarre"],
    },
    Telling {
        matter: Matter::Language,
        nouns: &["language", "languages", "tongue", "muttersprache", "sprache"],
        kinds: &[],
        says: &[],
        sought: &["speak", "language tongue", "learning", "spreche", "Muttersprache", "lerne"],
    },
    Telling {
        matter: Matter::Wish,
        nouns: &[],
        kinds: &[],
        says: &[],
        sought: &["answers", "reply", "answer", "tone", "formal", "bullet emoji", "antworte", "Antworten"],
    },
];
