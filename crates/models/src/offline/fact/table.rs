//! The tables of the grammar: people and animals, things of a person, verbs, adjectives.
//!
//! Data only; English, since no rule of it holds for another language.

/// People and animals that belong to somebody.
#[rustfmt::skip]
pub(super) const KIN: &[&str] = &[
    "wife", "husband", "partner", "spouse", "fiance", "fianc\u{e9}", "fiancee", "fianc\u{e9}e", "girlfriend",
    "boyfriend", "mother", "mom", "mum", "father", "dad", "parent", "son", "daughter", "child", "children",
    "kid", "baby", "twin", "triplet", "brother", "sister", "sibling", "stepmother", "stepfather", "stepson",
    "stepdaughter", "stepbrother", "stepsister", "grandmother", "grandma", "granny", "grandfather", "grandpa",
    "grandparent", "grandson", "granddaughter", "grandchild", "grandchildren", "aunt", "uncle", "cousin",
    "niece", "nephew", "godfather", "godmother", "godson", "goddaughter", "mother-in-law", "father-in-law",
    "brother-in-law", "sister-in-law", "in-law", "friend", "flatmate", "roommate", "housemate", "neighbour",
    "neighbor", "boss", "manager", "mentor", "supervisor", "colleague", "coworker", "co-worker", "assistant",
    "teacher", "professor", "tutor", "coach", "doctor", "gp", "dentist", "therapist", "physiotherapist", "vet",
    "lawyer", "accountant", "landlord", "landlady", "tenant", "client", "nanny", "babysitter", "cleaner",
    "hairdresser", "midwife", "ex", "dog", "cat", "puppy", "kitten", "rabbit", "horse", "pony", "parrot",
    "hamster", "pet", "turtle", "tortoise", "goldfish", "canary", "budgie", "guinea-pig", "chicken", "goat",
    "cow", "donkey", "snake", "ferret", "family", "plumber", "electrician", "caretaker", "gardener", "childminder",
    "paediatrician", "pediatrician", "orthodontist", "optician", "psychologist", "psychiatrist", "godchild", "godchildren", "grandkid",
    "bird", "hen", "pig", "contractor", "carer", "adviser", "advisor", "trainer", "broker",
];

/// Words before them.
#[rustfmt::skip]
pub(super) const BEFORE_KIN: &[&str] = &[
    "best", "old", "older", "oldest", "elder", "eldest", "young", "younger", "youngest", "little", "big", "twin",
    "late", "former", "new", "first", "second", "third", "middle", "only", "own", "dear", "current", "other",
    "half", "great", "two", "three", "four", "five", "six", "black", "white", "brown", "grey", "rescue", "pet",
    "adopted", "female", "male", "guinea", "good", "close", "family",
];

/// What a person has one value of, and keeps.
#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[&str] = &[
    "name", "surname", "nickname", "birthday", "birthdate", "anniversary", "address", "email", "e-mail", "phone",
    "number", "job", "title", "profession", "occupation", "employer", "company", "school", "university",
    "college", "degree", "major", "hometown", "city", "village", "neighbourhood", "neighborhood", "nationality",
    "citizenship", "language", "tongue", "pronouns", "age", "height", "weight", "type", "size", "timezone", "zone",
    "hobby", "hobbies", "car", "bike", "bicycle", "motorbike", "boat", "house", "flat", "apartment", "office",
    "diet", "religion", "sign", "allergy", "allergies", "plate", "insurance", "bank", "gym", "club", "team",
    "band", "choir", "instrument", "salary", "rent", "commute", "shift", "wedding", "passport", "visa",
    "licence", "license", "lease", "laptop", "computer", "blood", "favourite", "favorite", "garden", "cottage",
    "breed", "hobbys", "username", "handle",
];

/// Words before the noun of such a value, as in `shoe size` and `native language`.
#[rustfmt::skip]
pub(super) const BEFORE_ATTRIBUTE: &[&str] = &[
    "full", "first", "last", "middle", "maiden", "given", "legal", "native", "mother", "home", "work", "private",
    "personal", "postal", "mobile", "phone", "shoe", "ring", "blood", "star", "time", "date", "job", "new", "old",
    "current", "main", "preferred", "wedding", "email", "e-mail", "car", "driving", "driver", "health", "license", "licence",
    "number", "local", "professional", "favourite", "favorite", "day", "mailing", "dress", "shirt", "work", "collar", "hat",
    "glove", "trouser", "trousers", "jeans", "waist", "helmet", "jacket", "coat", "suit", "sock", "frame",
];

/// What somebody has for long, besides people and animals.
#[rustfmt::skip]
pub(super) const POSSESSIONS: &[&str] = &[
    "allergy", "allergies", "diabetes", "asthma", "adhd", "autism", "dyslexia", "migraine", "migraines",
    "epilepsy", "arthritis", "hypertension", "eczema", "pacemaker", "coeliac", "celiac", "intolerance",
    "disability", "house", "flat", "apartment", "garden", "car", "bike", "motorbike", "boat", "caravan", "cottage",
    "farm", "degree", "phd", "doctorate", "masters", "diploma", "licence", "license", "job", "business", "company",
    "shop", "studio", "restaurant", "bakery", "allotment", "piano", "violin", "guitar", "tattoo", "tattoos",
    "citizenship", "passport", "birthday",
];

/// Places where somebody earns a living, and what one may run, leave or join.
#[rustfmt::skip]
pub(super) const WORKPLACES: &[&str] = &[
    "job", "position", "company", "firm", "business", "bakery", "shop", "store", "caf\u{e9}", "cafe", "restaurant",
    "bar", "farm", "studio", "startup", "start-up", "clinic", "practice", "school", "university", "college",
    "kindergarten", "gym", "agency", "consultancy", "hotel", "guesthouse", "workshop", "brewery", "winery",
    "gallery", "nonprofit", "charity", "franchise", "salon", "nursery", "department", "team", "hospital", "army",
    "navy", "police", "church", "choir", "band", "club", "orchestra", "union", "party", "career", "course",
    "apprenticeship", "internship", "studies", "phd", "doctorate", "masters", "bachelor", "degree", "training",
    "traineeship", "blog", "podcast", "newsletter", "bookshop", "garage", "pharmacy", "newspaper", "magazine",
    "bookstore", "nursing", "role", "apprentice", "therapy",
];

/// Where somebody lives.
#[rustfmt::skip]
pub(super) const HOMES: &[&str] = &[
    "flat", "apartment", "house", "home", "place", "city", "town", "village", "country", "countryside", "suburb",
    "suburbs", "district", "street", "coast", "mountains", "cottage", "farm", "studio", "capital", "island",
    "neighbourhood", "neighborhood", "dormitory", "dorm", "area", "region", "sea", "seaside", "lake", "north",
    "south", "east", "west", "bungalow", "condo", "houseboat", "caravan", "outskirts", "centre", "center",
];

/// Names of tools; nobody lives in one.
#[rustfmt::skip]
pub(super) const TOOLS: &[&str] = &[
    "linux", "ubuntu", "debian", "windows", "macos", "mac", "android", "ios", "vim", "neovim", "emacs", "docker",
    "kubernetes", "slack", "python", "rust", "react", "typescript", "javascript", "java", "go", "kotlin", "aws",
    "azure", "firefox", "chrome", "obsidian", "notion", "postgresql", "postgres", "mysql", "sqlite", "redis",
    "github", "gitlab", "git", "teams", "zoom", "discord", "telegram", "whatsapp", "signal", "excel", "word",
    "gmail", "outlook", "production", "staging", "plan", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "helix", "vscode", "terraform", "flutter", "django", "flask", "node",
];

/// Adjectives that say what somebody is for long.
#[rustfmt::skip]
pub(super) const LASTING: &[&str] = &[
    "allergic", "intolerant", "diabetic", "vegan", "vegetarian", "pescatarian", "coeliac", "celiac", "pregnant",
    "deaf", "blind", "colour-blind", "color-blind", "colourblind", "colorblind", "colour", "color", "left-handed",
    "right-handed", "asthmatic", "autistic", "dyslexic", "epileptic", "lactose", "lactose-intolerant", "gluten",
    "gluten-free", "married", "single", "divorced", "widowed", "engaged", "separated", "retired", "unemployed",
    "self-employed", "freelance", "bilingual", "trilingual", "adopted", "gay", "lesbian", "straight", "bisexual",
    "trans", "non-binary", "nonbinary", "religious", "atheist", "employed", "hypertensive", "short-sighted",
    "nearsighted", "farsighted", "near-sighted", "long-sighted", "handicapped", "disabled", "sober", "childless",
    "fluent", "native", "left", "right",
];

/// Nouns after `a` that make a passing state of it: `a bit tired`.
#[rustfmt::skip]
pub(super) const PASSING_NOUNS: &[&str] = &[
    "bit", "little", "lot", "mess", "wreck", "minute", "moment", "hour", "few", "couple", "second", "tad", "touch",
    "hurry", "rush", "fix", "bind", "meeting", "call", "loss", "way", "while", "step", "position", "newcomer",
    "beginner", "newbie", "bad", "good", "great",
];

/// What `the` somebody may be for long.
#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "mother", "father", "owner", "head", "director", "ceo", "cto", "founder", "co-founder", "manager", "captain",
    "oldest", "eldest", "youngest", "only", "chair", "president", "secretary", "treasurer", "lead", "author",
    "principal", "son", "daughter", "godmother", "godfather", "landlord", "caretaker",
];

/// What somebody may be in for long.
#[rustfmt::skip]
pub(super) const INSIDE: &[&str] = &[
    "sales", "it", "finance", "marketing", "banking", "insurance", "education", "healthcare", "hr", "relationship",
    "band", "choir", "army", "navy", "orchestra", "wheelchair", "twenties", "thirties", "forties", "fifties",
    "sixties", "seventies", "eighties", "politics", "construction", "logistics", "therapy",
];

/// Words of somebody who feels or is somehow for the moment, and words that qualify a thing.
#[rustfmt::skip]
pub(super) const STATES: &[&str] = &[
    "great", "good", "bad", "nice", "fine", "ok", "okay", "well", "ill", "sick", "tired", "busy", "happy", "sad",
    "angry", "cute", "sweet", "lovely", "kind", "funny", "mean", "late", "early", "here", "there", "home", "away",
    "back", "out", "up", "down", "off", "gone", "lost", "dirty", "broken", "stressful", "boring", "hard", "easy",
    "slow", "fast", "old", "new", "young", "hungry", "thirsty", "sleepy", "asleep", "awake", "wonderful",
    "beautiful", "amazing", "awesome", "terrible", "horrible", "annoying", "noisy", "loud", "quiet", "calm", "mad",
    "upset", "worried", "nervous", "excited", "glad", "proud", "right", "wrong", "important", "private", "secret",
    "different", "fat", "thin", "tall", "short", "big", "small", "huge", "tiny", "smart", "clever", "lazy", "shy",
    "strict", "free", "full", "empty", "ready", "sure", "unsure", "coming", "going", "everything", "nothing",
    "not", "very", "so", "too", "quite", "really", "pretty", "rather", "super", "a bit", "always", "still",
    "dead", "alive", "better", "worse", "best", "worst", "more", "less", "like", "it", "this", "that", "mine",
    "yours", "what", "where", "why", "how", "who", "when", "as", "soon", "almost", "nearly", "just", "only",
    "crazy", "weird", "strange", "cold", "hot", "warm", "wet", "dry", "clean", "expensive", "cheap", "irrelevant",
    "unknown", "missing", "stolen", "public", "due", "over", "approaching", "about", "to", "being", "sorry",
];

/// What may not begin what is liked: it points at something that stood before.
#[rustfmt::skip]
pub(super) const POINTING: &[&str] = &[
    "", "it", "this", "that", "these", "those", "them", "the", "your", "you", "how", "what", "when", "where", "to",
    "him", "her", "his", "their", "its", "one", "a", "an", "so", "some", "both", "having", "seeing", "getting",
    "hearing", "knowing", "and", "but", "because", "for", "with", "if", "everything", "all", "more", "anything",
    "something", "our", "my", "being", "that's", "using", "working",
];

/// What follows a verb of a habit where it is no habit: `I play it`.
#[rustfmt::skip]
pub(super) const NO_HABIT: &[&str] = &[
    "it", "this", "that", "these", "those", "them", "around", "back", "how", "what", "to", "you", "your", "into",
    "out", "through",
];

/// Adverbs that change nothing about what is stated.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "also", "always", "now", "currently", "just", "still", "really", "actually", "already", "recently", "finally",
    "usually", "mostly", "mainly", "originally", "basically", "both", "all", "officially", "only", "even", "truly",
    "completely", "severely", "highly", "mildly", "seriously", "soon", "newly", "happily", "proudly", "generally",
    "normally", "primarily", "often", "sometimes", "rarely", "sadly", "have", "has", "had", "been", "am", "is",
    "are", "was", "were", "be", "do", "does", "did", "will", "can", "slightly", "extremely", "very", "hardly",
    "kind", "sort", "of", "deathly", "strictly", "freshly", "ever", "each", "too", "so", "absolutely",
];

/// What may stand before the subject and says when, or nothing.
#[rustfmt::skip]
pub(super) const FRONTING: &[&str] = &[
    "well", "so", "and", "but", "also", "actually", "by", "the", "way", "btw", "fyi", "hi", "hello", "hey", "ok",
    "okay", "yes", "yeah", "no", "oh", "anyway", "besides", "note", "remember", "please", "that", "for", "record",
    "just", "know", "in", "fact", "as", "be", "clear", "to", "correction", "update", "sorry", "unfortunately",
    "sadly", "luckily", "fortunately", "since", "until", "from", "on", "at", "of", "last", "next", "this", "ago",
    "yesterday", "today", "tomorrow", "tonight", "recently", "currently", "nowadays", "these", "days", "day",
    "moment", "now", "right", "soon", "then", "a", "an", "one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "few", "couple", "week", "weeks", "month", "months", "year", "years", "summer", "winter",
    "spring", "autumn", "fall", "morning", "afternoon", "evening", "night", "weekend", "weekends", "weekday",
    "weekdays", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "starting", "keep",
    "mind", "do", "not", "forget", "work", "living", "context", "background", "about", "me", "again", "after",
    "all", "beginning", "end", "early", "late", "mid", "too", "thanks", "good", "half", "later", "more",
    "personal", "thought", "thoughts", "first", "second", "third", "good", "news", "because",
];

/// What somebody says before saying something: `I should mention that`.
#[rustfmt::skip]
pub(super) const ANNOUNCING: &[&str] = &[
    "should", "must", "have", "to", "want", "wanted", "would", "like", "just", "also", "mention", "say", "tell",
    "add", "note", "know", "you", "let", "that", "forgot", "need", "can", "and", "will", "might", "be", "honest",
];

/// What stands before a colon and says nothing, besides such words.
#[rustfmt::skip]
pub(super) const LABELS: &[&str] = &[
    "quick", "thing", "things", "info", "something", "heads-up", "reminder", "fact", "facts", "question", "before", "i",
    "forget", "one", "more", "here", "is",
];

/// The last of such words.
pub(super) const ANNOUNCED: &[&str] = &["mention", "say", "you", "add", "note", "know", "that"];

/// Whole nouns of a day that comes each year.
pub(super) const YEARLY: &[&str] = &["birthday", "anniversary", "nameday", "wedding"];

/// What somebody does for the moment.
#[rustfmt::skip]
pub(super) const MOMENTARY: &[&str] = &[
    "sitting", "standing", "waiting", "walking", "eating", "sleeping", "watching", "listening", "feeling", "heading",
    "lying", "resting", "freezing", "starving", "dying", "boarding", "queueing", "queuing", "shopping", "cooking",
    "commuting", "kidding", "joking", "leaving", "coming", "driving", "having", "getting",
];

/// Words that name a time to come.
#[rustfmt::skip]
pub(super) const TO_COME: &[&str] = &[
    "tomorrow", "tonight", "next", "soon", "week", "month", "year", "weekend", "summer", "winter", "spring",
    "autumn", "today", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "may",
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
    "december", "christmas", "easter",
];

/// Words that show that something is only so today.
#[rustfmt::skip]
pub(super) const TODAY: &[&str] = &["today", "tonight", "moment"];

/// Numbers that are written out.
#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
    "sixty", "seventy", "eighty", "ninety",
];

/// What may follow a number that is an age or a measure of somebody.
#[rustfmt::skip]
pub(super) const MEASURES: &[&str] = &[
    "", "years", "year", "yo", "cm", "kg", "feet", "pounds", "lbs", "and", "now", "next", "in", "this", "tomorrow",
    "on", "months", "weeks",
];

/// Articles, numbers and adjectives before a thing.
#[rustfmt::skip]
pub(super) const BEFORE_THING: &[&str] = &[
    "a", "an", "the", "my", "our", "own", "new", "old", "small", "little", "big", "large", "second", "first", "no",
    "any", "not", "one", "two", "three", "four", "five", "six", "seven", "eight", "many", "some", "several",
    "older", "younger", "elder", "twin", "best", "severe", "mild", "serious", "bad", "chronic", "type", "full-time", "part-time", "full", "part", "time", "local", "family", "black",
    "white", "brown", "grey", "red", "blue", "green", "electric", "bigger", "smaller", "larger", "nicer", "cheaper", "used", "sailing", "great", "lovely", "young",
    "different", "same", "another", "guinea", "half", "rescue", "pet", "wonderful", "adult", "grown-up", "teenage", "1",
    "2", "3", "4", "5", "his", "her", "their", "beautiful", "masters", "master's", "driving", "driver's", "drivers",
    "'s", "master", "bachelor", "driver", "brand", "next", "current", "step", "week-old", "year-old", "month-old",
];

/// Words with which something new begins behind a thing.
#[rustfmt::skip]
pub(super) const BEHIND: &[&str] = &[
    "in", "on", "at", "with", "without", "for", "of", "and", "but", "or", "to", "from", "near", "by", "since", "last",
    "this", "next", "yesterday", "today", "tomorrow", "now", "named", "called", "who", "that", "which", "whose", "again",
    "when", "because", "after", "before", "as", "one", "two", "three", "four", "five", "a", "an", "any", "anymore",
    "together", "here", "there", "abroad", "already", "too", "so", "while", "until", "if", "where", "about",
    "around", "outside", "during", "is", "'s", "years", "early", "recently", "ago", "then", "though",
    "soon", "instead", "either",
];

/// What is given up for good.
#[rustfmt::skip]
pub(super) const VICES: &[&str] = &[
    "smoking", "drinking", "alcohol", "coffee", "sugar", "meat", "gluten", "dairy", "vaping", "gambling", "my", "work",
    "working", "football", "running",
];

/// Words before them.
pub(super) const BEFORE_TONGUE: &[&str] = &[
    "a", "bit", "little", "of", "some", "fluent", "good", "basic", "native", "only", "both",
    "mostly",
];

/// Adjectives that last only with one of these behind them: `right handed`, `native speaker`.
#[rustfmt::skip]
pub(super) const ONLY_WITH: &[(&[&str], &[&str])] = &[
    (&["left", "right"], &["handed"]),
    (&["native"], &["speaker"]),
    (&["colour", "color"], &["blind"]),
    (&["fluent"], &["in"]),
    (&["lactose", "gluten"], &["intolerant", "free"]),
];

/// Adjectives that last where nothing follows them, or one of these: `blind in one eye`.
#[rustfmt::skip]
pub(super) const LASTING_WITH: &[(&[&str], &[&str])] = &[
    (&["single", "straight", "gay", "lesbian", "bisexual", "trans", "religious", "atheist", "sober", "disabled",
        "handicapped", "childless"], &["since", "for", "again", "now", "and", "but", "any", "anymore"]),
    (&["blind", "deaf"], &["in", "on", "since", "from", "and", "but"]),
    (&["divorced", "widowed"], &["since", "for", "and", "but", "with", "in", "now"]),
    (&["pregnant"], &["again", "and", "now", "since", "any", "anymore"]),
    (&["retired", "unemployed"], &["since", "for", "and", "but", "now", "in", "from", "again", "at"]),
    (&["married", "engaged", "separated"], &["since", "for", "and", "but", "now", "again", "any", "anymore"]),
];
