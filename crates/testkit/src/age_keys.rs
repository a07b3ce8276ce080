//! Secret keys of age, which open what tests make and nothing else.

/// The bytes `BBB...` as a secret key.
pub const SECRET: &str =
    "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";

/// Another one.
pub const OTHER_SECRET: &str =
    "AGE-SECRET-KEY-1QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSWPC8QURSKMP32K";
