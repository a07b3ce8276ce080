//! Connected programs, and whether their settings still work.
//!
//! Starts no program and changes no settings.

use base::Disk;
use base::disk::read_all;
use clap::ValueEnum;
use gateway::http::Programs;

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::connect::{Program, SettingsFile};
use crate::prelude::*;

const SETTINGS_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Lists the programs whose settings call this home.
#[derive(Debug)]
pub(crate) struct ConnectedPrograms {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) user_home: PathBuf,
    pub(crate) home: PathBuf,
}

impl Programs for ConnectedPrograms {
    fn connected(&self) -> Vec<String> {
        let calls_us = |program: &Program| {
            let calls = calls_of(&*self.disk, *program, &self.user_home).unwrap_or_default();
            let usual = Home::of_user(&self.user_home);
            let mut homes = calls
                .iter()
                .flatten()
                .map(|call| home_of(call).unwrap_or(usual.root()));
            homes.any(|home| home == self.home)
        };
        let programs = Program::value_variants().iter().filter(|it| calls_us(it));
        programs.filter_map(|program| name_of(*program)).collect()
    }
}

fn name_of(program: Program) -> Option<String> {
    Some(program.to_possible_value()?.get_name().to_owned())
}

/// For each entry that `openclaw connect` writes into a program's settings, the command line found there; `None` if
/// the settings cannot be parsed.
fn calls_of(
    disk: &dyn Disk,
    program: Program,
    user_home: &Path,
) -> Option<Vec<Option<Vec<String>>>> {
    let invocation = invocation()?;
    let mut calls = Vec::new();
    for (file, text) in settings_of(disk, program, user_home) {
        calls.extend(file.calls(&text, &invocation).ok()?);
    }
    Some(calls)
}

fn invocation() -> Option<[String; 1]> {
    Some([std::env::current_exe().ok()?.display().to_string()])
}

/// The program's settings files with their texts; the other program reports its own unreadable settings.
fn settings_of(disk: &dyn Disk, program: Program, user_home: &Path) -> Vec<(SettingsFile, String)> {
    let files = program.files(user_home).into_iter();
    let read = files.map(|file| {
        let bytes = read_all(disk, &file.path, SETTINGS_BYTES_MAX).unwrap_or_default();
        (file, String::from_utf8_lossy(&bytes).into_owned())
    });
    read.collect()
}

/// Set-ups of one program that give it the same memory twice, each with the next step.
fn doubles(
    context: &Context,
    (program, name, user_home): (Program, &str, &Path),
) -> Vec<(String, String)> {
    let Some(invocation) = invocation() else {
        return Vec::new();
    };
    let (mut found, mut has_plugin, mut is_connected) = (Vec::new(), false, false);
    for (file, text) in settings_of(context.host.disk.as_ref(), program, user_home) {
        let calls = file.calls(&text, &invocation).unwrap_or_default();
        is_connected |= calls.iter().any(Option::is_some);
        has_plugin |= file.enables_plugin(&text).unwrap_or(false);
        for double in file.doubles(&text, &invocation).unwrap_or_default() {
            let path = file.path.display();
            let what = format!("{double} in {path} give the same memory");
            found.push((what, format!("remove all but one of them from {path}")));
        }
    }
    if has_plugin && is_connected {
        let what = "its plugin and `openclaw connect` both give memory, so each fact comes twice";
        let hint = format!("`openclaw connect {name} --undo` leaves the plugin");
        found.push((what.to_owned(), hint));
    }
    found
}

pub(super) const CONNECTION: CheckRow = CheckRow {
    code: "connection",
    checks: "The settings of connected programs call this home, in full and once.",
    weight: FindingWeight::Warning,
    fix: "`openclaw connect PROGRAM`",
};

/// Finds broken or partial connections of other programs.
pub(super) fn connections(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let Some(user_home) = &context.host.environment.user_home else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for program in Program::value_variants() {
        let Some(name) = name_of(*program) else {
            continue;
        };
        let mut add = |weight, what: &str, hint: String| {
            let finding = DoctorFinding::new(&CONNECTION, format!("{name}: {what}"));
            found.push(finding.with_weight(weight).with_hint(hint));
        };
        if let Some((weight, what)) = trouble(context, home, (*program, user_home)) {
            add(weight, &what, format!("`openclaw connect {name}`"));
        }
        for (what, hint) in doubles(context, (*program, &name, user_home)) {
            add(FindingWeight::Warning, &what, hint);
        }
    }
    found
}

fn trouble(
    context: &Context,
    home: &Home,
    (program, user_home): (Program, &Path),
) -> Option<(FindingWeight, String)> {
    let calls = calls_of(context.host.disk.as_ref(), program, user_home)?;
    let ours: Vec<&Vec<String>> = calls.iter().flatten().collect();
    let mut commands = ours.iter().filter_map(|call| call.first());
    if let Some(gone) = commands.find(|command| !is_there(context, command)) {
        let what = format!("its settings name {gone}, which does not exist");
        return Some((FindingWeight::Warning, what));
    }
    let usual = Home::of_user(user_home);
    let root = std::path::absolute(home.root()).ok()?;
    let other = ours
        .iter()
        .map(|call| home_of(call).unwrap_or(usual.root()));
    if let Some(other) = other.into_iter().find(|other| *other != root) {
        let what = format!("its settings name another home, {}", other.display());
        return Some((FindingWeight::Note, what));
    }
    let is_partly = !ours.is_empty() && ours.len() < calls.len();
    is_partly.then(|| {
        let what = "its settings have only part of what `openclaw connect` writes";
        (FindingWeight::Note, what.to_owned())
    })
}

/// The `--home` of a call.
fn home_of(call: &[String]) -> Option<&Path> {
    let mut pairs = call.windows(2).filter_map(|pair| match pair {
        [option, home] if option == "--home" => Some(Path::new(home)),
        _ => None,
    });
    pairs.next()
}

/// Whether a shell would find this command.
fn is_there(context: &Context, command: &str) -> bool {
    let disk = context.host.disk.as_ref();
    let is_file = |path: &Path| disk.stat(path).is_ok_and(|stat| stat.is_some());
    if command.contains('/') {
        return is_file(Path::new(command));
    }
    let path = context.host.environment.others.get("PATH");
    std::env::split_paths(path.unwrap_or_default()).any(|folder| is_file(&folder.join(command)))
}
