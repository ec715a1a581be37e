/**
 * Keeps every refusal that an API answers in this jest process, for `npm run examples`: one JSON object a line, in a file
 * of the process.
 */
const { appendFileSync, mkdirSync } = require('node:fs');
const { ServerResponse } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = join(tmpdir(), 'recorded-refusals');
const RECORDS = Symbol.for('marketplace.records-refusals');

/** The error of an answer's body, or undefined. */
function errorIn(body) {
  try {
    const { success, error } = JSON.parse(String(body));
    return success === false ? error : undefined;
  } catch {
    return undefined;
  }
}

// Jest runs this once for each test file, while its processes share the module.
if (!ServerResponse.prototype[RECORDS]) {
  const { end } = ServerResponse.prototype;
  ServerResponse.prototype[RECORDS] = true;
  ServerResponse.prototype.end = function (chunk, ...rest) {
    const error = this.statusCode >= 400 && chunk ? errorIn(chunk) : undefined;
    if (error) {
      const path = (this.req.originalUrl ?? this.req.url).replace(/\?.*$/s, '');
      mkdirSync(folder, { recursive: true });
      const line = JSON.stringify({ method: this.req.method, path, error });
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
    }
    return end.call(this, chunk, ...rest);
  };
}
