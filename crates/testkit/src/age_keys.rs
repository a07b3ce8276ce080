//! Secret keys of age, which decrypt only the data of tests.

/// The secret key whose bytes are `BBB...`.
pub const SECRET: &str =
    "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";

/// Another secret key.
pub const OTHER_SECRET: &str =
    "AGE-SECRET-KEY-1QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSKMP32K";
