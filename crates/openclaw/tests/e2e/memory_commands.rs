//! Questions at the command line: search, the places that it names, the owner's own notes, and the index.
//!
//! Pins the object that programs rely on.

use std::process::Stdio;

use base::disk::{Disk, OsDisk};
use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{TestHome, Words, conversation, each, fields, to_jsonl};

const LOG: &str = "\
# 2026-04-20

## 09:00 \u{2014} Note

- The tax form is due on 2026-05-31. <!-- n:1a e: h:00000000 o:agent -->
- Milo the cat eats tuna, and never before eight in the morning, however loudly he may ask for it.
- \u{30b5}\u{30fc}\u{30d0}\u{30fc}\u{306e}\u{8a2d}\u{5b9a}\u{3092}\u{78ba}\u{8a8d}\u{3059}\u{308b}\u{3002}
- \u{41a}\u{43b}\u{44e}\u{447} \u{43b}\u{435}\u{436}\u{438}\u{442} \u{443} \u{441}\u{43e}\u{441}\u{435}\u{434}\u{43a}\u{438}.
";
const PATH: &str = "memory/2026-04-20.md";

/// A log of another day, with a note that no question here is about.
const BAKING: &str = "- Bread is baked on Sunday\n";

fn home() -> TestHome {
    let home = TestHome::init();
    home.note("2026-04-20", LOG);
    home
}

fn search(home: &TestHome, arguments: &[&str]) -> Value {
    let mut all = vec!["memory", "search", "--json"];
    all.extend(arguments);
    let mut lines = home.ok(&all).json_lines();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

#[test]
fn search_json_has_documented_shape() {
    let answer = search(&home(), &["tax form", "--limit", "1"]);
    let (took, score) = (&answer["tookMs"], &answer["results"][0]["score"]);
    assert!(took.is_u64() && score.is_f64(), "{answer}");
    // The hash in the comment is not that of the text: the owner has changed the line.
    let expected = json!({
        "query": "tax form", "mode": "hybrid", "degraded": null, "tookMs": took,
        "results": [{
            "source": "memory", "path": PATH, "startLine": 5, "endLine": 5,
            "text": "- The tax form is due on 2026-05-31.", "score": score,
            "origin": "owner", "day": "2026-04-20", "plannedFor": "2026-05-31",
        }],
    });
    assert_eq!(answer, expected);
    let nothing = search(&home(), &["zebra"]);
    let said = json!("nothing contains any of these words");
    assert_eq!(
        (&nothing["results"], &nothing["nothing"]),
        (&json!([]), &said)
    );
    let explained = search(&home(), &["tax form", "--explain"]);
    assert!(explained["results"][0]["explanation"]["parts"]["words"].is_f64());
    assert_eq!(
        explained["results"][0]["explanation"]["terms"][0]["term"],
        "tax"
    );
}

#[test]
fn search_texts_equal_named_lines() {
    let home = home();
    let bare: Vec<&str> = LOG
        .lines()
        .map(|line| line.split(" <!--").next().unwrap_or(line))
        .collect();
    for question in ["Milo", "\u{8a2d}\u{5b9a}", "\u{43a}\u{43b}\u{44e}\u{447}"] {
        let answer = search(&home, &[question]);
        for found in answer["results"].as_array().unwrap() {
            let line = |key: &str| usize::try_from(found[key].as_u64().unwrap()).unwrap();
            let lines = &bare[line("startLine") - 1..line("endLine")];
            assert_eq!(found["text"], lines.join("\n"), "{question}");
            let place = format!("{PATH}:{}-{}", line("startLine"), line("endLine"));
            let gotten = home.ok(&["memory", "get", &place]).stdout;
            assert_eq!(gotten, format!("{}\n", lines.join("\n")));
        }
        let best = answer["results"][0]["text"].as_str().unwrap();
        best.to_lowercase().holds(&question.to_lowercase());
    }
}

#[test]
fn memory_search_get_and_index_print_for_people() {
    let home = home();
    for (name, arguments) in [
        (
            "search",
            &["search", "what does Milo eat", "--limit", "2"][..],
        ),
        ("search_nothing", &["search", "zebra"]),
        (
            "search_nothing_of_a_part",
            &[
                "search",
                "Milo",
                "--after",
                "2026-04-21",
                "--source",
                "memory",
            ],
        ),
        ("get", &["get", "memory/2026-04-20.md:5-6"]),
        ("index", &["index"]),
        ("index_json", &["index", "--rebuild", "--json"]),
    ] {
        let mut all = vec!["memory"];
        all.extend(arguments);
        assert_snapshot!(name, home.ok(&all).transcript());
    }
}

#[test]
fn unmatchable_question_or_days_are_rejected() {
    let home = home();
    let until = |day: &'static str| {
        let days = ["--after", "2026-04-20", "--before", day];
        [&["memory", "search", "tea"][..], &days].concat()
    };
    let mut told = String::new();
    for arguments in [
        &["memory", "search", ""][..],
        &["memory", "search", "?", "!"],
        &["memory", "forget", ""],
        &until("2026-04-19"),
    ] {
        told.push_str(&home.run(arguments).with_code(1).transcript());
    }
    assert_snapshot!("nothing_can_match", told);
    home.ok(&until("2026-04-20"));
}

#[test]
fn note_link_out_of_workspace_is_reported() {
    let home = home();
    home.write("../outside.md", "- The ship sails at noon\n");
    let link = home.path().join("workspace/memory/link.md");
    std::os::unix::fs::symlink(home.folder().join("outside.md"), link).unwrap();
    let search = home.ok("memory search train");
    let status = home.ok("memory status");
    let told = |run: &testkit::ProgramRun| format!("{}{}", run.stdout, run.stderr);
    let both = [told(&search), told(&status)].join("\n");
    let lines: Vec<&str> = both.lines().filter(|line| line.contains("link")).collect();
    assert_snapshot!("a_link_out_of_the_workspace", lines.join("\n"));
}

#[test]
fn memory_commands_without_home_fail_and_create_nothing() {
    let home = TestHome::new();
    for arguments in [&["search", "x"][..], &["index"], &["status"]] {
        let mut all = vec!["memory"];
        all.extend(arguments);
        let run = home.run(&all).with_code(1);
        run.stderr.holds("openclaw init");
    }
    assert_eq!(home.list(""), [""; 0]);
}

#[test]
fn search_indexes_small_change_at_once_and_large_one_in_parts() {
    let home = home();
    assert_eq!(search(&home, &["tuna"])["degraded"], Value::Null);
    home.note("new", "- The key is at the bakery.\n");
    assert_eq!(
        search(&home, &["bakery"])["results"][0]["path"],
        "memory/new.md"
    );
    for number in 0..300 {
        let text = format!("- Note {number} about the greenhouse.\n");
        home.note(&format!("more-{number}"), text);
    }
    home.ok("memory search tuna");
    let run = home.run("memory search tuna --json --strict");
    let run = run.with_code(3);
    assert_eq!(run.json_lines()[0]["degraded"], "stale");
    assert_eq!(run.json_lines()[0]["results"][0]["path"], PATH);
    run.stderr.holds("`openclaw memory index`");
    home.ok("memory index");
    home.ok("memory search greenhouse --strict");
}

#[test]
fn memory_status_reports_without_writing() {
    let home = home();
    home.write_memory("long ".repeat(5_000));
    let before = home.files();
    assert_snapshot!("status_before", home.ok("memory status").transcript());
    assert_eq!(home.files(), before);
    home.ok("memory index");
    home.note("new", "- new\n");
    let status = home.ok("memory status --json").json();
    assert_eq!(status["state"], "sound");
    assert_eq!(status["notIndexed"], json!(["memory/new.md"]));
    assert_eq!(
        status["cut"],
        json!([{"path": "MEMORY.md", "bytes": 25_000}])
    );
}

#[test]
fn memory_add_note_is_found_with_owner_origin() {
    let home = home();
    let before = home.files();
    let dry = home
        .ok(&[
            "memory",
            "add",
            "--dry-run",
            "--json",
            "Spare key at Ann's.",
        ])
        .json();
    assert_eq!(home.files(), before);
    let added = home
        .ok(&["memory", "add", "--json", "Spare key at Ann's."])
        .json();
    assert_eq!(
        fields(&dry, ["path", "line"]),
        json!([added["path"], added["line"]])
    );
    let found = search(&home, &["spare key", "--limit", "1"]);
    let found = &found["results"][0];
    assert_eq!(found["text"], "- Spare key at Ann's.");
    assert_eq!(found["origin"], "owner");
    assert_eq!(
        fields(found, ["path", "startLine"]),
        json!([added["path"], added["line"]])
    );
    let again = home.run(&["memory", "add", "--json", "Spare key at Ann's."]);
    assert_eq!(again.with_code(0).json_lines()[0]["line"], Value::Null);
}

#[test]
fn session_message_is_found_at_its_line() {
    let home = home();
    home.replay("talk", to_jsonl(&conversation(1, 80)));
    let answer = search(
        &home,
        &["E0502 cargo build", "--source", "session", "--limit", "3"],
    );
    let transcript = home.read("sessions/talk.jsonl");
    let found = &answer["results"][0];
    assert_eq!(
        fields(found, ["source", "path"]),
        json!(["session", "sessions/talk.jsonl"])
    );
    let number = usize::try_from(found["startLine"].as_u64().unwrap()).unwrap();
    let entry: Value = serde_json::from_str(transcript.lines().nth(number - 1).unwrap()).unwrap();
    let text = found["text"].as_str().unwrap();
    assert!(entry["message"].to_string().contains(text), "{entry}");
    let by_line = home.run(&["memory", "get", &format!("sessions/talk.jsonl:{number}")]);
    let id = entry["id"].as_str().unwrap();
    let by_entry = home.run(&["memory", "get", &format!("sessions/talk.jsonl#{id}")]);
    assert_eq!(by_line.with_code(0).stdout, by_entry.with_code(0).stdout);
}

#[test]
fn memory_get_rejects_places_outside_memory() {
    let home = home();
    home.input("secret.md", "secret\n");
    for place in [
        "../../secret.md",
        "/etc/passwd",
        "SOUL.md",
        "../sessions/talk.jsonl:1",
        "sessions/../../secret.jsonl:1",
        "sessions/none.jsonl:1",
        "memory/2026-04-20.md:99",
        "memory/none.md",
    ] {
        let run = home.run(&["memory", "get", place]).with_code(1);
        assert_eq!(run.stdout, "", "{place}");
    }
}

#[test]
fn forget_names_next_command_if_limit_leaves_matches() {
    let home = TestHome::new();
    let log = "- Where is the blue ladder?\n- Is the blue ladder mine?\n- The blue ladder's place is the shed\n";
    home.note("2026-04-20", log);
    let question = "Anna's blue ladder";
    let command = |args: &[&str]| {
        let forget = ["memory", "forget", question, "--limit", "1"];
        home.ok(&[&forget, args].concat())
    };
    let next = |limit: u32| {
        format!("2 more match:\n  openclaw memory forget --limit {limit} \"Anna's blue ladder\"\n")
    };
    let planned = command(&["--dry-run"]).stdout;
    assert!(planned.ends_with(&next(3)), "{planned}");
    assert!(planned.contains("The blue ladder's place"), "{planned}");
    let planned = command(&["--dry-run", "--json"]).json();
    assert_eq!((&planned["more"], &planned["id"]), (&2.into(), &().into()));
    let done = command(&["--yes"]).stdout;
    assert!(done.ends_with(&next(2)), "{done}");
    let left = home.read("workspace/memory/2026-04-20.md");
    assert_eq!(left, log.split_inclusive("mine?\n").next().unwrap());
    let all = ["memory", "forget", question, "--limit", "2", "--yes"];
    let all = home.ok(&[&all[..], &["--json"]].concat());
    assert_eq!(all.json_lines()[0]["more"], 0);
}

#[test]
fn forgotten_line_is_not_found_until_undo() {
    let home = home();
    let places = |home: &TestHome, question: &str| -> Vec<String> {
        let answer = search(home, &[question]);
        let results = answer["results"].as_array().unwrap().iter();
        results
            .map(|it| format!("{}:{}", it["path"].as_str().unwrap(), it["startLine"]))
            .collect()
    };
    let place = format!("{PATH}:6");
    let milo = "Milo tuna";
    assert!(places(&home, milo).contains(&place));

    let planned = home.run(&["memory", "forget", "--dry-run", &place]);
    assert_snapshot!("forget_dry_run", planned.with_code(0).transcript());
    assert!(places(&home, milo).contains(&place));
    let refused = home.run("memory forget 'what does Milo eat'");
    assert_snapshot!("forget_refused", refused.with_code(1).transcript());
    assert!(places(&home, milo).contains(&place));

    // A place says what is meant, and still nobody has agreed.
    let refused = home.run(&["memory", "forget", &place]).with_code(1);
    let command = format!("`openclaw memory forget --yes {place}`");
    refused.stderr.holds(&command);
    assert!(refused.stdout.starts_with("remove  "), "{}", refused.stdout);
    assert!(places(&home, milo).contains(&place));

    let done = home
        .ok(&["memory", "forget", "--yes", "--json", &place])
        .json();
    let id = done["id"].as_str().unwrap().to_owned();
    assert_eq!(done["items"][0]["action"], "remove");
    assert!(!places(&home, milo).contains(&place));
    let once_more = home.run("memory forget 'Milo the cat eats tuna'");
    let once_more = once_more.with_code(1).transcript();
    assert!(once_more.contains("found nothing to forget"), "{once_more}");
    let without = LOG
        .split_inclusive('\n')
        .filter(|line| !line.contains("Milo"));
    let without: String = without.collect();
    assert_eq!(home.read("workspace/memory/2026-04-20.md"), without);

    let told = home.ok("memory forget --list").stdout;
    told.holds("Milo the cat eats tuna");
    let listed = home.ok("memory forget --list --json");
    listed.stdout.lacks("tuna");
    let all = listed.json();
    let all = all["forgotten"].as_array().unwrap();
    assert_eq!((all.len(), &all[0]["id"]), (1, &json!(id)));
    for tombstone in all {
        let id = tombstone["id"].as_str().unwrap();
        // A look at an undo does not exist, so it is refused and nothing comes back.
        home.run(&["memory", "forget", "--undo", id, "--dry-run"])
            .with_code(2);
        home.ok(&["memory", "forget", "--undo", id]);
    }
    assert_eq!(home.read("workspace/memory/2026-04-20.md"), LOG);
    assert!(places(&home, milo).contains(&place));
    home.run(&["memory", "forget", "--undo", &id]).with_code(1);
}

#[test]
fn unchanged_template_lines_are_not_found() {
    let home = TestHome::init();
    let user = home.read("workspace/USER.md");
    home.write("workspace/USER.md", user.replace("- Name:", "- Name: Ann"));
    let answer = search(&home, &["name languages preferences owner"]);
    let texts = each(answer["results"].as_array().unwrap(), "/text");
    assert_eq!(texts, ["- Name: Ann"]);
}

#[test]
fn restated_note_is_found_again_after_forget() {
    let home = TestHome::init();
    let piano = "The piano is sold";
    home.ok(&["memory", "add", piano]);
    home.ok(&["chat", "-m", piano]);
    home.ok(&["chat", "-s", "other", "-m", piano]);
    let found = |home: &TestHome| {
        let answer = search(home, &["piano"]);
        let results = answer["results"].as_array().unwrap().iter();
        let told = results.filter(|it| it["text"].as_str().unwrap().contains(piano));
        told.map(|it| 1 + it["also"].as_array().map_or(0, Vec::len))
            .sum::<usize>()
    };
    assert_eq!(found(&home), 3);
    // One place was named, and the same words go wherever they stand.
    let gone = home.run("memory forget --yes sessions/other.jsonl:2");
    let gone = gone.with_code(0).transcript();
    gone.holds_times(3, "(says the same)");
    assert_eq!(found(&home), 0);
    let noted = |arguments: &[&str]| {
        let arguments = [&["memory", "add", piano], arguments].concat();
        home.ok(&arguments).stdout
    };
    assert!(noted(&["--dry-run"]).starts_with("dry run: nothing was written\nadded to "));
    assert_eq!(found(&home), 0);
    assert!(noted(&[]).contains("; search finds it again"));
    assert_eq!(found(&home), 1);
    home.ok(&["chat", "-m", piano]);
    assert_eq!(found(&home), 2);
}

#[test]
fn misspelt_word_is_corrected_and_reported() {
    let home = TestHome::init();
    home.write("workspace/memory/2026-03-02.md", BAKING);
    home.ok(&["memory", "add", "The dentist is on Vester Street"]);
    let found = search(&home, &["where is the dentits"]);
    assert_eq!(
        found["spellings"],
        json!([{"asked": "dentits", "meant": "dentist"}])
    );
    let texts = each(found["results"].as_array().unwrap(), "/text");
    assert_eq!(texts, ["- The dentist is on Vester Street"]);
    assert_eq!(search(&home, &["the dentist"])["spellings"], Value::Null);
    let run = home.ok("memory search dentits");
    let note = "nothing mentions `dentits`; searched for `dentist` instead";
    run.stderr.holds(note);
    let asked = "chat -m 'Where is the dentits?'";
    let reply = home.ok(asked).stdout;
    assert!(reply.contains("The dentist is on Vester Street"), "{reply}");
    // What is forgotten is not told as a spelling either.
    home.ok("memory forget dentist --yes");
    let after = search(&home, &["where is the dentits"]);
    assert_eq!(fields(&after, ["results", "spellings"]), json!([[], null]));
}

#[test]
fn search_names_better_passage_over_budget() {
    let home = TestHome::init();
    let long = "The piano is tuned by Mrs Oliveira, who comes on the first Monday of each quarter, \
                brings her own tools, and wants to be paid in cash; her number is on the fridge";
    home.write("workspace/memory/2026-03-02.md", BAKING);
    for note in [long, "A piano is heavy"] {
        home.ok(&["memory", "add", note]);
    }
    let question = "who tunes the piano";
    let whole = search(&home, &[question]);
    let places = |answer: &Value| -> Vec<(Value, Value)> {
        let results = answer["results"].as_array().unwrap().iter();
        results
            .map(|it| (it["path"].clone(), it["startLine"].clone()))
            .collect()
    };
    let found = places(&whole);
    assert_eq!(found.len(), 2, "{whole}");
    assert_eq!(whole["leftOut"], Value::Null);

    // The short one fits, the better one does not.
    let some = search(&home, &[question, "--budget", "12"]);
    assert_eq!(places(&some), found[1..]);
    let left_out = &some["leftOut"];
    let named = (left_out["path"].clone(), left_out["startLine"].clone());
    assert_eq!(named, found[0]);
    let needed = left_out["budget"].as_u64().unwrap();
    let run = home.run(&["memory", "search", question, "--budget", "12"]);
    let told = run
        .with_code(0)
        .stderr
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let place = format!("{}:{}", found[0].0.as_str().unwrap(), found[0].1);
    let expected = format!(
        "warning: a better match is over the budget: {place}; \
         `--budget {needed}` includes it"
    );
    assert_eq!(told, expected);

    // Neither fits.
    let none = search(&home, &[question, "--budget", "1"]);
    assert_eq!((places(&none), &none["leftOut"]), (Vec::new(), left_out));

    // That budget holds it, and one token less does not; what is worse may be left out in silence.
    let enough = search(&home, &[question, "--budget", &needed.to_string()]);
    assert_eq!(
        (places(&enough), &enough["leftOut"]),
        (found[..1].to_vec(), &Value::Null)
    );
    let less = search(&home, &[question, "--budget", &(needed - 1).to_string()]);
    assert_eq!(
        (places(&less), &less["leftOut"]),
        (found[1..].to_vec(), left_out)
    );
}

#[test]
fn forget_plan_lists_near_matches_that_stay() {
    let home = TestHome::init();
    let log =
        "# 2026-03-02\n\n- My phone number is 0341 998877\n- My car number plate is L-ML 4483\n";
    home.note("2026-03-02", log);
    let plan = "memory forget --dry-run 'my phone number'";
    let planned = home.ok(plan).stdout;
    planned.holds("memory/2026-03-02.md:3\n");
    planned.holds("keep  memory/2026-03-02.md:4 (fewer of the words)\n");
    let planned = home.ok(&format!("{plan} --json")).json();
    assert_eq!(planned["near"][0]["startLine"], 4);
}

#[test]
fn forget_with_busy_log_hides_at_once_and_doctor_removes_lines() {
    let home = TestHome::init();
    let line = "- The bicycle lock code is 4711\n";
    home.write_memory(format!("# Memory\n\n{line}"));
    home.note("2026-03-02", format!("# 2026-03-02\n\n{line}- Tea\n"));
    let forget = "memory forget --yes 'bicycle lock code'";
    let lock = OsDisk.try_lock(&home.path().join("state/locks/@daily-log.lock"));
    let done = home.ok(forget);
    done.stdout.holds("Forgotten.");
    done.stderr.holds("it is hidden everywhere");
    let found = home.ok("memory search bicycle");
    found.stdout.lacks("4711");
    drop(lock.unwrap());
    home.ok("doctor --fix");
    for path in ["workspace/MEMORY.md", "workspace/memory/2026-03-02.md"] {
        assert!(!home.read(path).contains("4711"), "{}", home.read(path));
    }
}

#[test]
fn repeated_forget_removes_only_matching_lines() {
    for what in [
        &["memory/2026-03-02.md:3"][..],
        &["--limit", "1", "bicycle code"],
    ] {
        let home = TestHome::init();
        let log = "workspace/memory/2026-03-02.md";
        home.write(
            log,
            "# 2026-03-02\n\n- The bicycle code is 4711\n- The bicycle code was 4712\n",
        );
        let forget = [&["memory", "forget", "--yes"], what].concat();
        home.ok(&forget);
        let left = home.read(log);
        left.holds_times(1, "bicycle");
        for _ in 0..2 {
            let again = home.run(&forget).with_code(1);
            again.stderr.holds("already forgotten");
            assert_eq!(home.read(log), left);
        }
        home.ok("memory forget --yes 'bicycle code'");
        assert!(!home.read(log).contains("bicycle"));
    }
}

#[test]
fn first_note_creates_home_but_its_dry_run_does_not() {
    let home = TestHome::new();
    let note = ["memory", "add", "The tax form is due in May"];
    home.ok(&[&note[..], &["--dry-run"]].concat());
    assert!(!home.path().exists());
    home.ok(&note);
    let found = home.ok("memory search 'tax form'");
    found.stdout.holds("due in May");
    assert!(home.path().join("workspace/AGENTS.md").exists());
}

#[test]
fn concurrent_first_notes_are_all_stored() {
    let home = TestHome::new();
    let note = |number: usize| format!("The parcel {number} is at the post office");
    let children: Vec<_> = (0..8)
        .map(|number| {
            let mut command = home.command(&["memory", "add", &note(number)]);
            command.stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
    }
    let logs = home.list("workspace/memory");
    let noted: String = logs
        .iter()
        .map(|log| home.read(&format!("workspace/memory/{log}")))
        .collect();
    for number in 0..8 {
        noted.holds_times(1, &note(number));
    }
}
