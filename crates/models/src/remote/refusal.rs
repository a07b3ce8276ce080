//! The meaning of a refusal of a provider: one table of statuses, codes and words.
//!
//! Pure; does not decide whether to retry.

use std::ops::RangeInclusive;

use super::said::ServerMessage;

/// What a refusal means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The request is larger than the window, or than the server takes at once.
    TooLarge,
    WrongKey,
    /// There is no such model or path.
    NoSuchPath,
    Redirect,
    /// The account has no credit left, which does not refill while we wait.
    EmptyAccount,
    RateLimit,
    /// The server cannot answer now.
    Overloaded,
    /// The server does not accept the form of the request; another form may work.
    Form,
    /// Anything else: a retry fails as well.
    Other,
}

/// Where a refusal arrives.
enum At {
    /// In place of the reply, with one of these statuses.
    Status(&'static [RangeInclusive<u16>]),
    /// In place of a piece of the reply, without a status.
    Stream,
    Anywhere,
}

/// A row matches if the refusal arrives there and has one of the codes or phrases; without any, every refusal there.
struct Row {
    at: At,
    /// Parts of codes.
    codes: &'static [&'static str],
    /// Parts of messages, in lower case.
    phrases: &'static [&'static str],
    means: Refusal,
}

const fn row(at: At, means: Refusal) -> Row {
    Row {
        at,
        codes: &[],
        phrases: &[],
        means,
    }
}

/// The first row that matches counts.
const ROWS: [Row; 14] = [
    Row {
        codes: &["insufficient_quota"],
        ..row(At::Status(&[429..=429]), Refusal::EmptyAccount)
    },
    row(At::Status(&[429..=429]), Refusal::RateLimit),
    row(At::Status(&[413..=413]), Refusal::TooLarge),
    Row {
        codes: &[
            "context_length_exceeded",
            "exceed_context_size",
            "request_too_large",
            "model_max_prompt_tokens_exceeded",
            "string_above_max_length",
        ],
        phrases: &[
            "prompt is too long",                   // Anthropic
            "exceed context limit",                 // Anthropic, counting the reply
            "maximum context length", // OpenAI, vLLM, OpenRouter, Mistral, llama-cpp-python
            "exceeds the context window", // OpenAI, newer models
            "exceed context window",  // llama-cpp-python
            "exceeds the available context size", // llama.cpp
            "exceeds the context length", // Ollama
            "exceeds the maximum number of tokens", // Gemini
            "longer than the maximum model length", // vLLM
            "maximum prompt length",  // xAI
            "reduce the length of the messages", // OpenAI, Groq
            "greater than the context length", // LM Studio
            "the context overflows",  // LM Studio
            "input is too long",      // Bedrock and its proxies
            "exceeded model token limit", // Moonshot
        ],
        ..row(At::Anywhere, Refusal::TooLarge)
    },
    Row {
        phrases: &["api key not valid"], // Google
        ..row(At::Status(&[400..=400]), Refusal::WrongKey)
    },
    row(At::Status(&[401..=401, 403..=403]), Refusal::WrongKey),
    row(At::Status(&[404..=404]), Refusal::NoSuchPath),
    row(At::Status(&[300..=399]), Refusal::Redirect),
    Row {
        codes: &["rate_limit", "resource_exhausted"],
        ..row(At::Stream, Refusal::RateLimit)
    },
    Row {
        codes: &["overloaded", "unavailable"],
        ..row(At::Stream, Refusal::Overloaded)
    },
    row(At::Status(&[400..=400, 422..=422]), Refusal::Form),
    // 529 is Anthropic's status for an overloaded service.
    row(
        At::Status(&[408..=409, 425..=425, 529..=529]),
        Refusal::Overloaded,
    ),
    Row {
        // The fields that set the format of a reply, in all dialects: some servers fail on unknown fields.
        phrases: &[
            "response_format",
            "responsejsonschema",
            "output_config",
            "tool_choice",
        ],
        ..row(At::Status(&[500..=599]), Refusal::Form)
    },
    row(At::Status(&[500..=599]), Refusal::Overloaded),
];

impl Refusal {
    /// The meaning of a refusal; `status` is `None` if it came in place of a piece of the reply.
    pub(crate) fn of(status: Option<u16>, said: &ServerMessage) -> Self {
        let message = said.message.to_lowercase();
        let row = ROWS.iter().find(|row| {
            let is_there = match (&row.at, status) {
                (At::Status(ranges), Some(status)) => ranges.iter().any(|it| it.contains(&status)),
                (At::Stream, None) | (At::Anywhere, _) => true,
                (At::Status(_), None) | (At::Stream, Some(_)) => false,
            };
            let says_any = row.codes.is_empty() && row.phrases.is_empty()
                || row.codes.iter().any(|code| said.has_code(code))
                || row.phrases.iter().any(|phrase| message.contains(phrase));
            is_there && says_any
        });
        row.map_or(Self::Other, |row| row.means)
    }
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
