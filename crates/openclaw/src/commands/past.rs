//! Says on stderr what an answer as of a moment in the past shows and leaves out.

use agent::ops::PastReply;
use base::{Tz, counted, day, time_of_day};
use cli::output::Output;

/// Prints the moment of an answer, what stays forgotten, and what is left out.
pub(crate) fn tell_past(past: Option<&PastReply>, timezone: Tz, output: &mut Output<'_>) {
    let Some(past) = past else {
        return;
    };
    let (on, time) = (day(past.at, timezone), time_of_day(past.at, timezone));
    output.tell(&format!(
        "as of {on} {time} ({timezone}): what was known then\n"
    ));
    if past.forgets_since > 0 {
        let forgotten = counted(
            past.forgets_since as u64,
            "thing that was",
            "things that were",
        );
        let stay = match past.forgets_since {
            1 => "stays",
            _ => "stay",
        };
        output.tell(&format!("{forgotten} forgotten since {stay} hidden\n"));
    }
    for left_out in &past.left_out {
        output.warn(left_out);
    }
}
