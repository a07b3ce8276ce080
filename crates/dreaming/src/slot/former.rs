//! Reads that somebody is no more what they were to the owner: `Mr Holm is no longer our landlord`.
//!
//! The name stands first and nothing follows but since when; all else is left alone.

use base::is_only_since;

use super::read::{Rest, of};
use super::subject::kin;
use super::table::TITLES;
use super::tail::Tail;
use super::token::Token;
use super::{Holds, Told, What, Whose};

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
    let value: std::collections::BTreeSet<String> = value.collect();
    let is_told = is_over && is_alone && kin.name.is_none() && !value.is_empty();
    is_told.then(|| Told {
        whose: Some(Whose::Kin(kin)),
        slot: Some(of(What::Name, Holds::Ended, value)),
        ..Told::default()
    })
}
