//! Sentences that mention secrets in passing, in many languages: secrets are redacted, and lookalikes are kept.

use super::redact;

/// Sentences whose secrets are enclosed in `{` and `}`.
const SECRETS: &[&str] = &[
    // English
    "btw the netflix password changed, it's {Pelican!82x} now",
    "wifi here is TheBurrow and the passcode is {tr3acle-tart}",
    "I use {kestrel77} as my password for the forum",
    "Log in as jo with password {Moss#Garden}, please",
    "the password for the guest network is {purplemonkeydishwasherlamp}",
    "Phone PIN: {7392}",
    "New pin for the bank card is {5 0 1 8}",
    "Here is the admin password:\n{vX8-qq-Tarn}\nkeep it safe",
    "Our gate code is {8841#}",
    "My passphrase is \"{green tea at four}\"",
    "{Wombat_19} is the password of the tablet",
    "My password for the pension portal is {marigold}",
    "the laptop's password is {walnut bridge copper sky}, ok?",
    "The passphrase is {brass kettle meadow}",
    "Login: karla / {schaufel}",
    "My bank login is karla / {zimt9stern}",
    "the login is on paper: user karla, {zimt9stern}",
    // German
    "Mein Passwort bei der Kasse lautet jetzt {haselnuss}",
    "Der Code für das Garagentor ist seit gestern {7719}",
    "Code Kellertür: {20 48}",
    "Mein WLAN-Passwort lautet {Fliederbusch88}, nur dass du es weisst",
    "Das Netflixpasswort hab ich geändert: {Dachs!Bau}",
    "Benutzer karla, Kennwort {zimt9stern}",
    "Die PIN von der Bankomatkarte ist {6027}",
    "Der Türcode ist seit Montag {4093}",
    "merk dir bitte das Kennwort fürs Konto, {Qu4rk-Taschn}",
    // Spanish
    "El código para abrir el portal de mi madre es {5524#}",
    "Mi contraseña de la biblioteca es {girasoles}",
    "La contraseña del correo es {Mirlo2041}",
    "La clave de la caja fuerte quedó en {5519}",
    "Anota la contraseña de Netflix: {tortuga-verde}",
    "mi PIN de la tarjeta: {3381}",
    "uso {gaviota61} como contraseña",
    // French
    "Le mot de passe du wifi c'est {Chouette#12}",
    "Mon mot de passe pour la banque est {Brioche1789!}",
    "le code d'accès de l'immeuble est {47B12}",
    "Mot de passe : {soleilbleu}",
    // Portuguese
    "A senha do wifi é {Jabuti77}",
    "minha senha do banco mudou para {cafe#Forte9}",
    "Palavra-passe: {azulejo55}",
    // Italian
    "La password di casa è {Gatto!Nero8}",
    "Il PIN del bancomat è {4470}",
    "la parola d'ordine del server è {Rondine2210}",
    // Dutch
    "Het wachtwoord van de wifi is {Stroopwafel21}",
    "mijn pincode is {8026}",
    // Polish
    "Hasło do wifi to {Bocian1988}",
    "hasłem do poczty jest {Zielony!Zuk7}",
    "Kod PIN do karty: {9154}",
    // Russian
    "Пароль от вайфая: {Snegir2019}",
    "мой пароль {Барсук77}, запомни",
    "ПИН-код карты {4816}",
    // Japanese
    "Wi-Fiのパスワードは{suzume-3341}です。",
    "パスワードは「{さくらもち}」にしました",
    "銀行の暗証番号は{6183}なので覚えておいて",
    // Chinese
    "我家wifi密码是{lanhua8823}，记一下",
    "银行卡的密码：{660418}",
    "登录密码改成了{Qinglong#7}",
    // Other languages, which were not looked at while the list was made
    "와이파이 비밀번호는 {gom1234!}예요",
    "Wifi-lösenordet är {Ekorre55}",
];

/// Sentences without a secret.
const LOOKALIKES: &[&str] = &[
    "The gate code changes on 2026-12-01",
    "The new PIN comes by post on 2026-12-04.",
    "- My pin number at bowling is 7\n- Tracking number 1Z999AA10123456784",
    "- run with --password-file /etc/app/pw.txt\n- uuid 550e8400-e29b-41d4-a716-446655440000",
    "I forgot my password again, the reset mail takes 20 minutes",
    "The password must have 12 characters and one of !?#",
    "My password manager is KeePass2 on the laptop",
    "Which password do I use for Office365?",
    "The postal code of our house is 6020",
    "The zip code for the flat is 90210",
    "Error code of the alarm was 4711",
    "The building code is the 2021 edition",
    "Drop a pin at 1600 Pennsylvania Avenue",
    "Pin 14 goes to ground, pin 3 to 5V",
    "My locker code at the gym is 2280",
    "The order number is 7734-2219 and the flight is LH1234",
    "I bought a Bosch GSR18V-55, model WAT28641",
    "The discount code is SUMMER25",
    "Her passport expires on 2031-05-17",
    "0.4539148803436467 is the third value",
    "The measured sum was 14539148803436467 units",
    "Das Passwort muss alle 90 Tage geändert werden",
    "Die Bestellnummer lautet 302-118-77, der Flug ist OS455",
    "Ich brauche ein neues Kennwort für das Konto bei der Bank",
    "Die Vorwahl ist 0512, die PLZ 6020",
    "La clave del éxito es la constancia",
    "La contraseña caduca en 30 días",
    "El código postal es 44160",
    "Le mot de passe est trop court, il faut 8 caractères",
    "Le code postal est 38000",
    "A chave da casa fica com a vizinha do 302",
    "Esqueci a senha do banco outra vez",
    "La password scade ogni 90 giorni",
    "Il volo è AZ1402 alle 14:35",
    "Het wachtwoord is te kort, zegt hij",
    "De postcode is 1012 AB",
    "Zapomniałem hasła do banku, muszę je zmienić do 12.04.2026",
    "Numer zamówienia to 88213",
    "Пароль должен содержать 8 символов",
    "Почтовый индекс 101000, квартира 42",
    "パスワードを忘れたので、来週の12日に変えます",
    "郵便番号は564-0041です",
    "便名はNH123、座席は14Aです",
    "密码忘了，要等24小时",
    "订单号是20231105778",
    "The commit is 3f2c9a1be04d77aa21c5509e8842d1f6b7c93e10",
    "SHA-256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "let password = read_line(prompt)?;",
    "The token limit is 128k, the key idea is caching",
    "She said the code of conduct is from 2019",
    "Open src/auth/password_reset.rs:120 and fix the test",
    "basic understanding of authorization is enough",
    "Meeting about password rotation: finance team wants quarterly reviews",
    "Passwort: siehe Zettel neben Router",
    "Backup code: printed copy kept upstairs",
    "About the API key, next steps: contact vendor support today",
    "My password for the bank is expired",
    "the password policy is strict",
    "The password manager I use is Bitwarden",
    "The passphrase is stored in the vault downstairs",
    "The login page is done, the settings page is still missing",
    "login / logout works now",
    "Mein Passwort für die Bank ist abgelaufen",
    "Der Code für den Test ist 200 Zeilen lang",
    "El código de la puerta no funciona desde 2024",
    "Mi contraseña del banco es insegura",
    "The code that I reported is 200 lines long",
    "The code in the central module is 120 lines",
    "the code for imported rows is 300 lines long",
    "The code in the iterator: 200 lines",
    "El código postal de mi casa es 44160",
    "Le code postal de la porte est 38000",
    "Zugang: Hof / Parkplatz",
    "Anmeldung: Sekretariat / Direktion",
    "User: iOS / Android",
    "Our user base, build42, grows",
    "My password is ridiculous",
    "the password is trivial",
    "Das Passwort ist vorhersehbar",
    "I forgot the password to login.example.com",
    "Das Passwort auf wiki2.firma.intern ist mir entfallen",
    "Me olvidé de la contraseña para intranet.empresa.example",
    "The password self-service-portal is down",
    "I forgot the password to LinkedIn",
    "Das Passwort auf k8s.firma.intern",
    "Das Passwort Datenschutzbeauftragter",
];

/// The text without the braces, and the secrets in it.
fn parts(told: &str) -> (String, Vec<&str>) {
    let secrets = told.split('{').skip(1);
    let secrets = secrets.filter_map(|rest| rest.split('}').next());
    (told.replace(['{', '}'], ""), secrets.collect())
}

/// The text and its redacted form, if a secret remains in it or other words are lost.
fn wrong(told: &str) -> Option<String> {
    let (text, secrets) = parts(told);
    let shown = redact(&text);
    let mut left = told.to_owned();
    for secret in &secrets {
        left = left.replace(&format!("{{{secret}}}"), "\u{0}");
    }
    let stays: Vec<&str> = left.split('\u{0}').collect();
    let is_gone = secrets.iter().all(|secret| !shown.contains(secret));
    let is_kept = stays.iter().all(|rest| shown.contains(rest));
    (!is_gone || !is_kept).then(|| format!("{told}\n  -> {shown}"))
}

#[track_caller]
pub(super) fn check(told: &[&str]) {
    let wrong = told.iter().filter_map(|told| wrong(told));
    assert_eq!(wrong.collect::<Vec<String>>(), [""; 0]);
}

#[test]
fn i14_secrets_announced_in_prose_are_redacted() {
    check(SECRETS);
}

#[test]
fn lookalikes_of_secrets_in_prose_are_kept() {
    check(LOOKALIKES);
}
