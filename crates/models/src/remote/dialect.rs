//! The protocols of servers.
//!
//! Holds their differences as data; implements none.

use genai::adapter::AdapterKind;

/// The protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, at OpenAI.
    OpenAi,
    /// The same API elsewhere: llama.cpp, vLLM, LM Studio.
    OpenAiCompatible,
    /// Ollama's chat API.
    Ollama,
    /// Google's `generateContent` API.
    Gemini,
}

impl Dialect {
    /// The default address; `None` if there is none.
    pub fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("https://api.anthropic.com/v1/"),
            Self::OpenAi => Some("https://api.openai.com/v1/"),
            Self::OpenAiCompatible => None,
            Self::Ollama => Some("http://localhost:11434/"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
        }
    }

    /// Whether the provider requires a key.
    pub fn needs_key(self) -> bool {
        matches!(self, Self::Anthropic | Self::OpenAi | Self::Gemini)
    }

    pub(super) fn adapter(self) -> AdapterKind {
        match self {
            Self::Anthropic => AdapterKind::Anthropic,
            Self::OpenAi | Self::OpenAiCompatible => AdapterKind::OpenAI,
            Self::Ollama => AdapterKind::Ollama,
            Self::Gemini => AdapterKind::Gemini,
        }
    }

    /// Whether all tool results of one reply must be in one message.
    pub(super) fn joins_results(self) -> bool {
        matches!(self, Self::Anthropic | Self::Gemini)
    }

    /// Whether a complete reply always names its stop reason. For these, the library reports a stream as complete even
    /// if the connection was cut.
    pub(super) fn always_names_its_end(self) -> bool {
        matches!(self, Self::Ollama | Self::Gemini)
    }
}
