//! Adds our MCP server and hooks to another program's settings, and removes them.
//!
//! Pure: text in, text out. Keeps comments, order and all other entries.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::prelude::*;

/// The name of our entry.
pub(super) const NAME: &str = "openclaw";

/// The name of our plugin; the name of its marketplace follows.
const PLUGIN: &str = "openclaw-memory@";

/// A settings file and the entries we add to it.
pub(crate) struct SettingsFile {
    pub(crate) path: PathBuf,
    pub(super) entries: &'static [ConnectEntry],
    pub(super) syntax: SettingsSyntax,
}

/// The language of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingsSyntax {
    Json,
    Toml,
}

/// An entry that `connect` adds to a settings file.
#[derive(Debug, Clone, Copy)]
pub(super) enum ConnectEntry {
    /// A server in the group at this dotted path.
    Server(&'static str, ServerForm),
    /// A hook: program, event, and timeout in seconds.
    Hook(&'static str, &'static str, u32),
}

/// How a program writes down the command that starts a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerForm {
    /// `command` is a text, `args` a list.
    CommandAndArguments,
    /// The same, for a program that otherwise hides the tools behind a search of its own.
    LoadedAlways,
    /// `command` is one list, next to the `type` of the server.
    CommandList,
}

impl SettingsFile {
    /// The text with our entries; `invocation` starts this program.
    pub(crate) fn connected(&self, text: &str, invocation: &[String]) -> Result<String, String> {
        match self.syntax {
            SettingsSyntax::Json => self.json(text, |top, entry| add(top, entry, invocation)),
            SettingsSyntax::Toml => self.toml(text, |_, servers| {
                let mut table = Table::new();
                let (command, arguments) = server(invocation);
                table.insert("command", value(command));
                table.insert("args", value(arguments.into_iter().collect::<Array>()));
                servers.insert(NAME, Item::Table(table));
            }),
        }
    }

    /// The command line in each of our entries; `None` for a missing entry, or another command under our name.
    pub(crate) fn calls(
        &self,
        text: &str,
        invocation: &[String],
    ) -> Result<Vec<Option<Vec<String>>>, String> {
        let settings = self.settings(text)?;
        let calls = self.entries.iter().map(|entry| match entry {
            ConnectEntry::Server(path, _) => server_call(server_in(&settings, path)?, invocation),
            ConnectEntry::Hook(program, event, _) => {
                hook_calls(&settings, (program, event), invocation).next()
            }
        });
        Ok(calls.collect())
    }

    /// Those of our entries that the text has more than once, in words: each of them gives the program the same memory.
    pub(crate) fn doubles(&self, text: &str, invocation: &[String]) -> Result<Vec<String>, String> {
        let settings = self.settings(text)?;
        let doubles = self.entries.iter().filter_map(|entry| match entry {
            ConnectEntry::Server(path, _) => {
                let servers = path
                    .split('.')
                    .try_fold(&settings, |at, name| at.get(name))?;
                let servers = servers.as_object()?.iter();
                let ours = servers.filter(|(_, server)| server_call(server, invocation).is_some());
                let names: Vec<&str> = ours.map(|(name, _)| name.as_str()).collect();
                (names.len() > 1).then(|| format!("the servers {}", names.join(" and ")))
            }
            ConnectEntry::Hook(program, event, _) => {
                let n_hooks = hook_calls(&settings, (program, event), invocation).count();
                (n_hooks > 1).then(|| format!("{n_hooks} hooks for {event}"))
            }
        });
        Ok(doubles.collect())
    }

    /// Whether these settings enable our plugin, which has its own hooks and server.
    pub(crate) fn enables_plugin(&self, text: &str) -> Result<bool, String> {
        let settings = self.settings(text)?;
        let groups = ["enabledPlugins", "plugins"].into_iter();
        let groups = groups.filter_map(|group| settings.get(group)?.as_object());
        let is_on = |plugin: &Value| {
            let switch = plugin.get("enabled").unwrap_or(plugin);
            switch.as_bool().unwrap_or(true)
        };
        let mut plugins = groups.flatten();
        Ok(plugins.any(|(name, plugin)| name.starts_with(PLUGIN) && is_on(plugin)))
    }

    fn settings(&self, text: &str) -> Result<Value, String> {
        match self.syntax {
            SettingsSyntax::Json => Ok(json_root(text)?.to_serde_value().unwrap_or_default()),
            SettingsSyntax::Toml => {
                toml_edit::de::from_str(text).map_err(|error| error.to_string())
            }
        }
    }

    /// Whether the text is as [`Self::connected`] writes it, for any home.
    pub(crate) fn is_connected(&self, text: &str, invocation: &[String]) -> Result<bool, String> {
        let Some(call) = self.calls(text, invocation)?.into_iter().flatten().next() else {
            return Ok(false);
        };
        let n_words = call
            .iter()
            .rposition(|word| word == "mcp" || word == "hook");
        let found = call.get(..n_words.unwrap_or(0)).unwrap_or_default();
        Ok(self.connected(text, found)? == text)
    }

    /// The text without our entries; another command under our name stays, and a command that the original had is
    /// restored.
    pub(crate) fn disconnected(
        &self,
        text: &str,
        original: &str,
        invocation: &[String],
    ) -> Result<String, String> {
        if self.calls(text, invocation)?.iter().all(Option::is_none) {
            return Ok(text.to_owned());
        }
        match self.syntax {
            SettingsSyntax::Json => {
                let original = json_root(original)?.to_serde_value().unwrap_or_default();
                self.json(text, |top, entry| {
                    remove(top, entry, (&original, invocation));
                    Ok(())
                })
            }
            SettingsSyntax::Toml => {
                let original = toml_document(original)?;
                self.toml(text, |group, servers| {
                    let own = original.get(group).and_then(|servers| servers.get(NAME));
                    match own {
                        Some(own) => servers.insert(NAME, own.clone()),
                        None => servers.remove(NAME),
                    };
                })
            }
        }
    }

    fn json(
        &self,
        text: &str,
        change: impl Fn(&CstObject, &ConnectEntry) -> Result<(), String>,
    ) -> Result<String, String> {
        let root = json_root(text)?;
        let top = root.object_value().ok_or("it is not a JSON object")?;
        for entry in self.entries {
            change(&top, entry)?;
        }
        Ok(root.to_string())
    }

    fn toml(&self, text: &str, change: impl Fn(&str, &mut Table)) -> Result<String, String> {
        let mut document = toml_document(text)?;
        for entry in self.entries {
            let (ConnectEntry::Server(group, _) | ConnectEntry::Hook(_, group, _)) = entry;
            let servers = document.entry(group).or_insert_with(|| {
                let mut table = Table::new();
                // Print a header for the server's own table only.
                table.set_implicit(true);
                Item::Table(table)
            });
            change(
                group,
                servers
                    .as_table_mut()
                    .ok_or_else(|| format!("{group} is not a table"))?,
            );
        }
        Ok(document.to_string())
    }
}

fn toml_document(text: &str) -> Result<DocumentMut, String> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| format!("it is not valid TOML: {}", error.message()))
}

/// The command line of a server, if it calls us.
fn server_call(server: &Value, invocation: &[String]) -> Option<Vec<String>> {
    let command = server.get("command")?;
    let command: Vec<&Value> = command
        .as_array()
        .map_or_else(|| vec![command], |words| words.iter().collect());
    let arguments = server.get("args").and_then(Value::as_array);
    let words = command.into_iter().chain(arguments.into_iter().flatten());
    let words = words.filter_map(|word| Some(word.as_str()?.to_owned()));
    Some(words.collect()).filter(|call: &Vec<String>| is_ours(call, invocation))
}

/// The server that starts this program, in the form that another program reads.
pub(super) fn server_value(form: ServerForm, invocation: &[String]) -> Value {
    let (command, arguments) = server(invocation);
    match form {
        ServerForm::CommandAndArguments => json!({ "command": command, "args": arguments }),
        ServerForm::LoadedAlways => {
            json!({ "command": command, "args": arguments, "alwaysLoad": true })
        }
        ServerForm::CommandList => {
            let words: Vec<String> = std::iter::once(command).chain(arguments).collect();
            json!({ "type": "local", "command": words, "enabled": true })
        }
    }
}

/// The command lines of the hooks for this program and event that call us.
fn hook_calls<'s>(
    settings: &'s Value,
    (program, event): (&'s str, &'s str),
    invocation: &'s [String],
) -> impl Iterator<Item = Vec<String>> + 's {
    let groups = settings
        .get("hooks")
        .and_then(|hooks| hooks.get(event)?.as_array());
    let groups = groups.into_iter().flatten();
    let hooks = groups
        .filter_map(|group| group.get("hooks")?.as_array())
        .flatten();
    hooks.filter_map(move |hook| own_call(hook, (program, event), invocation))
}

/// The server under our name in a group, by the path of the group.
fn server_in<'s>(settings: &'s Value, path: &str) -> Option<&'s Value> {
    let mut names = path.split('.').chain([NAME]);
    names.try_fold(settings, |at, name| at.get(name))
}

fn json_root(text: &str) -> Result<CstRootNode, String> {
    if text.starts_with('\u{feff}') {
        return Err("it begins with a byte order mark: save it as UTF-8 without one".to_owned());
    }
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| format!("it is not valid JSON: {error}"))
}

fn group(top: &CstObject, path: &str) -> Result<CstObject, String> {
    let mut names = path.split('.');
    names.try_fold(top.clone(), |top, name| {
        top.object_value_or_create(name)
            .ok_or_else(|| format!("{name:?} is not an object"))
    })
}

fn add(top: &CstObject, entry: &ConnectEntry, invocation: &[String]) -> Result<(), String> {
    match entry {
        ConnectEntry::Server(name, form) => {
            let wanted = server_value(*form, invocation);
            let servers = group(top, name)?;
            match servers.get(NAME) {
                Some(own) if own.to_serde_value().as_ref() == Some(&wanted) => {}
                Some(own) => own.set_value(input(&wanted)),
                None => drop(servers.append(NAME, input(&wanted))),
            }
        }
        ConnectEntry::Hook(program, event, timeout) => {
            let typed = [invocation, &["hook", program, event].map(str::to_owned)].concat();
            let command = shlex::try_join(typed.iter().map(String::as_str))
                .map_err(|error| error.to_string())?;
            let wanted =
                json!({ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] });
            let groups = group(top, "hooks")?
                .array_value_or_create(event)
                .ok_or_else(|| format!("{event:?} is not a list"))?;
            let is_wanted = |node: &CstNode| node.to_serde_value().as_ref() == Some(&wanted);
            if !groups.elements().iter().any(is_wanted) {
                remove_hooks(&groups, (program, event), invocation);
                groups.append(input(&wanted));
            }
        }
    }
    Ok(())
}

fn remove(top: &CstObject, entry: &ConnectEntry, (original, invocation): (&Value, &[String])) {
    match entry {
        ConnectEntry::Server(path, _) => {
            let mut names = path.split('.');
            let servers = names.try_fold(top.clone(), |top, name| top.object_value(name));
            if let Some(own) = servers.and_then(|servers| servers.get(NAME)) {
                match server_in(original, path) {
                    Some(before) => own.set_value(input(before)),
                    None => own.remove(),
                }
            }
        }
        ConnectEntry::Hook(program, event, _) => {
            let groups = top
                .object_value("hooks")
                .and_then(|hooks| hooks.array_value(event));
            if let Some(groups) = groups {
                remove_hooks(&groups, (program, event), invocation);
            }
        }
    }
}

/// Removes the hooks that call this program, and each group that has no other.
fn remove_hooks(groups: &CstArray, hook_name: (&str, &str), invocation: &[String]) {
    for group in groups.elements() {
        let hooks = group.as_object().and_then(|it| it.array_value("hooks"));
        let hooks = hooks.as_ref().map(CstArray::elements).unwrap_or_default();
        let (own, others): (Vec<CstNode>, Vec<CstNode>) = hooks.into_iter().partition(|hook| {
            let hook = hook.to_serde_value().unwrap_or_default();
            own_call(&hook, hook_name, invocation).is_some()
        });
        if own.is_empty() {
            continue;
        }
        if others.is_empty() {
            group.remove();
        } else {
            own.into_iter().for_each(CstNode::remove);
        }
    }
}

/// Whether [`SettingsFile::connected`] wrote this call, for any home and folder of the program.
fn is_ours(call: &[String], invocation: &[String]) -> bool {
    let Some((command, rest)) = call.split_first() else {
        return false;
    };
    let behind = |name: &str| {
        let at = rest.iter().position(|it| it == name)?;
        rest.get(at + 1..)
    };
    // The owner may have added options.
    let is_server = behind("mcp").is_some_and(|it| it.first().is_none_or(|it| it.starts_with('-')));
    if !is_server && behind("hook").is_none_or(|it| it.len() != 2) {
        return false;
    }
    let name = Path::new(command).file_name();
    let program = invocation.first().map(Path::new).and_then(Path::file_name);
    name == program || name == Some(NAME.as_ref())
}

/// The command line of a hook for this program and event, if it calls us.
fn own_call(
    hook: &Value,
    (program, event): (&str, &str),
    invocation: &[String],
) -> Option<Vec<String>> {
    let call = shlex::split(hook.get("command")?.as_str()?)?;
    let is_for_it = call.ends_with(&["hook", program, event].map(str::to_owned));
    (is_for_it && is_ours(&call, invocation)).then_some(call)
}

/// The command and arguments that start the MCP server.
fn server(invocation: &[String]) -> (String, Vec<String>) {
    let (command, arguments) = invocation
        .split_first()
        .map_or((NAME, &[][..]), |(command, rest)| (command, rest));
    let arguments = arguments.iter().cloned().chain(["mcp".to_owned()]);
    (command.to_owned(), arguments.collect())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => {
            let members = values
                .iter()
                .map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(members.collect())
        }
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
