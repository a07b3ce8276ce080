//! Authentication: the bearer token of programs, and the sessions of browsers that signed in with it.
//!
//! Never prints a token in an error, a log or debug output.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::{DiskError, read_some, remove, replace};
use base::{Disk, content_hash, locked};
use subtle::ConstantTimeEq;

use super::feed::FEED;

/// Name of the token file in the directory `state`.
pub const TOKEN_FILE: &str = "token";

const N_RANDOM_BYTES: usize = 32;
const TOKEN_CHARS_MIN: usize = 16;
const TOKEN_BYTES_MAX: u64 = 4_096;

/// Idle time after which a browser has to sign in again.
const SESSION_MAX: Duration = Duration::from_hours(12);

/// Maximum number of browsers signed in at once; a further one signs out the one idle longest.
const SESSIONS_MAX: usize = 32;

/// The token cannot be used or created.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The token file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The token from this source is too short, or has characters that are not visible ASCII.
    #[error(
        "the token in {0} has fewer than {TOKEN_CHARS_MIN} characters, or characters other than visible ASCII"
    )]
    Weak(String),
    /// The system gives no random bytes.
    #[error("cannot get random bytes from the system: {0}")]
    NotRandom(String),
}

/// The token that admits programs and signs browsers in.
#[derive(Clone)]
pub struct AccessToken(String);

impl AccessToken {
    /// Takes a token that the owner chose; `place` names its source in an error.
    pub fn given(token: &str, place: &str) -> Result<Self, TokenError> {
        let token = token.trim();
        let is_sound =
            token.len() >= TOKEN_CHARS_MIN && token.bytes().all(|it| it.is_ascii_graphic());
        if is_sound {
            Ok(Self(token.to_owned()))
        } else {
            Err(TokenError::Weak(place.to_owned()))
        }
    }

    /// Reads the token file in `state` and makes it private, or creates it with a random token.
    pub fn load_or_make(disk: &dyn Disk, state: &Path) -> Result<Self, TokenError> {
        Self::load_or_make_at(disk, &Self::path(state))
    }

    fn load_or_make_at(disk: &dyn Disk, path: &Path) -> Result<Self, TokenError> {
        if let Some(own) = Self::load(disk, path)? {
            return Ok(own);
        }
        let token = random_hex()?;
        replace(disk, path, format!("{token}\n").as_bytes())?;
        Ok(Self(token))
    }

    fn load(disk: &dyn Disk, path: &Path) -> Result<Option<Self>, TokenError> {
        let Some(found) = read_some(disk, path, TOKEN_BYTES_MAX)? else {
            return Ok(None);
        };
        if !disk.is_private(path)? {
            disk.make_private(path)?;
        }
        let place = path.display().to_string();
        Self::given(&String::from_utf8_lossy(&found), &place).map(Some)
    }

    /// Path of the token file.
    pub fn path(state: &Path) -> PathBuf {
        state.join(TOKEN_FILE)
    }

    /// The hash by which one of many tokens is looked up.
    pub fn hash(&self) -> String {
        content_hash(self.0.as_bytes())
    }

    /// Compares a guess in constant time: the duration reveals only the length of the token.
    pub(crate) fn is(&self, guess: &str) -> bool {
        self.0.as_bytes().ct_eq(guess.as_bytes()).into()
    }
}

/// Name of the file with the token of the calendar feed, in the directory `state`.
const FEED_TOKEN_FILE: &str = "feed-token";

/// The token that opens the calendar feed and nothing else. It is read for each request, so a revoked token stops
/// working at once.
#[derive(Clone)]
pub struct FeedToken {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl FeedToken {
    /// The token of a home, by its directory `state`.
    pub fn of(disk: Arc<dyn Disk>, state: &Path) -> Self {
        let path = state.join(FEED_TOKEN_FILE);
        Self { disk, path }
    }

    /// The path and query of the feed; makes the token if there is none.
    pub fn path_and_query(&self) -> Result<String, TokenError> {
        let AccessToken(token) = AccessToken::load_or_make_at(&*self.disk, &self.path)?;
        Ok(format!("{FEED}?token={token}"))
    }

    /// Revokes the token; returns whether there was one.
    pub fn revoke(&self) -> Result<bool, TokenError> {
        let is_there = self.disk.stat(&self.path)?.is_some();
        remove(&*self.disk, &self.path)?;
        Ok(is_there)
    }

    pub(super) fn admits(&self, guess: &str) -> Result<bool, TokenError> {
        let own = AccessToken::load(&*self.disk, &self.path)?;
        Ok(own.is_some_and(|own| own.is(guess)))
    }
}

impl fmt::Debug for FeedToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FeedToken(..)")
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AccessToken(..)")
    }
}

/// A browser that is signed in.
#[derive(Clone)]
pub struct BrowserSession {
    /// CSRF secret, which forms send in the field `csrf` and scripts in the header `x-csrf-token`.
    pub csrf: String,
    used_at: Duration,
}

impl fmt::Debug for BrowserSession {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BrowserSession(..)")
    }
}

/// How long a link signs a browser in.
const LINK_MAX: Duration = Duration::from_mins(15);

/// The code of a link that signs a browser in once, and when it was made.
struct LinkCode {
    code: String,
    made_at: Duration,
}

/// Signed-in browsers by the secret of their cookie, and the code of the link that signs the next one in; in memory
/// only, so a restart signs all out.
#[derive(Default)]
pub struct BrowserSessions(
    Mutex<BTreeMap<String, BrowserSession>>,
    Mutex<Option<LinkCode>>,
);

impl BrowserSessions {
    /// Signs a browser in at `now` and returns the secret for its cookie.
    pub(crate) fn begin(&self, now: Duration) -> Result<String, TokenError> {
        let (secret, csrf) = (random_hex()?, random_hex()?);
        let mut sessions = locked(&self.0);
        let longest_away = sessions.iter().min_by_key(|(_, session)| session.used_at);
        if let (true, Some((oldest, _))) = (sessions.len() >= SESSIONS_MAX, longest_away) {
            let oldest = oldest.clone();
            sessions.remove(&oldest);
        }
        sessions.insert(secret.clone(), BrowserSession { csrf, used_at: now });
        Ok(secret)
    }

    /// Finds the session of a cookie and marks it as used; drops expired sessions.
    pub fn find(&self, secret: &str, now: Duration) -> Option<BrowserSession> {
        let mut sessions = locked(&self.0);
        sessions.retain(|_, session| now.saturating_sub(session.used_at) <= SESSION_MAX);
        let session = sessions.get_mut(secret)?;
        session.used_at = now;
        Some(session.clone())
    }

    /// Makes a code that signs one browser in once; it replaces the one before.
    pub(crate) fn make_code(&self, now: Duration) -> Result<String, TokenError> {
        let code = random_hex()?;
        *locked(&self.1) = Some(LinkCode {
            code: code.clone(),
            made_at: now,
        });
        Ok(code)
    }

    /// Uses the code up, if it is this one and still holds.
    pub(crate) fn use_code(&self, guess: &str, now: Duration) -> bool {
        let mut made = locked(&self.1);
        made.take_if(|it| now.saturating_sub(it.made_at) > LINK_MAX);
        let used = made.take_if(|it| it.code.as_bytes().ct_eq(guess.as_bytes()).into());
        used.is_some()
    }

    /// Signs a browser out.
    pub(crate) fn end(&self, secret: &str) {
        locked(&self.0).remove(secret);
    }
}

/// A random secret in hex digits.
pub(super) fn random_hex() -> Result<String, TokenError> {
    let mut bytes = [0; N_RANDOM_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| TokenError::NotRandom(error.to_string()))?;
    Ok(base::hex(&bytes))
}

#[cfg(test)]
mod tests {
    use base::disk::{MemoryDisk, OsDisk};

    use super::*;

    #[test]
    fn access_token_is_created_once_and_hidden_in_debug() {
        let disk = MemoryDisk::above(std::sync::Arc::new(OsDisk));
        let state = Path::new("/nowhere/state");
        base::disk::create_dir(&disk, state).unwrap();
        let made = AccessToken::load_or_make(&disk, state).unwrap();
        let again = AccessToken::load_or_make(&disk, state).unwrap();
        assert_eq!(made.0.len(), 2 * N_RANDOM_BYTES);
        assert!(again.is(&made.0) && !again.is("guess") && !again.is(""));
        assert_eq!(format!("{made:?}"), "AccessToken(..)");
    }

    #[test]
    fn weak_access_token_is_rejected_naming_its_source() {
        for weak in ["hunter2", "", "fifteen-letters", "sixteen letters ok"] {
            let error = AccessToken::given(weak, "OPENCLAW_TOKEN").unwrap_err();
            let error = error.to_string();
            assert!(
                error.starts_with("the token in OPENCLAW_TOKEN has"),
                "{error}"
            );
            assert!(weak.is_empty() || !error.contains(weak), "{error}");
        }
        assert!(
            AccessToken::given(" sixteen-letters! \n", "x")
                .unwrap()
                .is("sixteen-letters!")
        );
    }

    #[test]
    fn code_of_link_signs_in_once_until_it_expires() {
        let sessions = BrowserSessions::default();
        let start = Duration::from_hours(1);
        assert!(!sessions.use_code("", start));
        let code = sessions.make_code(start).unwrap();
        assert!(!sessions.use_code("guess", start));
        assert!(sessions.use_code(&code, start + LINK_MAX));
        assert!(!sessions.use_code(&code, start + LINK_MAX));
        let older = sessions.make_code(start).unwrap();
        let newer = sessions.make_code(start).unwrap();
        assert!(!sessions.use_code(&older, start));
        let late = start + LINK_MAX + Duration::from_secs(1);
        assert!(!sessions.use_code(&newer, late));
    }

    #[test]
    fn browser_session_is_found_by_its_secret_until_it_expires() {
        let sessions = BrowserSessions::default();
        let start = Duration::from_hours(1);
        let secret = sessions.begin(start).unwrap();
        assert!(sessions.find("another", start).is_none());
        let csrf = sessions.find(&secret, start + SESSION_MAX).unwrap().csrf;
        assert_ne!(csrf, secret);
        assert!(
            sessions
                .find(&secret, start + SESSION_MAX * 2 + Duration::from_secs(1))
                .is_none()
        );
        for _ in 0..=SESSIONS_MAX {
            sessions.begin(start).unwrap();
        }
        assert_eq!(locked(&sessions.0).len(), SESSIONS_MAX);
    }
}
