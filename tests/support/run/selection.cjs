/** Regular expressions for the paths of test files, from which jest's two configurations choose. */
const { resolve } = require('node:path');

const tests = resolve(__dirname, '../..').replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

const allTests = [`^${tests}/.*\\.test\\.ts$`];

/** Slow by nature: they build, start and kill programs, drive a browser or wait for minutes. Only `npm run test:hard` runs them. */
const hardTests = [
  `^${tests}/(kill|faults|fuzz|browser|local|observability)/.*\\.test\\.ts$`,
  `^${tests}/api/admin/bank-files/schema\\.test\\.ts$`,
  `^${tests}/api/media/clamd\\.test\\.ts$`,
  `^${tests}/api/docs/(spectral|generated-types)\\.test\\.ts$`,
  `^${tests}/db/schema/start-keys\\.test\\.ts$`,
  `^${tests}/workflows/commerce/checkout/checkout\\.unserved\\.test\\.ts$`,
  `^${tests}/activities/partners/reference/many-worlds\\.test\\.ts$`,
];

module.exports = { allTests, hardTests };
