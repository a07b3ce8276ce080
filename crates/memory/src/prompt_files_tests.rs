//! Tests of `prompt_files`.
