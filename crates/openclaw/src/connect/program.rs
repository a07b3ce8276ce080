//! The programs that can use this memory, and where each keeps its settings.
//!
//! Reads no file.

use clap::ValueEnum;

use super::settings::{ConnectEntry, ServerForm, SettingsFile, SettingsSyntax};
use crate::prelude::*;

/// A program that can use this memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// Claude Code (tools over MCP, memory at each prompt through hooks)
    ClaudeCode,
    /// Claude Desktop (tools over MCP)
    ClaudeDesktop,
    /// Codex (tools over MCP, memory at each prompt through hooks)
    Codex,
    /// The TypeScript OpenClaw (tools over MCP)
    Openclaw,
    /// VS Code (tools over MCP)
    Vscode,
    /// Cursor (tools over MCP)
    Cursor,
    /// Zed (tools over MCP)
    Zed,
    /// Gemini CLI (tools over MCP)
    GeminiCli,
    /// opencode (tools over MCP)
    Opencode,
    /// LM Studio (tools over MCP)
    LmStudio,
    /// Obsidian: its vaults become part of memory, read in place
    Obsidian,
    #[value(help = "Open WebUI: prints what to enter there")]
    /// `Open WebUI`, whose connections are in its database.
    OpenWebui,
    /// Any other program that speaks MCP: prints what to paste
    Mcp,
    #[value(help = "Any other client of the OpenAI API: prints what to enter")]
    /// Any other client of the API of `OpenAI`.
    Openai,
}

const CLAUDE_CODE: &str = "claude-code";
const CLAUDE_CODE_HOOKS: &[ConnectEntry] = &[
    ConnectEntry::Hook(CLAUDE_CODE, "SessionStart", 10),
    ConnectEntry::Hook(CLAUDE_CODE, "UserPromptSubmit", 10),
    ConnectEntry::Hook(CLAUDE_CODE, "PreCompact", 30),
    ConnectEntry::Hook(CLAUDE_CODE, "Stop", 30),
    ConnectEntry::Hook(CLAUDE_CODE, "SessionEnd", 30),
];

const CODEX: &str = "codex";
const CODEX_HOOKS: &[ConnectEntry] = &[
    ConnectEntry::Hook(CODEX, "SessionStart", 10),
    ConnectEntry::Hook(CODEX, "UserPromptSubmit", 10),
    ConnectEntry::Hook(CODEX, "PreCompact", 30),
    ConnectEntry::Hook(CODEX, "Stop", 30),
];

/// The settings files of a program: path below the user's home directory, language, and what is added.
type Files = &'static [(&'static str, SettingsSyntax, &'static [ConnectEntry])];

impl Program {
    /// The steps that the owner must take in the program before it uses everything that was added, if any.
    pub(crate) fn trust(self) -> Option<&'static str> {
        match self {
            Self::Codex => {
                Some("in Codex, type /hooks and trust those of openclaw: it runs no hook before")
            }
            Self::Vscode => Some("VS Code asks whether you trust the server when it starts it"),
            Self::GeminiCli => {
                Some("Gemini CLI starts servers only in folders that you have told it to trust")
            }
            Self::ClaudeCode
            | Self::ClaudeDesktop
            | Self::Openclaw
            | Self::Cursor
            | Self::Zed
            | Self::Opencode
            | Self::LmStudio
            | Self::Obsidian
            | Self::OpenWebui
            | Self::Mcp
            | Self::Openai => None,
        }
    }

    /// The program's settings files, below the user's home directory; none if they are entered by hand.
    pub(crate) fn files(self, user_home: &Path) -> Vec<SettingsFile> {
        let files = self.settings().iter();
        let files = files.map(|(path, syntax, entries)| SettingsFile {
            path: user_home.join(path),
            entries,
            syntax: *syntax,
        });
        files.collect()
    }

    fn settings(self) -> Files {
        use ConnectEntry::Server;
        use ServerForm::{CommandAndArguments, CommandList, LoadedAlways};
        use SettingsSyntax::{Json, Toml};
        /// The group in which most programs keep their servers.
        const SERVERS: &[ConnectEntry] = &[Server("mcpServers", CommandAndArguments)];
        let is_mac = cfg!(target_os = "macos");
        match self {
            Self::ClaudeCode => &[
                (".claude.json", Json, &[Server("mcpServers", LoadedAlways)]),
                (".claude/settings.json", Json, CLAUDE_CODE_HOOKS),
            ],
            Self::ClaudeDesktop if is_mac => &[(
                "Library/Application Support/Claude/claude_desktop_config.json",
                Json,
                SERVERS,
            )],
            Self::ClaudeDesktop => &[(".config/Claude/claude_desktop_config.json", Json, SERVERS)],
            Self::Codex => &[
                (
                    ".codex/config.toml",
                    Toml,
                    &[Server("mcp_servers", CommandAndArguments)],
                ),
                (".codex/hooks.json", Json, CODEX_HOOKS),
            ],
            Self::Openclaw => &[(
                ".openclaw/openclaw.json",
                Json,
                &[Server("mcp.servers", CommandAndArguments)],
            )],
            Self::Vscode if is_mac => &[(
                "Library/Application Support/Code/User/mcp.json",
                Json,
                &[Server("servers", CommandAndArguments)],
            )],
            Self::Vscode => &[(
                ".config/Code/User/mcp.json",
                Json,
                &[Server("servers", CommandAndArguments)],
            )],
            Self::Cursor => &[(".cursor/mcp.json", Json, SERVERS)],
            Self::Zed => &[(
                ".config/zed/settings.json",
                Json,
                &[Server("context_servers", CommandAndArguments)],
            )],
            Self::GeminiCli => &[(".gemini/settings.json", Json, SERVERS)],
            Self::Opencode => &[(
                ".config/opencode/opencode.json",
                Json,
                &[Server("mcp", CommandList)],
            )],
            Self::LmStudio => &[(".lmstudio/mcp.json", Json, SERVERS)],
            Self::Obsidian | Self::OpenWebui | Self::Mcp | Self::Openai => &[],
        }
    }
}
