//! Says how the program is linked; makes nothing.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| std::env::var_os(variable).is_some_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        // Addresses that are set at the start take a bit each and not 24 bytes: megabytes that each process would read.
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
