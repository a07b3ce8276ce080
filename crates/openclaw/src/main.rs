//! The program: arguments in, exit code out.
//!
//! Never decides anything itself.

fn main() {}
