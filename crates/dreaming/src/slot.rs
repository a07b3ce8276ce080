//! Tells how two lines stand that speak of a thing of which a person has one: a home, a job, a name.
//!
//! Judges no age and no trust; what is not surely the same thing of the same person is left alone.

mod attribute;
mod cities;
mod ended;
mod former;
mod german;
mod key;
mod read;
mod sentence;
mod sign;
mod sort;
mod subject;
mod table;
mod tail;
mod thing;
mod token;
mod value;
mod who;

use std::collections::BTreeSet;

pub(crate) use ended::{Ended, ended};
pub(crate) use key::PRONOUN;
use read::is_new_in_office;
pub(crate) use read::told;
pub use sentence::Sentence;
pub(crate) use table::PARTNERS;
pub use value::Value;

/// Whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The owner's.
    Owner,
    /// Somebody's who belongs to the owner.
    Kin(Kin),
}

/// Somebody who belongs to the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kin {
    /// What they are.
    pub(crate) noun: String,
    /// Which of them, as in `older brother`; empty where that is not told.
    pub(crate) which: String,
    /// How they are called, where it is told.
    pub(crate) name: Option<String>,
}

/// What it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Where somebody lives.
    Home,
    /// For whom somebody works.
    Work,
    /// What somebody does for a living.
    Trade,
    /// How somebody is called.
    Name,
    /// Something else, by its noun.
    Named(String),
}

/// Whether it still is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// It is so.
    Now,
    /// It is so, and is said to be new.
    Anew,
    /// It may be so: its value may be no name, or hold beside another.
    Perhaps,
    /// It is so no more.
    Ended,
}

/// One value of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) what: What,
    pub(crate) holds: Holds,
    /// The words of the value; none where only an end is told.
    pub(crate) value: BTreeSet<String>,
}

/// What a line tells of whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Told {
    /// Whom it is about, where it begins so.
    pub(crate) whose: Option<Whose>,
    /// What it surely says of a thing of which a person has one.
    pub(crate) slot: Option<Slot>,
    /// For whom somebody works, where it tells besides as what.
    pub(crate) employer: BTreeSet<String>,
}

/// How two values of the same thing stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The newer one takes the place of the older.
    Replaces,
    /// Perhaps only one can be right, and nothing says which.
    Doubtful,
}

/// Whether two lines are about the same person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Person {
    Same,
    Perhaps,
    Another,
}

impl Told {
    /// Whether it says of its value that it is new.
    pub(crate) fn is_announced(&self) -> bool {
        let is_new = |slot: &Slot| slot.holds == Holds::Anew && matches!(slot.what, What::Named(_));
        self.slot.as_ref().is_some_and(is_new)
    }

    /// Whether it is surely about somebody else.
    pub(crate) fn is_of_another(&self, other: &Self) -> bool {
        let both = self.whose.as_ref().zip(other.whose.as_ref());
        both.is_some_and(|(own, other)| person(own, other) == Person::Another)
    }

    /// Whether both give the same person the same value of a thing, in whatever words.
    pub(crate) fn is_same_value(&self, other: &Self) -> bool {
        let is_named = |told: &Self| {
            let slot = told.slot.as_ref();
            slot.is_some_and(|slot| {
                slot.holds != Holds::Ended && matches!(slot.what, What::Named(_))
            })
        };
        let both = self.slot.as_ref().zip(other.slot.as_ref());
        let is_same =
            both.is_some_and(|(own, other)| own.what == other.what && own.value == other.value);
        is_named(self) && is_named(other) && is_same && self.whose == other.whose
    }

    /// How it stands to an older line; nothing where they agree, or may both be.
    pub(crate) fn turn(&self, old: &Self) -> Option<Turn> {
        let (new_slot, old_slot) = self.slot.as_ref().zip(old.slot.as_ref())?;
        let (new_whose, old_whose) = self.whose.as_ref().zip(old.whose.as_ref())?;
        let found = turn(new_slot, old_slot).or_else(|| ends_trade(new_slot, old))?;
        let is_follower = is_new_in_office(new_whose) && !is_new_in_office(old_whose);
        let are_in_office = is_in_office(new_whose) && is_in_office(old_whose);
        if new_slot.what == What::Name && (is_follower || are_in_office) {
            let are_names = [new_slot, old_slot]
                .iter()
                .all(|slot| matches!(slot.holds, Holds::Now | Holds::Anew));
            let is_same = person(new_whose, old_whose) != Person::Another;
            let found = if are_names || is_follower {
                Turn::Replaces
            } else {
                found
            };
            return is_same.then_some(found);
        }
        // `My dog is called Max now` says that it was called otherwise.
        let is_renamed = new_slot.what == What::Name && new_slot.holds == Holds::Anew;
        match person(new_whose, old_whose) {
            Person::Same => Some(found),
            Person::Perhaps if is_renamed => Some(found),
            Person::Perhaps => Some(Turn::Doubtful),
            Person::Another => None,
        }
    }
}

/// Whether somebody is meant by what they are to the owner alone: `my boss`, `my new doctor`.
fn is_in_office(whose: &Whose) -> bool {
    matches!(whose, Whose::Kin(kin) if table::IN_OFFICE.contains(&kin.noun.as_str())
        && matches!(kin.which.as_str(), "" | "new")
        && kin.name.is_none())
}

/// What the end of a job does to a line that tells as what somebody works.
fn ends_trade(new: &Slot, old: &Told) -> Option<Turn> {
    let trade = old.slot.as_ref().filter(|slot| slot.what == What::Trade)?;
    if new.what != What::Work || new.holds != Holds::Ended || trade.holds == Holds::Ended {
        return None;
    }
    match (new.value.is_empty(), old.employer.is_empty()) {
        (true, _) => Some(Turn::Replaces),
        (false, true) => Some(Turn::Doubtful),
        (false, false) => (!new.value.is_disjoint(&old.employer)).then_some(Turn::Replaces),
    }
}

fn turn(new: &Slot, old: &Slot) -> Option<Turn> {
    if new.what != old.what {
        return None;
    }
    let agrees = agrees(new, old);
    match (new.holds, old.holds) {
        (Holds::Ended, Holds::Now | Holds::Anew | Holds::Perhaps) if agrees => Some(Turn::Replaces),
        (Holds::Now | Holds::Anew | Holds::Perhaps, Holds::Now | Holds::Anew | Holds::Perhaps)
            if agrees =>
        {
            None
        }
        // Who has left one employer may be with any other.
        (Holds::Perhaps, Holds::Ended) if new.what == What::Work => None,
        (Holds::Perhaps, _) | (Holds::Now, Holds::Perhaps) => Some(Turn::Doubtful),
        (Holds::Now, Holds::Now | Holds::Anew) if new.what == What::Name => Some(Turn::Doubtful),
        (Holds::Now | Holds::Anew, _) => Some(Turn::Replaces),
        (Holds::Ended, _) => None,
    }
}

/// Whether two values may be one: of a place or an employer one name is enough, an address has to be whole.
fn agrees(new: &Slot, old: &Slot) -> bool {
    match new.what {
        What::Named(_) => new.value.is_subset(&old.value) || old.value.is_subset(&new.value),
        What::Home | What::Work | What::Trade | What::Name => {
            new.value.is_empty() || old.value.is_empty() || !new.value.is_disjoint(&old.value)
        }
    }
}

fn person(left: &Whose, right: &Whose) -> Person {
    let (left, right) = match (left, right) {
        (Whose::Owner, Whose::Owner) => return Person::Same,
        (Whose::Kin(left), Whose::Kin(right)) => (left, right),
        (Whose::Owner, Whose::Kin(_)) | (Whose::Kin(_), Whose::Owner) => return Person::Another,
    };
    let is_other_one =
        !left.which.is_empty() && !right.which.is_empty() && left.which != right.which;
    if left.noun != right.noun || is_other_one {
        return Person::Another;
    }
    match left.name.as_ref().zip(right.name.as_ref()) {
        Some((left, right)) if left == right => Person::Same,
        Some(_) => Person::Another,
        None if table::ONLY_ONE.contains(&left.noun.as_str()) => Person::Same,
        None => Person::Perhaps,
    }
}

#[cfg(test)]
#[path = "slot_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "slot_doubt_tests.rs"]
mod doubt_tests;
