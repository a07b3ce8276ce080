//! The owner's page by plain HTTP: each page, each action, and what a browser is never given.
//!
//! Compares what the owner reads with the files that change.

use std::time::Duration;

use base::{Clock, SystemClock};
use serde_json::json;
use testkit::{Answered, HttpService, TestHome, Words};

use crate::dream::{REVIEW, said};
use crate::dream_review::{SAID, waiting};

/// A browser that is signed in to a service.
struct Browser {
    service: HttpService,
    cookie: String,
    csrf: String,
}

impl Browser {
    fn open(home: &TestHome) -> Self {
        let service = HttpService::begin(home, &["--set", "dreaming.triggers=[]"]);
        let mut browser = Self {
            service,
            cookie: String::new(),
            csrf: String::new(),
        };
        let token = browser.service.token.clone();
        let answer = browser.send("POST", "/sign-in", &[("token", &token)]);
        let cookie = answer
            .with_status(303)
            .header("set-cookie")
            .unwrap()
            .to_owned();
        browser.cookie = cookie.split(';').next().unwrap().to_owned();
        browser.csrf = between(&browser.page("/"), "name=\"csrf\" value=\"", "\"").to_owned();
        browser
    }

    fn send(&self, method: &str, path: &str, fields: &[(&str, &str)]) -> Answered {
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}={}", form_encoded(value)))
            .collect();
        let headers = [
            format!("Origin: http://{}", self.service.at),
            format!("Cookie: {}", self.cookie),
            "Content-Type: application/x-www-form-urlencoded".to_owned(),
            "Accept: text/html,application/xhtml+xml,*/*;q=0.8".to_owned(),
        ];
        let headers = headers.each_ref().map(String::as_str);
        self.service
            .ask(&format!("{method} {path}"), &headers, &body.join("&"))
    }

    /// A page that is there.
    #[track_caller]
    fn page(&self, path: &str) -> String {
        self.send("GET", path, &[]).with_status(200).body
    }

    /// Sends a form of the page, and shows where that leads.
    #[track_caller]
    fn act(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.form(path, fields).with_status(303);
        self.page(answer.header("location").unwrap())
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answered {
        let mut all = vec![("csrf", self.csrf.as_str())];
        all.extend(fields);
        self.send("POST", path, &all)
    }
}

fn form_encoded(text: &str) -> String {
    // The secret of the forms is read as it stands.
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

#[track_caller]
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let Some((_, rest)) = text.split_once(before) else {
        panic!("no {before} in {text}");
    };
    rest.split(after).next().unwrap()
}

/// The ids of the candidates on a page, in order.
fn ids(page: &str) -> Vec<String> {
    let cards = page.split("aria-labelledby=\"finding-").skip(1);
    cards
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

#[test]
fn i9_page_accepts_candidate_and_undo_restores_memory() {
    let home = waiting();
    let browser = Browser::open(&home);
    let before = home.memory();
    let page = browser.page("/");
    let waiting = ids(&page);
    assert_eq!(waiting.len(), 4, "{page}");
    let first = &waiting[0];
    let finding = between(&page, &format!("id=\"finding-{first}\">"), "<").to_owned();
    assert!(page.contains("Accepting changes MEMORY.md"), "{page}");
    page.holds("<b>you</b>");
    let accepted = browser.act("/dreams/decide", &[("id", first), ("decision", "accept")]);
    accepted.holds("Accepted 1 candidate into MEMORY.md.");
    assert_eq!(ids(&accepted), waiting[1..]);
    home.memory().holds(&format!("- {finding} ^"));
    let undone = browser.act("/dreams/undo", &[]);
    assert_eq!(home.memory(), before);
    assert_eq!(ids(&undone).len(), 4);
}

#[test]
fn page_decides_several_candidates_and_accepts_edited_words() {
    let home = waiting();
    let browser = Browser::open(&home);
    let waiting = ids(&browser.page("/"));
    let rejected = [
        ("id", waiting[0].as_str()),
        ("id", &waiting[1]),
        ("decision", "reject"),
    ];
    let page = browser.act("/dreams/decide", &rejected);
    assert!(page.contains("Rejected 2 candidates for good."), "{page}");
    let edited = [
        ("id", waiting[2].as_str()),
        ("decision", "edit"),
        ("words", "No meetings before ten."),
    ];
    let page = browser.act("/dreams/decide", &edited);
    assert!(page.contains("Wrote your words into MEMORY.md."), "{page}");
    home.memory().holds("- No meetings before ten. ^");
    assert_eq!(ids(&page), waiting[3..]);
    // What was decided meanwhile, on another page that is still open, is not decided again.
    let again = browser.form(
        "/dreams/decide",
        &[("id", &waiting[0]), ("decision", "accept")],
    );
    assert_eq!(again.status, 409);
    assert!(again.body.contains("is already rejected"), "{again:?}");
    let nothing = browser.act("/dreams/decide", &[("decision", "reject")]);
    assert!(nothing.contains("Nothing was selected."), "{nothing}");
}

#[test]
fn i9_page_accepts_newer_candidate_and_undo_restores_memory() {
    let home = TestHome::new();
    let said = |days_ago: u64, text: &str| {
        let at = SystemClock::new().now() - Duration::from_hours(24 * days_ago);
        json!({ "role": "user", "content": text, "timestamp": at.to_rfc3339() }).to_string()
    };
    let lines = [
        said(4, "Remember that my office is in Szeged, near the river."),
        said(1, "Remember that my office is in Graz, near the river."),
    ];
    home.replay("main", lines.join("\n"));
    home.ok(REVIEW);
    let browser = Browser::open(&home);
    let before = home.memory();
    let page = browser.page("/");
    assert_eq!(ids(&page).len(), 2, "{page}");
    let newer = page
        .split("<article")
        .find(|card| card.contains("value=\"newer\""))
        .unwrap();
    assert!(newer.contains("Older, perhaps about the same"), "{newer}");
    let id = between(newer, "aria-labelledby=\"finding-", "\"");
    let held = browser.act("/dreams/decide", &[("id", id), ("decision", "newer")]);
    held.holds("Accepted the newer one into MEMORY.md; rejected the older ones.");
    assert_eq!(ids(&held), Vec::<String>::new());
    let memory = home.memory();
    memory.holds("Graz");
    memory.lacks("Szeged");
    let undone = browser.act("/dreams/undo", &[]);
    assert_eq!(home.memory(), before);
    assert_eq!(ids(&undone).len(), 2);
}

#[test]
fn memory_page_shows_evidence_and_strikes_and_restores_line() {
    let home = said("Remember that I am allergic to penicillin.\n");
    home.ok("dream --now");
    let browser = Browser::open(&home);
    let before = home.memory();
    let page = browser.page("/memory");
    let line = page
        .split("<li data-item")
        .find(|line| line.contains("allergic to penicillin"));
    let line = line.unwrap();
    let why = browser.page(between(line, "hx-get=\"", "\""));
    why.holds("Remember that I am allergic to penicillin.");
    assert!(why.contains("memory/"), "the place is named: {why}");
    let number = between(line, "name=\"line\" value=\"", "\"");
    let hash = between(line, "name=\"hash\" value=\"", "\"");
    // Another line than the one that was shown is never struck.
    let wrong = browser.form("/memory/strike", &[("line", number), ("hash", "00000000")]);
    assert_eq!(wrong.status, 409);
    let struck = browser.act("/memory/strike", &[("line", number), ("hash", hash)]);
    struck.holds("Struck. It is hidden everywhere");
    assert!(!home.memory().contains("penicillin"));
    let found = browser.page("/memory/search?q=penicillin");
    assert!(!found.contains("allergic to penicillin"), "{found}");
    let back = browser.act(
        "/memory/unstrike",
        &[("id", between(&struck, "name=\"id\" value=\"", "\""))],
    );
    assert!(back.contains("Restored the line."), "{back}");
    assert_eq!(home.memory(), before);
}

#[test]
fn search_explains_its_scores_and_leads_to_the_place() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let found = browser.page("/memory/search?q=when+may+meetings+be");
    found.holds("Never schedule meetings before 10 am.");
    found.holds("Why this score?");
    found.holds("<td>words</td>");
    let nothing = browser.page("/memory/search?q=zeppelin");
    nothing.holds("nothing contains any of these words.");
    let days = browser.page("/memory/days");
    let day = between(&days, "href=\"/memory/days/", "\"");
    let notes = browser.page(&format!("/memory/days/{day}"));
    notes.holds("Never schedule meetings before 10 am.");
}

#[test]
fn page_edit_saves_restores_and_rejects_conflicts() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let before = home.read("workspace/USER.md");
    let path = "/memory/file?path=USER%2Emd";
    let hash = |page: &str| between(page, "name=\"hash\" value=\"", "\"").to_owned();
    let opened = hash(&browser.page(path));
    let saved = [
        ("path", "USER.md"),
        ("hash", opened.as_str()),
        ("text", "I live in Graz.\r\n"),
    ];
    let page = browser.act("/memory/save", &saved);
    assert!(page.contains("Saved."), "{page}");
    assert_eq!(home.read("workspace/USER.md"), "I live in Graz.\n");
    let undo = [
        ("path", "USER.md"),
        ("hash", &hash(&page)),
        ("kept", between(&page, "name=\"kept\" value=\"", "\"")),
    ];
    let restored = browser.act("/memory/restore", &undo);
    restored.holds("Restored the previous version.");
    assert_eq!(home.read("workspace/USER.md"), before);
    // An editor saves while the page is open.
    home.write("workspace/USER.md", "Saved by an editor.\n");
    let conflict = browser.form("/memory/save", &saved);
    assert_eq!(conflict.status, 409);
    conflict.body.holds("your text is not saved");
    conflict.body.holds("I live in Graz.");
    conflict.body.holds("Saved by an editor.");
    assert_eq!(home.read("workspace/USER.md"), "Saved by an editor.\n");
    for hidden in ["config%2Eyaml", "%2E%2E%2Fconfig%2Eyaml", "%2Fetc%2Fpasswd"] {
        let answer = browser.send("GET", &format!("/memory/file?path={hidden}"), &[]);
        assert_eq!(answer.status, 404, "{hidden}: {answer:?}");
    }
}

#[test]
fn session_page_draws_compactions_and_opens_summaries() {
    let home = TestHome::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sample.jsonl");
    let window = ["--set", "compaction.contextWindow=16000"];
    home.ok(&[&window[..], &["replay", sample, "-s", "demo"]].concat());
    let browser = Browser::open(&home);
    let list = browser.page("/sessions");
    assert!(list.contains("270 messages, 5 compactions"), "{list}");
    let page = browser.page("/sessions/demo");
    assert!(page.contains("<polyline class=\"curve\""), "{page}");
    page.holds_times(6, "class=\"cut\" x1");
    let entry = between(&page, "hx-get=\"/sessions/demo/summary/", "\"");
    let covered = browser.page(&format!("/sessions/demo/summary/{entry}"));
    assert!(covered.contains("tokens, word for word"), "{covered}");
    assert!(covered.contains("<div class=\"said\">"), "{covered}");
    let context = browser.page("/context?session=demo");
    context.holds("tokens in use; compaction begins at");
    assert!(context.contains("<td>messages</td>"), "{context}");
    let status = browser.page("/status");
    assert!(status.contains("Search matches words"), "{status}");
    status.holds("<dt>Programs</dt><dd>none yet; ");
    let (code, told) = crate::connect::connect(&home, &["cursor", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let status = browser.page("/status");
    status.holds("<dt>Programs</dt><dd>cursor</dd>");
    for missing in [
        "/sessions/nowhere",
        "/sessions/demo/summary/nowhere",
        "/nowhere",
    ] {
        let answer = browser.send("GET", missing, &[]).with_status(404);
        assert!(answer.body.contains("That did not work"), "{answer:?}");
    }
}

#[test]
fn notes_and_messages_are_escaped_on_all_pages() {
    let home = said(
        "I prefer <script>alert(1)</script><img src=x onerror=alert(2)> \"quotes\" over tea.\n",
    );
    home.ok(REVIEW);
    home.write(
        "workspace/USER.md",
        "</textarea><script>alert(3)</script>\n",
    );
    let browser = Browser::open(&home);
    let days = browser.page("/memory/days");
    let day = format!(
        "/memory/days/{}",
        between(&days, "href=\"/memory/days/", "\"")
    );
    let before = browser.page("/");
    let accept = [("id", ids(&before)[0].as_str().to_owned())];
    let accepted = [("id", accept[0].1.as_str()), ("decision", "accept")];
    let after = browser.act("/dreams/decide", &accepted);
    let mut n_shown = 0;
    for page in [
        before,
        after,
        days,
        browser.page(&day),
        browser.page("/memory"),
        browser.page("/memory/search?q=%3Cscript%3Ealert(4)%3C%2Fscript%3E+like"),
        browser.page("/memory/file?path=USER%2Emd"),
        browser.page("/sessions/main"),
    ] {
        n_shown += page.matches("&lt;script&gt;alert(").count();
        for markup in ["<script>", "<img", "</textarea><"] {
            let own =
                usize::from(markup == "</textarea><") * page.matches("</textarea><div").count();
            assert_eq!(page.matches(markup).count(), own, "{markup} in {page}");
        }
    }
    assert!(n_shown > 6, "the words themselves are shown");
}

#[test]
fn pages_contain_only_own_addresses_and_no_inline_code() {
    let home = waiting();
    let browser = Browser::open(&home);
    for path in [
        "/",
        "/memory",
        "/memory/days",
        "/memory/files",
        "/sessions",
        "/context",
        "/status",
    ] {
        let page = browser.page(path);
        for inline in [
            " style=\"",
            " onclick=",
            "<style",
            "javascript:",
            "<script>",
        ] {
            assert!(!page.contains(inline), "{inline} in {path}: {page}");
        }
        for name in [" src=\"", " href=\"", " action=\"", " hx-get=\""] {
            for address in page.split(name).skip(1) {
                assert!(
                    address.starts_with(['/', '#']) && !address.starts_with("//"),
                    "{path}: {address}"
                );
            }
        }
        for needed in [
            "<html lang=\"en\">",
            "<main id=\"main\"",
            "<nav class=\"pages\" aria-label",
            "<h1>",
        ] {
            assert_eq!(page.matches(needed).count(), 1, "{needed} in {path}");
        }
    }
    let page = browser.page("/");
    for name in ["rel=\"stylesheet\" href=\"", "<script src=\""] {
        let address = between(&page, name, "\"");
        assert!(browser.page(address).len() > 1_000, "{address}");
    }
}

#[test]
fn news_reports_new_candidates_and_is_empty_otherwise() {
    let home = waiting();
    let browser = Browser::open(&home);
    assert_eq!(browser.send("GET", "/page/news?seen=4", &[]).status, 204);
    let news = browser.page("/page/news?seen=3");
    news.holds("4 candidates wait for your decision now.");
    assert!(news.contains("hx-get=\"/page/news?seen=4\""), "{news}");
}

#[test]
fn form_without_csrf_token_is_rejected() {
    let home = waiting();
    let browser = Browser::open(&home);
    let before = home.memory();
    let id = &ids(&browser.page("/"))[0];
    for csrf in ["", "0000"] {
        let forged = [("csrf", csrf), ("id", id.as_str()), ("decision", "accept")];
        assert_eq!(browser.send("POST", "/dreams/decide", &forged).status, 403);
    }
    assert_eq!(home.memory(), before);
    assert_eq!(ids(&browser.page("/")).len(), 4);
}

#[test]
fn line_is_added_corrected_and_undone_on_the_memory_page() {
    let home = TestHome::init();
    let browser = Browser::open(&home);
    let before = home.memory();
    let added = [
        ("text", "We live in Connewitz"),
        ("section", "About the Owner"),
    ];
    let page = browser.act("/memory/remember", &added);
    page.holds("MEMORY.md has the line.");
    home.memory()
        .holds("## About the Owner\n\n- We live in Connewitz ^");
    let hash = base::short_hash("We live in Connewitz");
    let line = between(&page, "id=\"line-", "\"").to_owned();
    let corrected = [
        ("line", line.as_str()),
        ("hash", hash.as_str()),
        ("text", "We live in Markkleeberg"),
    ];
    browser
        .act("/memory/correct", &corrected)
        .holds("MEMORY.md has the line.");
    home.memory().holds("- We live in Markkleeberg (until ");
    // The page that was shown is out of date.
    assert_eq!(browser.form("/memory/correct", &corrected).status, 409);
    browser.act("/dreams/undo", &[]);
    browser.act("/dreams/undo", &[]);
    assert_eq!(home.memory(), before);
    browser.act("/memory/remember", &added);
    let never_true = [&corrected[..], &[("never_true", "yes")]].concat();
    browser.act("/memory/correct", &never_true);
    home.memory().holds("- We live in Markkleeberg ^");
}

#[test]
fn undo_of_an_added_line_reverts_that_change_alone() {
    let home = TestHome::init();
    let browser = Browser::open(&home);
    let before = home.memory();
    let add = |text: &str| {
        let added = [("text", text), ("section", "Facts")];
        let page = browser.act("/memory/remember", &added);
        between(&page, "name=\"left\" value=\"", "\"").to_owned()
    };
    let first = add("We live in Connewitz");
    home.ok(&["memory", "add", "--lasting", "Ann eats no meat"]);
    let both = home.memory();
    let refused = browser.form("/dreams/undo", &[("left", &first)]);
    assert_eq!(refused.status, 409);
    assert!(refused.body.contains("nothing was undone"), "{refused:?}");
    assert_eq!(home.memory(), both);
    home.ok("dream undo");
    browser.act("/dreams/undo", &[("left", &first)]);
    assert_eq!(home.memory(), before);
    // The page that was shown is out of date.
    let again = browser.form("/dreams/undo", &[("left", &first)]);
    assert_eq!(again.status, 409);
}
