/**
 * Jest's test runner, except that modules are Node's own and stay loaded in a process of jest: the platform has four thousand with
 * its packages, and loading them anew for each file took longer than most files' tests. What a file changes outside of its own
 * modules is undone after it: environment variables, spies, and the modules of tests outside of tests/support.
 */
const { createScriptTransformer } = require('@jest/transform');
const circus = require('jest-circus/runner').default;
const Module = require('node:module');
const { join, resolve, sep } = require('node:path');

const tests = resolve(__dirname, '../..') + sep;
const support = join(tests, 'support') + sep;
/** Paths of source maps by the file's, of all that this process has loaded. */
const sourceMaps = new Map();
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

module.exports = async (globalConfig, config, environment, runtime, testPath, send) => {
  await installTransform(config);
  require(join(support, 'worlds/stretched-limits.ts')).stretchForTests();
  const variables = { ...process.env };
  const framework = runtime.requireModule.bind(runtime);
  runtime.requireModule = (path, ...rest) =>
    rest.length > 0 ? framework(path, ...rest) : load(path, environment, runtime);
  shareClasses(environment.global);
  Error.stackTraceLimit = 20;
  try {
    return await circus(globalConfig, config, environment, runtime, testPath, send);
  } finally {
    environment.moduleMocker.restoreAllMocks();
    restore(variables);
    for (const file of Object.keys(require.cache))
      if (file.startsWith(tests) && !file.startsWith(support)) delete require.cache[file];
  }
};

/** `expect.any(Number)` means the Number of the modules, not that of the context in which jest's own code runs. */
function shareClasses(global) {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (/^[A-Z]/.test(name) && typeof globalThis[name] === 'function') global[name] = globalThis[name];
}

let installed;
/** Compiles TypeScript like jest itself, with jest's cache on disk. */
const installTransform = (config) => (installed ??= install(config));

async function install(config) {
  const transformer = await createScriptTransformer(config);
  const options = {
    supportsDynamicImport: false,
    supportsExportNamespaceFrom: false,
    supportsStaticESM: false,
    supportsTopLevelAwait: false,
  };
  require.extensions['.ts'] = (module, file) => {
    const { code, sourceMapPath } = transformer.transform(file, { ...config, ...options });
    if (sourceMapPath) sourceMaps.set(file, sourceMapPath);
    module._compile(file.startsWith(tests) ? `${JEST} ${code}` : code, file);
  };
}

/** On the first line of a module of tests: its `jest`, whose requireActual takes paths that are relative to it. */
const JEST = 'const jest = { ...globalThis.jest, requireActual: require };';

function load(path, environment, runtime) {
  const { global, moduleMocker } = environment;
  for (const name of GLOBALS) globalThis[name] = global[name];
  globalThis.jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    setTimeout: (milliseconds) => void (global[TIMEOUT] = milliseconds),
  };
  const exported = Module._load(path, null, false);
  for (const [file, map] of sourceMaps) runtime.getSourceMaps().set(file, map);
  return exported;
}

const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];

function restore(variables) {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}
