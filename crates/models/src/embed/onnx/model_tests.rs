//! The files of a model, and how it must be used.
//!
//! Runs no model.

use base::disk::MemoryDisk;

use super::*;

fn write(disk: &MemoryDisk, path: &str, text: &str) {
    let path = Path::new(path);
    disk.create_dir(path.parent().unwrap()).unwrap();
    disk.append(path, text.as_bytes()).unwrap();
}

#[test]
fn model_directory_defines_use_of_its_model() {
    let disk = MemoryDisk::new();
    write(&disk, "/m/mine/onnx/model.onnx", "graph");
    write(&disk, "/m/mine/onnx/model.onnx_data", "weights");
    let pooling = r#"{"pooling_mode_cls_token":true,"word_embedding_dimension":8}"#;
    write(&disk, "/m/mine/1_Pooling/config.json", pooling);
    let prompts = r#"{"prompts":{"query":"q: ","document":"d: "}}"#;
    write(&disk, "/m/mine/config_sentence_transformers.json", prompts);
    write(&disk, "/m/mine/tokenizer.json", "{}");
    let model = OnnxModel::in_directory(&disk, Path::new("/m/mine")).unwrap();
    let expected = OnnxModel {
        name: "mine".into(),
        directory: "/m/mine".into(),
        repository: None,
        graph: "onnx/model.onnx".into(),
        weights: vec!["onnx/model.onnx_data".into()],
        dimensions: None,
        is_first_token: true,
        before: TextPrefixes {
            passage: "d: ".into(),
            question: "q: ".into(),
        },
    };
    assert_eq!(model, expected);
    let missing = model.missing(&disk).unwrap();
    assert_eq!(missing, ["config.json", "tokenizer_config.json"]);
}

#[test]
fn directory_without_model_is_rejected_by_name() {
    let disk = MemoryDisk::new();
    write(&disk, "/m/mine/model.onnx.txt", "no graph");
    // What says nothing that can be read is passed over.
    write(&disk, "/m/plain/model.onnx", "graph");
    write(&disk, "/m/plain/1_Pooling/config.json", "\u{fffd}{");
    let error = OnnxModel::in_directory(&disk, Path::new("/m/mine")).unwrap_err();
    let expected = "the embedding model mine is incomplete: /m/mine has no model.onnx";
    assert_eq!(error.to_string(), expected);
    let plain = OnnxModel::in_directory(&disk, Path::new("/m/plain")).unwrap();
    assert_eq!(plain.before, TextPrefixes::default());
    assert!(!plain.is_first_token);
}

#[test]
fn onnx_model_is_found_under_each_of_its_names() {
    for name in [
        "BGESmallENV15",
        "bge-small-en-v1.5",
        "BAAI/bge-small-en-v1.5",
        "Xenova/bge-small-en-v1.5",
    ] {
        let model = OnnxModel::named(name, Path::new("/models")).unwrap();
        assert_eq!(model.name(), "BGESmallENV15");
        assert_eq!(model.dimensions, Some(384));
        assert_eq!(model.directory, Path::new("/models/BGESmallENV15"));
        let before = "Represent this sentence for searching relevant passages: ";
        assert_eq!(model.before.of(EmbedRole::Question), before);
    }
    let names = [
        ("all-MiniLM-L6-v2", "AllMiniLML6V2"),
        (
            "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
            "ParaphraseMLMiniLML12V2",
        ),
        ("intfloat/multilingual-e5-small", "MultilingualE5Small"),
    ];
    for (name, expected) in names {
        let model = OnnxModel::named(name, Path::new("/")).unwrap();
        assert_eq!(model.name(), expected);
    }
    let error = OnnxModel::named("bge-smal-en", Path::new("/models")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "fastembed has no model \"bge-smal-en\"; similar names: BGESmallENV15, BGESmallZHV15, BGESmallENV15Q"
    );
}

#[test]
fn onnx_identity_changes_with_graph() {
    let disk = MemoryDisk::new();
    write(&disk, "/m/a/model.onnx", "graph");
    let model = OnnxModel::in_directory(&disk, Path::new("/m/a")).unwrap();
    let before = model.identity(&disk).unwrap();
    write(&disk, "/m/a/model.onnx", "more");
    assert_ne!(model.identity(&disk).unwrap(), before);
}
