//! Tests of `note`.
