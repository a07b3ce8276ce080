//! Which embedder is taken, and what is told where it is another one than was chosen.
//!
//! Runs no model.

use std::collections::BTreeMap;

use base::disk::MemoryDisk;
use base::{Disk, SystemClock};

use models::FastReranker;

use super::super::onnx::{RUNTIME_VARIABLE, models_to_fetch};
use super::*;
use crate::config::MemorySettings;
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
    }
}

fn home(host: &Host) -> Home {
    Home::find(None, &host.environment).unwrap()
}

#[track_caller]
fn check(settings: &EmbeddingSettings, expected: &str) {
    check_on(&host(&[], None), settings, expected);
}

#[track_caller]
fn check_on(host: &Host, settings: &EmbeddingSettings, expected: &str) {
    let found = match choose_embedder(settings, host, &home(host), ModelLoad::FromFirstText) {
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
    };
    assert_eq!(found, expected);
}

/// A whole model of the owner, and a library that is none.
const FILES: [&str; 5] = [
    "/root/mine/model.onnx",
    "/root/mine/tokenizer.json",
    "/root/mine/config.json",
    "/root/mine/tokenizer_config.json",
    "/lib/onnx.so",
];

const BUNDLED: &str = "bundled:all-MiniLM-L6-v2+e5:static-128:4";

#[test]
fn the_embedder_is_the_one_that_is_set() {
    check(&settings(EmbeddingProvider::Auto), BUNDLED);
    check(&settings(EmbeddingProvider::Bundled), BUNDLED);
    check(&settings(EmbeddingProvider::None), "none");
    let http = settings(EmbeddingProvider::Http);
    check(&http, "http:http://localhost:1/v1/:m");
    // Neither the name nor the password of an address is kept with the vectors.
    let secret = EmbeddingSettings {
        base_url: Some("http://ann:hunter22@localhost:1/v1".to_owned()),
        ..http.clone()
    };
    check(&secret, "http:http://localhost:1/v1/:m");
    // While a trace answers no server is asked.
    let mut replaying = host(&[], None);
    replaying.environment.replay = Some("/trace".into());
    check_on(&replaying, &http, "none");
    let missing = EmbeddingSettings {
        model: Some(" ".to_owned()),
        ..http.clone()
    };
    check(
        &missing,
        "memory.embedding.model is not set, but the chosen provider needs it",
    );
    let wrong = EmbeddingSettings {
        base_url: Some("localhost".to_owned()),
        ..http.clone()
    };
    check(
        &wrong,
        "invalid model address \"localhost\": relative URL without a base",
    );
    let key = EmbeddingSettings {
        api_key_env: Some("sk-abcdef0123456789abcdef0123".to_owned()),
        ..http
    };
    check(
        &key,
        "memory.embedding.apiKeyEnv must be the name of a variable; its value is not one, and may be a key itself",
    );
}

#[test]
fn what_is_missing_of_a_model_is_told_and_the_bundled_one_stands_in() {
    let fastembed = |model: &str| EmbeddingSettings {
        model: Some(model.to_owned()),
        ..settings(EmbeddingProvider::Fastembed)
    };
    let stands_in = |reason: &str, hint: &str| {
        format!("{BUNDLED} for {reason}; the bundled model is used instead; {hint}")
    };
    let downloads = "`openclaw memory index` downloads a model given by name; a directory needs all of its files";
    let whole = host(&FILES, Some("/lib/onnx.so"));
    // What is there and no library is known as that before the first text.
    check_on(
        &whole,
        &fastembed("~/mine"),
        &stands_in(
            "cannot run the model mine: failed to load from `/lib/onnx.so`: dlopen failed",
            "it needs ONNX runtime 1.24 or later, set in ORT_DYLIB_PATH, and an intact model: delete a damaged one \
             from models/ and run `openclaw memory index`",
        ),
    );
    check_on(
        &host(&FILES, Some("/lib/gone.so")),
        &fastembed("/root/mine"),
        &stands_in(
            "cannot find the ONNX runtime: /lib/gone.so is not a file",
            "install the ONNX runtime (`pip install onnxruntime` includes it) and set ORT_DYLIB_PATH to its library",
        ),
    );
    check_on(
        &whole,
        &fastembed("/root/gone"),
        &stands_in(
            "cannot find the model gone: /root/gone lacks model.onnx",
            downloads,
        ),
    );
    check_on(
        &host(&FILES[..2], Some("/root/mine/model.onnx")),
        &fastembed("/root/mine"),
        &stands_in(
            "cannot find the model mine: /root/mine lacks config.json, tokenizer_config.json",
            downloads,
        ),
    );
    let nothing = EmbeddingSettings {
        model: None,
        ..settings(EmbeddingProvider::Fastembed)
    };
    check_on(
        &whole,
        &nothing,
        "memory.embedding.model is not set, but the chosen provider needs it",
    );
}

#[test]
fn only_a_model_that_is_named_and_not_there_is_fetched() {
    let fetched = |provider: &str, embedder: &str, reranker: Option<&str>| {
        let settings = json!({
            "embedding": { "provider": provider, "model": embedder },
            "reranker": { "model": reranker, "baseUrl": "http://localhost:1" },
        });
        let settings: MemorySettings = serde_json::from_value(settings).unwrap();
        let host = host(&["/lib/onnx.so"], Some("/lib/onnx.so"));
        let missing = models_to_fetch(&settings, &host, &home(&host)).unwrap();
        let shown = missing
            .iter()
            .map(|(model, from)| format!("{} from {from}", model.name()));
        shown.collect::<Vec<String>>()
    };
    let name = "bge-small-en-v1.5";
    let nothing: [&str; 0] = [];
    for provider in ["auto", "http"] {
        assert_eq!(fetched(provider, name, None), nothing);
    }
    let local = "fastembed";
    assert_eq!(fetched(local, "/root/gone", Some("/root/gone")), nothing);
    assert_eq!(
        fetched(local, name, Some("BAAI/bge-reranker-base")),
        [
            "BGESmallENV15 from https://huggingface.co",
            "bge-reranker-base from http://localhost:1"
        ]
    );
}

#[test]
fn a_missing_part_of_a_reranker_is_reported_and_search_goes_on_without_it() {
    let whole = host(&FILES, Some("/lib/onnx.so"));
    let check = |host: &Host, model: &str, expected: &str| {
        let found = onnx::RERANKER.find(model, host, &home(host));
        let found = found.map(|found| {
            found.and_then(|model| FastReranker::new(model, &onnx::runtime(host)?, &*host.disk))
        });
        let shown = match found {
            Ok(Ok(_)) => "found".to_owned(),
            Ok(Err(missing)) => missing.to_string(),
            Err(wrong) => wrong.one_line(),
        };
        assert_eq!(shown, expected);
    };
    check(
        &whole,
        "~/mine",
        "cannot run the model mine: failed to load from `/lib/onnx.so`: dlopen failed",
    );
    check(
        &host(&FILES[..2], Some("/root/mine/model.onnx")),
        "/root/mine",
        "cannot find the model mine: /root/mine lacks config.json, tokenizer_config.json",
    );
    check(
        &host(&FILES, Some("/lib/gone.so")),
        "/root/mine",
        "cannot find the ONNX runtime: /lib/gone.so is not a file",
    );
    check(
        &whole,
        "bge-rerank",
        "fastembed has no model \"bge-rerank\"; similar names: bge-reranker-base, bge-reranker-v2-m3, \
         jina-reranker-v1-turbo-en, jina-reranker-v2-base-multilingual",
    );
}
