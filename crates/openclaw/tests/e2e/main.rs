//! The end-to-end tests, one file per behaviour.
//!
//! Never reach into a crate: they run the program as its users do, or call what it makes public.
#![cfg(test)]

mod attended;
mod chat;
mod chat_with_model;
mod command_line;
mod config_commands;
mod deleted_meanwhile;
mod demo;
mod edited_by_hand;
mod encrypted;
mod first_command;
#[cfg(target_os = "linux")]
mod first_model;
mod foreign;
mod foreign_sessions;
mod forgotten_words;
mod freshness;
mod held;
mod history;
mod hook;
mod http_api;
mod http_chat;
mod http_client_words;
mod http_door;
mod http_responses;
mod import_formats;
mod import_taken;
mod import_undo;
mod imported_store;
mod imports;
mod keeping_home;
mod keeping_sessions;
mod many_readers;
mod mcp_graph;
mod mcp_server;
mod memories;
mod memory_commands;
mod page;
mod page_chat;
mod pages;
mod repository_wall;
mod scope;
#[cfg(target_os = "linux")]
mod terminal;
mod together;

mod bad_input;
mod bad_state;
mod interrupted;
mod lasting;
mod promises;
mod proof;
mod refused;

mod in_process;

mod misread;

mod beside;
mod dream;
mod dream_review;
mod dream_unwritten;
mod exit_codes;
mod narrow;
mod note_folders;
mod odd_files;
mod owner_word;
mod pipeline;
mod resumed;
mod sandbox;
mod serving;
mod simulation;
#[cfg(target_os = "linux")]
mod switching;

mod compact;
mod connect;
mod connect_page;
mod corpora;
mod crash;
mod flush;
mod full_disk;
mod real_model;
mod replay;
mod strategies;
mod tool_loop;
mod turn;

mod cached_prefix;
mod dialects;
mod fetched_model;
mod reminders;
mod remote_embedder;
mod remote_model;
mod tool_servers;
mod traced;

mod tidy;
