//! Names by which people know what they have: makes of cars and devices, services by the month, medicines.
//!
//! Data and look-ups; a name that is not here says nothing.

/// Makes of what is driven, carried or worn, in lower case.
#[rustfmt::skip]
const MAKES: &[&str] = &[
    "skoda", "\u{161}koda", "volvo", "toyota", "honda", "hyundai", "kia", "mazda", "nissan", "renault", "peugeot", "citro\u{eb}n",
    "citroen", "dacia", "opel", "ford", "fiat", "bmw", "audi", "mercedes", "porsche", "volkswagen", "vw", "golf", "seat", "cupra",
    "tesla", "suzuki", "subaru", "mitsubishi", "lexus", "jeep", "jaguar", "saab", "polestar", "vespa", "yamaha", "kawasaki",
    "ducati", "ktm", "brompton", "thinkpad", "macbook", "iphone", "ipad", "kindle", "garmin", "fairphone", "samsung", "pixel",
    "steinway", "stradivarius",
];

/// Of them those that are other words, too, where they are written small: `a seat`, `golf`.
const COMMON: &[&str] = &["seat", "golf", "ford", "pixel", "jaguar", "kindle"];

/// Makes of what one calls with.
#[rustfmt::skip]
const PHONES: &[&str] = &[
    "iphone", "pixel", "fairphone", "samsung", "galaxy", "xiaomi", "nokia", "motorola", "oneplus", "huawei",
];

/// Makes of what one neither drives nor calls with.
#[rustfmt::skip]
const OTHER_MAKES: &[&str] = &[
    "thinkpad", "macbook", "ipad", "kindle", "garmin", "steinway", "stradivarius", "brompton",
];

/// What is paid by the month, in lower case.
#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "netflix", "spotify", "audible", "hulu", "hbo", "youtube", "deezer", "tidal", "crunchyroll", "dazn", "mubi", "dropbox",
    "icloud", "patreon", "duolingo", "strava", "headspace", "hellofresh", "disney",
];

/// Medicines as they are prescribed, in lower case.
#[rustfmt::skip]
const MEDICINES: &[&str] = &[
    "warfarin", "insulin", "metformin", "levothyroxine", "thyroxine", "lisinopril", "ramipril", "enalapril", "losartan",
    "valsartan", "candesartan", "amlodipine", "bisoprolol", "metoprolol", "propranolol", "atenolol", "atorvastatin",
    "simvastatin", "rosuvastatin", "apixaban", "rivaroxaban", "dabigatran", "edoxaban", "clopidogrel", "aspirin", "heparin",
    "digoxin", "amiodarone", "furosemide", "spironolactone", "hydrochlorothiazide", "omeprazole", "pantoprazole",
    "esomeprazole", "sertraline", "citalopram", "escitalopram", "fluoxetine", "paroxetine", "venlafaxine", "duloxetine",
    "mirtazapine", "bupropion", "amitriptyline", "lithium", "quetiapine", "olanzapine", "risperidone", "aripiprazole",
    "lamotrigine", "valproate", "levetiracetam", "carbamazepine", "gabapentin", "pregabalin", "topiramate", "methotrexate",
    "prednisone", "prednisolone", "hydrocortisone", "azathioprine", "sulfasalazine", "hydroxychloroquine", "adalimumab",
    "salbutamol", "albuterol", "montelukast", "budesonide", "cetirizine", "loratadine", "methylphenidate", "ritalin",
    "lisdexamfetamine", "tamoxifen", "letrozole", "anastrozole", "allopurinol", "colchicine", "alendronate", "ibuprofen",
    "naproxen", "diclofenac", "tramadol", "morphine", "levodopa", "donepezil", "tacrolimus", "ciclosporin", "ozempic",
    "semaglutide", "antidepressants", "anticoagulants", "statins", "steroids", "immunosuppressants",
];

/// Whether a word in lower case is the make of a thing.
///
/// # Examples
///
/// ```
/// assert!(base::is_make("skoda"));
/// assert!(!base::is_make("monday"));
/// ```
pub fn is_make(word: &str) -> bool {
    MAKES.contains(&word)
}

/// Whether a word in lower case is a make of telephones.
pub fn is_phone(word: &str) -> bool {
    PHONES.contains(&word)
}

/// Whether a word in lower case is a make of what one drives.
///
/// # Examples
///
/// ```
/// assert!(base::is_driven("skoda"));
/// assert!(!base::is_driven("iphone"));
/// ```
pub fn is_driven(word: &str) -> bool {
    is_make(word) && !is_phone(word) && !OTHER_MAKES.contains(&word)
}

/// Whether a make in lower case means other things, too, unless it has a capital.
///
/// # Examples
///
/// ```
/// assert!(base::is_common_make("seat"));
/// assert!(!base::is_common_make("skoda"));
/// ```
pub fn is_common_make(make: &str) -> bool {
    COMMON.contains(&make)
}

/// Whether a word in lower case is a service that is paid by the month.
pub fn is_service(word: &str) -> bool {
    SERVICES.contains(&word)
}

/// The services that are paid by the month, in lower case.
pub fn services() -> &'static [&'static str] {
    SERVICES
}

/// Whether a word in lower case is a medicine.
pub fn is_medicine(word: &str) -> bool {
    MEDICINES.contains(&word)
}
