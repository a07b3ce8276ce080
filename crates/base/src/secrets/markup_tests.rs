//! Secrets in markup, settings, addresses and commands. The characters around them must not hide them.

use super::redact;

/// Texts whose secrets are enclosed in `<<` and `>>`.
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
    "{ password: \"<<maplewood>>\", email: \"of the family\" }",
    "password: <<maplewood>>, user: annabel",
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
    "| bank | password |\n|---|---|\n| a | <<ab\"c1>> |\n| b | <<maplewood>> |",
    "| site | password | note |\n|:-:|-|:-:|\n| a | <<maplewood>> |\n| b | <<oakwood>> | x\n| c | <<hunter2 | x>> | y |\n| d|<<e | oakwood>> | z |",
    "| site | password |\n|-|-|\n| a | <<ab|c1>> |\n| b | <<ab\\|c1>> |\nc | <<maplewood>>",
    "> | site | password |\n> |---|---|\n> | a | <<maplewood>> |",
    " user | password\n------+-----------\n anna | <<maplewood>>\n(1 row)",
    "+------+----------+\n| user | password |\n+------+----------+\n| anna | <<maplewood>> |\n+------+----------+",
    "| card | Pin |\n|---|---|\n| Visa | <<4821>> |",
    "user,password,note\nanna,<<ab\"c1>>,x\nbert,<<hunter2>>\ncarl,<<maplewood>>,y",
    "password,site\n<<kestrel77>>,bank",
    "\"password\":\n  \"<<hunter2>>\"",
    r#"{"password":"<<hunter2>>","user":"annabel","id":"room204"}"#,
    "Password: <<maplewood>>, room204, upstairs",
    "Server=x;password=<<maplewood>>;user=anna",
    "user anna, password, <<kestrel77>>",
    "os.environ[\"DB_PASSWORD\"] = \"<<maplewood>>\"",
    "settings.set(\"password\", \"<<maplewood>>\");",
    "postgres://anna:<<it's4me>>@db.example/prod",
    "amqp://guest:<<12'34ab>>@mq.example:5672",
    "postgres://anna:<<p<w>d4>>@db.example/prod",
];

/// Texts without a secret.
const LOOKALIKES: &[&str] = &[
    "| rule | password |\n| for | everybody |",
    "bread, password, keys\nmilk, rice, eggs",
    "OLD_PWD=/home/anna",
    "docker run -p 8080:80 nginx",
    "BYPASS: true",
    "https://example.org/?page=2&key=name",
    "https://example.org:8080/a?user=x@y",
    "if \"password\" in form: check(form)",
    // Lists of names, one per line.
    "{\n  username,\n  password,\n  email,\n  createdAt,\n}",
    "\"required\": [\n  \"username\",\n  \"password\",\n  \"createdAt\"\n]",
    "{\n  password,\n  address2,\n}",
    "[\"username\", \"password\", \"email\", \"address2\"]",
    "fields: username, password, createdAt",
    "import {login,password,token} from 'x'\nimport {alpha,betagamma,delta} from 'y'",
    "struct Login {\n    user: String,\n    password: String,\n    hash: SecretString,\n}",
    "struct Login {\n    password: SecretString,\n}",
    "interface Login {\n  user: string\n  password: string\n}",
    "Client(host=host, password=password, timeout=3)",
    "Client(\n    host=host,\n    password=password,\n)",
    "{\"password\": {\"type\": \"string\", \"minLength\": 12}}",
    "PASSWORD: ${{ secrets.PASSWORD2 }}",
    "Pin: 180 \u{b0}C for the oven",
    "connect(\n    pin,\n    timeout,\n)",
    "create table users (\n\tname\tvarchar(80),\n\tpassword\tvarchar(255),\n\taddress_line2\tvarchar(80)\n)",
    "1,password,string\n2,created,date",
    "password,string,required\ncreatedAt,date,optional",
    "number,name,kind\n1,password,string\n2,address_line2,string",
    // Words with other meanings.
    "| Pin | Signal |\n|---|---|\n| GPIO17 | SDA |",
    "| PIN | NAME |\n|---|---|\n| GPIO17 | SDA |\n| MOSI | SPI |",
    "| Pass | Height |\n|---|---|\n| Stelvio | 2757 m |",
    "| Test | Pass |\n|---|---|\n| load | 1204 |\n| unit | 100% |",
    "| Clave | Valor |\n|---|---|\n| color | verde |",
    "{\n  \"pass\": true,\n  \"fail\": false\n}",
    "{\"password\": password, \"otp\": otp2}",
    "\"password\" => Field::Password,\n\"address2\" => Field::Address2,",
    "pin: GPIO17\nmode: output",
    "pass: true\nfail: false",
    "pass: everything",
    "pass: 1204",
    "pass: 100%",
    // Settings without a value.
    "DB_PASS=\nDB_HOST=localhost",
    "API_TOKEN=\nDB_HOST=localhost",
    "PASSWORD=\nPORT=5432",
    "DB_PASSWORD:\n  \"description\": x",
    "{\"url\":\"http://localhost:8080\",\"owner\":\"anna@example.org\"}",
    "see http://localhost:8080<br>anna@example.org",
    "<a href='http://localhost:8080'>anna@example.org</a>",
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
fn i14_marked_up_secrets_are_redacted() {
    check(SECRETS);
}

#[test]
fn lookalikes_in_settings_and_tables_are_kept() {
    check(LOOKALIKES);
}
