const { spawn } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const jest = require.resolve('jest/bin/jest');
const REPORTERS = ['default', join(__dirname, 'slowest-files.cjs'), join(__dirname, 'each-file.cjs')];
/** The time that jest's servers have to end after SIGTERM. */
const SERVERS_END_WITHIN_MS = 30_000;
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs jest with these arguments for at most `limitMs`; `path` is of a file to write. Returns `files`, by path what became
 * of each file that began: { file, began } and, once it has ended, { passed, skipped, failures }; `isBrokenOff`, whether the
 * time was over first; else `crash`, how jest ended, if it failed although no file did.
 */
function runJest(path, args, limitMs) {
  const child = spawn(
    process.execPath,
    [jest, ...args, ...REPORTERS.map((reporter) => `--reporters=${reporter}`)],
    // A group of its own, with which its workers and servers can be ended: jest leaves them behind when it is interrupted.
    { stdio: 'inherit', env: { ...process.env, GATE_RESULTS: path }, detached: true },
  );
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Every process of the group has ended.
    }
  };
  let isBrokenOff = false;
  const limit = setTimeout(() => {
    isBrokenOff = true;
    signalGroup('SIGTERM');
  }, limitMs);
  const lastLimit = setTimeout(() => signalGroup('SIGKILL'), limitMs + SERVERS_END_WITHIN_MS);
  const stop = () => {
    signalGroup('SIGTERM');
    setTimeout(() => signalGroup('SIGKILL'), SERVERS_END_WITHIN_MS);
    child.once('close', () => process.exit(1));
  };
  for (const signal of STOPPING) process.once(signal, stop);
  return new Promise((resolve) =>
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      clearTimeout(lastLimit);
      for (const name of STOPPING) process.off(name, stop);
      signalGroup('SIGKILL');
      const files = readFiles(path);
      const someFailed = [...files.values()].some(({ failures = [] }) => failures.length > 0);
      const crash = code === 0 || isBrokenOff || someFailed ? undefined : `jest ended with ${code ?? signal}`;
      resolve({ files, isBrokenOff, crash });
    }),
  );
}

function readFiles(path) {
  const files = new Map();
  if (!existsSync(path)) return files;
  for (const text of readFileSync(path, 'utf8').trim().split('\n')) {
    const part = JSON.parse(text);
    files.set(part.file, { ...files.get(part.file), ...part });
  }
  return files;
}

module.exports = { jest, runJest };
