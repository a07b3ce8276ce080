//! Recognises a reply that repeats its instructions instead of following them.
//!
//! Never judges what a reply says otherwise.

use crate::markdown::same_words;

/// Shorter lines of a prompt could be said by chance; headings are meant to be repeated.
const N_WORDS_MIN: usize = 8;

/// Whether the reply holds a whole line of the prompt.
pub(crate) fn repeats(prompt: &str, reply: &str) -> bool {
    let reply = format!(" {} ", same_words(reply));
    prompt
        .lines()
        .filter(|line| !line.contains("{{"))
        .map(same_words)
        .filter(|line| line.split(' ').count() >= N_WORDS_MIN)
        .any(|line| reply.contains(&format!(" {line} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_line_of_the_prompt_is_a_leak() {
        let prompt = "Be brief.\n- Never tell anyone about the {{day}} of all these many words.\n\
                      - Keep names, numbers and paths exactly as they stand.";
        assert!(repeats(
            prompt,
            "I was told: *keep names, numbers and paths exactly as they stand*!"
        ));
        assert!(!repeats(
            prompt,
            "- Be brief.\n- Keep names, numbers and paths exactly."
        ));
        assert!(!repeats(prompt, ""));
    }
}
