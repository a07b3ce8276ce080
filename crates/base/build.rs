//! Converts `words.toml` to JSON, which the program reads at its start in a tenth of the time.

use std::{env, error::Error, fs, path::Path};

#[expect(
    clippy::disallowed_methods,
    reason = "a build has neither a disk port nor a configuration"
)]
fn main() -> Result<(), Box<dyn Error>> {
    const WORDS: &str = "src/dates/words.toml";
    println!("cargo::rerun-if-changed={WORDS}");
    let words: toml::Value = toml::from_str(&fs::read_to_string(WORDS)?)?;
    let json = Path::new(&env::var("OUT_DIR")?).join("words.json");
    Ok(fs::write(json, serde_json::to_string(&words)?)?)
}
