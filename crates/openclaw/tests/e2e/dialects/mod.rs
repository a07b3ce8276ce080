//! The adapter against a server of each dialect, whose answers follow the public documentation.
//!
//! Never leaves this machine.

mod faults;
mod talk;

mod anthropic;
mod gemini;
mod ollama;
mod openai;

mod formed;
mod retried;
