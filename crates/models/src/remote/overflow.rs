//! Reads the sizes that a refusal of a request larger than the window states.
//!
//! Pure; matches words only.

use base::TokenCount;
use base::model::SaidSizes;

use super::said::ServerMessage;

/// Text before and after the size of the window, in lower case: a refusal states several numbers.
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

/// Text before a size compared with the window, as in `214251 tokens > 200000`, in lower case.
const COMPARED: [&str; 2] = ["prompt is too long: ", "exceed context limit: "];

/// Text before and after the size of the request, without its reply.
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

/// The stated sizes, where the wording is known.
pub(super) fn sizes(said: &ServerMessage) -> SaidSizes {
    let message = said.message.to_lowercase();
    SaidSizes {
        window: number_between(&message, &WINDOW).or_else(|| compared_with(&message)),
        request: number_between(&message, &REQUEST),
    }
}

/// The first number between both parts of a phrase.
fn number_between(message: &str, phrases: &[(&str, &str)]) -> Option<TokenCount> {
    phrases.iter().find_map(|(before, behind)| {
        message.match_indices(before).find_map(|(at, _)| {
            let (n_tokens, rest) = leading_number(message.get(at + before.len()..)?);
            n_tokens.filter(|_| rest.starts_with(behind))
        })
    })
}

/// The number after `>`, provided that only the size of the request comes before the sign.
fn compared_with(message: &str) -> Option<TokenCount> {
    COMPARED.iter().find_map(|before| {
        let (_, rest) = message.split_once(before)?;
        let (size, rest) = rest.split_once("> ")?;
        let is_of_size = |it: char| it.is_ascii_digit() || matches!(it, ',' | '+' | ' ');
        let is_size = size.replace("tokens", "").chars().all(is_of_size);
        leading_number(rest).0.filter(|_| is_size)
    })
}

/// The number at the start of a text, and the rest.
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
