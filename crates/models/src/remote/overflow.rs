//! How providers say that a request is larger than the window of a model, and by how much.
//!
//! Pure; knows words and nothing else.

use base::TokenCount;
use base::model::SaidSizes;

use super::said::Said;

const CODES: [&str; 5] = [
    "context_length_exceeded",
    "exceed_context_size",
    "request_too_large",
    "model_max_prompt_tokens_exceeded",
    "string_above_max_length",
];

/// Phrases of which each alone says it, in lower case.
const PHRASES: [&str; 15] = [
    "prompt is too long",                   // Anthropic
    "exceed context limit",                 // Anthropic, with the room for the reply
    "maximum context length",               // OpenAI, vLLM, OpenRouter, Mistral, llama-cpp-python
    "exceeds the context window",           // OpenAI, newer models
    "exceed context window",                // llama-cpp-python
    "exceeds the available context size",   // llama.cpp
    "exceeds the context length",           // Ollama
    "exceeds the maximum number of tokens", // Gemini
    "longer than the maximum model length", // vLLM
    "maximum prompt length",                // xAI
    "reduce the length of the messages",    // OpenAI, Groq
    "greater than the context length",      // LM Studio
    "the context overflows",                // LM Studio
    "input is too long",                    // Bedrock and who stands before it
    "exceeded model token limit",           // Moonshot
];

pub(super) fn is_overflow(said: &Said) -> bool {
    let message = said.message.to_lowercase();
    CODES.iter().any(|code| said.has_code(code))
        || PHRASES.iter().any(|phrase| message.contains(phrase))
}

/// What stands before and behind the tokens that a model takes, in lower case: a refusal has more numbers.
const WINDOW: [(&str, &str); 8] = [
    ("maximum context length is ", ""),
    ("maximum context length of ", ""),
    ("maximum prompt length is ", ""),
    ("maximum model length of ", ""),
    ("maximum number of tokens allowed (", ")"),
    ("context size (", " tokens"),
    ("context window of ", ""),
    ("context length of ", ""),
];

/// What stands before a size that is compared with the window, as `214251 tokens > 200000`, in lower case.
const COMPARED: [&str; 2] = ["prompt is too long: ", "exceed context limit: "];

/// What stands before and behind the tokens of the request, without those of its reply.
const REQUEST: [(&str, &str); 8] = [
    ("prompt is too long: ", " tokens"),
    ("messages resulted in ", " tokens"),
    ("(", " in the messages"),
    ("input token count (", ")"),
    ("request contains ", " tokens"),
    ("request (", " tokens"),
    ("requested tokens (", ")"),
    ("exceed context limit: ", " +"),
];

/// What it says of the sizes, where it says so in known words.
pub(super) fn sizes(said: &Said) -> SaidSizes {
    let message = said.message.to_lowercase();
    SaidSizes {
        window: number_between(&message, &WINDOW).or_else(|| compared_with(&message)),
        request: number_between(&message, &REQUEST),
    }
}

/// The first number that stands between the two halves of a phrase.
fn number_between(message: &str, phrases: &[(&str, &str)]) -> Option<TokenCount> {
    phrases.iter().find_map(|(before, behind)| {
        message.match_indices(before).find_map(|(at, _)| {
            let (n_tokens, rest) = leading_number(message.get(at + before.len()..)?);
            n_tokens.filter(|_| rest.starts_with(behind))
        })
    })
}

/// The number that a size of the request is said to be above: nothing but that size stands before the sign.
fn compared_with(message: &str) -> Option<TokenCount> {
    COMPARED.iter().find_map(|before| {
        let (_, rest) = message.split_once(before)?;
        let (size, rest) = rest.split_once("> ")?;
        let is_of_size = |it: char| it.is_ascii_digit() || matches!(it, ',' | '+' | ' ');
        let is_size = size.replace("tokens", "").chars().all(is_of_size);
        leading_number(rest).0.filter(|_| is_size)
    })
}

/// The number with which a text begins, and what stands behind it.
fn leading_number(text: &str) -> (Option<TokenCount>, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != ',');
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    let n_tokens = digits.replace(',', "").parse().ok();
    let n_tokens = n_tokens.filter(|n_tokens| *n_tokens > 0);
    (n_tokens.map(TokenCount), rest)
}

#[cfg(test)]
#[path = "overflow_tests.rs"]
mod tests;
