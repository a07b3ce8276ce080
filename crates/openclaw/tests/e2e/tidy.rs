//! The project keeps its own rules of form.
//!
//! Each rule is first run on a bad example, so that a rule cannot pass by checking nothing.

mod file_rules;
mod project_rules;
mod source;
mod word_lists;

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use file_rules::Finding;
use project_rules::Edges;
use source::Source;

/// Which crate may depend on which; a new edge is a change of architecture and begins here.
const EDGES: &str = "
base:
session: base
compaction: base session
search: base
memory: base search
dreaming: base memory
extract: base
models: base extract
mcp: base
import: base session
agent: base session compaction search memory dreaming extract models import
encryption: base
gateway: base session search memory dreaming agent
cli: encryption gateway base session compaction search memory dreaming models import agent mcp
openclaw: cli encryption gateway base session compaction search memory dreaming models import agent mcp
fleet: cli encryption gateway base dreaming agent
bench: base session compaction search memory extract models import agent
";

/// The one member that may depend on all others, because nothing is built on it.
const TEST_MEMBER: &str = "testkit";

#[track_caller]
fn assert_none(findings: &[Finding]) {
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

/// Shows the rule bad files, each of which it must find once, and a good one; then all files.
#[track_caller]
fn check_files(rule: fn(&Source) -> Vec<Finding>, bad: &[(&str, &str)], good: (&str, &str)) {
    for (path, text) in bad {
        let findings = rule(&Source::new(*path, *text));
        assert_eq!(findings.len(), 1, "{path}: {text:?} gave {findings:?}");
    }
    assert_none(&rule(&Source::new(good.0, good.1)));
    let findings: Vec<Finding> = source::sources().iter().flat_map(rule).collect();
    assert_none(&findings);
}

/// Checks every file whose path ends like this.
#[track_caller]
fn check_project(ending: &str, rule: impl Fn((&str, &str)) -> Vec<Finding>) {
    let files = source::project_files();
    let files = files.iter().filter(|(path, _)| path.ends_with(ending));
    let findings: Vec<Finding> = files.flat_map(|(path, text)| rule((path, text))).collect();
    assert_none(&findings);
}

#[test]
fn commands_to_type_name_their_home() {
    check_files(
        file_rules::commands_name_their_home,
        &[(
            "crates/agent/src/a.rs",
            "//! A.\nconst UNDO: &str = \"`openclaw dream undo` reverts this\";\n",
        )],
        (
            "crates/agent/src/a.rs",
            "//! A.\n/// Runs `openclaw serve`.\nlet hint = Hint::new(\"`openclaw dream list` lists them\");\n",
        ),
    );
}

#[test]
fn files_stay_within_line_limits() {
    let production = "//! A.\n".repeat(501);
    let test = "//! A.\n".repeat(801);
    check_files(
        file_rules::is_short,
        &[
            ("crates/a/src/b.rs", &production),
            ("crates/a/tests/b.rs", &test),
        ],
        ("crates/a/src/b_tests.rs", &production),
    );
}

#[test]
fn files_begin_with_sentence_on_what_they_own() {
    check_files(
        file_rules::begins_with_a_sentence,
        &[
            ("a.rs", "fn main() {}"),
            ("a.rs", "//! things\n"),
            ("a.rs", "//! Things\n//!\n//! More.\n"),
            ("a.rs", "// Things.\n//! More.\n"),
        ],
        (
            "a.rs",
            "//! Owns one thing,\n//! and no other.\n//!\n//! more",
        ),
    );
}

#[test]
fn crate_and_folder_roots_contain_only_modules_and_reexports() {
    check_files(
        file_rules::is_a_table_of_contents,
        &[
            ("a/lib.rs", "//! A.\nmod b;\nfn c() {}\n"),
            ("a/mod.rs", "//! A.\npub const B: u8 = 1;\n"),
            ("a/mod.rs", "//! A.\n#[cfg(test)]\nmod tests {\n}\n"),
        ],
        (
            "a/lib.rs",
            "//! A.\n#![expect(x, reason = \"y\")]\n#[cfg(test)]\n#[cfg_attr(\n a,\n b[0]\n)]\nmod b;\npub(crate) use b::{c,\n d};\n",
        ),
    );
}

#[test]
fn file_names_describe_their_content() {
    check_files(
        file_rules::has_a_telling_name,
        &[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/src/helpers/x.rs", ""),
            ("crates/a/src/data_model.rs", ""),
        ],
        ("crates/a/src/metadata.rs", ""),
    );
}

#[test]
fn function_names_begin_with_subject_or_act() {
    check_files(
        file_rules::has_functions_with_a_subject,
        &[
            ("a.rs", "#[test]\nfn what_is_gone_stays_gone() {}"),
            ("a_tests.rs", "async fn who_asks() {}"),
            ("a.rs", "pub(crate) fn where_found(self) {}"),
            ("a.rs", "fn which() {}"),
        ],
        (
            "a_tests.rs",
            "fn whole_file_is_read() {} // fn what_not\nlet a = \"fn who_is()\"; fn whatever() {}",
        ),
    );
}

#[test]
fn public_items_of_libraries_have_docs() {
    check_files(
        file_rules::has_docs_on_public_items,
        &[
            ("crates/a/src/b.rs", "use c;\n\npub fn d() {}\n"),
            (
                "crates/a/src/b.rs",
                "impl A {\n    pub const fn d() {}\n}\n",
            ),
            (
                "crates/a/src/b.rs",
                "/// B.\nmod b;\n#[derive(\n    C,\n)]\npub struct D;\n",
            ),
        ],
        (
            "crates/a/src/b.rs",
            "/// D.\n#[derive(\n    C,\n)]\npub struct D {\n    pub e: u8,\n}\npub(crate) fn f() {}\n",
        ),
    );
}

#[test]
fn comments_contain_no_marks_of_unfinished_work() {
    check_files(
        file_rules::has_lasting_comments,
        &[
            ("a.rs", "// FIXME: later"),
            ("a.rs", "let a = 1; // XXX"),
            ("a.rs", "/* TODO: more */"),
            ("a.rs", "/// Phase 2 of it."),
            ("a.rs", "/* a /* b */ FIXME */"),
            ("a.rs", "// ---- Types ----"),
            ("a.rs", "//====="),
        ],
        (
            "a.rs",
            "// TODO(the port lacks it): more, as in \\uXXXX.\nlet a = \"removed // XXX\"; let b = r#\"\"FIXME\"#;",
        ),
    );
}

#[test]
fn source_outside_strings_is_ascii() {
    check_files(
        file_rules::is_ascii,
        &[
            ("a.rs", "// a \u{2192} b"),
            ("a.rs", "let \u{430} = 1;"),
            ("a.rs", "let a = 'x'; // \u{1f642}"),
        ],
        (
            "a.rs",
            "fn a<'a>() -> &'a str { ('\u{e9}', b'\\'', \"\u{65e5}\\\"\u{672c}\") }",
        ),
    );
}

#[test]
fn lints_failures_and_tests_are_not_silenced() {
    check_files(
        file_rules::hides_nothing,
        &[
            ("a.rs", "#[allow(dead_code)]"),
            ("a.rs", "#![allow(dead_code)]"),
            ("a.rs", "#[expect(clippy::too_many_lines)]"),
            ("a.rs", "fn a() { let _ = b(); }"),
            ("a.rs", "#[cfg(test)]\nmod tests {\n    #[ignore]\n}"),
            ("a_tests.rs", "tokio::time::sleep(SECOND).await;"),
            (
                "a.rs",
                "#[cfg(test)]\nmod tests {\n    fn a() { sleep(SECOND); }\n}",
            ),
        ],
        (
            "a.rs",
            "fn a() { let _guard = b(\"let _ = c\"); }\n#[cfg(test)]\nmod tests {\n let _ = c; }",
        ),
    );
}

#[test]
fn word_lists_live_in_data_files() {
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let listed = |between: &str| {
        let literals: Vec<String> = words.split(' ').map(|it| format!("\"{it}\"")).collect();
        literals.join(between)
    };
    let array = format!("const A: [&str; 12] = [{}];", listed(", "));
    let pairs = format!("const A: &[(&str, u8)] = &[({}, 1)];", listed(", 1), ("));
    let arms = format!("fn a(b: &str) -> bool {{ matches!(b, {}) }}", listed(" | "));
    let (_, fewer) = listed(", ")
        .split_once(", ")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    check_files(
        word_lists::holds_no_word_list,
        &[
            ("crates/a/src/b.rs", &array),
            ("crates/a/src/b.rs", &pairs),
            ("crates/a/src/b.rs", &arms),
            (word_lists::ALLOWED[0].0, "//! A."),
        ],
        (
            "crates/a/src/b.rs",
            &format!("const A: [&str; 11] = [{fewer}];"),
        ),
    );
    let there: BTreeSet<String> = source::sources().into_iter().map(|it| it.path).collect();
    for (path, _) in word_lists::ALLOWED {
        assert!(
            there.contains(*path),
            "{path} is allowed a list and does not exist"
        );
    }
    let good = format!("//! A.\n#[cfg(test)]\nmod tests {{\n    {array}\n}}");
    assert_none(&word_lists::holds_no_word_list(&Source::new(
        "crates/a/src/b.rs",
        good,
    )));
}

#[test]
fn source_files_are_reachable_from_targets() {
    let targets = ["a/src/lib.rs".to_owned()];
    let lone = |path: &str, root: &str| {
        let sources = [Source::new("a/src/lib.rs", root), Source::new(path, "")];
        project_rules::are_reached(&sources, &targets).len()
    };
    assert_eq!(lone("a/src/b.rs", "// mod b;\n\"mod b;\""), 1);
    assert_eq!(lone("a/src/b.rs", "pub(crate) mod b;"), 0);
    assert_eq!(lone("a/src/b/mod.rs", "mod b;"), 0);
    assert_eq!(lone("a/src/b/c.rs", "mod b;"), 1);
    assert_eq!(
        lone("a/src/b_tests.rs", "#[path = \"b_tests.rs\"]\nmod tests;"),
        0
    );

    let metadata = metadata();
    let root = metadata.workspace_root.clone();
    let mut targets: Vec<String> = metadata
        .workspace_packages()
        .iter()
        .flat_map(|package| &package.targets)
        .map(|target| target.src_path.strip_prefix(&root).unwrap().to_string())
        .collect();
    let sources = source::sources();
    // The fuzz targets are a workspace of their own.
    let paths = sources.iter().map(|it| it.path.clone());
    targets.extend(paths.filter(|path| path.starts_with("fuzz/targets/")));
    assert_none(&project_rules::are_reached(&sources, &targets));
}

#[test]
fn crate_dependencies_match_table() {
    let table = edges(EDGES);
    let findings = project_rules::follow_the_table(&edges("session: base memory"), &table);
    assert_eq!(findings.len(), table.len(), "{findings:?}");

    let metadata = metadata();
    let found = workspace_edges(&metadata, DependencyKind::Normal);
    assert_none(&project_rules::follow_the_table(&found, &table));
}

#[test]
fn crate_tests_use_only_crates_allowed_to_crate() {
    let table = edges(EDGES);
    for (name, needs) in workspace_edges(&metadata(), DependencyKind::Development) {
        let mut seen = table[&name].clone();
        seen.extend([name.clone(), TEST_MEMBER.to_owned()]);
        assert!(needs.is_subset(&seen), "{name} tests with {needs:?}");
    }
}

#[test]
fn dependencies_state_their_reason() {
    let bad = "[dependencies]\nserde = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\ninsta.workspace = true #\n";
    assert_eq!(project_rules::have_reasons(("Cargo.toml", bad)).len(), 2);
    check_project("Cargo.toml", project_rules::have_reasons);
}

#[test]
fn prompts_are_loaded_exactly_once() {
    let prompt = "crates/a/src/b/prompts/c.md".to_owned();
    let load = format!("{}!(\"../prompts/c.md\")", "include_str");
    let loaded = |n_times: usize| {
        let source = Source::new("crates/a/src/b/d/e.rs", load.repeat(n_times));
        project_rules::load_each_prompt_once(std::slice::from_ref(&prompt), &[source]).len()
    };
    assert_eq!([loaded(0), loaded(1), loaded(2)], [1, 0, 1]);

    let prompts = project_rules::prompts(&source::project_files());
    assert_none(&project_rules::load_each_prompt_once(
        &prompts,
        &source::sources(),
    ));
}

#[test]
fn project_files_refer_only_to_project() {
    let bad = format!("see {}/design.md", "shared");
    assert_eq!(project_rules::speaks_of_itself(("a.md", &bad)).len(), 1);
    check_project("", project_rules::speaks_of_itself);
}

#[test]
fn page_links_have_existing_targets() {
    let there = BTreeSet::from(["docs/a.md", "docs/b/c.md", "README.md"]);
    let page =
        "[1](a.md#x) [2](../README.md) [3](b/) [4](#y) [5](https://x.org) [6](../a.md) [7](c/)";
    let findings = project_rules::lead_somewhere(("docs/d.md", page), &there);
    assert_eq!(findings.len(), 2, "{findings:?}");

    let files = source::project_files();
    let names: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    check_project(".md", |file| project_rules::lead_somewhere(file, &names));
}

#[test]
fn table_rows_name_existing_test_or_decision() {
    let sources = [
        Source::new("crates/a/src/b/c_tests.rs", "fn holds() {}"),
        Source::new("crates/openclaw/tests/e2e/d.rs", "fn works() {}"),
    ];
    let table = "| what | shown by |\n|---|---|\n| 1 | `a/b/c_tests: holds` |\n| 2 | so: `e2e/d: works` |\n| 3 | [no](decisions/no.md) |\n| 4 | `a/b/c_tests` |\n| 5 | `a/b/c_tests: works` |\n\n| other |\n|---|\n| 6 |\n";
    let findings = project_rules::name_what_shows_them(("docs/a.md", table), &sources);
    assert_eq!(
        findings,
        [
            "docs/a.md:6: no test and no decision",
            "docs/a.md:7: no test a/b/c_tests: works"
        ]
    );
    let sources = source::sources();
    check_project(".md", |file| {
        project_rules::name_what_shows_them(file, &sources)
    });
}

#[test]
fn manifests_for_other_programs_carry_workspace_version() {
    let version = env!("CARGO_PKG_VERSION");
    let old = r#"{"version":"0.0.9"}"#;
    assert_eq!(
        project_rules::has_version(("a.json", old), version).len(),
        1
    );
    check_project(".json", |(path, text)| {
        if path.starts_with("plugin/") || path.starts_with("packaging/") {
            project_rules::has_version((path, text), version)
        } else {
            Vec::new()
        }
    });
}

#[test]
fn architecture_page_has_at_most_300_lines() {
    let long = "Line.\n".repeat(301);
    let path = "docs/architecture.md";
    assert_eq!(project_rules::is_a_short_page((path, &long)).len(), 1);
    check_project(path, project_rules::is_a_short_page);
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .cargo_path(env!("CARGO"))
        .manifest_path(source::root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned(), "--locked".to_owned()])
        .exec()
        .unwrap()
}

/// The lines of a table of crates, each with those that it depends on.
fn edges(table: &str) -> Edges {
    let rows = table.lines().filter_map(|row| row.split_once(':'));
    rows.map(|(name, needs)| {
        let needs = needs.split_whitespace().map(str::to_owned).collect();
        (name.to_owned(), needs)
    })
    .collect()
}

/// The edges between crates of the workspace, the test member left out.
fn workspace_edges(metadata: &Metadata, kind: DependencyKind) -> Edges {
    metadata
        .workspace_packages()
        .iter()
        .filter(|package| package.name.as_str() != TEST_MEMBER)
        .map(|package| {
            let needs: BTreeSet<String> = package
                .dependencies
                .iter()
                .filter(|needed| needed.kind == kind && needed.path.is_some())
                .map(|needed| needed.name.clone())
                .collect();
            (package.name.to_string(), needs)
        })
        .collect()
}
