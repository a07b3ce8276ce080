#!/usr/bin/env node
// Starts the program that the package of this platform carries. Downloads nothing.
const { spawn } = require("node:child_process");

const name = `openclaw-memory-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "openclaw.exe" : "openclaw";
let path;
try {
  path = require.resolve(`${name}/${program}`);
} catch {
  console.error(`error: the package ${name} is missing`);
  console.error("  hint: install again without `--omit=optional`; if there is no such package, your platform is not supported");
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: cannot start ${path}: ${error.message}`);
  process.exit(1);
});
// A terminal sends an interrupt to both; what is sent to this process alone is passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal) process.removeAllListeners(signal) && process.kill(process.pid, signal);
  else process.exit(code);
});
