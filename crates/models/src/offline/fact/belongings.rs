//! The tables of what people own for long and fear.
//!
//! Data only; English, like the other tables.

/// What is owned for years; what is had for a moment is none of these.
#[rustfmt::skip]
pub(super) const OWNED: &[&str] = &[
    "telescope", "microscope", "printer", "drone", "kayak", "canoe", "dinghy", "yacht", "sailboat", "paddleboard", "surfboard",
    "snowboard", "skateboard", "camper", "campervan", "motorhome", "motorcycle", "moped", "e-bike", "tandem", "unicycle",
    "greenhouse", "sauna", "trampoline", "treadmill", "lathe", "loom", "kiln", "chainsaw", "lawnmower", "generator", "aquarium",
    "terrarium", "beehive", "projector", "turntable", "gramophone", "synthesiser", "synthesizer", "typewriter", "camera",
    "cello", "viola", "flute", "trumpet", "harp", "clarinet", "saxophone", "accordion", "ukulele", "banjo", "drumkit", "cabin",
    "smartwatch", "tattoo", "workshop", "bonsai", "metronome", "barbecue", "thermomix", "dishwasher",
];

/// Words of what is had only for a while.
pub(super) const LENT: &[&str] = &[
    "borrowed", "rented", "hired", "loan", "basket", "stock", "cart",
];

/// What is feared for long; `afraid of spoilers` is said of one film.
#[rustfmt::skip]
pub(super) const FEARED: &[&str] = &[
    "flying", "heights", "spiders", "dogs", "cats", "snakes", "needles", "injections", "blood", "water", "depths", "crowds",
    "thunder", "thunderstorms", "lightning", "clowns", "lifts", "elevators", "planes", "mice", "rats", "wasps", "bees",
    "birds", "pigeons", "horses", "insects", "moths", "ghosts", "dentists", "doctors", "hospitals", "tunnels", "bridges",
    "sharks", "germs", "spaces", "speaking", "escalators", "balloons", "fireworks", "storms", "strangers", "noises", "noise",
    "bangs", "cows", "bulls", "geese", "swans", "bats", "frogs", "toads", "slugs", "worms", "puppets", "dolls", "masks",
    "sirens", "motorbikes", "hoovers", "vacuums", "swimming", "diving", "driving", "people", "men", "loneliness", "silence",
    "buttons", "trains", "ferries", "ships", "cellars", "monsters", "wolves", "bears", "jellyfish", "crabs", "hornets", "hairdryers",
];

/// What is feared for long though it is told with an article.
pub(super) const DREADED: &[&str] = &[
    "dark",
    "dentist",
    "water",
    "sea",
    "deep",
    "hoover",
    "vacuum",
    "vet",
    "bath",
    "doorbell",
    "hairdryer",
    "wind",
    "ocean",
];
