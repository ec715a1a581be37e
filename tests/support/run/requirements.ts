import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A part that a run may have to bring up before its first test. */
export type Requirement =
  | 'postgres'
  | 'temporal'
  | 'bundle'
  | 'build'
  | 'test server'
  | 'chromium'
  | 'clamd'
  | 'promtool'
  | 'stripe mock';

/** The part of jest's configuration that says which test files run: a path must match, one of them if there are several. */
export interface Run {
  /** Of the configuration file: jest.config.js or hard.config.cjs. */
  testRegex: readonly (string | RegExp)[];
  testPathIgnorePatterns: readonly string[];
  /** Of the command line. */
  isRequested: (file: string) => boolean;
}

const tests = resolve(__dirname, '../..');

/** A test that imports one of these modules, directly or not, requires these parts. */
const requirementsOfModule: Readonly<Record<string, readonly Requirement[]>> = {
  'support/servers/database.ts': ['postgres'],
  'support/run/bundle.ts': ['bundle'],
  'support/servers/temporal.ts': ['temporal'],
  'support/worlds/killing-world.ts': ['build'],
  'support/worlds/launched-world.ts': ['build'],
  'support/worlds/skipping-world.ts': ['test server'],
  'support/worlds/browser-world.ts': ['chromium'],
  'support/servers/clamd.ts': ['clamd'],
  'support/servers/promtool.ts': ['promtool'],
  'support/servers/stripe-mock.ts': ['stripe mock'],
  'faults/platform/stack.ts': ['build'],
};

/** The parts that the test files of this run require together; a run of pure rules requires, and so starts, nothing. */
export function requirementsOf({ testRegex, testPathIgnorePatterns, isRequested }: Run): Set<Requirement> {
  const isAny = (patterns: readonly (string | RegExp)[], file: string) =>
    patterns.some((pattern) => new RegExp(pattern).test(file));
  const reached = new Set<string>();
  for (const path of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    const file = join(tests, path);
    if (isAny(testRegex, file) && !isAny(testPathIgnorePatterns, file) && isRequested(file))
      addReachable(file, reached);
  }
  return new Set([...reached].flatMap((file) => requirementsOfModule[relative(tests, file)] ?? []));
}

/** Adds `file` and, through its relative imports, all that it reaches inside tests/. */
function addReachable(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = resolve(dirname(file), `${path}.ts`);
    if (target.startsWith(tests) && existsSync(target)) addReachable(target, reached);
  }
}
