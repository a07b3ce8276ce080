//! How providers say that a request is larger than the window of a model.
//!
//! Pure; knows words and nothing else.

use super::said::Said;

/// Words for the kind of error.
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

/// Whether it says so.
pub(super) fn is_overflow(said: &Said) -> bool {
    let message = said.message.to_lowercase();
    CODES.iter().any(|code| said.has_code(code))
        || PHRASES.iter().any(|phrase| message.contains(phrase))
}

#[cfg(test)]
#[path = "overflow_tests.rs"]
mod tests;
