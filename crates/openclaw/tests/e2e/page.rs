//! The owner's page by plain HTTP: each page, each action, and data that a browser never gets.
//!
//! Compares what the owner reads with the files that change.

use std::time::Duration;

use base::{Clock, SystemClock};
use serde_json::json;
use testkit::{Answered, HttpService, TestHome, Words};

use crate::dream::{REVIEW, said};
use crate::dream_review::{SAID, waiting};

/// A browser that is signed in to a service.
pub(crate) struct Browser {
    service: HttpService,
    cookie: String,
    csrf: String,
}

impl Browser {
    pub(crate) fn open(home: &TestHome) -> Self {
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

    pub(crate) fn send(&self, method: &str, path: &str, fields: &[(&str, &str)]) -> Answered {
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

    /// A page that exists.
    #[track_caller]
    pub(crate) fn page(&self, path: &str) -> String {
        self.send("GET", path, &[]).with_status(200).body
    }

    /// Sends a form of the page and returns the page that it leads to.
    #[track_caller]
    pub(crate) fn act(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.form(path, fields).with_status(303);
        self.page(answer.header("location").unwrap())
    }

    /// Sends a message as the script of the page does, and returns the events.
    pub(crate) fn events(&self, path: &str, text: &str) -> String {
        let headers = [
            format!("Origin: http://{}", self.service.at),
            format!("Cookie: {}", self.cookie),
            "Content-Type: application/x-www-form-urlencoded".to_owned(),
            "Accept: text/event-stream".to_owned(),
        ];
        let headers = headers.each_ref().map(String::as_str);
        let body = format!("csrf={}&text={}", self.csrf, form_encoded(text));
        let answer = self.service.ask(&format!("POST {path}"), &headers, &body);
        answer.with_status(200).body
    }

    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answered {
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
pub(crate) fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let Some((_, rest)) = text.split_once(before) else {
        panic!("no {before} in {text}");
    };
    rest.split(after).next().unwrap()
}

impl Browser {
    /// The ids of all waiting candidates, in order.
    fn waiting(&self) -> Vec<String> {
        ids(&self.page("/review/all"))
    }
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
    let waiting = browser.waiting();
    assert_eq!(waiting.len(), 4, "{waiting:?}");
    let page = browser.page("/review");
    let first = &waiting[0];
    assert_eq!(ids(&page), waiting[..1], "one candidate at a time");
    let finding = between(&page, &format!("id=\"finding-{first}\">"), "<").to_owned();
    assert!(page.contains("Accepting changes MEMORY.md"), "{page}");
    page.holds("<b>you</b>");
    let accepted = browser.act("/dreams/decide", &[("id", first), ("decision", "accept")]);
    accepted.holds("Accepted 1 candidate into MEMORY.md.");
    assert_eq!(ids(&accepted), waiting[1..2], "the next one is shown");
    assert_eq!(browser.waiting(), waiting[1..]);
    home.memory().holds(&format!("- {finding} ^"));
    let undo = [("left", between(&accepted, "name=\"left\" value=\"", "\""))];
    let undone = browser.act("/dreams/undo", &undo);
    undone.holds("Undid that change.");
    assert_eq!(home.memory(), before);
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    assert_eq!(sorted(browser.waiting()), sorted(waiting));
}

#[test]
fn page_decides_several_candidates_and_accepts_edited_words() {
    let home = waiting();
    let browser = Browser::open(&home);
    let waiting = browser.waiting();
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
    assert_eq!(browser.waiting(), waiting[3..]);
    // Its undo gives the candidate its words back.
    let left = between(&page, "name=\"left\" value=\"", "\"");
    let undone = browser.act("/dreams/undo", &[("left", left)]);
    undone.lacks("No meetings before ten.");
    browser.act("/dreams/decide", &edited);
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
    assert_eq!(browser.waiting().len(), 2);
    let cards = [1, 2].map(|at| browser.page(&format!("/review?at={at}")));
    let newer = cards
        .iter()
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
    let left = between(&held, "name=\"left\" value=\"", "\"");
    let undone = browser.act("/dreams/undo", &[("left", left)]);
    assert_eq!(home.memory(), before);
    undone.holds("Undid that change.");
    assert_eq!(browser.waiting().len(), 2);
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
    why.holds("\">Open the conversation</a>");
    why.holds("<ol class=\"life\">");
    why.holds("You asked for it");
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
    assert!(list.contains("270 messages"), "{list}");
    let page = browser.page("/sessions/demo/course");
    assert!(page.contains("<polyline class=\"curve\""), "{page}");
    page.holds_times(6, "class=\"cut\" x1");
    let entry = between(&page, "hx-get=\"/sessions/demo/summary/", "\"");
    let covered = browser.page(&format!("/sessions/demo/summary/{entry}"));
    assert!(covered.contains("tokens, word for word"), "{covered}");
    assert!(covered.contains("<div class=\"said\">"), "{covered}");
    let context = browser.page("/context?session=demo");
    context.holds("tokens in use; older messages are summarised at");
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
        "/sessions/nowhere/course",
        "/sessions/nowhere/window",
        "/sessions/demo/window?entry=nowhere",
        "/sessions/demo/summary/nowhere",
        "/nowhere",
    ] {
        let answer = browser.send("GET", missing, &[]).with_status(404);
        answer.body.holds("There is nothing here");
        answer.body.holds("href=\"/\">Go to Home</a>");
    }
    for (typed, meant) in [("/conversations", "/sessions"), ("/settings", "/status")] {
        let answer = browser.send("GET", typed, &[]).with_status(303);
        assert_eq!(answer.header("location"), Some(meant));
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
    let before = browser.page("/review");
    let accept = [("id", ids(&before)[0].as_str().to_owned())];
    let accepted = [("id", accept[0].1.as_str()), ("decision", "accept")];
    let after = browser.act("/dreams/decide", &accepted);
    let mut n_shown = 0;
    for page in [
        browser.page("/"),
        browser.page("/review/all"),
        before,
        after,
        days,
        browser.page(&day),
        browser.page("/memory"),
        browser.page("/memory/search?q=%3Cscript%3Ealert(4)%3C%2Fscript%3E+like"),
        browser.page("/memory/file?path=USER%2Emd"),
        browser.page("/sessions/main"),
        browser.page("/sessions/main/course"),
        browser.page("/sessions/main/window"),
        browser.page("/chat"),
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
        "/review",
        "/review/all",
        "/chat",
        "/chat/other",
        "/memory",
        "/memory/days",
        "/memory/files",
        "/sessions",
        "/sessions?q=meetings",
        "/sessions/main",
        "/sessions/main/course",
        "/sessions/main/window",
        "/gallery",
        "/gallery/chat",
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
    browser
        .page(between(&page, "rel=\"manifest\" href=\"", "\""))
        .holds("\"display\": \"standalone\"");
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
    let id = &browser.waiting()[0];
    for csrf in ["", "0000"] {
        let forged = [("csrf", csrf), ("id", id.as_str()), ("decision", "accept")];
        assert_eq!(browser.send("POST", "/dreams/decide", &forged).status, 403);
    }
    assert_eq!(home.memory(), before);
    assert_eq!(browser.waiting().len(), 4);
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
    let told = browser.act("/memory/correct", &corrected);
    told.holds("MEMORY.md has the line.");
    home.memory().holds("- We live in Markkleeberg (until ");
    browser.page("/review").holds("you asked for it");
    // The page that was shown is out of date.
    assert_eq!(browser.form("/memory/correct", &corrected).status, 409);
    let left = |page: &str| between(page, "name=\"left\" value=\"", "\"").to_owned();
    // An undo names its change: the one before is undone only after it.
    let early = browser.form("/dreams/undo", &[("left", &left(&page))]);
    assert_eq!(early.status, 409);
    assert_eq!(browser.form("/dreams/undo", &[]).status, 400);
    for told in [&told, &page] {
        let undo = [("left", &*left(told)), ("back", "/memory")];
        let undone = browser.act("/dreams/undo", &undo);
        undone.holds("Undid that change.");
    }
    assert_eq!(home.memory(), before);
    browser.act("/memory/remember", &added);
    let never_true = [&corrected[..], &[("never_true", "yes")]].concat();
    browser.act("/memory/correct", &never_true);
    home.memory().holds("- We live in Markkleeberg ^");
}

#[test]
fn undo_of_added_line_reverts_only_that_change() {
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

#[test]
fn home_page_greets_owner_and_shows_sources_plans_and_candidates() {
    let home = waiting();
    home.write(
        "workspace/USER.md",
        "# About the owner\n\n- Name: Jo\n- Languages: English\n",
    );
    let browser = Browser::open(&home);
    let page = browser.page("/");
    page.holds(", Jo.</h1>");
    page.holds("Languages: English");
    page.holds("<title>(4) Home");
    page.holds_times(4, "name=\"back\" value=\"/\"");
    let id = browser.waiting().remove(0);
    let decided = [("id", id.as_str()), ("decision", "accept"), ("back", "/")];
    let page = browser.act("/dreams/decide", &decided);
    page.holds("Accepted 1 candidate into MEMORY.md.");
    page.holds("<h2 id=\"new-title\">New this week</h2><ul");
    let source = between(&page, "hx-get=\"/memory/known/", "\"");
    let source = browser.page(&format!("/memory/known/{source}"));
    source.holds("<b>you</b>");
    let left = between(&page, "name=\"left\" value=\"", "\"");
    let page = browser.act("/dreams/undo", &[("left", left), ("back", "/")]);
    page.holds("Undid that change.");
    page.holds_times(4, "name=\"back\" value=\"/\"");
}

#[test]
fn home_page_of_new_home_offers_ways_to_begin() {
    let browser = Browser::open(&TestHome::init());
    let page = browser.page("/");
    page.holds("I know nothing about you yet.");
    page.holds_times(3, "<li class=\"card\">");
}

#[test]
fn redirect_after_decision_leads_only_to_own_pages() {
    let home = waiting();
    let browser = Browser::open(&home);
    let id = browser.waiting().remove(0);
    let forged = [
        ("id", id.as_str()),
        ("decision", "reject"),
        ("back", "//evil.example/"),
    ];
    let answer = browser.form("/dreams/decide", &forged).with_status(303);
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("/review?done=rejected"), "{location}");
}

#[test]
fn conversation_is_read_in_parts_with_its_memory_in_the_margin() {
    let home = TestHome::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sample.jsonl");
    let window = ["--set", "compaction.contextWindow=16000"];
    home.ok(&[&window[..], &["replay", sample, "-s", "demo"]].concat());
    let browser = Browser::open(&home);
    let days = |page: &str| between(page, "<label for=\"from\">", "<").to_owned();
    let end = browser.page("/sessions/demo");
    end.holds("<b>Noted </b>");
    let beginning = browser.page("/sessions/demo?from=1");
    assert_eq!(days(&beginning), "Monday, 2 March");
    assert!(!beginning.contains("rel=\"prev\""), "{beginning}");
    // Each part leads to the next one without a gap, and back.
    let lines = |page: &str| -> Vec<String> {
        let found = page.split("<li id=\"line-").skip(1);
        found
            .map(|it| it.split('"').next().unwrap().to_owned())
            .collect()
    };
    let next = browser.page(between(&beginning, "rel=\"next\" href=\"", "\""));
    let back = browser.page(between(&next, "rel=\"prev\" href=\"", "\""));
    assert_eq!(lines(&back), lines(&beginning));
    assert_eq!(lines(&next).len(), 60);
    assert!(
        lines(&next)
            .iter()
            .all(|line| !lines(&beginning).contains(line))
    );
    end.holds("<h1>Morning! ");
    assert!(end.len() < 150_000 && beginning.len() < 150_000);
    // A result of a search opens at its message.
    let found = browser.page("/memory/search?q=boiler");
    let address = between(&found, "href=\"/sessions/demo?", "\"");
    let line = between(address, "line=", "#");
    let hit = browser.page(&format!("/sessions/demo?line={line}"));
    hit.holds_times(1, &format!("<li id=\"line-{line}\""));
    hit.holds_times(1, "aria-current=\"true\"");
    // A summary stands where the window ended, and the window of a moment holds what the model saw.
    let course = browser.page("/sessions/demo/course");
    let summary = between(&course, "hx-get=\"/sessions/demo/summary/", "\"").to_owned();
    let mut part = beginning.clone();
    while !part.contains(&format!("/sessions/demo/summary/{summary}")) {
        part = browser.page(between(&part, "rel=\"next\" href=\"", "\""));
    }
    part.holds("The window ended here.");
    let moment = between(&beginning, "/window?entry=", "\"");
    let then = browser.page(&format!("/sessions/demo/window?entry={moment}"));
    then.holds("the model saw 1 message");
    assert!(!then.contains("A summary stood"), "{then}");
    let now = browser.page("/sessions/demo/window");
    now.holds("Summary of everything before");
}

#[test]
fn conversations_are_listed_by_title_and_found_by_their_words() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let say = |text: &str| browser.act("/chat/main/say", &[("text", text)]);
    say("/title The calendar");
    let begun = say("/new");
    begun.holds("Say what is on your mind.");
    begun.holds("Read what was said earlier");
    say("Which seeds do I sow in March?");
    let titles = |page: &str| -> Vec<String> {
        let found = page.split("class=\"title\" href=\"/sessions/").skip(1);
        let title = |it: &str| between(it, ">", "<").to_owned();
        found.map(title).collect()
    };
    let page = browser.page("/sessions");
    assert_eq!(
        titles(&page),
        ["Which seeds do I sow in March?", "The calendar"]
    );
    let earlier = format!(
        "/sessions/main?line={}",
        between(&page, "/sessions/main?line=", "\"")
    );
    browser.page(&earlier).holds("meetings before 10 am");
    browser
        .page("/sessions/main")
        .holds("A new conversation began at ");
    let found = browser.page("/sessions?q=CALENDAR");
    assert_eq!(titles(&found), ["The calendar"]);
    let found = browser.page("/sessions?q=meetings");
    found.holds("<h2>What was said</h2>");
    found.holds("<a class=\"quiet\" href=\"/sessions/main?line=");
    browser
        .page("/sessions?q=zebra")
        .lacks("class=\"title\" href=\"/sessions/");
}

#[test]
fn reminder_for_a_time_or_a_subject_is_set_on_the_home_page_and_taken_back() {
    let home = TestHome::init();
    let browser = Browser::open(&home);
    let about = [("text", "ask about the brake"), ("about", "bike")];
    let told = browser.act("/agenda/add", &about);
    told.holds("The reminder is set.");
    told.holds("When it comes up");
    home.read("workspace/PROMISES.md")
        .holds("- bike: ask about the brake ^");
    let id = between(&told, "action=\"/agenda/undo\"", "</form>");
    let id = between(id, "name=\"id\" value=\"", "\"");
    browser.act("/agenda/undo", &[("id", id)]).lacks("brake");
    let timed = [("text", "in 3 days at 10:00 call Ann"), ("about", "")];
    browser.act("/agenda/add", &timed).holds("10:00 call Ann");
    let unclear = [("text", "tomorrow at 5 call Ann"), ("about", "")];
    assert_eq!(browser.form("/agenda/add", &unclear).status, 400);
}
