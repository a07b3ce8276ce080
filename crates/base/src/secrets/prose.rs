//! Finds secrets in prose: a cue, and near it a token that looks like a secret.
//!
//! Does not parse sentences: a verb such as `is`, a colon, or nothing at all may link a cue and its secret.

use std::ops::{Range, RangeInclusive};

use super::SecretSpan;
use super::clause::{is_alone, is_last, is_link, word_before};
use super::code::{is_call, is_code, is_item, is_key, is_setting};
use super::cue::whole_cues;
use super::items::items_after;
use super::likeness::{
    PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, SecretLikeness, is_of_code, likeness,
};
use super::number::{goes_on_as_number, goes_on_as_words, length_of_number};
use super::patterns::{Announcement, CueVerb, Hits, PATTERNS, SecretCue};
use super::table;
use super::token::{SecretToken, tokens};
use crate::{Day, is_unspaced};

/// Number of bytes after a cue and, below, before it, that are searched for its secret.
const BEHIND_BYTES_MAX: usize = 120;
const BEFORE_BYTES_MAX: usize = 64;

/// Maximum number of words between a secret and a cue after it.
const WORDS_BEFORE_MAX: usize = 5;

/// Number of words in a passphrase after a cue for passphrases.
const PHRASE_WORDS: RangeInclusive<usize> = 3..=24;
/// Number of words in a passphrase after any other cue.
const STATED_PHRASE_WORDS: RangeInclusive<usize> = 4..=24;
/// The minimum number of letters in each word of a passphrase.
const PHRASE_WORD_CHARS_MIN: usize = 3;

/// Maximum number of letters of a word such as `de` or `voor`, which introduces the purpose of a password.
const JOINT_CHARS_MAX: usize = 3;

/// Maximum number of words between a cue and its secret that name its purpose, as in `password of the wifi`.
const PURPOSE_WORDS_MAX: usize = 4;

/// Number of digits of a PIN or code: the minimum after a cue for numbers, the minimum otherwise, the maximum, and
/// the maximum for a number that is stated as the secret, such as the key of a network.
const DIGITS_MIN: usize = 3;
const DIGITS_ALONE_MIN: usize = 4;
const DIGITS_MAX: usize = 12;
const DIGITS_GIVEN_MAX: usize = 32;

/// The secrets near the cues of a text.
pub(super) fn find(text: &str, hits: &Hits) -> Vec<SecretSpan<'static>> {
    let cues = whole_cues(text, &hits.cues);
    let mut found = Vec::new();
    let mut from = 0;
    for (number, cue) in cues.iter().enumerate() {
        let to = cues.get(number + 1).map_or(text.len(), |next| next.start);
        if let Some(rule) = PATTERNS.announced(cue) {
            found.extend(NearbyCue { text, cue, rule }.secrets(from, to));
        }
        from = cue.end;
    }
    found.extend(table::find(text, &cues));
    found
}

/// A cue and the text around it.
struct NearbyCue<'t> {
    text: &'t str,
    cue: &'t SecretCue,
    rule: &'static Announcement,
}

/// The relation of a token to the cue before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CueLink {
    /// The token comes directly after the cue, a colon, or a word such as `is`.
    Given,
    /// The token is in the same sentence.
    Near,
    /// The token is in another sentence.
    Beyond,
}

impl NearbyCue<'_> {
    /// The secrets of this cue, which are between the previous cue and the next one.
    fn secrets(&self, from: usize, to: usize) -> Vec<SecretSpan<'static>> {
        let behind = self.behind(to);
        let found = self.among(&behind);
        if !found.is_empty() {
            return found;
        }
        self.before(from).into_iter().collect()
    }

    fn behind(&self, to: usize) -> Vec<SecretToken<'_>> {
        let end = to.min(self.cue.end + BEHIND_BYTES_MAX);
        // The range extends to the end of the last token.
        let rest = self.text.get(self.text.ceil_char_boundary(end)..to);
        let rest = rest.unwrap_or("");
        let more = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = self.text.ceil_char_boundary(end) + more.min(PASSWORD_CHARS_MAX * 4);
        let end = self.text.ceil_char_boundary(end.min(to));
        let start = self.cue.end + self.closing_quote().unwrap_or(0);
        tokens(self.text.get(start..end).unwrap_or(""), start)
    }

    /// The length in bytes of the closing quotation mark after a quoted cue, as in `\"password\":`.
    fn closing_quote(&self) -> Option<usize> {
        let mark = self.text.get(..self.cue.start)?.chars().next_back()?;
        let behind = self.text.get(self.cue.end..)?;
        let rest = behind.trim_start_matches('\\').strip_prefix(mark)?;
        matches!(mark, '"' | '\'' | '`').then_some(behind.len() - rest.len())
    }

    /// The secrets after the cue. If any are stated as secrets, only these; otherwise those that look like secrets.
    fn among(&self, tokens: &[SecretToken<'_>]) -> Vec<SecretSpan<'static>> {
        let found: Vec<(CueLink, SecretSpan<'static>)> = (0..tokens.len())
            .filter_map(|at| {
                let link = self.link(tokens, at);
                Some((link, self.found(self.secret(tokens, at, link)?)))
            })
            .collect();
        let is_given = found.iter().any(|(link, _)| *link == CueLink::Given);
        let is_best = |link: CueLink| !is_given || link == CueLink::Given;
        let best = found.into_iter().filter(|(link, _)| is_best(*link));
        let mut best: Vec<SecretSpan<'static>> = best.map(|(_, found)| found).collect();
        if is_given && let Some(first) = best.last().map(|it| it.range.clone()) {
            let further = items_after(self.text, &first).into_iter();
            best.extend(further.map(|range| self.found(range)));
        }
        best
    }

    fn found(&self, range: Range<usize>) -> SecretSpan<'static> {
        SecretSpan {
            kind: &self.rule.kind,
            range,
        }
    }

    fn link(&self, tokens: &[SecretToken<'_>], at: usize) -> CueLink {
        let (before, rest) = tokens.split_at(at);
        let Some(token) = rest.first() else {
            return CueLink::Beyond;
        };
        let is_linked = word_before(before)
            .is_some_and(|link| self.is_link(link) && !self.is_of_other_clause(link))
            || self.has_link_behind(tokens, at);
        let is_given =
            token.is_signed || is_linked || before.is_empty() && self.may_stand_without_link();
        // A token after the name of another field is that field's value.
        let has_sign = before.iter().any(|token| token.is_signed);
        let is_key =
            |token: &SecretToken<'_>| (token.is_quoted || has_sign) && is_key(self.text, token);
        let is_other = before.iter().any(is_key);
        match () {
            () if is_other || token.is_quoted && is_key(token) => CueLink::Beyond,
            () if self.is_listed() && !token.is_signed && !is_linked => CueLink::Beyond,
            () if self.rule.is_ambiguous && (!is_given || token.is_beyond) => CueLink::Beyond,
            () if is_given && !token.is_beyond => CueLink::Given,
            // `The password:` with the secret on the next line.
            () if token.is_signed && is_alone(self.text, token) => CueLink::Given,
            () if !token.is_beyond || is_alone(self.text, token) => CueLink::Near,
            () => CueLink::Beyond,
        }
    }

    fn is_link(&self, token: &SecretToken<'_>) -> bool {
        is_link(token) || !token.is_quoted && self.rule.is_link(token.text)
    }

    /// Whether a link belongs to another clause than an ambiguous cue, as in `tests pass, committed as 9d41e7c`.
    fn is_of_other_clause(&self, link: &SecretToken<'_>) -> bool {
        let between = self.text.get(self.cue.end..link.range.start);
        let has_comma = between.is_none_or(|it| it.contains([',', ';']));
        self.rule.is_ambiguous && (has_comma || !self.is_verb(link))
    }

    fn has_link_behind(&self, tokens: &[SecretToken<'_>], at: usize) -> bool {
        let link = tokens.get(at + 1);
        link.is_some_and(|link| self.rule.is_link_behind(link.text))
    }

    /// Whether a sign or a verb such as `is` states that a token is the secret. A preposition is weaker, because the
    /// cue, or the word after the preposition, may be the name of a thing.
    fn is_stated(&self, tokens: &[SecretToken<'_>], at: usize) -> bool {
        let verb = tokens.get(..at).and_then(word_before);
        tokens.get(at).is_some_and(|token| token.is_signed)
            || verb.is_some_and(|it| self.is_verb(it))
            || self.has_link_behind(tokens, at)
    }

    fn is_verb(&self, link: &SecretToken<'_>) -> bool {
        self.is_link(link) && (self.rule.is_link(link.text) || !PATTERNS.is_preposition(link.text))
    }

    /// Whether the subject of a verb such as `is` is the cue: the verb follows the cue, or the purpose of the
    /// password. `The password policy is strict` has another subject.
    fn is_said_of_cue(&self, before: &[SecretToken<'_>]) -> bool {
        let verb = before.iter().position(|it| self.is_verb(it));
        let Some((between, said)) = verb.and_then(|verb| before.split_at_checked(verb)) else {
            return false;
        };
        let is_near = match said {
            [verb] => !verb.text.ends_with(is_unspaced),
            [_, filler] => PATTERNS.is_filler(filler.text),
            _ => false,
        };
        let is_joint = |it: &SecretToken<'_>| {
            it.text.chars().count() <= JOINT_CHARS_MAX || PATTERNS.is_of_sentence(it.text)
        };
        is_near && !self.rule.is_number && between.first().is_none_or(is_joint)
    }

    /// Whether the cue is a name in a list, as in `["username", "password", "address2"]`. In a call such as
    /// `set("password", "maplewood")` the value follows the cue.
    fn is_listed(&self) -> bool {
        let n_quote = self.closing_quote();
        let before = self.text.get(..self.cue.start).unwrap_or("");
        let behind = self.text.get(self.cue.end + n_quote.unwrap_or(0)..);
        let behind = behind.unwrap_or("");
        let is_argument = before.ends_with("(\"") || before.ends_with("('");
        let is_item = n_quote.is_some() || !behind.starts_with(", ");
        !self.rule.is_number && behind.starts_with(',') && is_item && !is_argument
    }

    /// Whether a secret may directly follow the cue.
    fn may_stand_without_link(&self) -> bool {
        !self.rule.is_ambiguous || self.begins_clause()
    }

    /// Whether at most punctuation precedes the cue in its clause.
    fn begins_clause(&self) -> bool {
        let before = self.text.get(..self.cue.start).unwrap_or("");
        let is_mark = |c: &char| " *_`\"'\\->".contains(*c);
        let before = before.chars().rev().find(|c| !is_mark(c));
        before.is_none_or(|c| "\n,;:/|({[.\u{b7}".contains(c))
    }

    /// Whether the cue is a field name and the token its value: `pass: "maplewood"`.
    fn is_field(&self, tokens: &[SecretToken<'_>], at: usize) -> bool {
        at == 0 && tokens.first().is_some_and(|token| token.is_signed) && self.begins_clause()
    }

    /// A passphrase that begins with a token, such as `correct horse battery staple`.
    fn phrase(
        &self,
        token: &SecretToken<'_>,
        n_words: RangeInclusive<usize>,
    ) -> Option<Range<usize>> {
        let rest = self.text.get(token.range.start..)?;
        let ends_clause = ['\n', '\r', '.', ',', ';', '!', '"', '*', '`', '<'];
        let most = rest.ceil_char_boundary(PASSWORD_CHARS_MAX * 4);
        let clause = rest.get(..most)?.split(ends_clause).next()?.trim_end();
        let words: Vec<&str> = clause.split(' ').collect();
        let is_word = |word: &&str| {
            word.chars().all(char::is_alphabetic)
                && word.chars().count() >= PHRASE_WORD_CHARS_MIN
                && !PATTERNS.is_of_sentence(word)
        };
        let is_phrase = n_words.contains(&words.len()) && words.iter().all(is_word);
        (is_phrase && !is_code(self.text, token))
            .then(|| token.range.start..token.range.start + clause.len())
    }

    /// The range of the secret that begins with a token; `None` if it is not a secret.
    fn secret(&self, tokens: &[SecretToken<'_>], at: usize, link: CueLink) -> Option<Range<usize>> {
        let token = tokens.get(at)?;
        let is_ambiguous = self.rule.is_ambiguous;
        let is_stated = self.is_stated(tokens, at);
        // The token is the rest of an address or a setting whose secret is already redacted.
        let is_left = self.text.get(..token.range.start)?.ends_with('\0');
        if token.text.contains('\0')
            || is_left
            || is_call(self.text, token)
            || (token.is_beyond || !is_stated) && is_setting(token)
            || is_ambiguous && link != CueLink::Given
        {
            return None;
        }
        if !token.is_quoted
            && !is_ambiguous
            && let Some(number) = self.number(token, (link, self.needs_no_verb(tokens, at)))
        {
            return Some(number);
        }
        // Without such a verb, four words after a colon are an ordinary clause.
        let is_said = !token.is_signed && self.is_said_of_cue(tokens.get(..at)?);
        let n_words = match (self.rule.is_phrase, is_said) {
            (true, _) => Some(PHRASE_WORDS),
            (false, true) => Some(STATED_PHRASE_WORDS),
            (false, false) => None,
        };
        if let Some(n_words) = n_words
            && link == CueLink::Given
            && !token.is_quoted
            && let Some(phrase) = self.phrase(token, n_words)
        {
            return Some(phrase);
        }
        let n_chars = token.text.chars().count();
        if token.is_quoted && token.text.contains(char::is_whitespace) {
            let is_phrase = (PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&n_chars);
            return (is_phrase && !is_ambiguous && link == CueLink::Given)
                .then(|| token.range.clone());
        }
        self.is_secret(tokens, at, link)
            .then(|| token.range.clone())
    }

    /// Whether a token without spaces is a secret, depending on its link to the cue.
    fn is_secret(&self, tokens: &[SecretToken<'_>], at: usize, link: CueLink) -> bool {
        let (Some(token), Some(before)) = (tokens.get(at), tokens.get(..at)) else {
            return false;
        };
        let is_said = !token.is_signed && self.is_said_of_cue(before);
        let is_ambiguous = self.rule.is_ambiguous;
        let is_stated = self.is_stated(tokens, at);
        let n_chars = token.text.chars().count();
        let is_named = token.is_signed && !self.rule.is_number;
        let likeness = likeness(token.text);
        match link {
            CueLink::Given if is_ambiguous => {
                let is_value = token.is_quoted && self.is_field(tokens, at);
                likeness >= SecretLikeness::Weak || is_value && likeness >= SecretLikeness::Plain
            }
            CueLink::Given if self.cue.is_part(self.text) => {
                let is_number = token.text.chars().all(char::is_numeric);
                let is_value = token.is_quoted && self.is_field(tokens, at);
                likeness == SecretLikeness::Strong
                    || is_value && is_number && n_chars >= DIGITS_ALONE_MIN
            }
            CueLink::Given if token.is_quoted => {
                likeness >= SecretLikeness::Plain
                    || n_chars >= PASSWORD_CHARS_MIN && !is_of_code(token.text)
            }
            CueLink::Given if is_named => {
                likeness >= SecretLikeness::Weak
                    || likeness == SecretLikeness::Odd && !is_item(self.text, token)
                    || likeness == SecretLikeness::Plain
                        && is_last(self.text, token)
                        // `Password strength: weak` rates a password.
                        && (at == 0 || !PATTERNS.is_of_password(token.text))
            }
            CueLink::Given if is_stated => {
                let is_word =
                    likeness == SecretLikeness::Plain && !PATTERNS.is_of_password(token.text);
                // `My password is ridiculous` describes a password; `my password for the bank is marigold` states
                // one.
                let is_of_purpose = is_said && at > 2;
                likeness >= SecretLikeness::Odd
                    || is_word && is_of_purpose && is_last(self.text, token)
            }
            CueLink::Given => likeness >= SecretLikeness::Weak,
            CueLink::Near if self.is_marked(tokens, at) => likeness >= SecretLikeness::Weak,
            CueLink::Near => likeness == SecretLikeness::Strong,
            CueLink::Beyond => likeness == SecretLikeness::Strong && self.is_on_line(token),
        }
    }

    /// Whether quotation marks, its line or its position in the clause mark a token as the secret.
    fn is_marked(&self, tokens: &[SecretToken<'_>], at: usize) -> bool {
        let token = tokens.get(at);
        token.is_some_and(|it| it.is_quoted || is_alone(self.text, it))
            || self.needs_no_verb(tokens, at)
    }

    /// Whether a token follows the purpose of a password and ends the clause, in a language without a word for `is`.
    fn needs_no_verb(&self, tokens: &[SecretToken<'_>], at: usize) -> bool {
        let (before, rest) = tokens.split_at(at);
        let is_joint = |it: &SecretToken<'_>| it.text.chars().count() <= JOINT_CHARS_MAX;
        self.rule.verb == CueVerb::Missing
            && (1..=PURPOSE_WORDS_MAX).contains(&before.len())
            && before.first().is_some_and(is_joint)
            && rest.first().is_some_and(|token| is_last(self.text, token))
    }

    /// Whether a number names a part of a device and more text about the part follows, as in `board pin 1138 is
    /// ground`.
    fn is_numbered_part(&self, behind: &str) -> bool {
        let said = tokens(behind, 0);
        let verb = said.first().filter(|it| !it.is_beyond && !it.is_signed);
        let noun = said.get(1).filter(|it| !it.is_beyond);
        let is_name = |it: &SecretToken<'_>| {
            it.text.chars().all(char::is_alphabetic) && !PATTERNS.is_of_password(it.text)
        };
        verb.is_some_and(|it| self.is_verb(it)) && noun.is_some_and(is_name)
    }

    /// Whether a token is on the cue's line, or alone on its own line. Other lines are about something else.
    fn is_on_line(&self, token: &SecretToken<'_>) -> bool {
        let between = self.text.get(self.cue.end..token.range.start);
        between.is_some_and(|between| !between.contains('\n')) || is_alone(self.text, token)
    }

    /// The range of a PIN or code that begins with a token.
    fn number(
        &self,
        token: &SecretToken<'_>,
        (link, is_purpose_said): (CueLink, bool),
    ) -> Option<Range<usize>> {
        let rest = self.text.get(token.range.start..)?;
        let length = length_of_number(rest)?;
        let number = rest.get(..length)?;
        if number.parse::<Day>().is_ok() {
            return None;
        }
        let behind = rest.get(length..)?;
        let n_digits = number.chars().filter(|c| c.is_numeric()).count();
        let is_year = n_digits == 4 && (number.starts_with("19") || number.starts_with("20"));
        let word = self.text.get(self.cue.start..self.cue.end)?;
        let may_be_part = self.cue.is_part(self.text) && word != word.to_uppercase();
        let is_first = token.range.start <= self.cue.end + 1;
        let n_min = match link {
            CueLink::Given if self.rule.is_number && !(may_be_part && is_first) => DIGITS_MIN,
            CueLink::Given => DIGITS_ALONE_MIN,
            CueLink::Near if self.rule.is_number && !is_year && !may_be_part => DIGITS_ALONE_MIN,
            CueLink::Near if is_purpose_said => DIGITS_ALONE_MIN,
            CueLink::Near | CueLink::Beyond => return None,
        };
        let clause = behind.split(['\n', '.']).next().unwrap_or_default();
        let is_part = may_be_part && is_first && self.is_numbered_part(clause);
        let is_counted = link == CueLink::Near && goes_on_as_words(behind) || is_part;
        let n_max = match link {
            CueLink::Given => DIGITS_GIVEN_MAX,
            CueLink::Near | CueLink::Beyond => DIGITS_MAX,
        };
        let fits = (n_min..=n_max).contains(&n_digits) && !is_counted;
        (fits && !goes_on_as_number(behind)).then(|| token.range.start..token.range.start + length)
    }

    /// Whether the cue is a label in parentheses directly after a secret, as in `Krokus!Feld2 (password)`.
    fn is_label_of(&self, token: &SecretToken<'_>) -> bool {
        let between = self.text.get(token.range.end..self.cue.start);
        let behind = self.text.get(self.cue.end..).unwrap_or_default();
        let least = match between.and_then(|it| it.strip_prefix(" (")) {
            Some("") => SecretLikeness::Weak,
            Some(words) if !words.contains([')', '\n']) => SecretLikeness::Strong,
            _ => return false,
        };
        behind.starts_with(')') && !token.text.contains('\0') && likeness(token.text) >= least
    }

    /// The secret before a cue, as in `hunter2 is my password`.
    fn before(&self, from: usize) -> Option<SecretSpan<'static>> {
        if self.rule.is_ambiguous {
            return None;
        }
        let start = self.cue.start.saturating_sub(BEFORE_BYTES_MAX).max(from);
        let start = self.text.ceil_char_boundary(start);
        let tokens = tokens(self.text.get(start..self.cue.start)?, start);
        let beyond = tokens.last().is_some_and(|token| token.is_beyond);
        let first = tokens.len().saturating_sub(WORDS_BEFORE_MAX + 1);
        if let Some(named) = tokens.iter().rev().find(|it| self.is_label_of(it)) {
            return Some(self.found(named.range.clone()));
        }
        (first..tokens.len()).rev().find_map(|at| {
            let token = tokens.get(at)?;
            let link = tokens.get(at + 1)?;
            // The token must be in the cue's sentence, and linked to the cue by a word such as `is` or `as`.
            let is_same = token.is_beyond == beyond;
            let is_whole =
                at > 0 || start == 0 || self.text.get(..start)?.ends_with(char::is_whitespace);
            if !is_same || !is_link(link) || !is_whole || token.text.contains('\0') {
                return None;
            }
            let rest = self.text.get(token.range.start..)?;
            let number = length_of_number(rest).filter(|length| {
                let number = rest.get(..*length).unwrap_or("");
                let n_digits = number.chars().filter(|c| c.is_numeric()).count();
                (DIGITS_ALONE_MIN..=DIGITS_MAX).contains(&n_digits)
            });
            let is_secret = likeness(token.text) >= SecretLikeness::Weak;
            let range = match number {
                Some(length) if token.text.len() <= length => {
                    token.range.start..token.range.start + length
                }
                _ if is_secret => token.range.clone(),
                _ => return None,
            };
            Some(self.found(range))
        })
    }
}
