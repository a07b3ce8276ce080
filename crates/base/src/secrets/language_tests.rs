//! Secrets in many languages, as people note them: with a verb such as `is`, after a colon, or directly after the
//! cue.

use super::announced_tests::check;

/// Sentences whose secrets are enclosed in `{` and `}`.
const SECRETS: &[&str] = &[
    // en
    "my passphrase is {velvet onion tractor sunrise}",
    "wifi password is {trout-lake-blue}",
    "pw: {hunter2}",
    "laptop pw {Kestrel.71}",
    "pwd: {maplewood}",
    "The password is <b>{Marmalade9}</b> for now",
    "new password for the NAS → {Gr4nite-Sky}",
    // de
    "Das Kennwort für den Drucker ist {drei-kleine-igel}",
    "PW fürs WLAN: {Ahorn2214}",
    "Das Passwort heißt jetzt {Zwetschke!7}",
    // fr
    "mon mdp : {tournesol}",
    "La phrase de passe est « {quatre canards bleus} »",
    "mot de passe du routeur → {Lavande_31}",
    // es
    "frase de contraseña: {nube caballo lluvia mesa}",
    // pt
    "a senha da Netflix ficou {Caju#2020}",
    "Senha: {jabuticaba}",
    // it
    "La password del router: {girasole}",
    "parola d'accesso al NAS è {Limone_55}",
    // nl
    "het wachtwoord van de router is {blauwe-fiets-regen}",
    // fi
    "Wifin salasana on {Mustikka77}",
    "salasanani on {karhu!talvi}",
    "Sähköpostin salasana: {omenapuu}",
    "Pankkikortin tunnusluku on {4471}",
    // hu
    "A PIN-kódom {7305}",
    // tr
    "Şifrem: {karanfil}",
    "Parolam {Deniz_1907} unutma",
    "Kartımın PIN kodu {6618}",
    // el
    "Κωδικός πρόσβασης: {ηλιοβασίλεμα}",
    "το συνθηματικό μου είναι {Elia!Krasi}",
    // ar
    "كلمة السر للواي فاي هي {Zaytoun99}",
    "كلمة المرور: {qamar-layl-7}",
    "الرقم السري للبطاقة {5512}",
    // hi
    "मेरा पासवर्ड: {suraj2291}",
    "कार्ड का पिन {8093} है",
    // he
    "הקוד הסודי של הכרטיס {2947}",
    // vi
    "mật khẩu của tôi: {cafe#sua1}",
    // ro
    "Parola de la wifi este {Castravete12}",
    "parola mea e {Zmeura!9}",
    // no
    "Wifi-passordet er {Multebær7}",
    "PIN-koden til kortet er {5561}",
    // sv
    "Mitt lösenord är {Blåbär#3}",
    "lösenordet till wifi: {kantarell}",
    "Koden till porten är {2849}",
    // da
    "Adgangskoden er {Jordbær99}",
    "kodeordet til wifi er {Havregrød5}",
    "min pinkode er {6093}",
    // pl
    "Moje hasło: {slonecznik}",
    // cs
    "PIN ke kartě je {4836}",
    // uk
    "Пароль від вайфаю: {Sonyah88}",
    "ПІН-код картки {5093}",
    // ko
    "카드 핀번호는 {8841}",
    // ja
    "暗証番号は{4092}です",
    // th
    "รหัสผ่าน wifi คือ {Dokbua55}",
    "รหัสผ่าน: {mango-rice9}",
    // bg
    "Паролата за wifi е {Slanchogled4}",
    // hr
    "moja lozinka: {tresnja}",
    "Šifra za wifi je {Jagoda_21}",
    // ca
    "La contrasenya del wifi és {Gira-sol77}",
    // sl
    "Geslo za wifi je {Borovnica3}",
    // et
    "Wifi parool on {Mustikas42}",
    // is
    "Lykilorðið er {Blaber#7}",
    // tl
    "Ang password ng wifi ay {Sampaguita8}",
    // ms
    "Kata laluan wifi ialah {Durian#King}",
    // bn
    "ওয়াইফাই পাসওয়ার্ড {Shapla2291}",
    // ta
    "வைஃபை கடவுச்சொல் {Thamarai7}",
    // ur
    "وائی فائی کا پاس ورڈ {Chambeli77} ہے",
];

/// Sentences without a secret.
const LOOKALIKES: &[&str] = &[
    // en
    "Pass the salt, please, and two spoons of sugar",
    "recipe pass: stir, rest, fold",
    "The password is up-to-date",
    "The password is case-sensitive and expires in March",
    "pw stands for password in our docs",
    "He did pass: 87 of 100 points",
    "pin: the needle of the dial",
    "Pin the note to the board at 16:30",
    "the tests pass: 214 of 214",
    "I spell my name M-A-R-T-A",
    "The password for the printer is the same as last year",
    "season pass: 49 euros",
    "the bird is blue-winged and the lake trout-rich",
    // de
    "Das Passwort ist abgelaufen",
    "Der Pass ist wegen Schnee gesperrt",
    // fr
    "Passe-moi le sel",
    "La passe de Messi était belle",
    // es
    "La clave es descansar bien",
    "La contraseña: mínimo ocho letras",
    // it
    "La parola che cerchi è tramonto",
    // fi
    "Salasanan pitää olla pitkä",
    "Tilausnumero on 77412",
    // hu
    "Elfelejtettem a jelszavamat",
    // tr
    "Şifremi yine unuttum",
    // hi
    "मैं अपना पासवर्ड भूल गया",
    "मेरा पिन कोड 110001 है और दुकान पास में है",
    // no
    "Passordet er for kort",
    // id
    "Saya lupa kata sandi",
    // da
    "Passet ligger i skuffen",
    // pl
    "Hasło musi mieć osiem znaków",
    "Hasło przewodnie konferencji to współpraca",
    // ru
    "Пароль слишком короткий",
    // uk
    "Пароль треба змінити до п'ятниці",
    "Я забув пароль",
    // ko
    "비밀번호를 잊어버렸어요",
    "비밀번호는 여덟 자 이상이어야 해요",
    // ja
    "パスワードは八文字以上です",
    // hr
    "Lozinka je prekratka",
    "Zaboravila sam lozinku",
    // lv
    "Parole ir par īsu",
    // et
    "Parool on liiga lühike",
    // en
    "My Bosch GSR18V-55 battery code is fine",
    "Confirmation ABX-2291 for the flight LX340",
    "The word of the day is serendipity",
    "const pass = computePass(input)",
    // de
    "Die Parole lautet Durchhalten",
];

#[test]
fn i14_secrets_are_redacted_in_every_language() {
    check(SECRETS);
}

#[test]
fn words_for_secrets_are_kept_in_every_language() {
    check(LOOKALIKES);
}
