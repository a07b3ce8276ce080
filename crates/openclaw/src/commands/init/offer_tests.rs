//! What `init` offers, what an answer means, and what is written down.
//!
//! Asks nobody.

use super::*;

fn server(dialect: Dialect, base_url: &str, models: &[&str]) -> LocalServer {
    LocalServer {
        dialect,
        base_url: base_url.to_owned(),
        models: models.iter().map(|it| (*it).to_owned()).collect(),
    }
}

fn found() -> Vec<Offer> {
    let others = Environment::default()
        .others
        .with("ANTHROPIC_API_KEY", "hunter2");
    let environment = Environment {
        others,
        ..Environment::default()
    };
    let local = vec![
        server(
            Dialect::Ollama,
            "http://localhost:11434/",
            &["qwen3:8b", "gemma3"],
        ),
        server(
            Dialect::OpenAiCompatible,
            "http://localhost:8080/v1/",
            &["model.gguf"],
        ),
    ];
    offers(&environment, local)
}

#[test]
fn i14_what_was_found_is_shown_without_the_key() {
    insta::assert_snapshot!(question(&found()), @r"
    Who should answer? What you say is sent there, but nothing before you choose.

      1  anthropic: ANTHROPIC_API_KEY is set
      2  a server on this machine, http://localhost:11434/: qwen3:8b, gemma3
      3  a server on this machine, http://localhost:8080/v1/: model.gguf

    Number, or Enter to stay offline: 
    ");
}

#[test]
fn only_a_number_of_the_list_chooses() {
    let offers = found();
    for nothing in ["", "0", "4", "-1", "one", "2 3", "99999999999999999999"] {
        assert_eq!(pick(&offers, nothing), None, "{nothing}");
    }
    assert_eq!(pick(&offers, " 2\n"), Some(&offers[1]));
    assert_eq!(
        offers
            .iter()
            .map(|it| model_question(it).is_some())
            .collect::<Vec<_>>(),
        [true, true, false]
    );
    let named = |index: usize, named| chosen(&offers[index], named).map(|own| own.name);
    assert_eq!(named(0, " \n").as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!(named(1, "\n").as_deref(), Some("qwen3:8b"));
    assert_eq!(chosen(&offers[1], "llama"), None);
}

#[test]
fn a_choice_is_written_down_behind_what_is_there() {
    let offers = found();
    let texts = [(0, "some-model\n"), (1, "gemma3"), (2, "")].map(|(index, named)| {
        let chosen = chosen(&offers[index], named).unwrap();
        written("# Settings.\ntimezone: UTC\n", &chosen).unwrap()
    });
    insta::assert_snapshot!(texts.join("\n---\n"), @r#"
    # Settings.
    timezone: UTC

    model:
      provider: anthropic
      name: "some-model"

    ---
    # Settings.
    timezone: UTC

    model:
      provider: ollama
      name: "gemma3"
      concurrency: 1 # calls at a time

    ---
    # Settings.
    timezone: UTC

    model:
      provider: openai-compatible
      name: "model.gguf"
      baseUrl: "http://localhost:8080/v1/"
      concurrency: 1 # calls at a time
    "#);
    let chosen = chosen(&offers[2], "").unwrap();
    assert_eq!(written("model:\n  contextWindow: 64000\n", &chosen), None);
}
