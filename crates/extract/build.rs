//! Converts the language files to JSON, which a program start reads in a tenth of the time.

use std::{env, error::Error, fs, path::Path};

/// In tie-breaking order.
const CODES: [&str; 9] = ["en", "de", "es", "fr", "pt", "it", "nl", "ja", "zh"];

#[expect(
    clippy::disallowed_methods,
    reason = "a build has neither a disk port nor a configuration"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut languages = Vec::new();
    for code in CODES {
        let file = format!("data/{code}.toml");
        println!("cargo::rerun-if-changed={file}");
        languages.push(toml::from_str::<toml::Table>(&fs::read_to_string(file)?)?);
    }
    let json = Path::new(&env::var("OUT_DIR")?).join("languages.json");
    Ok(fs::write(json, serde_json::to_string(&languages)?)?)
}
