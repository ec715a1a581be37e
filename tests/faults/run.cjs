/** Runs tests/faults/main.ts without a build: `npm run faults -- --count 200 --seed 1`. */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const { swc } = require('../../local/build/swc.cjs');

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const { code } = transformSync(source, { ...swc, filename, swcrc: false, sourceMaps: 'inline' });
  module._compile(code, filename);
};
process.setSourceMapsEnabled(true);

require('./main');
