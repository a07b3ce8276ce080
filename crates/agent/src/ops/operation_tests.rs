//! Operations on behalf of the owner and of programs.

use base::test_kit::Words;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::*;
use crate::ops::{AddNote, Correct, Decide, Get, Remember, Search, SessionWindow};
use crate::ops::{ExpandSession, OpErrorKind, UndoChange};
use crate::test_kit::{Home, offline_home};

fn run<R: Operation>(home: &Home, viewer: &Viewer, request: R) -> Result<Value, OpError> {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let at = OpContext::new(access, &engine.settings, knowledge, viewer);
    Ok(json!(request.run(&at)?))
}

fn request<R: Operation>(request: Value) -> R {
    serde_json::from_value(request).unwrap()
}

#[test]
fn dry_run_reports_change_and_writes_nothing() {
    let home = offline_home();
    let add = |dry_run: bool| {
        let note = json!({ "text": "The dentist is Dr. Okafor.", "dryRun": dry_run });
        run(&home, &Viewer::Owner, request::<AddNote>(note)).unwrap()
    };
    let remember = |dry_run: bool| {
        let line = json!({ "text": "I prefer green tea in the morning", "dryRun": dry_run });
        run(&home, &Viewer::Owner, request::<Remember>(line)).unwrap()
    };
    for act in [&add as &dyn Fn(bool) -> Value, &remember] {
        let memory = home.read("workspace/MEMORY.md");
        let planned = act(true);
        assert_eq!(act(true), planned);
        assert_eq!(home.read("workspace/MEMORY.md"), memory);
        let mut done = act(false);
        assert_eq!(done["dryRun"], false);
        done["dryRun"] = json!(true);
        assert_eq!(done, planned);
    }
    home.read("workspace/MEMORY.md").holds("green tea");
    let undone = run(&home, &Viewer::Owner, request::<UndoChange>(json!({}))).unwrap();
    undone["takenBack"].as_str().unwrap().holds("green tea");
    assert!(!home.read("workspace/MEMORY.md").contains("green tea"));
}

#[test]
fn note_of_program_is_not_owners_word() {
    let home = offline_home();
    let note = || request::<AddNote>(json!({ "text": "The car stands in the yard." }));
    run(&home, &Viewer::Program(None), note()).unwrap();
    let search = request::<Search>(json!({ "query": "Where does the car stand?" }));
    let reply = run(&home, &Viewer::Owner, search).unwrap();
    assert_eq!(reply["results"][0]["origin"], "agent");
}

#[test]
fn similar_recent_note_is_named_without_indexing_its_log() {
    let home = offline_home();
    let viewer = &Viewer::Program(None);
    let knowledge = home.runtime.memory.knowledge.as_deref().unwrap();
    let near = |text: &str| {
        let (access, engine) = (&home.runtime.home, &home.runtime.engine);
        let at = OpContext::new(access, &engine.settings, Some(knowledge), viewer);
        let at = OpContext {
            origin: Origin::Agent,
            ..at
        };
        let note = request::<AddNote>(json!({ "text": text }));
        note.run(&at).unwrap().near
    };
    let indexed = |text: &str| {
        let options = search::SearchOptions::default();
        let found = knowledge.with_index(|index| search::search(index, text, &options));
        found.unwrap().results.len()
    };
    assert_eq!(near("The office of Bea is in room 12."), None);
    let place = near("The office of Bea is in room 14.").unwrap();
    place.ends("memory/2026-03-02.md:5");
    assert_eq!(indexed("office of Bea"), 0);
    // A line that is there no longer is not near.
    let (path, _) = place.split_once(':').unwrap();
    let log = home.read(&format!("workspace/{path}"));
    home.write(path, &log.replace("Bea", "Rob"));
    assert_eq!(near("The office of Bea is in room 16."), None);
}

#[test]
fn error_kind_depends_on_possible_reaction_of_caller() {
    let home = offline_home();
    let owner = &Viewer::Owner;
    let kind = |failed: Result<Value, OpError>| failed.unwrap_err().kind();
    let long = json!({ "query": "tea ".repeat(5_000) });
    assert_eq!(
        kind(run(&home, owner, request::<Search>(long))),
        OpErrorKind::Invalid
    );
    let get = |path: &str| request::<Get>(json!({ "path": path }));
    assert_eq!(
        kind(run(&home, owner, get("../state/token"))),
        OpErrorKind::Invalid
    );
    assert_eq!(
        kind(run(&home, owner, get("memory/none.md"))),
        OpErrorKind::NotFound
    );
    assert_eq!(
        kind(run(&home, owner, get("sessions/none.jsonl"))),
        OpErrorKind::NotFound
    );
    let window = |name: &str| request::<SessionWindow>(json!({ "name": name }));
    assert_eq!(
        kind(run(&home, owner, window("../main"))),
        OpErrorKind::Invalid
    );
    assert_eq!(
        kind(run(&home, owner, window("none"))),
        OpErrorKind::NotFound
    );
    let decide = json!({ "id": "c7f3", "decision": "accept" });
    assert_eq!(
        kind(run(&home, owner, request::<Decide>(decide))),
        OpErrorKind::NotFound
    );
    let undo = request::<UndoChange>(json!({}));
    assert_eq!(kind(run(&home, owner, undo)), OpErrorKind::Conflict);
}

/// The arguments that a model is offered are a part of the request, in the model's words.
#[test]
fn tool_arguments_are_parameters_of_request() {
    check::<Search>(include_str!("../tools/memory_search.json"));
    check::<Get>(include_str!("../tools/memory_get.json"));
    check::<ExpandSession>(include_str!("../tools/session_expand.json"));
}

fn check<R: Operation>(tool: &str) {
    let tool: Value = serde_json::from_str(tool).unwrap();
    let schema = Value::from(SchemaGenerator::default().into_root_schema_for::<R>());
    let offered = tool["parameters"]["properties"].as_object().unwrap();
    for (name, argument) in offered {
        let parameter = &schema["properties"][name];
        assert!(parameter.is_object(), "{name} in {schema}");
        let kinds = parameter.to_string();
        let kind = argument["type"].as_str().unwrap();
        assert!(kinds.contains(&format!("{kind:?}")), "{name}: {kinds}");
        for word in argument["enum"].as_array().into_iter().flatten() {
            assert!(kinds.contains(&word.to_string()), "{name}: {kinds}");
        }
    }
    let empty = Vec::new();
    let required = tool["parameters"]["required"].as_array().unwrap_or(&empty);
    for name in schema["required"].as_array().unwrap_or(&empty) {
        assert!(required.contains(name), "{name} in {tool}");
    }
}

#[test]
fn secret_in_handwritten_line_is_absent_from_reply_and_correction_record() {
    let home = offline_home();
    let secret = "Lighthouse_42x";
    home.write(
        "MEMORY.md",
        &format!("- The password of the hut is {secret}, says Bea\n"),
    );
    home.write(
        "memory/2026-03-01.md",
        &format!("- The password of the boat is {secret}, says Carl\n"),
    );
    for (line, text) in [
        ("says Bea", "The hut has no wifi"),
        ("says Carl", "The boat has no wifi"),
    ] {
        let correction = json!({ "line": line, "text": text });
        let reply = run(&home, &Viewer::Owner, request::<Correct>(correction)).unwrap();
        let replaced = reply["replaces"].as_str().unwrap();
        replaced.holds(line);
        replaced.lacks(secret);
        let state = home.read("state/dreams/state.json");
        state.holds(text);
        state.lacks(secret);
    }
}

#[test]
fn write_with_misspelt_parameter_is_rejected() {
    fn check<R: Operation>(request: Value) {
        let mut misspelt = request.clone();
        assert!(serde_json::from_value::<R>(request).is_ok());
        misspelt["dryrun"] = json!(true);
        let error = serde_json::from_value::<R>(misspelt).err().unwrap();
        error.to_string().holds("unknown field `dryrun`");
    }
    check::<AddNote>(json!({ "text": "Carl plays chess", "dryRun": true }));
    check::<Remember>(json!({ "text": "Carl plays chess", "dryRun": true }));
    check::<Correct>(json!({ "line": "chess", "text": "Carl plays go", "dryRun": true }));
    check::<Decide>(json!({ "id": "c7f3", "decision": "accept", "dryRun": true }));
    check::<UndoChange>(json!({ "dryRun": true }));
}

#[test]
fn dry_run_of_decision_and_undo_reports_number_that_would_wait() {
    let home = offline_home();
    home.write("MEMORY.md", "- We live in Connewitz\n");
    let correction = json!({ "line": "Connewitz", "text": "We live in Markkleeberg" });
    let reply = run(&home, &Viewer::Owner, request::<Correct>(correction)).unwrap();
    assert_eq!(reply["status"], "waiting");
    let decide = |dry_run: bool| {
        let decision = json!({ "all": true, "decision": "reject", "dryRun": dry_run });
        run(&home, &Viewer::Owner, request::<Decide>(decision)).unwrap()["waiting"].take()
    };
    let undo = |dry_run: bool| {
        let undo = request::<UndoChange>(json!({ "dryRun": dry_run }));
        run(&home, &Viewer::Owner, undo).unwrap()["waiting"].take()
    };
    assert_eq!([decide(true), decide(false)], [0, 0]);
    assert_eq!([undo(true), undo(false)], [1, 1]);
}
