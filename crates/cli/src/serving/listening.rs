//! The address of a service, its use of memory, and the signals that stop it.
//!
//! Opens no socket.

use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::process::Command;

use clap::builder::NonEmptyStringValueParser;
use tokio::signal::unix::SignalKind;

use crate::executor::pressed;
use crate::prelude::*;

/// The address on which a service listens if none is given.
pub const LISTEN_DEFAULT: &str = "127.0.0.1:18789";

/// Where a service listens.
#[derive(Debug, Args)]
pub struct ListenOptions {
    /// Address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN_DEFAULT)]
    pub listen: SocketAddr,
    /// Allow an address that other machines can reach; the token grants full
    /// access
    #[arg(long)]
    allow_remote: bool,
    /// Accept this host name besides IP addresses and localhost; may be repeated
    #[arg(long = "host", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub hosts: Vec<String>,
}

impl ListenOptions {
    /// Rejects an address that other machines can reach, unless `--allow-remote` is given.
    pub fn check_reach(&self) -> Result<()> {
        let at = self.listen;
        if at.ip().is_loopback() || self.allow_remote {
            return Ok(());
        }
        let message =
            format!("other machines can reach {at}, and anyone with the token can read everything");
        Err(CliError::new(ErrorKind::Usage, message)
            .hint("listen on 127.0.0.1 and use a tunnel, such as `ssh -L`")
            .hint("or add `--allow-remote` and put an encrypting proxy in front"))
    }
}

/// Re-executes this process with an allocator that returns freed memory, unless the owner has configured the
/// allocator.
///
/// By default the C library keeps the freed memory of each thread separate, and serves small allocations from large
/// blocks that were freed. The process would grow for hours.
pub fn with_frugal_allocator(context: &mut Context) {
    const FRUGAL: [(&str, &str); 3] = [
        ("MALLOC_ARENA_MAX", "2"),
        ("MALLOC_MMAP_THRESHOLD_", "131072"),
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
    ];
    let variables = &context.host.environment.others;
    let is_set = FRUGAL.iter().any(|(name, _)| variables.get(name).is_some());
    if !cfg!(target_env = "gnu") || is_set {
        return;
    }
    let failure = match std::env::current_exe() {
        Ok(program) => Command::new(program)
            .args(std::env::args_os().skip(1))
            .envs(FRUGAL)
            .exec(),
        Err(error) => error,
    };
    context.output.warn(&format!(
        "memory use may grow: cannot configure the allocator: {failure}"
    ));
}

/// Resolves at Ctrl-C or SIGTERM. Signals are received from this call on, not only from the first poll.
pub fn stopped() -> impl Future<Output = ()> {
    let terminated = pressed(SignalKind::terminate());
    let interrupted = pressed(SignalKind::interrupt());
    async {
        tokio::select! {
            () = terminated => {}
            () = interrupted => {}
        }
    }
}
