//! `openclaw mcp`: serves memory to other programs over the Model Context Protocol on stdio.
//!
//! Never prints to standard output, which belongs to the protocol.

use clap::ValueEnum;
use cli::config::Assignment;
use cli::executor::threads;
use gateway::mcp::{McpDialect, serve_stdio};
use models::ModelLoad;

use crate::prelude::*;
use crate::repository;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw mcp
  claude mcp add openclaw -- openclaw mcp")]
pub(crate) struct Arguments {
    /// Offer no tools that write; write nothing
    #[arg(long)]
    read_only: bool,
    /// Tool names and schemas that the client expects
    #[arg(long, value_name = "NAME", default_value = "openclaw")]
    dialect: DialectArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectArgument {
    /// All tools, under their own names
    Openclaw,
    /// The nine tools of the reference memory server
    Graph,
    /// `search` and `fetch`, as ChatGPT's connectors call them
    Chatgpt,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if arguments.read_only {
        context.assignments.push(Assignment {
            key: "sandbox.readOnly".to_owned(),
            value: "true".to_owned(),
        });
    }
    let home = context.home()?;
    context.name_home(&home)?;
    let directory = std::env::current_dir()?;
    let door = wiring::door(
        context,
        &home,
        (ModelLoad::FromFirstText, repository::at(&directory)),
    )?
    .finding(Some(Arc::new(repository::OnThisMachine)));
    let dialect = match arguments.dialect {
        DialectArgument::Openclaw => McpDialect::Openclaw,
        DialectArgument::Chatgpt => McpDialect::Chatgpt,
        DialectArgument::Graph => McpDialect::Graph,
    };
    threads()?
        .block_on(serve_stdio(door, dialect))
        .map_err(|error| {
            CliError::new(ErrorKind::Input, error)
                .hint("start it from a client: `claude mcp add openclaw -- openclaw mcp`")
        })?;
    Ok(Exit::Done)
}
