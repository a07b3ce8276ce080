//! Aligns a client's messages with the stored ones. Pure.

/// A message, reduced to the parts that distinguish it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Utterance {
    /// The owner's text.
    User(String),
    /// The assistant's text, and the ids of its calls that the client answers.
    Assistant(String, Vec<String>),
    /// The client's result of the call with this id.
    Result(String, String),
}

/// How much of the stored branch stays, and how much of the sent conversation is already stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Alignment {
    /// Oldest stored messages that stay; the others are left behind.
    pub(super) n_kept: usize,
    /// Oldest sent messages that are already stored.
    pub(super) n_known: usize,
}

/// Shortest run that counts as a match inside a conversation; shorter ones occur by chance.
const RUN_MIN: usize = 2;

/// Aligns by the longest common run.
///
/// Messages sent without any reply start a new conversation, or continue one whose beginning the client withholds:
/// they are appended, unless they are already stored and no other question is.
pub(super) fn align(stored: &[Utterance], sent: &[Utterance]) -> Alignment {
    let n_stored = stored.len();
    if n_questions(sent) == sent.len() {
        return align_questions(stored, sent);
    }
    let runs = (0..n_stored).map(|from| {
        let run = n_common(stored.get(from..).unwrap_or_default(), sent);
        (from, run)
    });
    let sound = runs.filter(|(from, run)| *run > 0 && (*from == 0 || *run >= RUN_MIN));
    let best = sound.max_by_key(|(from, run)| (from + run == n_stored, *run, *from));
    if let Some((from, run)) = best {
        return Alignment {
            n_kept: from + run,
            n_known: run,
        };
    }
    // A client that shortens a conversation replaces its beginning by a text of its own.
    let shortened = (1..sent.len()).find_map(|from| {
        let rest = sent.get(from..)?;
        let run = (RUN_MIN..=rest.len()).rev();
        let mut run = run.filter(|run| rest.get(..*run).is_some_and(|it| stored.ends_with(it)));
        Some(from + run.next()?)
    });
    Alignment {
        n_kept: n_stored,
        n_known: shortened.unwrap_or(0),
    }
}

/// Aligns with only the newest stored messages, so that a turn costs no more than the window; `None` if that takes
/// the whole branch.
pub(super) fn align_newest(newest: &[Utterance], sent: &[Utterance]) -> Option<Alignment> {
    let n_newest = newest.len();
    if n_questions(sent) == sent.len() {
        let is_told = newest.ends_with(sent) || n_questions(newest) > sent.len();
        return is_told.then(|| align_questions(newest, sent));
    }
    // The client's conversation begins inside this part or before it.
    let meetings = (0..n_newest).map(|from| (from, 0));
    let meetings = meetings.chain((1..sent.len()).map(|from| (0, from)));
    let runs = meetings.map(|(from, sent_from)| {
        let (newest, sent) = (newest.get(from..), sent.get(sent_from..));
        let run = n_common(newest.unwrap_or_default(), sent.unwrap_or_default());
        (from + run == n_newest, run, sent_from, from)
    });
    let (_, run, sent_from, from) = runs.filter(|(_, run, ..)| *run >= RUN_MIN).max()?;
    Some(Alignment {
        n_kept: from + run,
        n_known: sent_from + run,
    })
}

pub(super) fn n_questions(said: &[Utterance]) -> usize {
    let questions = said.iter().filter(|it| matches!(it, Utterance::User(_)));
    questions.count()
}

fn align_questions(stored: &[Utterance], sent: &[Utterance]) -> Alignment {
    let (n_stored, n_sent) = (stored.len(), sent.len());
    let (n_kept, n_known) = if stored.ends_with(sent) {
        (n_stored, n_sent)
    } else if stored.starts_with(sent) && n_questions(stored) == n_sent {
        (n_sent, n_sent)
    } else {
        (n_stored, 0)
    };
    Alignment { n_kept, n_known }
}

fn n_common(stored: &[Utterance], sent: &[Utterance]) -> usize {
    let both = stored.iter().zip(sent);
    both.take_while(|(stored, sent)| stored == sent).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word that begins with `u` is a message of the owner, a word that begins with `r` is a result, and any other
    /// word is a message of the assistant.
    fn said(words: &str) -> Vec<Utterance> {
        let one = |word: &str| match word.chars().next() {
            Some('u') => Utterance::User(word.to_owned()),
            Some('r') => Utterance::Result(word.to_owned(), String::new()),
            _ => Utterance::Assistant(word.to_owned(), Vec::new()),
        };
        words.split_whitespace().map(one).collect()
    }

    #[track_caller]
    fn check(stored: &str, sent: &str, n_kept: usize, n_known: usize) {
        let found = align(&said(stored), &said(sent));
        assert_eq!(found, Alignment { n_kept, n_known }, "{stored} / {sent}");
    }

    #[test]
    fn i1_align_matches_stored_messages_and_appends_rest() {
        check("", "u1", 0, 0);
        check("", "u1 a1 u2", 0, 0);
        check("u1 a1", "u1 a1 u2", 2, 2);
        check("u1 a1 r1", "u1 a1 r1", 3, 3);
        check("u1 a1", "u1 a1 r1 r2", 2, 2);
        // The reply did not come: the same words again are the message that is there.
        check("u1 a1 u2", "u1 a1 u2", 3, 3);
        check("u1", "u1", 1, 1);
    }

    #[test]
    fn align_cuts_stored_messages_where_sent_history_departs() {
        // Asked again, in other words, and with another word of the assistant.
        check("u1 a1 u2 a2", "u1 a1 u2", 3, 3);
        check("u1 a1", "u1", 1, 1);
        check("u1 a1 u2 a2", "u1 a1 ux", 2, 2);
        check("u1 a1 u2 a2", "u1 ax u2", 1, 1);
    }

    #[test]
    fn align_continues_at_end_if_client_dropped_beginning() {
        check("u1 a1 u2 a2 u3 a3", "u3 a3 u4", 6, 2);
        check("u1 a1 u2 a2 u3 a3", "u2 a2 u3", 5, 3);
        check("u1 a1 u2 a2", "summary a1 u2 a2 u3", 4, 4);
        check("u1 a1 u2 a2", "u-summary u2 a2 u3", 4, 3);
        check("u1 a1 u2 a2", "u3", 4, 0);
        // A word that was said before, alone, is said again.
        check("u1 a1 u2 a2", "u1", 4, 0);
        check("u1 a1 u2 a2", "u2 ax u3", 4, 0);
    }

    #[test]
    fn align_newest_agrees_with_align() {
        let all = "u1 a1 u2 a2 r2 u3 a3 u4 a4 u5 a5";
        let sents = [
            "u1 a1 u2 a2 r2 u3 a3 u4 a4 u5 a5 u6",
            "u1 a1 u2 a2 r2 u3 a3 u4 a4 u5 a5",
            "u1 a1 u2 a2 r2 u3 a3 u4 a4 u5",
            "u1 a1 u2 a2 r2 u3 a3 u4 a4 ux",
            "u1 a1 u2 a2 r2 u3 a3 u4 ax u5",
            "u4 a4 u5 a5 u6",
            "u5 a5 u6",
            "u6",
            "u5",
            "u1",
            "u1 a1 ux",
            "ux ay uz",
            "",
        ];
        let all = said(all);
        let mut n_told = 0;
        for n_newest in 0..=all.len() {
            let n_before = all.len() - n_newest;
            for sent in sents {
                let sent = said(sent);
                let Some(found) = align_newest(&all[n_before..], &sent) else {
                    continue;
                };
                let found = Alignment {
                    n_kept: n_before + found.n_kept,
                    ..found
                };
                assert_eq!(found, align(&all, &sent), "{n_newest} of {sent:?}");
                n_told += 1;
            }
        }
        assert!(n_told > 60, "{n_told}");
    }

    #[test]
    fn align_newest_finds_place_in_newest_exchange() {
        let sent = said("u1 a1 u2 a2 u3 a3 u4");
        let found = align_newest(&said("u3 a3"), &sent);
        assert_eq!(found.map(|it| (it.n_kept, it.n_known)), Some((2, 6)));
        // One word alone happens to be the same.
        assert_eq!(align_newest(&said("a3"), &sent), None);
    }

    #[test]
    fn align_prefers_end_among_equal_matches() {
        check("u1 a1 u2 a2 u1 a1", "u1 a1 u3", 6, 2);
        check("u1 a1 u2 a2", "ux ay uz", 4, 0);
    }
}
