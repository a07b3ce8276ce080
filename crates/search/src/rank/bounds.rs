//! Filters stretches by the search options.
//!
//! Looks at neither text nor score.

use std::collections::BTreeSet;

use base::Day;

use super::model::SearchOptions;
use crate::index::{IndexError, IndexSnapshot};
use crate::passage_source::Source;

/// The filter that the options define.
#[derive(Debug)]
pub(crate) struct Bounds<'o> {
    pub(crate) options: &'o SearchOptions,
    /// Keys of the requested documents and notes, if any were named.
    keys: Option<BTreeSet<i64>>,
    hidden: BTreeSet<i64>,
}

/// What is known of a stretch before its record is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownStretch {
    pub(crate) key: i64,
    pub(crate) source: Option<Source>,
    pub(crate) day: Option<Day>,
}

impl<'o> Bounds<'o> {
    /// Resolves the documents that the options name.
    pub(crate) fn of(
        options: &'o SearchOptions,
        snapshot: &IndexSnapshot<'_>,
    ) -> Result<Self, IndexError> {
        let keys_of = |paths: &[String]| snapshot.keys_of(Source::Session, paths);
        let mut keys = keys_of(&options.documents)?;
        keys.extend(snapshot.keys_of(Source::Memory, &options.notes)?);
        let is_any = !options.documents.is_empty() || !options.notes.is_empty();
        Ok(Self {
            options,
            keys: is_any.then_some(keys),
            hidden: keys_of(&options.hidden_documents)?,
        })
    }

    /// Whether the filter excludes nothing.
    pub(crate) fn allow_all(&self) -> bool {
        self.options.source.is_none()
            && !self.ask_for_days()
            && self.keys.is_none()
            && self.hidden.is_empty()
    }

    /// Whether the filter needs days.
    pub(crate) fn ask_for_days(&self) -> bool {
        self.options.after.is_some() || self.options.before.is_some()
    }

    /// Whether the stretch passes the filter.
    pub(crate) fn allow(&self, KnownStretch { key, source, day }: KnownStretch) -> bool {
        let SearchOptions { after, before, .. } = self.options;
        self.options.source.is_none_or(|it| source == Some(it))
            && after.is_none_or(|after| day >= Some(after))
            && before.is_none_or(|before| day.is_some_and(|day| day <= before))
            && self.keys.as_ref().is_none_or(|keys| keys.contains(&key))
            && !self.hidden.contains(&key)
    }
}
