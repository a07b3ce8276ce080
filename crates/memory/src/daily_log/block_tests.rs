//! Tests of `block`.
