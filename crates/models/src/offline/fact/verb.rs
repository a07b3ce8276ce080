//! The verbs of facts: what has to follow each, and what it tells about somebody.
//!
//! Tables and matching; knows no subject.

use super::form::{Form, form_of};
use super::household::{
    AIDS, APPOINTMENTS, CODE, DOSES, MEALS, OPERATIONS, PLACES_BEFORE, SPANS, TEMPORARY,
};
use super::life;
use super::parting::{
    is_about_somebody, is_cancelled, is_changed, is_for_good, is_gift_to_kin, is_gift_to_somebody,
    is_hiring, is_joined, is_made_by, is_new_value, is_parting, is_partner_left, is_run, is_sold,
    is_taken_no_more, is_unsubscribed,
};
use super::routine::{is_regular, tells_how_often};
use super::someone::{holds_of, names_illness};
use super::table::{
    BEFORE_THING, BEFORE_TONGUE, HOMES, INSIDE, KIN, NO_HABIT, NUMBERS, POINTING, POSSESSIONS,
    TOOLS, VICES, WORKPLACES,
};
use super::thing::is_belonging;
use super::words::Rest;

/// What a verb tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tells {
    /// Home, work, family, health: what holds until something else is said.
    Life,
    /// What somebody does again and again.
    Habit,
    /// What somebody likes or not.
    Taste,
    /// What happened once.
    Event,
    /// What has come to an end.
    End,
    /// What somebody is about to do, where a time or a place is named.
    Plan,
}

/// What has to follow.
#[derive(Debug, Clone, Copy)]
enum Follow {
    /// Whatever does.
    Anything,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `to` or `into` a place, or a word for a way.
    Place,
    /// A thing of one of these kinds.
    Kind(&'static [&'static str]),
    /// A person or an animal of the speaker.
    Somebody,
    /// A name, or somebody.
    Spouse,
    /// `from` something of one of these kinds.
    From(&'static [&'static str]),
    /// `with` somebody.
    With,
    /// `in` a place or a trade.
    In,
    /// `up` one of these.
    Up(&'static [&'static str]),
    /// A language.
    Tongue,
    /// Nothing but when or where.
    Nothing,
    /// A thing of one of these kinds, or a name.
    Thing(&'static [&'static str]),
    /// A place of work or a name, and nothing behind it that makes an errand or a gift of it.
    ForGood,
    /// The same, in whatever company.
    Joined,
    /// Somebody by their name.
    AboutName,
    /// Somebody by their name, and what they are given.
    Gift,
    /// What the speaker owned and sold.
    Sold,
    /// What the speaker had by the month.
    Cancelled,
    /// The same, by one of its own nouns: one stops a car, too.
    Unsubscribed,
    /// Something by the name of who made it: `a Skoda`.
    Make,
    /// A medicine by its name.
    Medicine,
    /// `up`, and at most from whom and when.
    Parting,
    /// What comes on a day and is over then.
    OfOneDay,
    /// Work of the speaker's own.
    Hiring,
    /// The one whom the speaker lived with, and at most when.
    Partner,
    /// `taking` what was taken again and again.
    Stopped,
    /// What has one value, and that: `my phone number to 0664 12`.
    Changed,
    /// What has one value, said to be new: `a new email: eva@b.eu`.
    NewValue,
    /// Something that does not point at what stood before.
    Object,
    /// What may be done again and again.
    Activity,
    /// Something named by a noun: `a bike`, `our tickets`, `Anna`.
    Noun,
    /// A number.
    Number,
    /// A medicine with its dose: `50 mg of iron`, `two tablets`.
    Dose,
    /// A sum, and for how long: `68 francs a month`.
    Rate,
    /// Something that helps with an illness.
    Aid,
    /// An operation: `my appendix out`, `knee surgery`.
    Operation,
    /// Something of a household, with its article.
    Belonging,
    /// A place that a figure or a name tells.
    Spot,
    /// An illness that stays.
    Illness,
    /// Something with its name: `a greyhound called Pippa`.
    Named,
    /// Something, and where: `the first-aid kit in the bathroom`.
    Kept,
}

use Follow::{
    AboutName, Activity, Aid, Anything, Belonging, Cancelled, Changed, Dose, ForGood, From, Gift,
    Hiring, Illness, In, Joined, Kept, Kind, Make, Medicine, Named, NewValue, Nothing, Noun,
    Number, Object, OfOneDay, Operation, Parting, Partner, Place, Rate, Sold, Somebody, Spot,
    Spouse, Stopped, Thing, Tongue, Unsubscribed, Up, With, Word,
};
use Form::{Base, Ongoing, Past};
use Tells::{End, Event, Habit, Life, Plan, Taste};

/// What a sum may begin with.
const CURRENCIES: [char; 4] = ['$', '\u{20ac}', '\u{a3}', '\u{a5}'];

/// Words before the number of a place.
const BEFORE_SPOT: &[&str] = &[
    "spot", "space", "place", "number", "the", "row", "level", "bay", "garage", "my", "our",
];

const ALL: &[Form] = &[Base, Past, Ongoing];

/// Each verb with the forms, what follows, and what that tells; the first that fits counts.
#[rustfmt::skip]
const VERBS: &[(&[&str], &[Form], Follow, Tells)] = &[
    (&["live", "reside"], ALL, Place, Life),
    (&["live", "reside"], ALL, With, Life),
    (&["live", "reside"], ALL, Word(&["at", "on", "near", "by", "alone", "together", "abroad", "close", "next", "outside", "between", "above", "below", "opposite"]), Life),
    (&["move", "relocate"], &[Past], Place, Life),
    (&["grow"], &[Past], Word(&["up"]), Life),
    (&["bear"], &[Past], Word(&["in", "on", "at", "and", "to", "near"]), Life),
    (&["raise"], &[Past], Word(&["in", "by", "on", "near"]), Life),
    (&["come"], &[Base], Word(&["from"]), Life),
    (&["work"], &[Ongoing], Word(&["at", "for", "as", "part-time", "full-time", "remotely", "nights", "shifts", "freelance"]), Life),
    (&["work"], &[Base, Past], Word(&["at", "for", "as", "from", "part", "part-time", "full", "full-time", "remotely", "nights", "night", "shifts", "freelance", "near", "next"]), Life),
    (&["work"], &[Base, Past], In, Life),
    (&["employ"], &[Past], Word(&["at", "by", "as", "in"]), Life),
    (&["study"], &[Base, Past], Object, Life),
    (&["study"], &[Ongoing], Object, Habit),
    (&["graduate"], &[Past], Nothing, Life),
    (&["teach"], &[Base, Ongoing], Object, Life),
    (&["quit", "leave"], &[Base, Past], ForGood, Life),
    (&["quit"], &[Base, Past], Word(&["smoking", "drinking", "working", "at", "vaping", "coffee", "alcohol", "sugar"]), Life),
    (&["stop"], &[Past], Word(&["smoking", "drinking", "eating", "working", "living", "playing"]), Life),
    (&["stop", "quit"], &[Past], Stopped, End),
    (&["stop", "end"], &[Past], Unsubscribed, End),
    (&["leave"], &[Past], Partner, End),
    (&["resign", "retire"], &[Past], Nothing, Life),
    (&["join"], &[Past], Joined, Life),
    (&["start", "begin"], &[Past], Word(&["at", "working", "studying", "school", "university", "kindergarten", "college", "learning", "as"]), Life),
    (&["start", "begin"], &[Past], Joined, Life),
    (&["found", "run", "manage", "lead", "own", "co-own", "head"], ALL, Thing(WORKPLACES), Life),
    (&["own"], ALL, Kind(POSSESSIONS), Life),
    (&["own"], ALL, Kind(HOMES), Life),
    (&["have", "keep", "get", "own", "adopt"], ALL, Somebody, Life),
    (&["lose"], &[Past], Kind(&["job"]), Life),
    (&["have"], ALL, Kind(POSSESSIONS), Life),
    (&["get", "find", "accept", "land"], &[Past], Hiring, Life),
    (&["have", "get"], ALL, OfOneDay, Event),
    (&["buy", "inherit", "sell"], &[Past], Kind(HOMES), Life),
    (&["sell", "rehome"], &[Past], Sold, End),
    (&["change"], &[Past], Changed, Life),
    (&["have", "get"], &[Base, Past], NewValue, Life),
    (&["cancel", "terminate"], &[Past], Cancelled, End),
    (&["break", "split"], &[Base, Past], Parting, End),
    (&["get", "become"], &[Past], Word(&["married", "engaged", "divorced", "promoted", "fired", "laid", "hired", "pregnant", "diagnosed", "separated", "tenure"]), Life),
    (&["become"], &[Past], Word(&["a", "an", "the"]), Life),
    (&["marry", "divorce"], &[Past], Spouse, Life),
    (&["marry", "divorce", "separate", "widow"], &[Past], Nothing, Life),
    (&["diagnose"], &[Past], Word(&["with", "as"]), Life),
    (&["suffer"], ALL, From(POSSESSIONS), Life),
    (&["die", "pass"], &[Past], Word(&["", "away", "last", "in", "of", "when", "on", "two", "three", "yesterday", "this", "at", "from"]), Life),
    (&["give"], &[Past], Word(&["birth"]), Life),
    (&["give"], &[Past], Up(VICES), Life),
    (&["turn"], &[Base, Past, Ongoing], Number, Life),
    (&["weigh", "measure"], &[Base], Number, Life),
    (&["speak"], &[Base], Tongue, Life),
    (&["learn"], &[Ongoing], Object, Life),
    (&["go"], &[Base], Word(&["by"]), Life),
    (&["expect", "homeschool"], &[Ongoing], Somebody, Life),
    (&["take", "inject", "swallow"], &[Base], Dose, Life),
    (&["take", "inject"], &[Base], Medicine, Life),
    (&["have", "own", "lease"], &[Base], Make, Life),
    (&["pay", "earn", "owe", "save", "get"], &[Base], Rate, Life),
    (&["need", "wear", "use", "carry", "have"], &[Base], Aid, Life),
    (&["wear", "take"], &[Base], Word(&["size"]), Life),
    (&["have", "get"], ALL, Illness, Life),
    (&["have", "keep", "own", "adopt", "get"], &[Base, Past], Named, Life),
    (&["keep", "store", "hide"], &[Base], Kept, Life),
    (&["have"], &[Past], Operation, Life),
    (&["vaccinate"], &[Past], Word(&["against"]), Life),
    (&["park"], &[Base], Spot, Life),
    (&["rent", "lease", "keep", "have", "own", "drive"], &[Base], Belonging, Life),
    (&["bank", "insure"], &[Base, Past], Word(&["with", "at"]), Life),
    (&["look"], &[Base], Word(&["after"]), Life),
    (&["break"], &[Past], Word(&["my", "his", "her", "both"]), Event),
    (&["play", "practise", "practice", "collect", "drive", "eat", "drink", "smoke", "wear", "sing", "volunteer", "commute", "cycle", "swim", "paint", "knit", "ski", "hike", "bake", "brew", "garden", "coach", "sail", "climb", "surf", "run", "attend", "breed"], &[Base], Activity, Habit),
    (&["spend", "celebrate"], &[Base], Word(&["christmas", "easter", "our", "my", "the", "every", "new", "most"]), Habit),
    (&["go"], &[Base], Word(&["to", "running", "swimming", "hiking", "climbing", "fishing", "dancing", "cycling", "jogging", "skiing", "sailing"]), Habit),
    (&["like", "love", "hate", "prefer", "enjoy", "dislike", "adore", "detest", "loathe", "despise", "stand"], &[Base], Object, Taste),
    (&["buy", "sell", "book", "order", "rent", "win", "lose", "finish", "visit", "receive", "inherit", "donate", "celebrate", "attend", "cancel", "renew"], &[Past], Noun, Event),
    (&["leave", "join"], &[Past], AboutName, Event),
    (&["find"], &[Past], Gift, Event),
    (&["pass", "fail"], &[Past], Word(&["my", "our", "his", "her"]), Event),
    (&["apply", "register", "enroll", "enrol", "sign"], &[Past], Word(&["for", "up", "at", "a", "the", "in", "my", "our", "with"]), Event),
    (&["have"], &[Past], Word(&["surgery", "an"]), Event),
    (&["get"], &[Past], Noun, Event),
    (&["go", "fly", "travel", "drive", "visit", "meet", "move", "start", "marry", "attend", "leave", "get", "host", "celebrate", "return", "run", "launch", "have", "see", "take", "stay", "join", "begin", "give", "graduate", "retire", "relocate", "quit", "adopt"], &[Ongoing], Anything, Plan),
    (&["go", "fly", "travel", "drive", "visit", "meet", "move", "start", "marry", "attend", "leave", "get", "host", "celebrate", "return", "run", "launch", "have", "see", "take", "stay", "join", "begin", "give", "graduate", "retire", "relocate", "quit", "adopt", "be"], &[Base], Anything, Plan),
];

/// Whether a word is a form of a verb of the grammar.
pub(super) fn is_verb_of_fact(word: &str) -> bool {
    let lemmas = VERBS.iter().flat_map(|(lemmas, ..)| lemmas.iter());
    lemmas.copied().any(|lemma| form_of(word, lemma).is_some())
}

/// What a verb tells here; `None` where it is no verb of a fact, or something else follows than must.
pub(super) fn tells(rest: Rest<'_>, is_to_come: impl Fn(Form) -> bool) -> Option<Tells> {
    if let Some(told) = life::tells(rest) {
        return Some(told);
    }
    let verb = rest.next();
    let rest = rest.after(1);
    let found = VERBS.iter().find(|(lemmas, forms, follow, tells)| {
        let written = lemmas.iter().find_map(|lemma| form_of(verb, lemma));
        written.is_some_and(|form| {
            let is_plan = *tells == Plan;
            let fits = forms.contains(&form) && (!is_plan || is_to_come(form));
            fits && follows(*follow, rest)
        })
    });
    found.map(|(_, _, _, tells)| *tells)
}

fn follows(follow: Follow, rest: Rest<'_>) -> bool {
    match follow {
        Anything => true,
        // `At 60 frames` and `for 3 hours` name no employer.
        Word(words) => {
            let is_measured = matches!(rest.next(), "at" | "for") && is_number(rest.at(1));
            words.contains(&rest.next()) && !is_measured
        }
        Place => goes_somewhere(rest),
        Kind(kinds) => is_thing(rest, kinds),
        Somebody => is_somebody(rest),
        Spouse => rest.is_name() && !is_tool(rest.next()) || is_somebody(rest),
        From(kinds) => rest.next() == "from" && is_thing(rest.after(1), kinds),
        With => rest.next() == "with" && (rest.after(1).is_name() || is_somebody(rest.after(1))),
        In => rest.next() == "in" && is_inside(rest.after(1)),
        Up(words) => rest.next() == "up" && words.contains(&rest.at(1)),
        Tongue => {
            let tongue = rest.past(BEFORE_TONGUE);
            tongue.is_name() && !is_tool(tongue.next()) || base::tongue(tongue.next()).is_some()
        }
        Nothing => is_alone(rest),
        Thing(kinds) => is_run(rest, kinds),
        ForGood => is_for_good(rest),
        Joined => is_joined(rest),
        AboutName => is_about_somebody(rest),
        Gift => is_gift_to_somebody(rest),
        Sold => is_sold(rest),
        Cancelled => is_cancelled(rest),
        Unsubscribed => is_unsubscribed(rest),
        Make => is_made_by(rest),
        Medicine => is_medicine(rest),
        Parting => is_parting(rest),
        Stopped => is_taken_no_more(rest),
        Partner => is_partner_left(rest),
        Hiring => is_hiring(rest),
        OfOneDay => is_thing(rest, APPOINTMENTS) && !is_regular(rest),
        Changed => is_changed(rest),
        NewValue => is_new_value(rest),
        Object => !POINTING.contains(&rest.next()),
        Activity => !NO_HABIT.contains(&rest.next()),
        Noun => {
            let is_thing = matches!(
                rest.next(),
                "a" | "an" | "my" | "our" | "two" | "three" | "tickets"
            );
            rest.is_name() || is_thing
        }
        Number => is_number(rest.next()),
        Dose => is_number(rest.next()) && (DOSES.contains(&rest.at(1)) || tells_how_often(rest)),
        Rate => {
            let is_sum = is_number(rest.next()) || rest.next().starts_with(CURRENCIES);
            is_sum && (tells_rate(rest) || tells_how_often(rest))
        }
        Aid => holds_of(rest, AIDS) && !rest.holds(TEMPORARY),
        Operation => rest.holds(OPERATIONS),
        Illness => names_illness(rest),
        Named => {
            let called = (1..6).find(|place| matches!(rest.at(*place), "called" | "named"));
            let is_named = called.is_some_and(|place| !rest.at(place + 1).is_empty());
            is_named && !rest.holds(CODE)
        }
        Kept => {
            let has_article = matches!(rest.next(), "the" | "our" | "my");
            let place = (2..6).find(|place| PLACES_BEFORE.contains(&rest.at(*place)));
            has_article && place.is_some() && !rest.holds(CODE) && !rest.holds(TEMPORARY)
        }
        Belonging => is_belonging(rest),
        Spot => {
            let spot = rest.after(1).past(BEFORE_SPOT);
            matches!(rest.next(), "in" | "on" | "at") && (is_number(spot.next()) || spot.is_name())
        }
    }
}

/// Words behind a medicine that say since when, how often or why, and carry it nowhere.
#[rustfmt::skip]
const BEHIND_MEDICINE: &[&str] = &[
    "", "every", "each", "once", "twice", "daily", "nightly", "weekly", "monthly", "since", "because", "before", "after", "when",
    "whenever", "against", "regularly", "permanently", "as", "too", "now", "instead", "so", "but",
];

/// Whether a medicine is taken, by its name with a dose or nothing that makes it an errand: not `the morphine bottles`.
fn is_medicine(rest: Rest<'_>) -> bool {
    let name = rest.past(BEFORE_THING);
    let is_last = name.left().first().is_some_and(|word| word.is_end);
    base::is_medicine(name.next()) && (is_last || is_behind_medicine(name.after(1)))
}

fn is_behind_medicine(rest: Rest<'_>) -> bool {
    let (next, then) = (rest.next(), rest.after(1));
    match next {
        "and" | "or" => is_medicine(then) || then.left().len() == 1,
        "at" => {
            matches!(then.next(), "night" | "noon" | "bedtime")
                || is_number(then.next())
                || MEALS.contains(&then.next())
        }
        "in" => {
            let time = then.past(&["the"]).next();
            matches!(
                time,
                "morning" | "mornings" | "evening" | "evenings" | "afternoon" | "afternoons"
            ) || matches!(time, "spring" | "summer" | "autumn" | "winter")
        }
        "with" => {
            matches!(then.next(), "food" | "meals" | "water" | "milk")
                || MEALS.contains(&then.next())
        }
        "on" => !matches!(then.next(), "the" | "a" | "my"),
        "for" => !then.is_name() && !is_thing(then, KIN),
        _ if DOSES.contains(&next) || matches!(next, "shots" | "injections") => {
            rest.left().first().is_some_and(|word| word.is_end) || is_behind_medicine(then)
        }
        _ => is_number(next) || BEHIND_MEDICINE.contains(&next),
    }
}

/// `A month`, `per year`.
fn tells_rate(rest: Rest<'_>) -> bool {
    (1..rest.left().len()).any(|place| {
        matches!(rest.at(place), "a" | "per" | "every") && SPANS.contains(&rest.at(place + 1))
    })
}

/// Whether a word is a number.
pub(super) fn is_number(word: &str) -> bool {
    // `Forty-two` is a ten and a unit.
    let parts = word.split_once('-');
    let is_written = |(ten, unit): (&str, &str)| {
        ten.ends_with("ty") && NUMBERS.contains(&ten) && NUMBERS.contains(&unit)
    };
    NUMBERS.contains(&word)
        || parts.is_some_and(is_written)
        || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a noun of these kinds follows, with what may stand before it.
fn is_thing(rest: Rest<'_>, kinds: &[&str]) -> bool {
    behind_thing(rest, kinds).is_some()
}

/// What follows a noun of these kinds in its clause; `None` where none stands next.
pub(super) fn behind_thing<'w>(rest: Rest<'w>, kinds: &[&str]) -> Option<Rest<'w>> {
    let noun = rest.past(BEFORE_THING);
    // `A peanut allergy`: the noun that counts may be the second; of `a job queue` it is not the first.
    let is_compound = noun.left().first().is_some_and(|word| !word.is_end);
    let places = if is_compound { 0..2 } else { 0..1 };
    places.into_iter().find_map(|place| {
        let own = noun.at(place);
        let singular = own.strip_suffix('s').unwrap_or(own);
        let is_last = noun.left().get(place).is_some_and(|word| word.is_end);
        let behind = noun.after(if is_last {
            noun.left().len()
        } else {
            place + 1
        });
        let is_kind = kinds.contains(&own) || kinds.contains(&singular);
        (is_kind && behind.is_bound()).then_some(behind)
    })
}

/// Whether somebody may work inside it: `a hospital`, `sales`, `Graz`; not `the other branch`.
fn is_inside(rest: Rest<'_>) -> bool {
    let kinds = [INSIDE, WORKPLACES, HOMES];
    let is_thing = kinds.into_iter().any(|kinds| is_thing(rest, kinds));
    is_thing || rest.is_name() && !is_tool(rest.next())
}

/// Whether nothing follows but when, where or from whom: `retired from Bosch`, not `retired two branches`.
fn is_alone(rest: Rest<'_>) -> bool {
    let is_while = matches!(
        rest.at(1),
        "year" | "years" | "month" | "months" | "week" | "weeks"
    );
    match rest.next() {
        "from" if rest.at(1).ends_with("ing") => true,
        "from" => rest.after(1).is_name() || is_thing(rest.after(1), WORKPLACES),
        "one" | "two" | "three" | "four" | "five" | "a" | "an" => is_while,
        "to" | "of" | "with" | "without" | "about" | "or" | "is" | "'s" => false,
        _ if rest.is_name() => false,
        _ => rest.is_bound(),
    }
}

/// Whether somebody of the speaker follows, and no node of a tree: `twins in the test data`.
pub(super) fn is_somebody(rest: Rest<'_>) -> bool {
    let noun = rest.past(BEFORE_THING);
    let is_inside = (1..=2).any(|place| {
        matches!(noun.at(place), "in" | "of" | "on" | "at")
            && matches!(
                noun.at(place + 1),
                "the" | "this" | "that" | "each" | "every"
            )
    });
    is_thing(rest, KIN) && !is_inside && !is_gift_to_kin(rest)
}

/// Whether somebody goes to live somewhere: `to Szeged`, `into a bigger flat`, `back home`.
fn goes_somewhere(rest: Rest<'_>) -> bool {
    match rest.next() {
        "and" if rest.at(1) == "work" => true,
        "house" | "houses" | "flat" | "flats" | "apartments" | "away" | "abroad" | "home"
        | "back" | "out" | "here" | "there" => true,
        "to" | "into" | "in" | "from" => {
            let place = rest.after(1);
            let noun = place.past(BEFORE_THING).next();
            let is_home = HOMES.contains(&noun);
            let is_named = !matches!(
                place.next(),
                "the" | "a" | "an" | "my" | "our" | "" | "it" | "this" | "that"
            );
            is_home
                || is_named
                    && !is_tool(place.next())
                    && !is_number(place.next())
                    && !place.is_coined()
        }
        _ => false,
    }
}

pub(super) fn is_tool(word: &str) -> bool {
    TOOLS.contains(&word) || word.contains(|c: char| c.is_ascii_digit())
}
