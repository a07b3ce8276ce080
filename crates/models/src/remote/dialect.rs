//! The ways in which servers want to be spoken to.
//!
//! Holds what differs between them as data; speaks none itself.

use genai::adapter::AdapterKind;

/// How a server wants to be spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The messages of Anthropic.
    Anthropic,
    /// The chat completions of OpenAI, at OpenAI.
    OpenAi,
    /// The same at anybody else: llama.cpp, vLLM, LM Studio.
    OpenAiCompatible,
    /// The chat of Ollama.
    Ollama,
    /// The generated content of Google.
    Gemini,
}

impl Dialect {
    /// Where the provider is found; `None` where there is no usual place.
    pub fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("https://api.anthropic.com/v1/"),
            Self::OpenAi => Some("https://api.openai.com/v1/"),
            Self::OpenAiCompatible => None,
            Self::Ollama => Some("http://localhost:11434/"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
        }
    }

    /// Whether the provider answers nobody without a key.
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

    /// Whether the results of one reply's calls must come in one message.
    pub(super) fn joins_results(self) -> bool {
        matches!(self, Self::Anthropic | Self::Gemini)
    }

    /// Whether a whole reply names the reason of its end. The library ends a stream of these as if all
    /// were well when the connection was cut.
    pub(super) fn always_names_its_end(self) -> bool {
        matches!(self, Self::Ollama | Self::Gemini)
    }
}
