//! Tells of what kind the thing or the person is that a line is about: an animal, a car, a medicine, a club.
//!
//! Sees one line; what has ended is told elsewhere.

use super::ended::{is_name, plain};
use super::table::{ANIMALS, GROUPS, OWNED, PARTNERS};
use super::token::tokens;
use super::{Slot, Told, What, Whose};
use crate::words::Words;

/// What kind of thing it is that comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// An animal of the owner.
    Animal,
    /// What is bought and sold: a car, a phone, a piano.
    Thing,
    /// A medicine.
    Taken,
    /// A club, a gym, a choir.
    Group,
    /// The one whom the owner lives with.
    Partner,
}

/// Whether a line is about somebody of the owner who is neither an animal nor their partner.
pub(super) fn is_of_a_person(told: &Told) -> bool {
    let Some(Whose::Kin(kin)) = &told.whose else {
        return false;
    };
    !ANIMALS.contains(&kin.noun.as_str()) && !PARTNERS.contains(&kin.noun.as_str())
}

/// Whether a line says who the partner of the owner is, and nothing else of them.
pub(super) fn tells_of_partner(old: &Words) -> bool {
    let is_had = |noun: &&str| old.plain.starts_with(&format!(" i have a {noun} "));
    match &old.told.whose {
        Some(Whose::Kin(kin)) if PARTNERS.contains(&kin.noun.as_str()) => {
            let is_name = |slot: &Slot| slot.what == What::Name;
            old.told.slot.as_ref().is_some_and(is_name)
                || old.plain.ends_with(&format!(" my {} ", kin.noun))
        }
        _ => PARTNERS.iter().any(is_had),
    }
}

/// Whether a line begins with what the owner has: `I have a car`, `we drive an old van`.
pub(super) fn tells_of_having(old: &Words) -> bool {
    let mut words = old.plain.split_whitespace();
    let is_owner = matches!(words.next(), Some("i" | "we"));
    is_owner && words.next().is_some_and(|verb| HAVING.contains(&verb))
}

/// Verbs of it.
const HAVING: &[&str] = &[
    "have", "own", "got", "bought", "drive", "ride", "lease", "use", "play",
];

/// The kind of the thing that a line is about, where it is about nothing else.
pub(super) fn sort(old: &Words) -> Option<Sort> {
    if let Some(Whose::Kin(kin)) = &old.told.whose {
        let noun = kin.noun.as_str();
        return if ANIMALS.contains(&noun) {
            Some(Sort::Animal)
        } else {
            PARTNERS.contains(&noun).then_some(Sort::Partner)
        };
    }
    let tokens = tokens(&old.text);
    let at = |place: usize| plain(&tokens, place);
    if matches!(at(0), "i" | "we") && at(1) == "take" {
        return Some(Sort::Taken);
    }
    let name = tokens.iter().position(is_name)?;
    let before = tokens.get(..name).unwrap_or_default();
    let any = |list: &[&str]| {
        before
            .iter()
            .any(|token| list.contains(&token.plain.as_str()))
    };
    // `I have a friend at Volvo` is about no car.
    let is_led_to = any(&["at", "with", "in", "of", "from", "for", "near", "by", "to"]);
    let is_whole = !old.plain.contains(" my ") && !old.plain.contains(" our ");
    if name == 0 {
        // What is said of somebody by their name is said of the living.
        let is_kept = matches!(at(1), "is" | "was" | "'s");
        return (is_whole && !is_kept).then_some(Sort::Animal);
    }
    if is_led_to {
        let is_member = any(GROUPS) && at(0) == "i";
        return is_member.then_some(Sort::Group);
    }
    match at(0) {
        // `I have a Netflix subscription`.
        "i" | "we" | "my" | "our" if GROUPS.contains(&at(name + 1)) => Some(Sort::Group),
        "my" | "our" if OWNED.contains(&at(1)) && matches!(at(2), "is" | "'s") => {
            matches!(at(3), "a" | "an" | "called").then_some(Sort::Thing)
        }
        "i" | "we" if any(ANIMALS) => Some(Sort::Animal),
        "i" | "we" if at(1) == "use" && name == 2 => Some(Sort::Taken),
        "i" | "we"
            if matches!(
                at(1),
                "drive" | "own" | "have" | "ride" | "bought" | "got" | "lease"
            ) && matches!(at(2), "a" | "an" | "the" | "my" | "our") =>
        {
            Some(Sort::Thing)
        }
        "i" | "we" if any(GROUPS) => Some(Sort::Group),
        _ => None,
    }
}
