//! The conversation on the owner's page: messages, commands and notices.

use testkit::{TestHome, Words};

use crate::dream::said;
use crate::dream_review::SAID;
use crate::page::{Browser, between};

#[test]
fn chat_page_answers_streams_and_sends_changed_message_instead() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let said = |text: &str| browser.act("/chat/main/say", &[("text", text)]);
    let page = said("My bike is red.\r\nIt is **fast**.");
    page.holds("My bike is red.<br>It is <strong>fast</strong>.");
    page.holds("class=\"reply\"");
    // The reply arrives as events that the script of the page reads.
    let events = browser.events("/chat/main/say", "when may meetings be");
    events.holds("event: words");
    events.holds("Never schedule meetings before 10 am.");
    assert!(
        events.trim_end().ends_with("event: done\ndata: \"\""),
        "{events}"
    );
    let page = browser.page("/chat");
    page.holds("when may meetings be");
    // Another message in place of the last one: the branch is left, and the rest stays.
    let after = page.rsplit("name=\"after\" value=\"").next().unwrap();
    let after = after.split('"').next().unwrap();
    let instead = [("text", "My bike is blue."), ("after", after)];
    let page = browser.act("/chat/main/say", &instead);
    page.holds("My bike is blue.");
    page.holds("My bike is red.");
    assert!(!page.contains("when may meetings be</p>"), "{page}");
}

#[test]
fn chat_page_carries_out_commands_and_names_unknown_ones() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    browser
        .act("/chat/main/say", &[("text", "/title Calendar <b>")])
        .holds("<h1>Calendar &lt;b&gt;</h1>");
    let led = |text: &str| {
        let answer = browser
            .form("/chat/main/say", &[("text", text)])
            .with_status(303);
        answer.header("location").unwrap().to_owned()
    };
    assert_eq!(led("/memory tea"), "/memory/search?q=tea");
    assert_eq!(led("/dream"), "/review");
    let unknown = browser.form("/chat/main/say", &[("text", "/frobnicate")]);
    assert_eq!(unknown.status, 400);
    unknown
        .body
        .holds("There is no command /frobnicate on this page");
    let forged = [("csrf", "0000"), ("text", "hello")];
    assert_eq!(browser.send("POST", "/chat/main/say", &forged).status, 403);
    assert_eq!(
        browser
            .form("/chat/..%2Fx/say", &[("text", "hello")])
            .status,
        404
    );
}

#[test]
fn isolated_conversation_on_page_rejects_commands_on_memory() {
    let home = TestHome::init();
    home.ok("chat --isolated -s guests -m Hello");
    let browser = Browser::open(&home);
    let before = home.memory();
    for text in [
        "/remember I live in Graz",
        "/forget Graz",
        "/undo",
        "/about",
        "/correct Graz",
    ] {
        let answer = browser.form("/chat/guests/say", &[("text", text)]);
        let command = text.split(' ').next().unwrap();
        answer
            .body
            .holds(&format!("`{command}` does not work here: others may talk"));
        assert_eq!(home.memory(), before, "{text}");
    }
    browser.act("/chat/main/say", &[("text", "/remember I live in Graz")]);
    home.memory().holds("- I live in Graz");
}

#[test]
fn notice_of_message_is_shown_once_without_scripts() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let told = |page: &str| between(page, "<div id=\"told\"", "</div>").to_owned();
    let page = browser.act("/chat/main/say", &[("text", "Remember that I drink tea.")]);
    told(&page).holds("tea");
    assert!(!told(&browser.page("/chat")).contains("tea"));
}

#[test]
fn unanswerable_message_stays_in_its_field() {
    let home = said(SAID);
    let browser = Browser::open(&home);
    let wrong = [("text", "Is it <b>late</b>?"), ("after", "nowhere")];
    let answer = browser.form("/chat/main/say", &wrong);
    assert!(answer.status >= 400, "{answer:?}");
    answer.body.holds("class=\"note bad\"");
    answer
        .body
        .holds("\nIs it &lt;b&gt;late&lt;/b&gt;?</textarea>");
}
