//! Names this process as the holder of a lease, and checks whether another holder is still running.

use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::{HomesError, LeaseTerms};

pub(super) fn terms(command: &str) -> LeaseTerms {
    LeaseTerms {
        holder: holder(command),
        time: Duration::from_mins(2),
    }
}

/// Runs `act` with a lease. If the lease belongs to a process of this machine that no longer runs, takes it over in
/// its name; the new epoch fences out any request of it that is still under way.
pub(super) fn unless_dead<R>(
    own: &LeaseTerms,
    act: impl Fn(&LeaseTerms) -> std::result::Result<R, HomesError>,
) -> std::result::Result<R, HomesError> {
    match act(own) {
        Err(HomesError::Held { holder, .. }) if is_dead(&holder) => act(&LeaseTerms {
            holder,
            ..own.clone()
        }),
        other => other,
    }
}

/// Names this process as the holder of a lease, for others that find the home leased.
pub(super) fn holder(command: &str) -> String {
    format!("`{command}`, {}", named_here(std::process::id()))
}

/// The description of a process of this machine.
fn named_here(process: impl std::fmt::Display) -> String {
    let node = rustix::system::uname();
    let node = node.nodename().to_string_lossy();
    format!("process {process} on {node}")
}

/// Whether a holder is a process of this machine that no longer runs.
fn is_dead(holder: &str) -> bool {
    let number = holder.rsplit_once("process ").map(|(_, named)| named);
    let number = number.and_then(|named| named.split(' ').next()?.parse::<i32>().ok());
    let Some(number) = number.filter(|it| holder.ends_with(&named_here(it))) else {
        return false;
    };
    let asked = Pid::from_raw(number).map(test_kill_process);
    asked == Some(Err(Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use crate::HomeName;

    use super::*;

    #[test]
    fn lease_is_taken_only_from_dead_process_of_this_machine() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let dead = format!("`openclaw-fleet push`, {}", named_here(child.id()));
        assert!(!is_dead(&dead));
        child.wait().unwrap();
        assert!(is_dead(&dead));
        let elsewhere = format!("{dead}-other");
        for alive in [
            &holder("openclaw-fleet push"),
            &elsewhere,
            "somebody",
            "process x on y",
        ] {
            assert!(!is_dead(alive), "{alive}");
        }
        let home: HomeName = "anna".parse().unwrap();
        let taken = unless_dead(&terms("a test"), |terms| {
            if terms.holder == dead {
                return Ok(());
            }
            Err(HomesError::Held {
                home: home.clone(),
                holder: dead.clone(),
                until: None,
            })
        });
        assert!(taken.is_ok());
    }
}
