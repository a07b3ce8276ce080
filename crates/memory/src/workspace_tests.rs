//! Tests of `workspace`.
