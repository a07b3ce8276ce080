//! Connected programs, and whether their settings still work.
//!
//! Starts no program and changes no settings.

use base::Disk;
use base::disk::read_all;
use clap::ValueEnum;
use gateway::http::Programs;

use super::finding::{DoctorFinding, FindingWeight};
use crate::connect::Program;
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
    let invocation = [std::env::current_exe().ok()?.display().to_string()];
    let mut calls = Vec::new();
    for file in program.files(user_home) {
        // The other program reports its own unreadable settings.
        let bytes = read_all(disk, &file.path, SETTINGS_BYTES_MAX).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        calls.extend(file.calls(&text, &invocation).ok()?);
    }
    Some(calls)
}

/// Finds broken or partial connections of other programs.
pub(crate) fn look_at_connections(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let Some(user_home) = &context.host.environment.user_home else {
        return Vec::new();
    };
    let programs = Program::value_variants().iter();
    let found = programs.filter_map(|program| {
        let (weight, what) = trouble(context, home, (*program, user_home))?;
        let name = name_of(*program)?;
        let hint = format!("`openclaw connect {name}`");
        Some(DoctorFinding::new(
            weight,
            "connection",
            format!("{name}: {what}"),
            hint,
        ))
    });
    found.collect()
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
