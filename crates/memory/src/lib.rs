//! What is known: the workspace of Markdown files that the owner reads, edits and undoes.
//!
//! Never imports session, and never calls a chat model.
