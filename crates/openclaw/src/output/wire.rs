//! How values of the libraries are written in JSON.
//!
//! The only place where the command line gives a library's type a form on the wire.

#![expect(
    clippy::ref_option,
    reason = "serde hands a field over by reference, whatever its type"
)]

use base::Timestamp;
use serde::{Serialize, Serializer};

use super::words::instant;

/// Writes an instant as RFC 3339 in UTC with milliseconds.
pub(crate) fn timestamp<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&instant(*at))
}

/// Writes an instant that may not be known, as null where it is not.
pub(crate) fn some_timestamp<S: Serializer>(
    at: &Option<Timestamp>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => timestamp(at, to),
        None => to.serialize_none(),
    }
}

/// Writes whatever has one written form as that text.
pub(crate) fn text<S: Serializer>(value: &impl ToString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&value.to_string())
}

/// Writes hundredths as a number, as null where it is not known.
pub(crate) fn some_percent<S: Serializer>(percent: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio that large has no use for its last digits"
    )]
    percent.map(|percent| percent as f64 / 100.0).serialize(to)
}
