//! Newtypes for ids, so that ids of different kinds cannot be mixed up, and a macro for the words of enums.
//!
//! Never interprets an id from a file: any text is kept as it is.

use std::collections::BTreeSet;

use uuid::{NoContext, Uuid};

use crate::{Timestamp, short_hash};

/// Defines a newtype for a text that identifies something.
#[macro_export]
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(String);

        impl $name {
            /// Wraps an id that was read from a file or typed.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(&self.0)
            }
        }

        $crate::text_schema! { $name { "type": "string" } }
    };
}

/// Defines the JSON schema of a type that serialises as a text.
#[macro_export]
macro_rules! text_schema {
    ($name:ident $schema:tt) => {
        impl $crate::schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::schemars::json_schema!($schema)
            }
        }
    };
}

/// Prefix of the name and the id of a session in a repository. A hash of the repository and `-` follow.
const SCOPE: &str = "repo-";
const HASH_LEN: usize = 8;

/// The scope `repo-HASH-` at the beginning of the name or the id of a session in a repository.
pub fn scope_of(text: &str) -> Option<&str> {
    let (hash, rest) = text.strip_prefix(SCOPE)?.split_at_checked(HASH_LEN)?;
    let is_scope = hash.chars().all(|digit| digit.is_ascii_hexdigit()) && rest.starts_with('-');
    text.get(..SCOPE.len() + HASH_LEN + 1).filter(|_| is_scope)
}

/// The scope of a text that comes from all of these scopes. If they differ, it is a scope that no program is in.
pub fn strictest_scope<'s>(scopes: impl IntoIterator<Item = &'s str>) -> Option<String> {
    let scopes: BTreeSet<&str> = scopes.into_iter().collect();
    let scopes: Vec<&str> = scopes.into_iter().collect();
    match scopes.as_slice() {
        [] => None,
        [scope] => Some((*scope).to_owned()),
        several => Some(format!("{SCOPE}{}-", short_hash(&several.join("\n")))),
    }
}

/// The name or id of a session without its scope.
pub fn without_scope(text: &str) -> &str {
    let scope = scope_of(text).unwrap_or_default();
    text.strip_prefix(scope).unwrap_or(text)
}

/// Defines the word for each variant of an enum, as people, files and programs read it.
#[macro_export]
macro_rules! words {
    ($name:ident: $($variant:ident = $word:literal),+ $(,)?) => {
        impl $name {
            /// All variants.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word of this variant.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// Parses a word; `None` if it is not the word of a variant.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == word)
            }
        }

        impl From<$name> for &'static str {
            fn from(value: $name) -> Self {
                value.as_str()
            }
        }
    };
}

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        text_id! { $(#[$doc])* $name }

        impl $name {
            /// Makes a new `UUIDv7` whose time part is `at`.
            pub fn generate(at: Timestamp) -> Self {
                Self(uuid_at(at).to_string())
            }

            /// The time at which the id was made, if it is a `UUIDv7`.
            pub fn made_at(&self) -> Option<Timestamp> {
                time_of(&self.0)
            }
        }
    };
}

id_type! {
    /// Names one line of a transcript.
    EntryId
}

id_type! {
    /// Names a conversation, as its header does; independent of the file name.
    SessionId
}

id_type! {
    /// Pairs a tool call with its result.
    ToolCallId
}

/// `UUIDv7` cannot represent times before 1970, so they become the Unix epoch.
fn uuid_at(at: Timestamp) -> Uuid {
    let seconds = u64::try_from(at.timestamp()).unwrap_or(0);
    let nanoseconds = at.timestamp_subsec_nanos();
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds))
}

fn time_of(text: &str) -> Option<Timestamp> {
    let (seconds, nanoseconds) = Uuid::parse_str(text).ok()?.get_timestamp()?.to_unix();
    Timestamp::from_timestamp(i64::try_from(seconds).ok()?, nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_their_time() {
        let earlier = EntryId::generate("2026-01-02T03:04:05Z".parse().unwrap());
        let later = EntryId::generate("2026-01-02T03:04:06Z".parse().unwrap());
        assert!(earlier < later, "{earlier} {later}");
    }

    #[test]
    fn ids_of_one_instant_differ() {
        let at = "1950-01-01T00:00:00Z".parse().unwrap();
        assert_ne!(EntryId::generate(at), EntryId::generate(at));
    }

    #[test]
    fn made_at_reads_time_of_own_ids_only() {
        let at = "2026-01-02T03:04:05.678Z".parse().unwrap();
        assert_eq!(EntryId::generate(at).made_at(), Some(at));
        for foreign in ["", "e1", "0b7a1c9e-4f3d-4f6e-9d2b-5a4e1c2d3f40"] {
            assert_eq!(EntryId::new(foreign).made_at(), None, "{foreign}");
        }
    }
}
