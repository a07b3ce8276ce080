//! The identifiers of a text as the engine asks for them.
//!
//! Finds none itself; what one looks like is told in `base`.

pub(super) use base::identifier::{Identifier, Kind, identifiers, is_currency, is_unspaced};

/// The figures and exact identifiers of a text, without doubles: what tells two like clauses apart.
pub(super) fn figures(text: &str) -> Vec<&str> {
    of_kinds(text, |kind| kind != Kind::Name)
}

/// The exact identifiers of a text that say something alone, without doubles: not sums and shares.
pub(super) fn exact(text: &str) -> Vec<&str> {
    of_kinds(text, |kind| {
        kind.is_exact() && !matches!(kind, Kind::Sum | Kind::Share)
    })
}

fn of_kinds(text: &str, is_wanted: impl Fn(Kind) -> bool) -> Vec<&str> {
    let found = identifiers(text)
        .into_iter()
        .filter(|found| is_wanted(found.kind));
    let mut texts: Vec<&str> = found.map(|found| found.text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}
