//! Bytes that are not UTF-8 in the owner's files: the conversation continues, and the bytes stay.
//!
//! Looks at each file before and after.

use insta::assert_snapshot;
use testkit::{TestHome, Words};

const MEMORY: &[u8] =
    b"# Long-term memory\n\n- the caf\xe9 opens at 9\n- the key is at the bakery\n";

fn home() -> TestHome {
    let home = TestHome::init();
    home.write_memory(MEMORY);
    home
}

fn memory_of(home: &TestHome) -> Vec<u8> {
    let mut files = home.files().into_iter();
    let memory = files.find(|(path, _)| path.ends_with("workspace/MEMORY.md"));
    memory.unwrap().1
}

#[test]
fn i9_chat_uses_readable_text_and_keeps_invalid_bytes() {
    let home = home();
    assert_snapshot!(
        "misread_chat",
        home.ok("chat -m 'where is the key?'").transcript()
    );
    assert_eq!(memory_of(&home), MEMORY);
    let other = home.ok("chat --isolated -s work -m hello");
    other.stderr.lacks("unreadable bytes are replaced");
    home.ok("memory status");
    let doctor = home.run("doctor");
    assert_snapshot!("misread_doctor", doctor.with_code(1).transcript());
}

#[test]
fn i9_promotion_into_misread_memory_is_rejected() {
    let home = TestHome::init();
    home.ok("memory add 'I prefer tea to coffee, always'");
    home.ok("dream --now --set dreaming.promotion=review");
    let listed = home.ok("dream list --json").json();
    let id = listed["candidates"][0]["id"].as_str().unwrap().to_owned();
    home.write_memory(MEMORY);
    let dreamt = home.run("dream --now").with_code(1);
    assert_snapshot!("misread_dream", dreamt.transcript());
    let dreamt = home.run("dream --now --json").with_code(1);
    assert_eq!(dreamt.json_lines()[0]["outcome"], "memoryMisread");
    let refused = home.run(&["dream", "accept", &id]);
    let refused = refused.with_code(1).transcript().replace(&id, "ID");
    assert_snapshot!("misread_accept", refused);
    assert_eq!(memory_of(&home), MEMORY);
    home.write_memory("# Long-term memory\n");
    home.ok(&["dream", "accept", &id]);
    assert!(home.memory().contains("tea"));
}

#[test]
fn log_with_invalid_bytes_is_reported_and_appended() {
    let home = home();
    home.write_memory("# Long-term memory\n");
    home.ok("memory add 'the first'");
    let log = home.list("workspace/memory").remove(0);
    let path = format!("workspace/memory/{log}");
    let mut bytes = home.read(&path).into_bytes();
    bytes.extend(b"\n- caf\xe9\n");
    home.write(&path, &bytes);
    home.ok("memory add 'the second'");
    let mut after = home.files().into_iter();
    let after = after.find(|(name, _)| name.ends_with(&path));
    assert!(
        after
            .unwrap()
            .1
            .windows(6)
            .any(|it| it == b"caf\xe9\n-" || it == b"caf\xe9\n\n")
    );
    let talk = home.ok("chat -m hello");
    let told = talk.stderr.replace("\n  ", " ");
    told.holds(&format!("memory/{log} is not UTF-8 at line"));
}

#[test]
fn utf_16_note_is_named_by_search_status_and_doctor() {
    let home = TestHome::init();
    let text = "# Trip\n\n- The ferry leaves from Kirkenes.\n";
    let bytes: Vec<u8> = std::iter::once(0xfeff_u16)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    home.note("trip", bytes);
    for arguments in ["memory search Kirkenes", "memory status"] {
        let run = home.ok(arguments);
        let told = run.stdout.clone() + &run.stderr;
        assert!(told.contains("memory/trip.md"), "{arguments:?}: {told}");
    }
    let doctor = home.run("doctor").with_code(1);
    doctor.stdout.holds("iconv -f UTF-16");
}

#[test]
fn search_finds_word_despite_odd_letter_forms() {
    let home = TestHome::init();
    let text = "- My dentist is in \u{ff30}\u{ff4f}\u{ff52}\u{ff54}\u{ff4f}, dear.\n\
                - The bil\u{ad}berry jam is in the cel\u{200b}lar.\n";
    home.note("odd", text);
    for (word, line) in [
        ("Porto", 1),
        ("bilberry", 2),
        ("cellar", 2),
        ("\u{ff30}orto", 1),
        ("bil\u{ad}berry", 2),
    ] {
        let run = home.ok(&["memory", "search", word, "--json"]);
        let found = &run.json_lines()[0]["results"][0];
        assert_eq!(found["startLine"], line, "{word}: {}", run.stdout);
    }
}
