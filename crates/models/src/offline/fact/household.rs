//! The tables of a household: its things, its routines, its illnesses and aids, who looks after it.
//!
//! Data only; English, like the other tables.

/// Things of a person or a household of which something may hold for years.
#[rustfmt::skip]
pub(super) const THINGS: &[&str] = &[
    // Home.
    "rent", "mortgage", "deposit", "lease", "flat", "apartment", "house", "garage", "cellar", "basement", "attic",
    "balcony", "garden", "shed", "cottage", "allotment", "wifi", "wi-fi", "router", "network", "internet", "key",
    "lock", "alarm", "doorbell", "fuse", "box", "meter", "tap", "valve", "boiler", "heating", "thermostat",
    "dishwasher", "oven", "stove", "fridge", "freezer", "machine", "dryer", "hoover", "vacuum", "kettle", "microwave",
    "sofa", "bed", "mattress", "chimney", "roof", "bin", "rubbish", "recycling", "trash", "garbage", "paper", "electricity",
    "gas", "water", "bill", "fee", "letterbox", "mailbox", "intercom",
    // Getting about.
    "car", "van", "motorbike", "scooter", "bike", "bicycle", "boat", "caravan", "trailer", "tyre", "tire", "plate",
    "inspection", "mot", "spot", "space", "permit", "bus", "train", "tram", "ticket", "pass", "railcard", "commute",
    // Papers and money.
    "insurance", "policy", "pension", "fund", "bank", "account", "iban", "card", "loan", "salary", "income",
    "subscription", "membership", "contract", "passport", "visa", "licence", "license", "id", "tax", "number", "code",
    "allowance",
    // Health.
    "allergy", "prescription", "medication", "tablet", "pill", "inhaler", "insulin", "pressure", "cholesterol", "iron",
    "glasses", "lens", "lenses", "hearing", "aid", "pacemaker", "crown", "vaccination", "surgery", "checkup", "check-up",
    "appointment", "period", "diet",
    // Devices.
    "phone", "mobile", "laptop", "computer", "tablet", "watch", "printer", "scanner", "camera", "tv", "television",
    "kindle", "headphones", "speaker", "console", "iphone", "ipad", "macbook", "pc", "monitor", "keyboard", "drone",
    // Places and groups.
    "office", "desk", "locker", "seat", "room", "school", "kindergarten", "nursery", "daycare", "gym", "club", "choir",
    "band", "orchestra", "team", "church", "parish", "pharmacy", "surgery", "library", "pool", "stable", "class",
    // Dates.
    "wedding", "anniversary", "birthday", "graduation", "confirmation", "christening", "retirement", "email", "e-mail",
    "mail", "address", "piano", "violin", "guitar", "hobby",
];

/// Things of which everybody speaks: after `the` they are surely the owner's only with a word that says so.
#[rustfmt::skip]
pub(super) const ANYBODYS: &[&str] = &[
    "key", "lock", "box", "number", "code", "network", "account", "paper", "card", "machine", "watch", "camera", "monitor",
    "keyboard", "console", "speaker", "team", "class", "library", "pool", "room", "seat", "space", "spot", "plate", "bus",
    "train", "ticket", "pass", "period", "policy", "contract", "bill", "fee", "fund", "bank", "tap", "valve",
    "church", "stable", "address", "mail", "id", "crown", "pressure", "surgery", "computer", "tablet", "band", "club", "bed",
    "iron", "roof", "garden", "boat", "drone", "phone", "desk", "permit", "plate", "lens", "aid",
];

/// Words before such a thing that make it one of the owner's home.
pub(super) const HOMELY: &[&str] = &[
    "spare", "front", "back", "house", "cellar", "washing", "coffee", "sewing", "choir", "gym",
    "wlan", "wifi",
];

/// Words of a price or a fact that holds for others: `on average`, `in the listing`.
pub(super) const GENERAL: &[&str] = &[
    "average",
    "listing",
    "listings",
    "typical",
    "typically",
    "advert",
    "ad",
    "article",
    "example",
];

/// What comes on a day and is over then.
pub(super) const APPOINTMENTS: &[&str] = &["appointment", "checkup", "check-up"];

/// Things that have a place and are looked for.
#[rustfmt::skip]
pub(super) const PLACED: &[&str] = &[
    "key", "fuse", "box", "meter", "tap", "valve", "router", "kit", "safe", "document", "passport", "torch", "toolbox",
    "manual", "will", "code", "bin", "boiler", "locker", "pharmacy", "school", "office", "garage", "cottage", "allotment", "desk",
    "room", "kindergarten", "nursery", "gym", "seat", "spot", "space", "letterbox",
];

/// Things of which the date counts.
#[rustfmt::skip]
pub(super) const DATED: &[&str] = &[
    "wedding", "anniversary", "birthday", "graduation", "confirmation", "christening", "retirement", "inspection",
    "mot", "surgery", "lease", "contract", "insurance", "passport", "visa", "permit", "vaccination",
];

/// Things of a program, whatever they are called.
#[rustfmt::skip]
pub(super) const CODE: &[&str] = &[
    "function", "method", "class", "variable", "parameter", "argument", "field", "file", "folder", "directory", "table",
    "column", "branch", "repo", "repository", "module", "package", "script", "endpoint", "server", "database", "bucket",
    "image", "container", "job", "test", "component", "service", "library", "crate", "type", "struct", "constant",
    "question", "problem", "issue", "point", "guess", "idea", "code", "commit", "document", "page", "element", "button", "plan", "choice",
    "cluster", "pod", "node", "model", "host", "instance", "header", "app", "website", "framework", "compiler", "api", "tool",
    "algorithm", "query", "queue", "thread", "process", "pipeline", "dataset", "network",
    "answer", "vote", "pick", "suggestion", "preference", "destination", "trip", "flight", "deadline",
];

/// Adverbs between `is` and a value.
#[rustfmt::skip]
pub(super) const FITTED: &[&str] = &[
    "now", "still", "usually", "normally", "always", "also", "currently", "about", "around", "roughly", "exactly", "only",
    "already", "both", "all",
];

/// Words of what is so only for a while.
#[rustfmt::skip]
pub(super) const TEMPORARY: &[&str] = &[
    "today", "tonight", "tomorrow", "yesterday", "again", "soon", "minutes", "minute", "late",
];

/// Prepositions between a thing and what it belongs to.
#[rustfmt::skip]
pub(super) const PREPOSITIONS: &[&str] = &[
    "in", "of", "at", "for", "to", "from", "on", "with", "near",
];

/// How often money is paid.
pub(super) const RATES: &[&str] = &["monthly", "yearly", "annually", "weekly"];

/// Spans of time that come again.
#[rustfmt::skip]
pub(super) const SPANS: &[&str] = &[
    "day", "morning", "evening", "night", "noon", "afternoon", "lunchtime", "week", "weekend", "weekday", "month", "year",
    "summer", "winter", "spring", "autumn", "fall", "christmas", "easter", "hour", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december", "birthday", "quarter", "fortnight", "season",
];

/// Meals and other fixed points of a day.
pub(super) const MEALS: &[&str] = &[
    "breakfast",
    "lunch",
    "dinner",
    "supper",
    "bedtime",
    "meals",
    "food",
    "noon",
    "school",
    "work",
];

/// Illnesses and findings that stay.
#[rustfmt::skip]
pub(super) const ILLNESSES: &[&str] = &[
    "allergy", "allergies", "diabetes", "asthma", "adhd", "add", "autism", "dyslexia", "migraine", "epilepsy", "arthritis",
    "arthrosis", "hypertension", "eczema", "psoriasis", "intolerance", "disability",
    "anaemia", "anemia", "thyroid", "hypothyroidism", "osteoporosis", "dementia", "alzheimer", "parkinson", "cancer",
    "hayfever", "apnea", "apnoea", "reflux", "gout", "endometriosis", "coeliac", "celiac", "scoliosis",
    "tinnitus", "glaucoma", "cataract", "crohn", "colitis", "lupus", "sclerosis", "murmur", "deficiency", "depression",
];

/// Illnesses of two words.
#[rustfmt::skip]
pub(super) const ILLNESS_PAIRS: &[(&[&str], &[&str])] = &[
    (&["high", "low"], &["cholesterol", "iron", "blood", "thyroid"]),
    (&["heart", "kidney", "liver", "lung", "thyroid"], &["condition", "disease", "failure", "murmur", "problem", "problems", "transplant"]),
    (&["hay"], &["fever"]),
    (&["one", "no", "artificial", "false"], &["kidney", "eye", "lung", "ear", "leg", "arm", "hip", "teeth", "spleen", "appendix"]),
    (&["bad", "weak"], &["knee", "knees", "back", "hip", "heart", "hearing", "eyesight"]),
    (&["blood"], &["thinners", "disorder"]),
    (&["chronic"], &["pain", "fatigue", "bronchitis", "back"]),
];

/// Medicines that are taken for long.
#[rustfmt::skip]
pub(super) const MEDICINES: &[&str] = &[
    "thinner", "insulin", "statin", "medication", "blocker", "antidepressant", "thyroxine", "levothyroxine", "metformin",
    "methotrexate", "steroid", "ritalin", "pill", "dialysis", "diet",
];

/// What helps with them.
#[rustfmt::skip]
pub(super) const AIDS: &[&str] = &[
    "inhaler", "epipen", "insulin", "glasses", "lenses", "wheelchair", "crutches", "cane", "frame", "walker", "pacemaker",
    "brace", "braces", "medication", "tablet", "pill", "antihistamine", "hearing", "stairlift", "prosthesis", "orthotics",
    "insoles", "oxygen", "cpap", "stick", "stent", "denture", "stoma", "implant",
];

/// Adjectives of health and diet.
#[rustfmt::skip]
pub(super) const HEALTHY: &[&str] = &[
    "allergic", "intolerant", "diabetic", "vegan", "vegetarian", "pescatarian", "coeliac", "celiac", "pregnant", "deaf",
    "asthmatic", "autistic", "dyslexic", "epileptic", "lactose-intolerant", "gluten-free", "left-handed", "colour-blind",
    "color-blind", "short-sighted", "nearsighted", "anaemic", "anemic",
];

/// Where children and students go.
#[rustfmt::skip]
pub(super) const SCHOOLS: &[&str] = &[
    "school", "kindergarten", "nursery", "daycare", "preschool", "playgroup", "university", "college", "uni", "gymnasium",
];

/// Days of a person that come each year, and what one asks them for.
pub(super) const ANNUAL: &[&str] = &[
    "birthday",
    "anniversary",
    "nameday",
    "phone",
    "number",
    "address",
    "email",
    "shoe",
    "dress",
    "size",
    "allergy",
];

/// Those of whom one has one, called by what they are.
#[rustfmt::skip]
pub(super) const TITLES: &[&str] = &[
    "grandma", "grandpa", "granny", "grandad", "granddad", "nan", "nana", "mum", "mom", "mummy", "mama", "dad", "papa",
    "daddy", "grandmother", "grandfather",
];

/// Who finds illnesses.
#[rustfmt::skip]
pub(super) const CARERS: &[&str] = &[
    "doctor", "gp", "dentist", "physio", "physiotherapist", "specialist", "optician", "cardiologist", "dermatologist",
    "paediatrician", "pediatrician", "neurologist", "allergist", "gynaecologist", "gynecologist", "surgeon", "hospital",
    "midwife", "psychiatrist", "psychologist", "endocrinologist", "therapist",
];

/// What is fetched from a house, said without an article.
pub(super) const COLLECTED: &[&str] = &[
    "paper",
    "bins",
    "rubbish",
    "recycling",
    "trash",
    "garbage",
    "glass",
    "cardboard",
    "waste",
    "compost",
];

/// How a medicine is counted.
pub(super) const DOSES: &[&str] = &[
    "mg", "ml", "g", "mcg", "iu", "drops", "tablets", "tablet", "pills", "pill", "units", "puffs",
];

/// What is done to somebody in a hospital.
pub(super) const OPERATIONS: &[&str] = &[
    "surgery",
    "operation",
    "appendix",
    "tonsils",
    "gallbladder",
    "bypass",
    "transplant",
    "stent",
    "replacement",
    "caesarean",
    "wisdom",
];

/// Words before a place in which something is kept.
pub(super) const PLACES_BEFORE: &[&str] = &[
    "in", "on", "under", "behind", "above", "below", "inside", "beside", "next", "at", "with",
];
