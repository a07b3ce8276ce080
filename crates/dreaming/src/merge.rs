//! The merge stage: how a finding stands to what long-term memory says already.
//!
//! Pure; resolves no contradiction by deleting.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use base::Day;
use memory::candidates::{Beside, Evidence, EvidenceRef, Proposal};
use memory::curated::{CuratedLine, LineOwner};

use crate::slot::{Ended, Turn};
use crate::wish::WishTurn;
use crate::words::{Words, words};

/// Texts that share so many hundredths of their words say the same.
const SAME_PERCENT: usize = 75;

/// A text of which so many hundredths stand in another says nothing besides.
const INSIDE_PERCENT: usize = 90;

/// Texts that share so many hundredths are about the same.
const ABOUT_PERCENT: usize = 55;

/// Where a change is announced, fewer will do.
const ANNOUNCED_PERCENT: usize = 30;

/// Words that announce a change.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    " no longer ", " not anymore ", " anymore ", " any more ", " now ", " switched ", " changed ",
    " these days ", " from now on ", " moved ", " instead of ", " used to ", " as of ", " updated ",
    " rescheduled ", " postponed ", " changed my mind ", " nowadays ", " quit ", " resigned ", " retired ",
    " stopped ",
];

/// Of the words that announce a change the one that tells of an end.
const STOPPED: &str = " stopped ";

/// What is stopped then may go on at other times.
#[rustfmt::skip]
const PARTS_OF_A_DAY: &[&str] = &[
    " morning ", " mornings ", " noon ", " afternoon ", " afternoons ", " evening ", " evenings ", " night ", " nights ",
];

/// Words with which somebody puts right what they said.
const SECOND_THOUGHTS: &[&str] = &[
    " correction ",
    " turns out ",
    " turned out ",
    " on second thought ",
    " on second thoughts ",
];

/// Words between two things of which the first is liked better.
const COMPARISONS: &[&str] = &[" over ", " rather than ", " instead of ", " to "];

/// How a finding stands to long-term memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is new, or replaces or contradicts something.
    Proposed(Proposal),
    /// A line says it already.
    Known,
    /// A line that is newer says otherwise.
    Outdated,
}

/// How two texts stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// They have nothing to do with each other.
    Apart,
    /// They say the same, or the first says less.
    Same,
    /// They give different values for the same thing.
    Changed,
    /// They may give different values for the same thing, or speak of two things.
    Doubtful,
    /// One denies the other, and nothing says which holds.
    Contradicts,
}

/// When something was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'e> {
    /// On which day.
    pub(crate) day: Day,
    /// Where it stands; of one day the lines of a session tell what came first.
    pub(crate) evidence: &'e [Evidence],
}

impl Said<'_> {
    /// How it stands in time to a line that holds since a day, as far as both tell.
    fn order(self, since: Option<Day>, evidence: &[EvidenceRef]) -> Option<Ordering> {
        match self.day.cmp(&since?) {
            Ordering::Equal => self.order_in_session(evidence),
            found @ (Ordering::Less | Ordering::Greater) => Some(found),
        }
    }

    /// A session is only ever appended to; the lines of a log move.
    fn order_in_session(self, others: &[EvidenceRef]) -> Option<Ordering> {
        let own = self.evidence.first()?;
        let is_alone = |path: &str| path == own.path && path.starts_with(SESSIONS);
        let is_known = !others.is_empty()
            && others.iter().all(|other| is_alone(&other.path))
            && self.evidence.iter().all(|other| is_alone(&other.path));
        let orders = others.iter().map(|other| own.line.cmp(&other.line));
        let (first, last) = (orders.clone().min()?, orders.max()?);
        (is_known && first == last).then_some(first)
    }
}

/// Where sessions are below the home.
const SESSIONS: &str = "sessions/";

/// How a finding stands to the lines.
pub(crate) fn standing(own: &Words, said: Said<'_>, lines: &[CuratedLine]) -> Standing {
    let mut proposal = Proposal::Add;
    for line in lines {
        // What held before stands in brackets behind what holds.
        let text = line
            .text
            .split_once(" (until ")
            .map_or(line.text.as_str(), |(now, _)| now);
        match relation(own, &words(text)) {
            Relation::Apart => {}
            Relation::Same => return Standing::Known,
            found @ (Relation::Changed | Relation::Doubtful | Relation::Contradicts) => {
                match against(line, found, said, own) {
                    Some(found) if proposal == Proposal::Add => proposal = found,
                    Some(_) => {}
                    None => return Standing::Outdated,
                }
            }
        }
    }
    Standing::Proposed(proposal)
}

fn against(line: &CuratedLine, found: Relation, said: Said<'_>, own: &Words) -> Option<Proposal> {
    let beside = |why| {
        Some(Proposal::Beside {
            other: line.text.clone(),
            why,
        })
    };
    let LineOwner::Ours {
        id,
        day: since,
        evidence,
        ..
    } = &line.owner
    else {
        return beside(Beside::OwnersLine);
    };
    let order = said.order(*since, evidence);
    let is_later = since.is_none() || order == Some(Ordering::Greater);
    let is_earlier = order == Some(Ordering::Less);
    // A wish is meant from when it is said, on the same day, too.
    let is_wish = own.wish.is_some() || own.ban.is_some();
    let is_announced = is_wish || announces(own) || own.ended.is_some() || own.told.is_announced();
    match found {
        Relation::Changed | Relation::Contradicts if is_earlier => None,
        Relation::Changed if is_later || is_announced => Some(Proposal::Supersede {
            line: id.clone(),
            older: line.text.clone(),
        }),
        Relation::Contradicts if is_announced => Some(Proposal::Supersede {
            line: id.clone(),
            older: line.text.clone(),
        }),
        Relation::Apart
        | Relation::Same
        | Relation::Changed
        | Relation::Doubtful
        | Relation::Contradicts => beside(Beside::Contradiction),
    }
}

/// How a newer text stands to an older one.
pub(crate) fn relation(new: &Words, old: &Words) -> Relation {
    if is_swapped(new, old) {
        return Relation::Changed;
    }
    let wishes = new.wish.as_ref().zip(old.wish.as_ref());
    if let Some((new, old)) = wishes {
        return match new.turn(old) {
            Some(WishTurn::Same) => Relation::Same,
            Some(WishTurn::Replaces) => Relation::Changed,
            None => Relation::Apart,
        };
    }
    let bans = new.ban.as_ref().zip(old.ban.as_ref());
    if bans.is_some_and(|(new, old)| new.turns(old)) {
        return Relation::Changed;
    }
    let stances = new.stance.as_ref().zip(old.stance.as_ref());
    match stances.and_then(|(new, old)| new.turn(old)) {
        Some(Turn::Replaces) => return Relation::Changed,
        Some(Turn::Doubtful) => return Relation::Doubtful,
        None => {}
    }
    if stances.is_some_and(|(new, old)| new.denies(old)) {
        return if announces(new) {
            Relation::Changed
        } else {
            Relation::Contradicts
        };
    }
    // `Mimi died last week` ends `I have a cat called Mimi`.
    let is_newly_ended = new.ended.is_some() && new.ended != old.ended;
    if let Some(ended) = new.ended.as_ref().filter(|_| is_newly_ended) {
        match ended.turn(old) {
            Some(Turn::Replaces) => return Relation::Changed,
            Some(Turn::Doubtful) if new.told.turn(&old.told).is_none() => {
                return Relation::Doubtful;
            }
            Some(Turn::Doubtful) | None => {}
        }
    }
    let is_another = |ended: &Ended| {
        let is_another_end = old
            .ended
            .as_ref()
            .is_some_and(|own| ended.is_of_another(own));
        is_another_end || ended.is_of_another_medicine(old)
    };
    if new.told.turn(&old.told).is_none() && new.ended.as_ref().is_some_and(is_another) {
        return Relation::Apart;
    }
    // `I live in Graz` is not said by `my sister lives in Graz`.
    if new.told.is_of_another(&old.told) {
        return Relation::Apart;
    }
    match new.told.turn(&old.told) {
        Some(Turn::Replaces) => return Relation::Changed,
        Some(Turn::Doubtful) => return Relation::Doubtful,
        None => {}
    }
    // `I moved to a new team` shares words with `I moved to Graz`, and tells of no home.
    let is_told = new.told.slot.is_some() || old.told.slot.is_none();
    match by_words(new, old) {
        // One number is spaced in many ways.
        Relation::Changed if new.told.is_same_value(&old.told) => Relation::Same,
        Relation::Changed | Relation::Contradicts if !is_told => Relation::Doubtful,
        found @ (Relation::Apart
        | Relation::Same
        | Relation::Changed
        | Relation::Doubtful
        | Relation::Contradicts) => found,
    }
}

/// How two texts stand to each other by the words that they share.
fn by_words(new: &Words, old: &Words) -> Relation {
    let alike = new.alike(old);
    let is_same_sense = new.is_negative == old.is_negative;
    let has_new_figures = !new.figures.is_subset(&old.figures);
    if new.telling == old.telling && is_same_sense {
        return Relation::Same;
    }
    if !new.figures.is_empty()
        && !old.figures.is_empty()
        && has_new_figures
        && new.alike_without_figures(old) >= SAME_PERCENT
    {
        return Relation::Changed;
    }
    if !is_same_sense && alike >= ABOUT_PERCENT {
        return if announces(new) {
            Relation::Changed
        } else {
            Relation::Contradicts
        };
    }
    let is_inside = new.covered_by(old) >= INSIDE_PERCENT && new.telling.len() >= 2;
    if is_same_sense && !has_new_figures && (alike >= SAME_PERCENT || is_inside) {
        return Relation::Same;
    }
    let is_about_it = new.n_shared(old) >= 2 && new.shares_a_matter(old);
    // Who stopped drinking coffee and stopped drinking milk stopped both.
    let are_ends = new.holds(&[STOPPED]) && old.holds(&[STOPPED]);
    if announces(new) && alike >= ANNOUNCED_PERCENT && is_about_it && !are_ends {
        return if new.holds(&[STOPPED]) && new.holds(PARTS_OF_A_DAY) {
            Relation::Doubtful
        } else {
            Relation::Changed
        };
    }
    Relation::Apart
}

/// Whether a text says that it is new, or that it takes back what was said before: `... after all`.
fn announces(own: &Words) -> bool {
    own.holds(CHANGES) || own.holds(SECOND_THOUGHTS) || own.plain.ends_with(" after all ")
}

/// Whether both compare the same two things and like another one better.
fn is_swapped(new: &Words, old: &Words) -> bool {
    let Some(((new_liked, new_other), (old_liked, old_other))) = compared(new).zip(compared(old))
    else {
        return false;
    };
    // Of green and black tea the tea tells nothing.
    let own = |left: &Words, right: &Words| -> BTreeSet<String> {
        left.telling.difference(&right.telling).cloned().collect()
    };
    let is_turned = |liked: BTreeSet<String>, other: BTreeSet<String>| !liked.is_disjoint(&other);
    is_turned(own(&new_liked, &new_other), own(&old_other, &old_liked))
        && is_turned(own(&old_liked, &old_other), own(&new_other, &new_liked))
}

fn compared(text: &Words) -> Option<(Words, Words)> {
    let (_, rest) = text.plain.split_once(" prefer ").or_else(|| {
        let found = text.plain.split_once(" like ");
        found.filter(|(_, rest)| rest.contains(" better than "))
    })?;
    let rest = rest.replace(" better than ", " over ");
    let rest = format!(" {rest}");
    let (liked, other) = COMPARISONS.iter().find_map(|word| rest.split_once(word))?;
    // Only what stands near is compared; a reason may follow.
    let near = |text: &str, n_words: usize| -> Words {
        let own: Vec<&str> = text.split_whitespace().take(n_words).collect();
        words(&own.join(" "))
    };
    Some((near(liked, 6), near(other, 4)))
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
