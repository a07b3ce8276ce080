//! Tests of `standing`.
