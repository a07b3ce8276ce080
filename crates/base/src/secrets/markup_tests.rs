//! Secrets in markup, settings, addresses and commands: marks around them hide nothing.

use super::redact;

/// Texts with their secrets between `<<` and `>>`.
const SECRETS: &[&str] = &[
    "my password is **<<hunter2>>**",
    "my password is `<<hunter2>>`",
    "**Password:** <<maplewood>>",
    "__PIN__: <<4821>>",
    "password – <<kestrel77>>",
    "The password is:\n```\n<<maplewood>>\n```",
    "<b>password</b>: <<hunter2>>",
    "<p>My password is <code><<hunter2>></code></p>",
    "| mail | password |\n|---|---|\n| anna@example.org | <<hunter2>> |",
    "| site | password | user |\n| --- | :-: | --- |\n| a | `<<hunter2>>` | x |\n| b | <<maple wood>> | y |\n\nend",
    "name,url,username,password\na,https://a.example,anna,<<hunter2>>\nb,https://b.example,\"x,y\",<<maplewood>>\n",
    "site\tPIN\nbank\t<<4821>>",
    r#"{"user":"anna","password":"<<hunter2>>"}"#,
    r#"{\"user\":\"anna\",\"password\":\"<<hunter2>>\"}"#,
    r#"{\"password\": \"<<maplewood>>\"}"#,
    r#"{\\"password\\": \\"<<hunter2>>\\"}"#,
    r#"{"pass": "<<hunter2>>"}"#,
    r#"{"pin": <<4821>>}"#,
    "https://anna:<<hunter2>>@example.org/x",
    "ftp://anna:<<h@nter2>>@example.org",
    "https://<<ghtoken12345>>@github.example/a/b",
    "https://example.org/?token=<<abcDEF123456>>&x=1",
    "https://example.org/login?user=anna&password=<<hunter2>>&x=1",
    "export DB_PASS=<<hunter2>>",
    "DB_PASSWORD='<<two words here>>'",
    "MYSQL_PWD=<<hunter2>>",
    "SMTP_PASS: <<hunter2>>",
    "curl -u anna:<<hunter2>> https://example.org",
    "curl -H \"Authorization: Bearer <<abcdefghij>>\" x",
    "sshpass -p <<hunter2>> ssh a@b",
    "docker login -u anna -p <<hunter2>> registry.example",
    "redis-cli -h x -a <<hunter2>>",
    "zip -r -P <<hunter2>> a.zip b",
];

/// Texts that hold no secret.
const LOOKALIKES: &[&str] = &[
    "| rule | password |\n| for | everybody |",
    "bread, password, keys\nmilk, rice, eggs",
    "OLD_PWD=/home/anna",
    "docker run -p 8080:80 nginx",
    "BYPASS: true",
    "https://example.org/?page=2&key=name",
    "https://example.org:8080/a?user=x@y",
    "if \"password\" in form: check(form)",
];

fn check(marked: &[&str]) {
    let wrong = marked.iter().filter_map(|marked| {
        let parts: Vec<&str> = marked.split("<<").collect();
        let (first, rest) = parts.split_first()?;
        let mut expected = (*first).to_owned();
        for part in rest {
            let (_, behind) = part.split_once(">>")?;
            expected += "[REDACTED]";
            expected += behind;
        }
        let text = marked.replace("<<", "").replace(">>", "");
        let shown = redact(&text);
        let mut plain = shown.split("[REDACTED:");
        let mut shown = plain.next()?.to_owned();
        for part in plain {
            shown += "[REDACTED]";
            shown += part.split_once(']')?.1;
        }
        (shown != expected).then(|| format!("{text}\n  -> {shown}"))
    });
    assert_eq!(wrong.collect::<Vec<String>>(), [""; 0]);
}

#[test]
fn i14_marks_around_a_secret_hide_nothing() {
    check(SECRETS);
}

#[test]
fn what_looks_like_a_setting_or_a_table_stays() {
    check(LOOKALIKES);
}
