//! Tells quickly whether two sentences may speak of the same, before it is asked how they stand to each other.
//!
//! Leaves out only what says nothing of the other.

use std::collections::BTreeSet;

use super::sentence::Sentence;
use super::sign::How;
use super::{Value, What};
use crate::words::stem;

/// The key of what is said of somebody told before.
pub(crate) const PRONOUN: &str = "<pronoun>";

/// The key of telephones: their stem.
const PHONE: &str = "phon";

impl Sentence {
    /// The words by which it is found beside others that may speak of the same: what it tells, and of what kind that is.
    pub(crate) fn keys(&self, value: Option<&Value>) -> BTreeSet<String> {
        let own = &self.words;
        let kinds = [
            ("<stance>", own.stance.is_some()),
            ("<wish>", own.wish.is_some()),
            ("<ban>", own.ban.is_some()),
            (PRONOUN, self.is_of_a_pronoun()),
            (
                "<partner>",
                self.is_of_partner() || self.signs.iter().any(|sign| sign.how == How::Parted),
            ),
            (
                "car",
                self.tokens.iter().any(|own| base::is_driven(&own.plain)),
            ),
            (
                PHONE,
                self.tokens
                    .iter()
                    .any(|own| base::is_phone(&own.plain) || own.plain == "handy"),
            ),
            ("car", self.holds(&["auto", "drive", "fahre"])),
        ];
        let kinds = kinds.into_iter().filter(|(_, is_so)| *is_so);
        let kinds = kinds.map(|(kind, _)| kind.to_owned());
        let slot = own.told.slot.as_ref().map(|slot| match &slot.what {
            What::Home => "<home>".to_owned(),
            What::Work | What::Trade => "<work>".to_owned(),
            What::Name => "<name>".to_owned(),
            What::Named(noun) => format!("<{noun}>"),
        });
        let nouns = value.into_iter().flat_map(Value::nouns).map(stem);
        let told = own.telling.iter().cloned().chain(self.telling());
        told.chain(nouns).chain(kinds).chain(slot).collect()
    }

    /// Whether both are about somebody by their names, and not about the same.
    pub(crate) fn is_of_others(&self, older: &Self) -> bool {
        let names = |own: &Self| own.who.as_ref().map(|who| who.names.clone());
        let both = names(self).zip(names(older));
        both.is_some_and(|(own, other)| {
            !own.is_empty()
                && !other.is_empty()
                && own.is_disjoint(&other)
                && !own.iter().any(|name| older.holds(&[name]))
                && !other.iter().any(|name| self.holds(&[name]))
        })
    }

    /// Whether both are about somebody, and tell nothing of one kind, in no word: `Dr Novak moved in with a friend`
    /// says nothing of whose dentist that is.
    pub(crate) fn is_apart(&self, older: &Self) -> bool {
        let own = &self.words;
        let is_read = own.told.slot.is_some() || own.ended.is_some() || own.stance.is_some();
        let is_named = self.who.as_ref().is_some_and(|who| !who.names.is_empty());
        !is_read && is_named && older.who.is_some() && self.shares(older) == 0
    }
}
