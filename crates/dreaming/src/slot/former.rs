//! Reads who is no more what they were to the owner, and who follows: `Mr Holm is not our landlord any more`.
//!
//! Only where a name is told and nothing else besides since when; all else is left alone.

use std::collections::BTreeSet;

use base::is_only_since;

use super::read::{Rest, of};
use super::subject::kin;
use super::table::{ONE_AT_A_TIME, TITLES};
use super::tail::Tail;
use super::token::Token;
use super::{Holds, Kin, Told, What, Whose};

/// What a line tells of whom, where it tells this.
pub(super) fn former(tokens: &[Token]) -> Option<Told> {
    let n_names = tokens.iter().take_while(|token| token.is_name).count();
    let (names, rest) = tokens.split_at_checked(n_names)?;
    let rest = Rest(rest);
    let behind_is = rest.behind_any(&["is", "'s"])?;
    let ended = behind_is.behind_any(&["no longer my", "no longer our"]);
    let denied = || behind_is.behind_any(&["not my", "not our"]);
    let (kin, behind) = kin(ended.or_else(denied)?.0)?;
    let no_more = Rest(behind).behind_any(&["any more", "anymore"]);
    let is_over = ended.is_some() || no_more.is_some();
    let behind = no_more.map_or(behind, |rest| rest.0);
    let is_alone = behind.is_empty() || is_only_since(&Tail(behind, 0).words());
    let value = names.iter().map(|token| token.plain.clone());
    let value = value.filter(|name| !TITLES.contains(&name.as_str()));
    let value: BTreeSet<String> = value.collect();
    let is_told = is_over && is_alone && kin.name.is_none() && !value.is_empty();
    is_told.then(|| Told {
        whose: Some(Whose::Kin(kin)),
        slot: Some(of(What::Name, Holds::Ended, value)),
        ..Told::default()
    })
}

/// Whom the owner has anew, where there is one at a time: `have a new dentist, Dr Berg`.
pub(super) fn successor(rest: Rest<'_>) -> Option<Told> {
    let rest = rest.behind_any(&["have a", "got a", "found a", "have got a", "have found a"])?;
    let (kin, behind) = kin(rest.0)?;
    let n_name = kin.name.as_ref().map_or(0, |name| name.split(' ').count());
    let start = rest.0.len() - behind.len() - n_name;
    let name = rest.after(start).past(&["called", "named", "it", "is"]);
    let (value, behind) = name.names()?;
    let is_one = kin.which == "new" && ONE_AT_A_TIME.contains(&kin.noun.as_str());
    (is_one && behind.0.is_empty()).then(|| Told {
        whose: Some(Whose::Kin(Kin { name: None, ..kin })),
        slot: Some(of(What::Name, Holds::Anew, value)),
        ..Told::default()
    })
}
