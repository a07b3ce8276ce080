//! Measures how many secrets of a set are found, and how many of its lookalikes are mistaken for secrets.
//!
//! The set was written by hand, in ten languages, with forms of tokens, output of tools, and JSON.

use super::*;

/// A random suffix, generated here so that secret scanners do not report this file.
fn random(prefix: &str, length: usize) -> String {
    let random = "q7Zp2Kx9Lm4Tw8Rv3Ny6".repeat(8);
    format!("{prefix}{random:.length$}")
}

/// Texts whose secret is enclosed in `{{` and `}}`.
const SECRETS: &[&str] = &[
    // Prose.
    "My password for the library is {{Heron!Lake5}}.",
    "the wifi password: {{moss-river-lamp}}",
    "The NAS password is now {{Quartz#18x}}, by the way",
    "pw {{Kestrel.84}}",
    "my laptop pass is {{tr0mbone9}}",
    "pass: \"{{violet-anchor}}\"",
    "PIN {{4471}}",
    "my card's pin is {{7730}}",
    "the gate code is {{5518#}}",
    "Das Passwort vom Router lautet {{Ahorn!2231}}",
    "Kennwort: {{drei-rote-kähne}}",
    "Mein PIN ist {{9034}}",
    "La contraseña del banco es {{Girasol.77x}}",
    "contraseña: {{tres-nubes-lentas}}",
    "mon mot de passe est {{Citron!verte4}}",
    "mdp: {{lavande_62}}",
    "La password del wifi è {{Fragola_93}}",
    "senha do roteador: {{Jacaranda8}}",
    "het wachtwoord is {{Tulp!veld3}}",
    "A jelszavam {{Cseresznye!8}}",
    "hasło do wifi to {{Malina_44}}",
    "Şifrem: {{Karpuz_31}}",
    "пароль от вайфая {{Ромашка2020}}",
    "Пароль от роутера Keenetic {{berezka77}}",
    "пароль: {{черника-9}}",
    "мой пароль {{Medved!34}}",
    "пароль от домофона {{48215}}",
    "пароль для почты это {{Sirin_41x}}",
    "パスワードは{{sakura-77x}}です",
    "パスワード：{{mori!Kaze9}}",
    "暗証番号は{{6204}}です",
    "密码是{{bambu#221}}",
    "비밀번호는 {{gureum77!}}",
    "كلمة السر هي {{Zaytoun-58}}",
    // Output of tools and files.
    "export SECRET_KEY=\\\"{{kj3-zz91-hq77-plm}}\\\"",
    "Set-Cookie: sessionid={{k3j9x8q2m4n7z1w5}}; Path=/; HttpOnly",
    "Cookie: lang=de; connect.sid={{s3A91kq72mzLw}}; theme=dark",
    "DB_PASSWORD={{s3cr3t-value}}",
    "postgres://anna:{{hunter2x}}@db.example.org/prod",
    "curl -u anna:{{pa55word}} https://example.org",
    "mysql -h db --password={{Tarn_Lake9}} prod",
    "machine example.org login anna password {{Weir-Gate7}}",
    "Authorization: Basic {{YW5uYTpodW50ZXIy}}",
    "https://example.org/cb?access_token={{a8f3k2j9d7s6}}",
    "| site | password |\n|---|---|\n| bank | {{Plum!Stone6}} |",
    // JSON, as tools print it.
    r#"{"contrase\u00f1a": "{{perro!azul7}}"}"#,
    r#"{"out": "la contrase\u00f1a es {{Nube_Gris4}}"}"#,
    r#"{"out": "{\"password\": \"{{Opal-Fern8}}\"}"}"#,
    r#"{"log": "SECRET_KEY=\"{{jj3-zz91-hq77-plm}}\"\nPORT=1"}"#,
    r#"{"text": "\u30d1\u30b9\u30ef\u30fc\u30c9\u306f{{sakura-88x}}\u3067\u3059"}"#,
    r#"{"text": "\u5bc6\u7801: {{bambu#733}}"}"#,
    r#"{"text": "\u043f\u0430\u0440\u043e\u043b\u044c: {{ryabina_9x}}"}"#,
    r#"{"a": "{\\\"passwd\\\": \\\"{{Onyx.Gale77}}\\\"}"}"#,
    r#"{"text": "Das Passwort f\u00fcr den Drucker ist {{Zwetschke!7}}\nund fertig"}"#,
];

/// The texts, and sentences with known token formats.
fn secrets() -> Vec<String> {
    let hex = "9f3a7c1e5b2d8046".repeat(4);
    let tokens = [
        random("sk-ant-", 40),
        random("sk-proj-", 40),
        random("ghp_", 36),
        random("glpat-", 20),
        random("xoxb-", 24),
        random("AIza", 35),
        random("sk_live_", 24),
        random("hf_", 34),
        random("npm_", 36),
        random("gsk_", 40),
        "AKIAQ7ZP2KX9LM4TW8RV".to_owned(),
        [random("eyJ", 12), random("eyJ", 30), random("", 30)].join("."),
        format!("0x{hex}"),
        "4111 1111 1111 1111".to_owned(),
        "DE89 3704 0044 0532 0130 00".to_owned(),
    ];
    let own = SECRETS.iter().map(|it| (*it).to_owned());
    let tokens = tokens
        .into_iter()
        .map(|it| format!("use {{{{{it}}}}} here"));
    own.chain(tokens).collect()
}

const LOOKALIKES: &[&str] = &[
    // Versions, sums and numbers of things.
    "Tests pass, committed as 9d41e7c.",
    "All 7 tests pass; pushed as 4be1f02.",
    "The tests pass, the commit is 9d41e7c",
    "They pass now, see 88ad1c3e9f",
    "I reset the password form in commit 3fa9c2d1",
    "password reset fixed by a1b2c3d",
    "git show 9d41e7c2a8b35f60c1d2e3f4a5b6c7d8e9f0a1b2",
    "sha256:9f3a7c1e5b2d80469f3a7c1e5b2d80469f3a7c1e5b2d80469f3a7c1e5b2d8046",
    "golang.org/x/net v0.17.0 h1:pVaXccu2ozPjCXewfr1S7xza/zcXTity9cCdXQYSjIM=",
    "github.com/a/b v1.2.3/go.mod h1:4cJr1J8S0hQ9m0r7qkV2Xw5Zt6Ly3Nb8Pd1Fg2Hs7Ka=",
    "\"integrity\": \"sha512-pVaXccu2ozPjCXewfr1S7xzapVaXccu2ozPjCXewfr1S7xza==\"",
    "My order 302-1234567-8912345 has shipped.",
    "order number 4471-8823-19",
    "Bestellung Nr. 88123-77 kommt morgen.",
    "Invoice INV-2026-00417 is due on Friday.",
    "The paper is doi:10.1145/3372297.3417283.",
    "https://doi.org/10.1038/s41586-021-03819-2",
    "ISBN 978-3-16-148410-0",
    "IMEI 490154203237518",
    "The tracking number is 1Z999AA10123456784.",
    "Ticket ABC-1234 blocks the release.",
    "RFC 7519 says so.",
    "My train is ICE 1138 to Graz.",
    "Flight OS 872 leaves at 10:15.",
    "The licence plate is W-12345X.",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "build 20261129.3 failed",
    "Use rustc 1.94.0-nightly.",
    "The part is LM317T, three amps.",
    "resistor 4k7, capacitor 100n",
    // Pins, codes and keys that do not give access to anything.
    "board pin 1138 is ground",
    "pin 13 is the LED",
    "GPIO pin 4 drives the relay.",
    "Pin 5 and pin 6 are swapped.",
    "The exit code is 127.",
    "HTTP code 404 again",
    "The postal code is 8010.",
    "Area code 0316 is Graz.",
    "error code 0x80070057",
    "The dress code is casual.",
    "country code +43",
    "the code for the function is in main.rs",
    "The key signature is D minor.",
    "primary key user_id, foreign key order_id",
    "Press the F5 key.",
    "The key idea is simple.",
    "The access key is missing.",
    // Sentences about passwords.
    "My password is too short.",
    "I forgot my password again.",
    "The password must have 12 characters.",
    "The password policy is strict here.",
    "Do you know a good password manager?",
    "I changed the password yesterday.",
    "Where is the password stored?",
    "password: required",
    "The password is the same as before.",
    "The password field is called user_password2.",
    "hash the password with argon2id first",
    "The wifi password is on the fridge.",
    "Please never store my password.",
    "The secret of the sauce is smoked salt.",
    "It is a secret garden.",
    "The token limit is 128000.",
    "Each token costs 0.003 cents.",
    "max_tokens=4096",
    "tokens: 1,024 of 8,192",
    "The bearer of this letter is my aunt.",
    "Basic training starts at 9:30.",
    "I will pass the exam in June.",
    "Pass the salt, please.",
    "The mountain pass is closed until May.",
    "My bus pass is valid until 2027-03-01.",
    "He passed out at 10.",
    "login takes 300 ms",
    "The login page is /login/v2.",
    "user anna, group staff",
    "cookie recipe: 200g flour; 100g butter",
    "Set-Cookie: lang=de-AT; Path=/",
    // Other languages.
    "Das Passwort ist zu kurz.",
    "Ich habe mein Passwort vergessen.",
    "Der Code ist auf GitHub.",
    "Die Postleitzahl ist 1070.",
    "Die Rechnung 2026-4471 ist bezahlt.",
    "Der Schlüssel liegt unter der Matte.",
    "La contraseña es demasiado corta.",
    "He olvidado la contraseña.",
    "La clave del éxito es dormir.",
    "El código postal es 28013.",
    "mot de passe oublié",
    "Le mot de passe est trop court.",
    "Le code postal est 69003.",
    "La password è scaduta.",
    "Ho la parola d'onore di Anna.",
    "esqueci a senha",
    "Het wachtwoord is verlopen.",
    "Elfelejtettem a jelszavam.",
    "A tesztek átmentek, a commit 9d41e7c.",
    "Zapomniałem hasła.",
    "Şifremi unuttum.",
    "забыл пароль от вайфая",
    "Пароль слишком короткий.",
    "смени пароль до 2026-12-01",
    "пароль от почты надо сменить",
    "Пароль от роутера я поменял вчера.",
    "パスワードを忘れた",
    "パスワードは12文字以上です",
    "郵便番号は604-8571です",
    "密码太短了",
    "我忘了密码",
    "비밀번호를 잊어버렸어요",
    "نسيت كلمة السر",
    // Code and JSON.
    "const password = await prompt('Password:');",
    "password = os.environ[\"DB_PASSWORD\"]",
    "fn check(password: &str, salt: u64) -> bool {",
    "\"required\": [\"username\", \"password\"]",
    "{\"password\": {\"type\": \"string\", \"minLength\": 8}}",
    r#"{"text": "\u00fcber 9d41e7c und \"mehr\""}"#,
    r#"{"path": "C:\\Users\\anna\\new", "n": 4471}"#,
    r#"{"name": "Jos\u00e9", "city": "M\u00fcnchen", "zip": "80331"}"#,
    r#"{"note": "la contrase\u00f1a es demasiado corta"}"#,
    r#"{"id": "msg_01XFDUDYJgAACzvnptvVoYEL", "model": "claude-3-5-sonnet-20241022"}"#,
    "auth: bool = False",
    "token = tokenizer.next_token()",
    "let key = map.keys().next();",
    "api_key=$API_KEY",
    "--- a/src/auth.rs\n+++ b/src/auth.rs",
    "SELECT password_hash FROM users WHERE id = 4471;",
];

/// The marked texts that still contain a secret after redaction.
pub(super) fn leaked<'t>(marked: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let is_leaked = |marked: &&str| {
        let mut pieces = marked.split("{{");
        let mut plain = pieces.next().unwrap().to_owned();
        let mut secrets = Vec::new();
        for piece in pieces {
            let (secret, behind) = piece.split_once("}}").unwrap();
            plain.extend([secret, behind]);
            secrets.push(secret);
        }
        let redacted = redact(&plain);
        secrets.iter().any(|secret| redacted.contains(secret))
    };
    marked.filter(is_leaked).collect()
}

/// The texts in which something is redacted, each with its redacted form.
pub(super) fn taken(texts: &[&str]) -> Vec<String> {
    let is_taken = |text: &&&str| matches!(redact(text), Cow::Owned(_));
    let taken = texts.iter().filter(is_taken);
    taken
        .map(|text| format!("{text} -> {}", redact(text)))
        .collect()
}

#[test]
fn i14_measured_set_leaks_no_secret_and_redacts_few_lookalikes() {
    let secrets = secrets();
    assert!(
        secrets.len() >= 60 && LOOKALIKES.len() >= 120,
        "{} {}",
        secrets.len(),
        LOOKALIKES.len()
    );
    let leaked = leaked(secrets.iter().map(String::as_str));
    let taken = taken(LOOKALIKES);
    let told = format!(
        "leaked:\n{}\ntaken:\n{}",
        leaked.join("\n"),
        taken.join("\n")
    );
    // Some errors are unavoidable: `password: required` reads like `password: marigold`.
    let is_rare = taken.len() * 100 <= LOOKALIKES.len();
    assert!(leaked.is_empty() && is_rare, "{told}");
}
