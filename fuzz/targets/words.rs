//! See `readers.rs`.

#![no_main]

#[expect(dead_code, reason = "each target takes one reader of the file")]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::words(bytes));
