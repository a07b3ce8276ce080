//! The page of settings and their schema, which are generated here, committed, and compared.
//!
//! `UPDATE_REFERENCE=1 cargo test -p cli reference` rewrites them.

use std::collections::BTreeMap;
use std::fmt::Write;

use base::TokenCount;
use schemars::Schema;
use serde_json::{Map, Value};

use crate::config::{DEFAULT_YAML, settings_schema, variable_of};
use crate::reference::{GENERATED, check};

#[test]
fn config_schema_file_is_current() {
    let schema = serde_json::to_string_pretty(&schema()).unwrap();
    check("config/schema.json", &format!("{schema}\n"));
}

#[test]
fn config_page_is_current() {
    check("docs/config.md", &config_page());
}

#[test]
fn settings_have_descriptions_next_to_their_defaults() {
    let described = descriptions();
    for setting in settings_of(&schema()) {
        assert!(described.contains_key(&setting.key), "{}", setting.key);
    }
}

/// The description and the unit of each setting, from the comments before and after it in `default.yaml`.
fn descriptions() -> Descriptions {
    let mut described = BTreeMap::new();
    let mut comment = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    let lines = DEFAULT_YAML.lines();
    for line in lines.skip_while(|line| line.starts_with('#')) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let line = line.trim();
        if let Some(text) = line.strip_prefix("# ") {
            comment.push(text);
            continue;
        }
        let name = line.split(':').next().unwrap();
        let unit = line.split_once(" # ").map(|(_, unit)| unit.to_owned());
        groups.truncate(depth);
        groups.push(name.to_owned());
        if !comment.is_empty() {
            described.insert(groups.join("."), (comment.join(" "), unit));
        }
        comment.clear();
    }
    described
}

fn defaults() -> Value {
    serde_saphyr::from_str(DEFAULT_YAML).unwrap()
}

/// The schema of a configuration file. No setting is required, because each has a default.
fn schema() -> Schema {
    let mut schema = settings_schema();
    let described = descriptions();
    complete(
        schema.as_object_mut().unwrap(),
        &defaults(),
        ("", &described),
    );
    schema
}

fn below(group: &str, name: &str) -> String {
    format!("{group}.{name}").trim_start_matches('.').to_owned()
}

type Descriptions = BTreeMap<String, (String, Option<String>)>;

fn complete(
    schema: &mut Map<String, Value>,
    default: &Value,
    (key, described): (&str, &Descriptions),
) {
    schema.remove("required");
    if let Some((description, unit)) = described.get(key) {
        schema.insert("description".to_owned(), description.as_str().into());
        if let Some(unit) = unit {
            schema.insert("x-unit".to_owned(), unit.as_str().into());
        }
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    match schema.get_mut("properties") {
        Some(Value::Object(properties)) => {
            for (name, inner) in properties {
                let key = below(key, name);
                let inner = inner.as_object_mut().unwrap();
                complete(inner, &default[name.as_str()], (&key, described));
            }
        }
        _ => {
            schema.insert("default".to_owned(), default.clone());
        }
    }
}

/// A setting as the schema describes it.
struct Setting {
    key: String,
    description: String,
    unit: Option<String>,
    default: Value,
    range: Option<(u64, u64)>,
    may_workspace: bool,
}

fn settings_of(schema: &Schema) -> Vec<Setting> {
    let mut settings = Vec::new();
    collect(schema.as_value(), "", &mut settings);
    // A group comes before its settings, whose names may occur in other groups too.
    let place = |setting: &Setting| {
        let mut from = 0;
        for name in setting.key.split('.') {
            let rest = DEFAULT_YAML.split_at(from).1;
            from += rest.find(&format!("{name}:")).unwrap();
        }
        from
    };
    settings.sort_by_key(place);
    settings
}

fn collect(schema: &Value, key: &str, settings: &mut Vec<Setting>) {
    if let Some(properties) = schema["properties"].as_object() {
        for (name, inner) in properties {
            let key = below(key, name);
            collect(inner, &key, settings);
        }
        return;
    }
    let range = schema["minimum"].as_u64().zip(schema["maximum"].as_u64());
    settings.push(Setting {
        key: key.to_owned(),
        description: schema["description"].as_str().unwrap().to_owned(),
        unit: schema["x-unit"].as_str().map(str::to_owned),
        default: schema["default"].clone(),
        range,
        may_workspace: schema["x-workspace"] == true,
    });
}

/// Puts each sentence on its own line.
fn sentences(text: &str) -> String {
    text.replace(". ", ".\n")
}

fn config_page() -> String {
    let mut page = format!("# Settings\n\n{GENERATED}\n{CONFIG_INTRODUCTION}");
    for setting in settings_of(&schema()) {
        let unit = setting
            .unit
            .map(|unit| format!(" {unit}"))
            .unwrap_or_default();
        let default = match &setting.default {
            Value::String(text) => text.clone(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => setting.default.to_string(),
        };
        write!(
            page,
            "\n## `{}`\n\n{}\n\n- Default: `{default}`{unit}\n",
            setting.key,
            sentences(&setting.description)
        )
        .unwrap();
        if let Some((least, most)) = setting.range {
            let (least, most) = (TokenCount(least), TokenCount(most));
            writeln!(page, "- Range: {least} to {most}").unwrap();
        }
        if setting.may_workspace {
            page.push_str("- A workspace may set it\n");
        }
        writeln!(page, "- Variable: `{}`", variable_of(&setting.key)).unwrap();
    }
    page
}

const CONFIG_INTRODUCTION: &str = "\
Settings come in layers; a later layer overrides an earlier one:

1. the defaults below, compiled in from `config/default.yaml`;
2. the owner's `config.yaml` in the home;
3. `workspace/config.yaml` in the home, which may set only the settings marked below;
4. environment variables: `__` between levels, each name in upper case with `_` before each former capital;
5. `--set key.path=value`, before or after the command, any number of times; the last one wins.

A file needs only what differs from the defaults.
A workspace may come from anywhere, so its file may set only what cannot send, start or read anything, \
or widen the assistant's permissions; anything else in it is an error.
Variables and `--set` values are read as YAML.
Unknown keys, wrong types and values out of range are errors that name the key, its place and a correction.
`openclaw config show` prints every value with its origin, `openclaw config get KEY` a single one.
`openclaw config set KEY VALUE` changes the owner's file and keeps its comments and order; the result is \
checked through all layers before a byte changes.
`openclaw config path` prints the path of that file, and `openclaw config schema` its JSON Schema for editors.
`OPENCLAW_HOME` names the home and is not a setting.
";
