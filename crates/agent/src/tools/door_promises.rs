//! Reminders for other programs: they read the agenda and the due ones, and propose new ones to the owner.
//!
//! Never sets a reminder without the owner's yes, and never guesses its time.

use base::dates::{When, time_ahead_in};
use base::{Origin, shell_quoted};

use super::answer::ToolReply;
use super::door::{Door, PromiseOffer};
use super::promise::may_be;
use crate::ops::{AddPromise, Agenda, OpContext, Operation, PromiseStatus};
use crate::reminders::{DueReminder, claim_reminders};

impl Door {
    /// Claims the promises that are due and that the program may see, for it to tell its user; `None` if none is.
    pub fn due(&self, place: &str) -> Result<Option<String>, String> {
        let due = claim_reminders(self.runtime(), self.viewer(), place);
        let due = due.map_err(|error| format!("PROMISES.md was not read: {error}."))?;
        let lines: Vec<String> = due.iter().map(DueReminder::to_string).collect();
        let is_any = !lines.is_empty();
        Ok(is_any.then(|| format!("Due now. Tell the owner first:\n- {}", lines.join("\n- "))))
    }

    /// What is coming up, by day.
    pub fn agenda(&self, request: Agenda) -> ToolReply {
        let reply = request.run(&self.context());
        let reply = reply.map_err(|error| format!("The agenda cannot be read: {error}."))?;
        let open = reply.promises.iter();
        let open = open.filter(|own| is_open(own.status));
        let promises = open.map(|own| {
            let kind = match own.status {
                PromiseStatus::Proposed => "promised by the assistant, no reminder yet",
                PromiseStatus::Open
                | PromiseStatus::Told
                | PromiseStatus::Done
                | PromiseStatus::Dropped => "reminder",
            };
            let place = format!("({kind}, {}:{})", own.path, own.line);
            let line = format!("- {}: {} {place}", own.occasion(), own.text);
            (own.day, line)
        });
        let planned = reply.items.iter().map(|own| {
            let until = own.until.map(|it| format!(" to {it}")).unwrap_or_default();
            let whose = match own.origin {
                Origin::Untrusted => ", not the owner's words",
                Origin::Owner | Origin::Agent | Origin::System => "",
            };
            let line = format!("- {}{until}: {} ({}{whose})", own.day, own.text, own.place);
            (Some(own.day), line)
        });
        let mut lines: Vec<_> = promises.chain(planned).collect();
        lines.sort_by_key(|(day, _)| (day.is_none(), *day));
        if lines.is_empty() {
            return Ok(format!(
                "Nothing is planned for the next {} days.",
                reply.days
            ));
        }
        let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        Ok(format!("Today is {}.\n{}", reply.from, lines.join("\n")))
    }

    /// What a program asks the owner before it sets a reminder; changes nothing.
    pub fn plan_promise(&self, proposed: &AddPromise) -> Result<PromiseOffer, String> {
        let home = &self.runtime().home;
        if let Some(subject) = &proposed.about {
            let (about, words) = (shell_quoted(subject), shell_quoted(&proposed.text));
            return Ok(PromiseOffer {
                question: format!("Remind you when {subject} comes up?\n{}", proposed.text),
                command: self.command(&format!("agenda add --about {about} {words}")),
            });
        }
        let now = home.clock.now().with_timezone(&home.timezone);
        let read = time_ahead_in(&proposed.text, now);
        let asks = |why: &str| {
            let may_be = may_be(&read);
            format!(
                "No reminder was proposed, because its time is not certain: {why}.{may_be} Ask the owner which time they \
                 mean."
            )
        };
        let when = read.when.clone().map_err(|why| asks(&why.to_string()))?;
        let When { day, time, every } =
            when.ok_or_else(|| asks("it does not name a day or a time of day"))?;
        let time = time.map(|it| it.format(" %H:%M").to_string());
        let every = every.map(|it| format!(", {it}"));
        let question = format!(
            "Set this reminder?\n{day}{}{}: {}",
            time.unwrap_or_default(),
            every.unwrap_or_default(),
            read.rest
        );
        let words = shell_quoted(&proposed.text);
        Ok(PromiseOffer {
            question,
            command: self.command(&format!("agenda add {words}")),
        })
    }

    /// Sets a reminder. Call it only once the owner has agreed.
    pub fn promise(&self, proposed: AddPromise) -> ToolReply {
        let context = OpContext {
            origin: Origin::Owner,
            ..self.context()
        };
        let made = proposed.run(&context);
        let made = made.map_err(|error| format!("The reminder was not set: {error}."))?;
        let when = made.occasion();
        Ok(format!(
            "The reminder is set for {when}: {} (^{}).",
            made.text, made.id
        ))
    }
}

fn is_open(status: PromiseStatus) -> bool {
    match status {
        PromiseStatus::Open | PromiseStatus::Proposed => true,
        PromiseStatus::Told | PromiseStatus::Done | PromiseStatus::Dropped => false,
    }
}
