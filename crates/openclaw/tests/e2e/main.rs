//! The end-to-end tests, one file a behaviour.
//!
//! Never reach into a crate: they run the program as its users do, or call what it makes public.

#[cfg(test)]
mod attended;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod chat_with_model;
#[cfg(test)]
mod command_line;
#[cfg(test)]
mod config_commands;
#[cfg(test)]
mod deleted_meanwhile;
#[cfg(test)]
mod encrypted;
#[cfg(test)]
mod first_command;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod first_model;
mod fleet;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod foreign_sessions;
#[cfg(test)]
mod freshness;
#[cfg(test)]
mod held;
#[cfg(test)]
mod history;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod http_api;
#[cfg(test)]
mod http_chat;
#[cfg(test)]
mod http_door;
#[cfg(test)]
mod http_service;
#[cfg(test)]
mod import_formats;
#[cfg(test)]
mod import_taken;
#[cfg(test)]
mod imported_store;
#[cfg(test)]
mod imports;
#[cfg(test)]
mod keeping_home;
#[cfg(test)]
mod keeping_sessions;
#[cfg(test)]
mod many_readers;
#[cfg(test)]
mod mcp_graph;
#[cfg(test)]
mod mcp_server;
#[cfg(test)]
mod memories;
#[cfg(test)]
mod memory_commands;
#[cfg(test)]
mod moved_homes;
#[cfg(test)]
mod page;
#[cfg(test)]
mod scope;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(test)]
mod together;

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod bad_state;
#[cfg(test)]
mod interrupted;
#[cfg(test)]
mod refused;

#[cfg(test)]
mod in_process;

#[cfg(test)]
mod misread;

#[cfg(test)]
mod beside;
#[cfg(test)]
mod dream;
#[cfg(test)]
mod dream_review;
#[cfg(test)]
mod dream_unwritten;
#[cfg(test)]
mod exit_codes;
#[cfg(test)]
mod narrow;
#[cfg(test)]
mod odd_files;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod resumed;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod serving;
#[cfg(test)]
mod simulation;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod switching;
#[cfg(test)]
mod watched;

#[cfg(test)]
mod compact;
#[cfg(test)]
mod connect;
#[cfg(test)]
mod connect_page;
#[cfg(test)]
mod corpora;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod flush;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod real_model;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod strategies;
#[cfg(test)]
mod tool_loop;
#[cfg(test)]
mod turn;

#[cfg(test)]
mod cached_prefix;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod fetched_model;
#[cfg(test)]
mod remote_embedder;
#[cfg(test)]
mod remote_model;
#[cfg(test)]
mod tool_servers;
#[cfg(test)]
mod traced;

#[cfg(test)]
mod tidy;
