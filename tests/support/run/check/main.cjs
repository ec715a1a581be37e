/**
 * `npm run check`: format, types and lint, dependency rules and unused code, two at a time; the output of each is printed
 * when it has ended. `npm run check:changed` does only the first two, of the files that differ from main.
 */
const { execFileSync, spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { homedir } = require('node:os');
const { join, resolve } = require('node:path');

const root = resolve(__dirname, '../../../..');
const AT_ONCE = 2;

/** The files that were changed since main, those that git does not track yet included. */
function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const base = git('merge-base', 'HEAD', 'main')[0];
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(files)].filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Sound as a cache: the result depends on the content of the file, prettier's version and its settings only. */
const prettierCache = join(homedir(), '.cache/marketplace-platform/prettier.json');
const prettier = (files) => [
  ...['prettier', '--check', '--log-level', 'warn', '--ignore-unknown'],
  ...['--cache', '--cache-strategy', 'content', '--cache-location', prettierCache],
  ...files,
];
const lint = (files) => [
  'node',
  '--max-old-space-size=8192',
  join(__dirname, 'types-and-lint.cjs'),
  ...files,
];

function stepsOf(mode) {
  if (mode !== 'changed') return [lint([]), prettier(['.']), ['npm', 'run', '--silent', 'arch'], ['knip']];
  const files = changedFiles();
  const code = files.filter((file) => /\.(ts|js|cjs)$/.test(file));
  return [...(code.length > 0 ? [lint(code)] : []), ...(files.length > 0 ? [prettier(files)] : [])];
}

/** Runs a command; whether it succeeded. */
function run([command, ...args]) {
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  return new Promise((done) =>
    child.once('close', (code) => {
      const name = [command, ...args].join(' ').slice(0, 100);
      console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${name}\n${code === 0 ? '' : output}`);
      done(code === 0);
    }),
  );
}

async function main([mode]) {
  const steps = stepsOf(mode);
  const results = [];
  const worker = async () => {
    for (let step = steps.shift(); step; step = steps.shift()) results.push(await run(step));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

void main(process.argv.slice(2));
