//! Reminders: made by command or by hand, told once by a chat, and ended.
//!
//! Compares what the program prints and the page.

use serde_json::json;
use testkit::{ChatServer, HttpService, ServerAnswer, TestHome, Words};

use crate::chat_with_model::{calls, home as home_of, reply, server};
use crate::hook::given;
use crate::page::Browser;
use crate::serving::Service;

const PAGE: &str = "workspace/PROMISES.md";

#[test]
fn reminder_is_added_listed_moved_and_ended() {
    let home = TestHome::init();
    let added = home.ok(&[
        "agenda", "add", "tomorrow", "at", "9:30", "call", "the", "plumber",
    ]);
    added.stdout.holds(" 09:30: call the plumber ^");
    home.read(PAGE).holds(" 09:30 call the plumber ^");
    let agenda: serde_json::Value = serde_json::from_str(&home.ok("agenda --json").stdout).unwrap();
    let own = &agenda["promises"][0];
    assert_eq!(own["text"], "call the plumber");
    assert_eq!(own["status"], "open");
    let id = own["id"].as_str().unwrap();
    let moved = home.ok(&["agenda", "snooze", id, "tomorrow at 18:00"]);
    moved.stdout.holds(" 18:00: call the plumber ^");
    let undo = format!("`openclaw agenda undo {id}` reverts this");
    moved.stdout.holds(&undo);
    home.ok(&["agenda", "undo", id])
        .stdout
        .holds(" 09:30: call the plumber ^");
    let again = ["agenda", "add", "tomorrow at 9:30 call the plumber"];
    home.ok(&again)
        .stdout
        .holds("nothing changed, since it was so already: ");
    home.ok(&["agenda", "done", id])
        .stdout
        .holds("done: call the plumber");
    home.read(PAGE).holds("- [x] ");
    home.ok(&["agenda", "done", id])
        .stdout
        .holds("nothing changed, since it was so already: done");
    home.ok(&["agenda", "undo", id]);
    home.read(PAGE).lacks("- [x] ");
    let dropped = home.ok(&["agenda", "drop", id]);
    dropped.stdout.holds("dropped: call the plumber");
    dropped.stdout.holds(&undo);
    home.read(PAGE).lacks("plumber");
    home.ok(&["agenda", "undo", id]);
    home.read(PAGE).holds(" 09:30 call the plumber ^");
    home.ok(&["agenda", "drop", id]);
    let gone = home.run(&["agenda", "drop", id]);
    assert_eq!(gone.code, Some(1));
    gone.stderr.holds("no reminder matches");
}

#[test]
fn reminder_is_ended_by_its_words_and_its_id_is_checked_before_the_time() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "2099-05-01 09:00 call the plumber"]);
    home.ok("agenda")
        .stdout
        .holds("`openclaw agenda --days 36500`");
    let unknown = home.run(&["agenda", "snooze", "ffff", "never"]);
    unknown.stderr.holds("no reminder matches");
    home.ok(&["agenda", "snooze", "the plumber", "2099-05-02 09:00"]);
    home.ok("agenda done call the plumber")
        .stdout
        .holds("done: call the plumber");
    home.run("agenda done call the plumber")
        .stderr
        .holds("no reminder matches");
}

#[test]
fn past_promise_that_was_ended_is_restored() {
    let home = TestHome::init();
    home.write(PAGE, DUE);
    home.ok("chat -m Hello").stderr.holds("water the plants");
    let page = home.read(PAGE);
    let agenda: serde_json::Value = serde_json::from_str(&home.ok("agenda --json").stdout).unwrap();
    let id = agenda["promises"][0]["id"].as_str().unwrap();
    for end in ["done", "drop"] {
        home.ok(&["agenda", end, id]);
        assert_ne!(home.read(PAGE), page);
        home.ok(&["agenda", "undo", id]);
        home.read(PAGE)
            .holds("- 2026-01-05 09:00 water the plants ^");
        home.read(PAGE).lacks("[x]");
    }
    home.ok("chat -m Hello").stderr.lacks("Reminder");
}

#[test]
fn unclear_time_suggests_possible_times_and_writes_nothing() {
    let home = TestHome::init();
    for (text, why) in [
        (
            "tomorrow at 5 call Ana",
            "5:00 may be in the morning or in the afternoon",
        ),
        ("call Ana", "it does not name a day or a time of day"),
        ("yesterday at 9 call Ana", "that time has passed"),
        ("2026-02-30 10:00 call Ana", "there is no 2026-02-30"),
        ("2026-13-01 10:00 call Ana", "there is no 2026-13-01"),
    ] {
        let asked = home.run(&["agenda", "add", text]);
        assert_eq!(asked.code, Some(1), "{text}");
        asked.stderr.holds(why);
        asked.stderr.holds("agenda add '");
    }
    let asked = home.run(&["agenda", "add", "tomorrow at 5 call Ana"]);
    asked
        .stderr
        .replace('\n', " ")
        .holds(" 17:00 call Ana'` names one");
    for text in ["in 1.5 hours bake", "at 25:00 bake", "bake"] {
        let asked = home.run(&["agenda", "add", text]).stderr.replace('\n', " ");
        asked.holds("`openclaw agenda add 'YYYY-MM-DD HH:MM bake'` names one");
    }
    for (text, placeholder) in [
        ("2100-12-08 HH:MM bake", "HH:MM"),
        ("YYYY-MM-DD 09:00 bake", "YYYY-MM-DD"),
    ] {
        let left = home.run(&["agenda", "add", text]).with_code(1);
        left.stderr
            .holds(&format!("{placeholder} stands for a value"));
    }
    assert!(!home.path().join(PAGE).exists());
}

#[test]
fn due_reminder_is_told_once_by_next_chat() {
    let home = TestHome::init();
    home.write(
        PAGE,
        "- 2026-01-05 09:00 water the plants\n- someday call Bea\n",
    );
    home.run("doctor")
        .stdout
        .holds("this reminder cannot be read");
    let told = home.ok("chat -m Hello");
    told.stderr
        .holds("Reminder (2026-01-05 09:00): water the plants");
    for arguments in ["chat -m Hello", "chat -s other -m Hello"] {
        home.ok(arguments).stderr.lacks("Reminder");
    }
    home.ok("agenda").stdout.holds(", told");
    home.read(PAGE).holds("- someday call Bea\n");
}

#[test]
fn offline_chat_keeps_reminder_or_asks_for_its_time() {
    let home = TestHome::init();
    let kept = home.ok(&[
        "chat",
        "-m",
        "Remind me tomorrow at 9:30 to call the plumber.",
    ]);
    kept.stderr.holds(" 09:30: call the plumber");
    kept.stderr.holds("`openclaw agenda undo ");
    kept.stdout.holds("I will remind you");
    home.read(PAGE).holds(" 09:30 call the plumber ^");
    let agenda = home.ok("agenda").stdout;
    assert_eq!(agenda.matches("plumber").count(), 1, "{agenda}");
    let ahead = home.ok(&["chat", "-m", "What is coming up?"]).stdout;
    assert_eq!(ahead.matches("plumber").count(), 1, "{ahead}");
    let asked = home.ok(&["chat", "-m", "Remind me tomorrow at 5 to call Ana."]);
    asked
        .stderr
        .replace('\n', " ")
        .holds("5:00 may be in the morning or in the afternoon");
    home.read(PAGE).lacks("Ana");
    let empty = home.ok(&["chat", "-m", "Remind me tomorrow at 9:30"]);
    empty.stdout.holds("What shall I remind you of?");
    empty
        .stderr
        .replace('\n', " ")
        .holds(" 09:30 TEXT'` makes one");
}

#[test]
fn no_after_the_confirmation_takes_the_reminder_back_and_a_later_no_takes_back_nothing() {
    let home = TestHome::init();
    let said = |text: &str| home.ok(&["chat", "-m", text]);
    said("Remind me tomorrow at 9:30 to call the plumber.");
    let dropped = said("No, thanks");
    dropped.stdout.holds("I took it back");
    dropped.stderr.holds("Reminder dropped: call the plumber");
    home.read(PAGE).lacks("plumber");
    said("Erinnere mich morgen um 9:30 an den Klempner");
    said("My sister Ana lives in Graz.");
    said("Nein");
    home.read(PAGE).holds("Klempner ^");
}

#[test]
fn hook_passes_due_reminder_once_at_session_start() {
    let home = TestHome::init();
    home.write(PAGE, "- 2026-01-05 09:00 water the plants\n");
    let told = json!({ "session_id": "s1", "cwd": home.folder() });
    let start = given(&home, "SessionStart", &told);
    start.holds("Reminder (2026-01-05 09:00): water the plants");
    assert_eq!(given(&home, "SessionStart", &told), "");
    home.ok("chat -m Hello").stderr.lacks("Reminder");
}

/// A reminder that is due.
const DUE: &str = "- 2026-01-05 09:00 water the plants\n";

/// Whether the agenda lists the reminder as told.
fn is_told(home: &TestHome) -> bool {
    let agenda: serde_json::Value = serde_json::from_str(&home.ok("agenda --json").stdout).unwrap();
    agenda["promises"][0]["status"] == "told"
}

/// A way to talk to the program, and what it shows of that.
type Talk = fn(&TestHome) -> String;

/// The output of a chat with these arguments and this input.
fn chat(home: &TestHome, arguments: &str, input: &str) -> String {
    let run = home.run_with_input(arguments, input);
    assert_eq!(run.code, Some(0), "{run:?}");
    format!("{}{}", run.stdout, run.stderr)
}

/// The reply that a client of the OpenAI API gets.
fn completed(home: &TestHome, stream: &serde_json::Value) -> String {
    let service = HttpService::begin(home, &["--set", "dreaming.triggers=[]"]);
    let said = [json!({ "role": "user", "content": "Hello" })];
    let body = json!({ "model": "openclaw", "messages": said, "stream": stream });
    let answered = service.post("/v1/chat/completions", &body);
    answered.with_status(200).body
}

#[test]
fn due_reminder_is_shown_by_door_that_claims_it_and_not_again() {
    let doors: [(&str, Talk); 10] = [
        ("chat -m", |home| chat(home, "chat -m Hello", "")),
        ("chat -q -m", |home| chat(home, "-q chat -m Hello", "")),
        ("chat --json", |home| chat(home, "--json chat -m Hello", "")),
        ("pipe", |home| chat(home, "chat", "Hello\n")),
        ("quiet pipe", |home| chat(home, "-q chat", "Hello\n")),
        ("page without scripts", |home| {
            Browser::open(home).act("/chat/main/say", &[("text", "Hello")])
        }),
        ("page", |home| {
            Browser::open(home).events("/chat/main/say", "Hello")
        }),
        ("completions", |home| completed(home, &json!(false))),
        ("streamed completions", |home| completed(home, &json!(true))),
        ("responses", |home| {
            let service = HttpService::begin(home, &["--set", "dreaming.triggers=[]"]);
            let body = json!({ "model": "openclaw", "input": "Hello" });
            service.post_json("/v1/responses", &body).to_string()
        }),
    ];
    for (door, talk) in doors {
        let home = TestHome::init();
        home.write(PAGE, DUE);
        let shown = talk(&home);
        assert_eq!(
            shown.matches("water the plants").count(),
            1,
            "{door}: {shown}"
        );
        assert!(is_told(&home), "{door}");
        let again = home.ok("chat -m Hello");
        assert!(!again.stderr.contains("Reminder"), "{door}: {again:?}");
    }
}

#[test]
fn agenda_is_printed_as_calendar() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "every Monday at 10 water the plants"]);
    let calendar = home.ok("agenda --ics").stdout;
    assert!(calendar.starts_with("BEGIN:VCALENDAR\r\n"), "{calendar}");
    calendar.holds("SUMMARY:water the plants\r\n");
    calendar.holds("RRULE:FREQ=WEEKLY;BYDAY=MO\r\n");
    assert!(calendar.ends_with("END:VCALENDAR\r\n"), "{calendar}");
}

#[test]
fn reminder_is_separate_json_event() {
    let home = TestHome::init();
    home.write(PAGE, DUE);
    let events = home.ok("--json chat -m Hello").stdout;
    let own = events.lines().find(|it| it.contains("water the plants"));
    let own: serde_json::Value = serde_json::from_str(own.unwrap()).unwrap();
    assert_eq!(own["event"], "reminder");
    assert_eq!(own["due"], "2026-01-05 09:00");
    assert_eq!(own["text"], "water the plants");
    assert!(own["id"].is_string());
}

#[test]
fn door_that_cannot_show_reminder_leaves_it_due() {
    let model = server([
        reply("{}"),
        calls("c1", "open_door", &json!({})),
        reply("Hi."),
    ]);
    let home = home_of(&model.url("/v1"));
    home.write(PAGE, DUE);
    home.ok("chat --isolated -s guests --set model.provider=offline -m Hello");
    home.ok("chat --set sandbox.readOnly=true --set model.provider=offline -m Hello");
    let service = HttpService::begin(&home, &["--set", "dreaming.triggers=[]"]);
    let said = [json!({ "role": "user", "content": "Hello" })];
    let of_json = json!({
        "model": "openclaw:json", "messages": said, "response_format": { "type": "json_object" },
    });
    let tool = json!({ "type": "function", "function": { "name": "open_door", "parameters": {} } });
    let with_tool = json!({ "model": "openclaw:tool", "messages": said, "tools": [tool] });
    for body in [of_json, with_tool] {
        let shown = service.post("/v1/chat/completions", &body).with_status(200);
        shown.body.lacks("water the plants");
    }
    assert!(!is_told(&home));
    let plain = json!({ "model": "openclaw:plain", "messages": said });
    let shown = service
        .post("/v1/chat/completions", &plain)
        .with_status(200);
    shown
        .body
        .holds("Hi.\\n\\n> openclaw: Reminder (2026-01-05 09:00): water the plants");
}

#[test]
fn forgotten_reminder_is_not_told_listed_or_restored() {
    let home = TestHome::init();
    home.write(
        PAGE,
        "- 2026-01-05 09:00 call Zelda\n- 2026-01-06 09:00 call Ana\n",
    );
    let agenda: serde_json::Value = serde_json::from_str(&home.ok("agenda --json").stdout).unwrap();
    let id = agenda["promises"][0]["id"].as_str().unwrap();
    home.ok(&["agenda", "snooze", id, "tomorrow at 9"]);
    home.ok("memory forget Zelda --yes");
    home.ok("agenda").stdout.lacks("Zelda");
    home.ok("agenda --ics").stdout.lacks("Zelda");
    let told = home.ok("chat -m Hello").stderr;
    told.holds("call Ana");
    told.lacks("Zelda");
    let undone = home.run(&["agenda", "undo", id]);
    assert_eq!(undone.code, Some(1), "{undone:?}");
    home.read(PAGE).lacks("Zelda");
    home.ok("agenda").stdout.lacks("Zelda");
}

#[test]
fn reminder_goes_with_the_session_that_asked_for_it() {
    let home = TestHome::init();
    let ask = |session: &str, name: &str| {
        let text = format!("Remind me tomorrow at 9:30 to call {name}.");
        home.ok(&["chat", "-s", session, "-m", &text]);
    };
    ask("scratch", "Zelda");
    ask("main", "Ana");
    let plan = home.ok("session delete scratch").stdout;
    plan.holds("Zelda");
    plan.lacks("Ana");
    home.ok("session delete scratch --notes --yes");
    let agenda = home.ok("agenda").stdout;
    agenda.lacks("Zelda");
    agenda.holds("call Ana");
    for (path, bytes) in home.all_files() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("Zelda"), "{path:?}");
    }
}

#[test]
fn service_shows_due_reminder_through_program_once_and_doctor_says_why_it_failed() {
    let home = TestHome::init();
    home.write(PAGE, DUE);
    home.write("config.yaml", "promises: {notify: [no-such-program]}\n");
    let mut service = Service::begin(&home, "");
    service.until("a reminder was not shown and will be tried again: `no-such-program`");
    service.end("-TERM");
    let doctor = home.run("doctor").stdout;
    doctor
        .replace('\n', " ")
        .holds("the last reminder could not be shown");
    // The path may be the secret of the address.
    doctor.lacks("to=me");
    assert!(!is_told(&home));
    let shown = home.path().join("shown");
    let script = format!("printf '%s\\n' \"$1\" >> '{}'", shown.display());
    home.write(
        "config.yaml",
        json!({ "promises": { "notify": ["sh", "-c", script, "sh", "{text}"] } }).to_string(),
    );
    let mut service = Service::begin(&home, "");
    service.until("Reminder (2026-01-05 09:00): water the plants");
    service.end("-TERM");
    assert_eq!(home.read("shown"), "water the plants\n");
    home.ok("chat -m Hello").stderr.lacks("Reminder");
    home.run("doctor").stdout.lacks("could not be shown");
}

#[test]
fn reminder_is_posted_to_the_webhook_once_and_again_after_a_failure() {
    let server = ChatServer::start([ServerAnswer::json(500, "{}"), ServerAnswer::json(200, "{}")]);
    let home = TestHome::init();
    home.write(PAGE, DUE);
    let settings = json!({ "promises": { "webhook": server.url("/hook?to=me") } });
    home.write("config.yaml", settings.to_string());
    let mut service = Service::begin(&home, "");
    service.until("a reminder was not shown and will be tried again:");
    service.end("-TERM");
    let doctor = home.run("doctor").stdout;
    doctor
        .replace('\n', " ")
        .holds("the last reminder could not be shown");
    assert!(!is_told(&home));
    let mut service = Service::begin(&home, "");
    service.until("Reminder (2026-01-05 09:00): water the plants");
    service.end("-TERM");
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].line.starts_with("POST /hook?to=me"));
    assert_eq!(asked[1].body["text"], "water the plants");
    assert_eq!(asked[1].body["due"], "2026-01-05 09:00");
    home.ok("chat -m Hello").stderr.lacks("Reminder");
    home.run("doctor").stdout.lacks("could not be shown");
}

#[test]
fn calendar_feed_has_a_token_of_its_own_that_can_be_revoked() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "every Monday at 10 water the plants"]);
    let address = home.ok("agenda --feed").stdout;
    assert_eq!(home.ok("agenda --feed").stdout, address);
    let path = address
        .trim()
        .strip_prefix("http://127.0.0.1:18789")
        .unwrap();
    let service = HttpService::begin(&home, &["--set", "dreaming.triggers=[]"]);
    let get = |path: &str| service.ask(&format!("GET {path}"), &[], "");
    let feed = get(path).with_status(200);
    feed.body.holds("SUMMARY:water the plants\r\n");
    get("/agenda.ics").with_status(401);
    get("/agenda.ics?token=0000000000000000").with_status(401);
    let (_, token) = path.split_once("token=").unwrap();
    let bearer = format!("authorization: Bearer {token}");
    service
        .ask("GET /api/memory/agenda", &[&bearer], "")
        .with_status(401);
    home.ok("agenda --revoke-feed");
    get(path).with_status(401);
    assert_ne!(home.ok("agenda --feed").stdout, address);
}
