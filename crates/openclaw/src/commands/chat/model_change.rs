//! `/model`: lists the models of the server and switches to another one.
//!
//! Never sends the owner's text to try a model.

use agent::OwnerAnswer;
use agent::service::Dreams;
use cli::config::{Assignment, ModelSettings, ProviderSetting};
use cli::output::add_line;
use cli::wiring::{Choice, ModelSource, change_models, choose, server, try_model};
use models::{Connection, list_models};
use serde::Serialize;
use tokio::task::block_in_place;

use super::asking::may_record;
use super::input::InputPlace;
use super::talk::Talk;
use crate::commands::config::record;
use crate::prelude::*;

/// Maximum number of models shown to people.
const LISTED_MAX: usize = 30;

/// The current model, and the others of its server.
#[derive(Serialize)]
#[serde(tag = "event", rename = "models")]
struct ModelChoices {
    model: String,
    server: String,
    /// `None` if the server does not list its models.
    choices: Option<Vec<String>>,
}

impl Talk<'_, '_, '_> {
    pub(super) async fn show_models(&mut self) -> Result<()> {
        let settings = self.context.settings_of(&self.opened.home)?.model;
        let connection = self.connection(&settings)?;
        let report = ModelChoices {
            model: connection.model.clone(),
            server: server(&connection),
            choices: list_models(&connection).await?,
        };
        self.context.emit(&report).map(|_| ())
    }

    /// Switches to another model of the same server, once a test request succeeds.
    pub(super) async fn change_model(&mut self, name: &str) -> Result<()> {
        let assignment = Assignment {
            key: "model.name".to_owned(),
            // A JSON string is a YAML string.
            value: Value::from(name).to_string(),
        };
        let home = self.opened.home.clone();
        let wanted = std::slice::from_ref(&assignment);
        let config = self.context.load(&home, wanted)?;
        let settings = &config.settings.model;
        self.connection(settings)?;
        self.aside(&format!("Trying {name}..."));
        let before = self.opened.runtime.engine.models.primary.profile().name;
        let source = ModelSource::new(settings, self.context.host, &home);
        let tried = try_model(source).await;
        tried.map_err(|error| {
            error.hint(format!(
                "still using {before}; `/model` lists the other models"
            ))
        })?;
        // This blocks: it asks the servers for their context windows.
        let runtime = &mut self.opened.runtime;
        block_in_place(|| change_models(self.context, (&home, &config), runtime))?;
        // Last, so that a failure leaves the settings as they were.
        self.context.assign(&home, assignment, config);
        self.dreams = Dreams::begin(runtime, self.opened.dreaming.clone());
        self.is_model_down = false;
        self.aside(&format!("This chat now uses {name}."));
        self.offer_to_record(name, &home)
    }

    /// Records the model settings of this run in config.yaml, if the owner agrees.
    fn offer_to_record(&mut self, name: &str, home: &Home) -> Result<()> {
        if self.opened.runtime.sandbox.is_some() {
            return Ok(());
        }
        let answer = match self.input.place {
            InputPlace::Terminal(_) => block_in_place(|| may_record(&self.input.wanted, name)),
            InputPlace::Lines => OwnerAnswer::NobodyThere,
        };
        if answer != OwnerAnswer::Yes {
            return Ok(());
        }
        let assignments = self.context.assignments.iter();
        let of_model = assignments.filter(|it| it.key.starts_with("model."));
        let of_model: Vec<Assignment> = of_model.cloned().collect();
        let path = record(&of_model, home, self.context)?;
        self.aside(&format!("Saved {name} in {}.", path.display()));
        Ok(())
    }

    /// The connection to the chosen model; fails in an offline chat.
    fn connection(&self, settings: &ModelSettings) -> Result<Connection> {
        let source = ModelSource::new(settings, self.context.host, &self.opened.home);
        match choose(source)? {
            Choice::Remote(connection) => Ok(connection),
            Choice::Offline { .. } => {
                let failure = "this chat is offline: no provider is configured";
                let hint = if settings.provider == ProviderSetting::Auto {
                    "run `openclaw init` to choose a model"
                } else {
                    "run `openclaw config set model.provider NAME` to choose one"
                };
                Err(CliError::new(ErrorKind::Config, failure).hint(hint))
            }
        }
    }
}

impl Report for ModelChoices {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let (model, server) = (printable(&self.model), printable(&self.server));
        let mut text = format!("  Using {model} at {server}.\n");
        let Some(choices) = &self.choices else {
            return text
                + "  The server does not list its models; `/model NAME` switches to another.\n";
        };
        text.push('\n');
        for name in choices.iter().take(LISTED_MAX) {
            let mark = if *name == self.model { '*' } else { ' ' };
            add_line!(text, "  {mark} {}", printable(name));
        }
        if let Some(n_more @ 1..) = choices.len().checked_sub(LISTED_MAX) {
            add_line!(text, "    and {n_more} more");
        }
        text + "\n  `/model NAME` switches to another model in this chat.\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_choices_mark_current_model_and_cut_long_lists() {
        let shown = |choices: Option<Vec<String>>| {
            let report = ModelChoices {
                model: "gemma3".to_owned(),
                server: "http://localhost:11434/".to_owned(),
                choices,
            };
            report.human(Stream::Terminal(80))
        };
        let names = ["qwen3:8b", "gemma3"].map(str::to_owned);
        insta::assert_snapshot!(shown(Some(names.to_vec())), @"
          Using gemma3 at http://localhost:11434/.

            qwen3:8b
          * gemma3

          `/model NAME` switches to another model in this chat.
        ");
        let many = (0..32).map(|number| format!("m{number}")).collect();
        assert!(shown(Some(many)).contains("    m29\n    and 2 more\n"));
        let unlisted = "  Using gemma3 at http://localhost:11434/.\n  \
             The server does not list its models; `/model NAME` switches to another.\n";
        assert_eq!(shown(None), unlisted);
    }
}
