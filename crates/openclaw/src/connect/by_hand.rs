//! What the owner enters by hand in a program whose settings `connect` does not write.
//!
//! Pure. Shows where the token is, never the token.

use base::Invocation;

use super::program::Program;
use super::settings::{NAME, ServerForm, server_value};
use crate::prelude::*;

/// The address at which `openclaw serve` listens by default.
const SERVICE: &str = "http://127.0.0.1:18789";

/// The addresses and commands that the steps in another program name.
pub(crate) struct ByHand<'a> {
    /// The command line that starts this program.
    pub(crate) server: &'a [String],
    /// How the owner calls it.
    pub(crate) invocation: &'a Invocation,
    /// The file with the token.
    pub(crate) token: &'a Path,
}

/// What to enter in this program; `None` if `connect` writes its settings.
pub(crate) fn by_hand(program: Program, by: &ByHand<'_>) -> Option<String> {
    let (token, invocation) = (by.token.display(), by.invocation);
    let serve = format!(
        "Start the service with `{}`, or at each login with\n`{}`.",
        invocation.command("serve"),
        invocation.command("service install")
    );
    match program {
        Program::Mcp => {
            let servers = json!({
                "mcpServers": { NAME: server_value(ServerForm::CommandAndArguments, by.server) }
            });
            let servers = serde_json::to_string_pretty(&servers).unwrap_or_default();
            Some(format!(
                "Most programs that speak MCP read this block in their settings:\n\n{servers}\n\n\
                 For a program that connects over HTTP:\n\n{serve}\n\
                 URL      {SERVICE}/mcp\n\
                 header   Authorization: Bearer TOKEN, where TOKEN is the text in\n         {token}\n"
            ))
        }
        Program::Openai => Some(format!(
            "{serve}\nIn the program, add an OpenAI-compatible connection:\n\n\
             base URL  {SERVICE}/v1\n\
             API key   the text in {token}\n\
             model     openclaw        each conversation is a session of its own\n          \
             openclaw:main   the conversation that `{}` continues\n",
            invocation.command("chat")
        )),
        Program::OpenWebui => Some(format!(
            "{serve}\nIn Open WebUI, as its administrator:\n\n\
             1. Open Admin Panel > Settings > Connections, and add an OpenAI API connection.\n\
             2. URL: {SERVICE}/v1\n\
             3. Key: the text in {token}\n\
             4. Save. A new chat offers the model `openclaw`: choose it.\n\n\
             Each chat there is a session of its own that knows your memory. What Open WebUI\n\
             asks for itself, such as titles and tags, is answered and not stored.\n\
             In Docker, start its container with `--network=host`: the service listens on\n\
             this machine only.\n"
        )),
        Program::ClaudeCode
        | Program::ClaudeDesktop
        | Program::Obsidian
        | Program::Codex
        | Program::Openclaw
        | Program::Vscode
        | Program::Cursor
        | Program::Zed
        | Program::GeminiCli
        | Program::Opencode
        | Program::LmStudio => None,
    }
}

/// How a connection that was entered by hand is removed again.
pub(crate) fn removal(program: Program) -> String {
    match program {
        Program::Openai => {
            format!("in the program, remove the connection with the base URL {SERVICE}/v1")
        }
        Program::OpenWebui => format!(
            "in Open WebUI, open Admin Panel > Settings > Connections, and remove the one with the URL {SERVICE}/v1"
        ),
        Program::ClaudeCode
        | Program::ClaudeDesktop
        | Program::Obsidian
        | Program::Codex
        | Program::Openclaw
        | Program::Vscode
        | Program::Cursor
        | Program::Zed
        | Program::GeminiCli
        | Program::Opencode
        | Program::LmStudio
        | Program::Mcp => {
            format!("in the settings of the program, remove the server `{NAME}`")
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn program_has_either_settings_files_or_manual_steps() {
        let by = ByHand {
            server: &["/usr/bin/openclaw".to_owned()],
            invocation: &Invocation::default(),
            token: Path::new("/home/ada/.openclaw/state/token"),
        };
        let mut shown = String::new();
        // The vaults of Obsidian are in the settings of the home.
        let programs = Program::value_variants().iter();
        for program in programs.filter(|it| **it != Program::Obsidian) {
            let files = program.files(Path::new("/home/ada"));
            let steps = by_hand(*program, &by);
            assert_eq!(files.is_empty(), steps.is_some(), "{program:?}");
            if let Some(steps) = steps {
                add_line!(shown, "== {program:?}\n{steps}");
            }
        }
        insta::assert_snapshot!(shown);
    }
}
