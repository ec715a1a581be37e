/**
 * Lets Node load the programs of this folder, which are TypeScript: `node --require ./tests/bench/typescript.cjs …`.
 * The platform's own code comes from dist, as it is deployed.
 */
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { swc } = require('../../local/build/swc.cjs');

const root = join(__dirname, '..', '..');
const own = 'tests' + sep;

require.extensions['.ts'] = (module, file) => {
  const path = relative(root, file);
  if (path.startsWith(own)) module._compile(compiled(file), file);
  else module.exports = require(join(root, 'dist', path.replace(/\.ts$/, '.js')));
};

const compiled = (file) =>
  transformSync(readFileSync(file, 'utf8'), {
    ...swc,
    filename: file,
    sourceMaps: 'inline',
  }).code;
