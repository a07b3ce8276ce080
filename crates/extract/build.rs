//! Converts the language files to JSON, which a program start reads in a tenth of the time.

use std::{env, error::Error, fs, path::Path};

use toml::{Table, Value};

/// In tie-breaking order.
const CODES: [&str; 9] = ["en", "de", "es", "fr", "pt", "it", "nl", "ja", "zh"];

/// The tables that are parsed on first use.
const LATER: [&str; 2] = ["cues", "phrases"];

#[expect(
    clippy::disallowed_methods,
    reason = "a build has neither a disk port nor a configuration"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut languages = Vec::new();
    for code in CODES {
        let file = format!("data/{code}.toml");
        println!("cargo::rerun-if-changed={file}");
        let mut language: Table = toml::from_str(&fs::read_to_string(file)?)?;
        let later = LATER.map(|key| Some((key.to_owned(), language.remove(key)?)));
        let later = later.into_iter().flatten().collect();
        language.insert("later".to_owned(), Value::Table(later));
        languages.push(language);
    }
    let json = Path::new(&env::var("OUT_DIR")?).join("languages.json");
    Ok(fs::write(json, serde_json::to_string(&languages)?)?)
}
