//! Finds where a request differs from a recorded one.
//!
//! Ignores the clock: when a request is made is not part of it, so the days of both requests count as equal.

use base::{Day, head, tail};

use super::format::{BlockWire, Exchange, MessageWire};

/// Characters shown on each side of the first difference.
const AROUND_CHARS: usize = 30;

/// The marks around the time in a request.
const CLOCK: (&str, &str) = ("<now>", "</now>");

/// The days of both requests, if they state them.
#[derive(Clone, Copy)]
struct Days<'e> {
    own: Option<&'e str>,
    asked: Option<&'e str>,
}

const TODAY: &str = "<today>";

impl Exchange {
    /// Describes the first difference from another request; `None` if there is none.
    pub(super) fn difference(&self, asked: &Self) -> Option<String> {
        let days = Days {
            own: self.day(),
            asked: asked.day(),
        };
        let both = |part: fn(&Self) -> String| (part(self), part(asked));
        let system = in_text("the system prompt", (&self.system, &asked.system), days);
        let (own, other) = both(|it| it.tools.join(", "));
        system
            .or_else(|| in_text("the list of tools", (&own, &other), days))
            .or_else(|| in_messages(&self.messages, &asked.messages, days))
            .or_else(|| {
                let (own, other) = both(|it| it.output_max.to_string());
                in_text("the reply limit", (&own, &other), days)
            })
    }

    /// The day shown by its clock.
    fn day(&self) -> Option<&str> {
        let messages = self.messages.iter().rev();
        let blocks = messages.flat_map(|it| it.content.iter().rev());
        let mut clocks = blocks.filter_map(|block| {
            let BlockWire::Text(text) = block else {
                return None;
            };
            let (_, clock) = text.rsplit_once(CLOCK.0)?;
            clock.split_once(CLOCK.1)
        });
        let (clock, _) = clocks.next()?;
        let mut words = clock.split_whitespace();
        words.find(|word| word.parse::<Day>().is_ok())
    }
}

fn in_messages(own: &[MessageWire], asked: &[MessageWire], days: Days<'_>) -> Option<String> {
    let mut pairs = own.iter().zip(asked).zip(1_usize..);
    let differing = pairs.find_map(|(pair, number)| in_message(number, pair, days));
    differing.or_else(|| {
        let (own, asked) = (own.len(), asked.len());
        (own != asked).then(|| format!("the request has {asked} messages, but the trace has {own}"))
    })
}

fn in_message(
    number: usize,
    (own, asked): (&MessageWire, &MessageWire),
    days: Days<'_>,
) -> Option<String> {
    let place = format!("message {number} ({})", own.role);
    let about = |it: &MessageWire| format!("{} {:?} {:?}", it.role, it.call_id, it.failed);
    in_text(&place, (&about(own), &about(asked)), days).or_else(|| {
        let text = |it: &MessageWire| {
            let texts: Vec<String> = it.content.iter().map(text_of).collect();
            texts.join("\n")
        };
        in_text(&place, (&text(own), &text(asked)), days)
    })
}

fn text_of(block: &BlockWire) -> String {
    if let BlockWire::Text(text) = block {
        text.clone()
    } else {
        format!("{block:?}")
    }
}

fn in_text(place: &str, (own, asked): (&str, &str), days: Days<'_>) -> Option<String> {
    let own = without_clock(own, days.own);
    let asked = without_clock(asked, days.asked);
    if own == asked {
        return None;
    }
    let same = own.chars().zip(asked.chars());
    let n_same: usize = same
        .take_while(|(own, asked)| own == asked)
        .map(|(character, _)| character.len_utf8())
        .sum();
    let (before, own) = own.split_at_checked(n_same).unwrap_or_default();
    let (_, asked) = asked.split_at_checked(n_same).unwrap_or_default();
    let before = tail(before, AROUND_CHARS);
    let [own, asked] = [own, asked].map(|text| format!("{before}{}", head(text, AROUND_CHARS)));
    Some(format!("{place} has {asked:?}, but the trace has {own:?}"))
}

fn without_clock(text: &str, day: Option<&str>) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, clock)) = rest.split_once(CLOCK.0) {
        let Some((_, after)) = clock.split_once(CLOCK.1) else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    match day {
        Some(day) => kept.replace(day, TODAY),
        None => kept,
    }
}
