/** Lets a child process of a test load the platform's own TypeScript: `node --require …/typescript.cjs file.ts`. */
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');
const { swc } = require('../../../local/build/swc.cjs');

require.extensions['.ts'] = (module, file) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), { ...swc, filename: file });
  module._compile(code, file);
};
