//! The service definition for systemd (Linux) and launchd (macOS).
//!
//! Pure: writes no file and starts nothing.

use std::path::{Path, PathBuf};

/// The service manager, which starts programs at login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceManager {
    Systemd,
    Launchd,
}

/// The name of the systemd unit.
const UNIT: &str = "openclaw.service";
const AGENT: &str = "dev.openclaw.serve";

/// An optional file with model keys, one `NAME=value` per line.
pub(crate) const ENVIRONMENT_FILE: &str = "service.env";

impl ServiceManager {
    /// The service manager of this platform.
    pub(crate) fn of_this_system() -> Self {
        if cfg!(target_os = "macos") {
            Self::Launchd
        } else {
            Self::Systemd
        }
    }

    /// The path of the service definition.
    pub(crate) fn path(self, user_home: &Path, config_home: Option<&Path>) -> PathBuf {
        match self {
            Self::Systemd => {
                let config = config_home.map_or_else(|| user_home.join(".config"), Path::to_owned);
                config.join("systemd/user").join(UNIT)
            }
            Self::Launchd => user_home
                .join("Library/LaunchAgents")
                .join(format!("{AGENT}.plist")),
        }
    }

    /// The service definition that serves `home` with `program`.
    pub(crate) fn description(self, program: &Path, home: &Path) -> String {
        match self {
            Self::Systemd => unit(program, home),
            Self::Launchd => agent(program, home),
        }
    }

    /// The commands that start the service now and at each login.
    pub(crate) fn start(self, path: &Path) -> Vec<Vec<String>> {
        match self {
            Self::Systemd => commands(&[
                &["systemctl", "--user", "daemon-reload"],
                &["systemctl", "--user", "enable", UNIT],
                &["systemctl", "--user", "restart", UNIT],
            ]),
            Self::Launchd => commands(&[&["launchctl", "load", "-w", &path.display().to_string()]]),
        }
    }

    /// The commands that stop the service and disable it.
    pub(crate) fn stop(self, path: &Path) -> Vec<Vec<String>> {
        match self {
            Self::Systemd => commands(&[&["systemctl", "--user", "disable", "--now", UNIT]]),
            Self::Launchd => {
                commands(&[&["launchctl", "unload", "-w", &path.display().to_string()]])
            }
        }
    }

    /// The command that succeeds if the service is running.
    pub(crate) fn ask(self) -> Vec<String> {
        let command: &[&str] = match self {
            Self::Systemd => &["systemctl", "--user", "--quiet", "is-active", UNIT],
            Self::Launchd => &["launchctl", "list", AGENT],
        };
        command.iter().map(ToString::to_string).collect()
    }
}

fn commands(commands: &[&[&str]]) -> Vec<Vec<String>> {
    let owned = |command: &&[&str]| command.iter().map(ToString::to_string).collect();
    commands.iter().map(owned).collect()
}

/// A sandboxed unit. It uses only restrictions that need no privilege: the others often fail in a user's systemd.
fn unit(program: &Path, home: &Path) -> String {
    let (program, quoted) = (in_unit(program), in_unit(home));
    let keys = plain_in_unit(&home.join(ENVIRONMENT_FILE));
    format!(
        "[Unit]\n\
         Description=Memory of openclaw\n\
         \n\
         [Service]\n\
         ExecStart={program} --home {quoted} serve\n\
         EnvironmentFile=-{keys}\n\
         Restart=on-failure\n\
         RestartSec=5\n\
         TimeoutStopSec=30\n\
         UMask=0077\n\
         NoNewPrivileges=yes\n\
         LockPersonality=yes\n\
         RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK\n\
         RestrictNamespaces=yes\n\
         RestrictRealtime=yes\n\
         RestrictSUIDSGID=yes\n\
         SystemCallArchitectures=native\n\
         SystemCallFilter=@system-service\n\
         SystemCallErrorNumber=EPERM\n\
         \n\
         [Install]\n\
         WantedBy=default.target\n"
    )
}

/// Quotes a path as one word of an `ExecStart` line.
fn in_unit(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('%', "%%").replace('$', "$$"))
}

/// Escapes a path as the whole value of a systemd setting.
fn plain_in_unit(path: &Path) -> String {
    path.display().to_string().replace('%', "%%")
}

fn agent(program: &Path, home: &Path) -> String {
    let arguments = [
        program.display().to_string(),
        "--home".to_owned(),
        home.display().to_string(),
        "serve".to_owned(),
    ];
    let arguments = arguments.map(|it| format!("    <string>{}</string>\n", in_xml(&it)));
    let log = in_xml(&home.join("state/service.log").display().to_string());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n  \
         <key>Label</key>\n  <string>{AGENT}</string>\n  \
         <key>ProgramArguments</key>\n  <array>\n{}  </array>\n  \
         <key>RunAtLoad</key>\n  <true/>\n  \
         <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>\n  \
         <key>Umask</key>\n  <integer>63</integer>\n  \
         <key>StandardErrorPath</key>\n  <string>{log}</string>\n\
         </dict>\n</plist>\n",
        arguments.concat()
    )
}

fn in_xml(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn service_description_has_form_of_each_manager() {
        let (program, home) = (
            Path::new("/opt/my claw/openclaw"),
            Path::new("/home/a&b/100%"),
        );
        let unit = ServiceManager::Systemd.description(program, home);
        let agent = ServiceManager::Launchd.description(program, home);
        assert_snapshot!("units", format!("{unit}\n{agent}"));
    }

    #[test]
    fn unit_passes_systemd_analyze_verify() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(UNIT);
        let program = std::env::current_exe().unwrap();
        let unit = ServiceManager::Systemd.description(&program, folder.path());
        base::disk::replace(&base::disk::OsDisk, &path, unit.as_bytes()).unwrap();
        let verified = Command::new("systemd-analyze")
            .args(["verify", "--user"])
            .arg(&path)
            .output();
        // Not every machine has it.
        if let Ok(verified) = verified {
            let told = String::from_utf8_lossy(&verified.stderr);
            assert!(!told.contains(UNIT), "{told}");
        }
    }
}
