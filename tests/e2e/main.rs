//! The end-to-end tests, one file a behaviour.
