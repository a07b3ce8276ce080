//! The offers of `init`, the meaning of an answer, and the settings that are written.
//!
//! Does not ask a model.

use testkit::Words;

use super::*;

fn server(dialect: Dialect, base_url: &str, models: &[&str]) -> LocalServer {
    LocalServer {
        dialect,
        base_url: base_url.to_owned(),
        models: models.iter().map(|it| (*it).to_owned()).collect(),
    }
}

const OLLAMA: &str = "http://localhost:11434/";

fn all() -> Vec<Offer> {
    let others = Environment::default()
        .others
        .with("ANTHROPIC_API_KEY", "hunter2");
    let environment = Environment {
        others,
        ..Environment::default()
    };
    let models = ["qwen3:8b", "gemma3", "phi4", "llama3.2"];
    let local = vec![
        server(Dialect::Ollama, OLLAMA, &models),
        server(
            Dialect::OpenAiCompatible,
            "http://localhost:8080/v1/",
            &["model.gguf"],
        ),
    ];
    offers(&environment, local)
}

fn empty_ollama() -> Vec<Offer> {
    vec![Offer::Local(server(Dialect::Ollama, OLLAMA, &[]))]
}

#[test]
fn i14_model_offer_question_omits_api_key() {
    insta::assert_snapshot!(question(&all()), @"
    Which model should answer?

      1  Ollama at http://localhost:11434/: qwen3:8b, gemma3, phi4 and 1 more
      2  the server at http://localhost:8080/v1/: model.gguf
      3  anthropic, with the key in ANTHROPIC_API_KEY; your messages are sent there
      0  none: stay offline, where replies quote your notes

    Number [1]:
    ");
    insta::assert_snapshot!(question(&empty_ollama()), @"
    Which model should answer?

      1  Ollama at http://localhost:11434/: no models yet, but it can download one
      0  none: stay offline, where replies quote your notes

    Number [0]:
    ");
}

#[test]
fn pick_treats_empty_answer_as_local_model_or_none() {
    let all = all();
    assert_eq!(pick(&all, "\n"), Some(Picked::Offer(&all[0])));
    let keys = &all[2..];
    assert_eq!(pick(keys, "\n"), Some(Picked::Nobody));
    let empty = empty_ollama();
    assert_eq!(pick(&empty, ""), Some(Picked::Nobody));
}

#[test]
fn pick_accepts_only_listed_numbers() {
    let all = all();
    assert_eq!(pick(&all, " 3\n"), Some(Picked::Offer(&all[2])));
    assert_eq!(pick(&all, "0"), Some(Picked::Nobody));
    for unclear in ["4", "-1", "one", "2 3", "99999999999999999999"] {
        assert_eq!(pick(&all, unclear), None, "{unclear}");
    }
}

#[test]
fn model_menu_accepts_number_or_name() {
    let all = all();
    let listed = |names: &[&str]| Some(names.iter().map(|it| (*it).to_owned()).collect());
    let local = ModelMenu::of(&all[0], listed(&["qwen3:8b", "gemma3"]));
    insta::assert_snapshot!(local.question().unwrap(), @"
    Which model?

      1  qwen3:8b
      2  gemma3

    Number or name [qwen3:8b]:
    ");
    let names = ["", "2\n", "gemma3", "mistral"].map(|answer| local.named(answer).unwrap());
    assert_eq!(names, ["qwen3:8b", "gemma3", "gemma3", "mistral"]);
    assert_eq!(["0", "3"].map(|answer| local.named(answer)), [None, None]);
    assert_eq!(
        ModelMenu::of(&all[1], listed(&["model.gguf"])).question(),
        None
    );
    let many: Vec<String> = (0..23).map(|number| format!("m{number}")).collect();
    let question = ModelMenu::of(&all[1], Some(many)).question().unwrap();
    question.holds(" 20  m19\n     and 3 more, by name\n");
}

#[test]
fn model_menu_puts_available_suggestion_first() {
    let all = all();
    let menu = |names: &[&str]| {
        let listed = names.iter().map(|it| (*it).to_owned()).collect();
        ModelMenu::of(&all[2], Some(listed)).names
    };
    let suggested = "claude-sonnet-4-5";
    assert_eq!(menu(&["large", suggested]), [suggested, "large"]);
    assert_eq!(menu(&["large", "small"]), ["large", "small"]);
    let unlisted = ModelMenu::of(&all[2], None);
    assert_eq!(
        unlisted.question().unwrap(),
        "Model name [claude-sonnet-4-5]: "
    );
    assert_eq!(unlisted.named("2").unwrap(), "2");
    assert_eq!(unlisted.named("\n").unwrap(), suggested);
}

#[test]
fn offer_becomes_model_settings() {
    let all = all();
    let elsewhere = Offer::Local(server(Dialect::Ollama, "http://127.0.0.1:4000/", &[]));
    let told = [&all[0], &all[1], &all[2], &elsewhere].map(|offer| {
        let settings = settings(offer, "some: model");
        let lines = settings
            .iter()
            .map(|it| format!("{} = {}\n", it.key, it.value));
        lines.collect::<String>()
    });
    insta::assert_snapshot!(told.join("\n"), @r#"
    model.provider = ollama
    model.name = "some: model"
    model.concurrency = 1

    model.provider = openai-compatible
    model.name = "some: model"
    model.baseUrl = "http://localhost:8080/v1/"
    model.concurrency = 1

    model.provider = anthropic
    model.name = "some: model"

    model.provider = ollama
    model.name = "some: model"
    model.baseUrl = "http://127.0.0.1:4000/"
    model.concurrency = 1
    "#);
}
