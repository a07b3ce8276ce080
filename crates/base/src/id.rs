//! Ids as types of their own, so that one cannot stand where another belongs.
//!
//! Never interprets a foreign id: whatever text a file holds is kept.

use std::fmt;

use uuid::{NoContext, Uuid};

use crate::Timestamp;

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Takes an id as it stands in a file.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Makes a new `UUIDv7` whose time part is `at`.
            pub fn generate(at: Timestamp) -> Self {
                Self(uuid_at(at).to_string())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

id_type! {
    /// Names one line of a transcript.
    EntryId
}

id_type! {
    /// Names a conversation, as its header does; the file name is another matter.
    SessionId
}

id_type! {
    /// Joins a tool call with its result.
    ToolCallId
}

/// A time before 1970 cannot stand in a `UUIDv7`; it becomes the epoch.
fn uuid_at(at: Timestamp) -> Uuid {
    let seconds = u64::try_from(at.timestamp()).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(
        NoContext,
        seconds,
        at.timestamp_subsec_nanos(),
    ))
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
}
