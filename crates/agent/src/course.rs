//! The course of a session, as shown by `session show`, the page and the API.

use std::collections::BTreeSet;

use base::disk::DiskError;
use base::{TokenCount, Tz};
use compaction::{Budget, WindowSettings, show};
use memory::Workspace;
use session::timeline::{
    Timeline, TimelineEventKind, TranscriptTrouble, ViewMoment, timeline, view_moments,
};
use session::{ReadError, SessionName, SessionStore, View};

use crate::runtime::resume_limit;

/// What happened in a session and how its context grew.
#[derive(Debug)]
pub struct SessionCourse {
    /// What happened.
    pub timeline: Timeline,
    /// The context size over time, pruned as in a request but without the prompt, which is not in the transcript.
    pub moments: Vec<ViewMoment>,
    /// Problems of the transcript.
    pub trouble: TranscriptTrouble,
}

/// Reads the course of a session; `settings` apply where the transcript does not record the window.
pub fn session_course(
    (store, workspace): (&SessionStore, &Workspace),
    name: &SessionName,
    (settings, timezone): (&WindowSettings, Tz),
) -> Result<SessionCourse, ReadError> {
    let read = timeline(store, name, timezone, &|_| false)?;
    let mut timeline = read.timeline;
    leave_out_missing_logs(&mut timeline, workspace).map_err(ReadError::Disk)?;
    let shown = |view: &View, n_compactions: usize| {
        let window = window_after(&read.windows, n_compactions);
        let settings = WindowSettings {
            context_window: window.unwrap_or(settings.context_window),
            ..settings.clone()
        };
        show(view, &settings, &Budget::new(&settings)).tokens
    };
    let widest = read.windows.iter().flatten().max();
    let limit = resume_limit(&WindowSettings {
        context_window: settings
            .context_window
            .max(widest.copied().unwrap_or_default()),
        ..settings.clone()
    });
    Ok(SessionCourse {
        moments: view_moments(store, name, (timeline.messages, limit), &shown)?,
        timeline,
        trouble: read.trouble,
    })
}

/// The window after `n_compactions`: each compaction records the window in which it became due, and the window of the
/// last one also applies to the time after it.
fn window_after(windows: &[Option<TokenCount>], n_compactions: usize) -> Option<TokenCount> {
    let window = windows.get(n_compactions).or(windows.last());
    window.copied().flatten()
}

/// Drops the log name of flushes that noted nothing and thus made no log.
fn leave_out_missing_logs(timeline: &mut Timeline, workspace: &Workspace) -> Result<(), DiskError> {
    let days = workspace.log_days()?.into_iter();
    let logs: BTreeSet<String> = days
        .map(|day| workspace.log_path(day).to_string())
        .collect();
    for event in timeline.days.iter_mut().flat_map(|day| &mut day.events) {
        if let TimelineEventKind::Flush { log_file, .. } = &mut event.kind {
            log_file.take_if(|name| !logs.contains(name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_after_returns_window_of_next_or_last_compaction() {
        let told = |windows: &[Option<u64>]| -> Vec<Option<u64>> {
            let windows: Vec<_> = windows.iter().map(|it| it.map(TokenCount)).collect();
            let window = |n| window_after(&windows, n).map(|window| window.0);
            (0..4).map(window).collect()
        };
        assert_eq!(told(&[]), [None; 4]);
        let expected = [Some(16_000), None, Some(32_000), Some(32_000)];
        assert_eq!(told(&[Some(16_000), None, Some(32_000)]), expected);
    }
}
