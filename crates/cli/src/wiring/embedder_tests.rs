//! The choice of the embedder, and the message if it is not the chosen one.
//!
//! Runs no model.

use std::collections::BTreeMap;

use base::disk::MemoryDisk;
use base::{Disk, SystemClock};
use insta::assert_snapshot;
use session::StateCache;

use super::super::onnx::{RUNTIME_VARIABLE, model_to_fetch};
use super::*;
use crate::environment::{Environment, OtherVariables};

fn settings(provider: EmbeddingProvider) -> EmbeddingSettings {
    EmbeddingSettings {
        provider,
        model: Some("m".to_owned()),
        base_url: Some("http://localhost:1/v1".to_owned()),
        api_key_env: None,
        requests_per_minute: None,
    }
}

fn host(files: &[&str], runtime: Option<&str>) -> Host {
    let files = files
        .iter()
        .map(|path| (PathBuf::from(path), b"{}".to_vec()));
    let disk = MemoryDisk::from_snapshot(files.collect::<BTreeMap<_, _>>());
    let others = OtherVariables::default();
    Host {
        environment: Environment {
            others: match runtime {
                Some(path) => others.with(RUNTIME_VARIABLE, path),
                None => others,
            },
            user_home: Some("/root".into()),
            ..Environment::default()
        },
        disk: Arc::new(disk) as Arc<dyn Disk>,
        clock: Arc::new(SystemClock::new()),
        states: StateCache::default(),
    }
}

/// The home of the user `/root`.
fn home() -> Home {
    Home::of_user(Path::new("/root"))
}

/// The embedder that is used, and the one that it replaces.
fn found(host: &Host, settings: &EmbeddingSettings) -> String {
    match choose_embedder(settings, host, &home(), ModelLoad::FromFirstText) {
        Ok(ChosenEmbedder {
            embedder,
            stands_in,
        }) => {
            let embedder = embedder.map_or("none".to_owned(), |it| it.profile().identity);
            stands_in.map_or(embedder.clone(), |it| {
                format!("{embedder} for {}", it.warning())
            })
        }
        Err(error) => error.one_line(),
    }
}

/// A complete model, and a file that is not a library.
const FILES: [&str; 5] = [
    "/root/mine/model.onnx",
    "/root/mine/tokenizer.json",
    "/root/mine/config.json",
    "/root/mine/tokenizer_config.json",
    "/lib/onnx.so",
];

#[test]
fn embedder_follows_settings() {
    let http = settings(EmbeddingProvider::Http);
    let chosen = [
        settings(EmbeddingProvider::Auto),
        settings(EmbeddingProvider::Bundled),
        settings(EmbeddingProvider::None),
        http.clone(),
        // The user name and password in an address are not stored with the vectors.
        EmbeddingSettings {
            base_url: Some("http://ann:hunter22@localhost:1/v1".to_owned()),
            ..http.clone()
        },
        EmbeddingSettings {
            model: Some(" ".to_owned()),
            ..http.clone()
        },
        EmbeddingSettings {
            base_url: Some("localhost".to_owned()),
            ..http.clone()
        },
        EmbeddingSettings {
            api_key_env: Some("sk-abcdef0123456789abcdef0123".to_owned()),
            ..http.clone()
        },
    ];
    let found_of = chosen.map(|settings| found(&host(&[], None), &settings));
    assert_snapshot!(found_of.join("\n"));
}

#[test]
fn incomplete_local_embedder_is_reported_and_bundled_used() {
    let fastembed = |host: &Host, model: Option<&str>| {
        let settings = EmbeddingSettings {
            model: model.map(str::to_owned),
            ..settings(EmbeddingProvider::Fastembed)
        };
        found(host, &settings)
    };
    let whole = host(&FILES, Some("/lib/onnx.so"));
    let no_runtime = host(&FILES, Some("/lib/gone.so"));
    let half = host(&FILES[..2], Some("/root/mine/model.onnx"));
    let found = [
        // The file exists but is not a library, which is detected before the first text.
        fastembed(&whole, Some("~/mine")),
        fastembed(&no_runtime, Some("/root/mine")),
        fastembed(&whole, Some("/root/gone")),
        fastembed(&half, Some("/root/mine")),
        fastembed(&whole, None),
    ];
    assert_snapshot!(found.join("\n"));
}

#[test]
fn only_missing_named_model_is_fetched() {
    let fetched = |provider: &str, model: &str| {
        let settings = json!({
            "provider": provider,
            "model": model,
            "baseUrl": (provider == "http").then_some("http://localhost:1"),
        });
        let settings: EmbeddingSettings = serde_json::from_value(settings).unwrap();
        let host = host(&["/lib/onnx.so"], Some("/lib/onnx.so"));
        let missing = model_to_fetch(&settings, &host, &home()).unwrap();
        missing.map(|(model, from)| format!("{} from {from}", model.name()))
    };
    let name = "bge-small-en-v1.5";
    for provider in ["auto", "http"] {
        assert_eq!(fetched(provider, name), None);
    }
    assert_eq!(fetched("fastembed", "/root/gone"), None);
    let expected = "BGESmallENV15 from https://huggingface.co";
    assert_eq!(fetched("fastembed", name), Some(expected.to_owned()));
}
