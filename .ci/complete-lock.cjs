/**
 * Adds to package-lock.json the optional packages for other platforms that npm left out. A registry that carries only
 * this platform's binaries makes npm write a lock file that its own `npm ci` then refuses, here and everywhere. What
 * an entry needs (version, os, cpu, libc) stands in the dependent's list and in the package's name.
 * Run it after every `npm install`: `node .ci/complete-lock.cjs`.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const file = join(__dirname, '../package-lock.json');
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The entry of one optional binary package, by its name such as `@swc/core-linux-x64-musl`; null if it tells none. */
function entryOf(name, version, dev) {
  const parts = name.split(/[-/]/);
  const os = systems.find((system) => parts.includes(system));
  const cpu = processors.find((processor) => parts.includes(processor));
  if (!os || !cpu) return null;
  const libc = os !== 'linux' ? null : parts.some((part) => part.startsWith('musl')) ? 'musl' : 'glibc';
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    os: [os],
  };
}

const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const own = `${path}/node_modules/${name}`;
    const shared = `node_modules/${name}`;
    if (lock.packages[own] || lock.packages[shared]) continue;
    const entry = entryOf(name, version, dev);
    if (!entry) throw new Error(`${path} wants ${name}@${version}, whose name tells no platform.`);
    lock.packages[shared] = entry;
    added.push(shared);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
lock.packages = Object.fromEntries(sorted);
if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} entries added\n`);
