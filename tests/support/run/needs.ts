import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What a run may have to bring up before its first test. */
export type Need = 'postgres' | 'temporal' | 'bundle' | 'build' | 'test server' | 'chromium' | 'stripe mock';

/** The part of jest's configuration that says which test files run. */
export interface Run {
  rootDir: string;
  testPathPatterns: { toExecutor: (options: { rootDir: string }) => { isMatch: (file: string) => boolean } };
}

const tests = resolve(__dirname, '../..');

/** What each module hands to a test: whoever imports it, directly or not, needs what stands here. */
const needsOfModule: Readonly<Record<string, readonly Need[]>> = {
  'support/servers/database.ts': ['postgres'],
  'support/run/bundle.ts': ['bundle'],
  'support/servers/temporal.ts': ['temporal'],
  'support/worlds/killing-world.ts': ['build'],
  'support/worlds/skipping-world.ts': ['test server'],
  'support/worlds/browser-world.ts': ['chromium'],
  'support/servers/stripe-mock.ts': ['stripe mock'],
  'faults/platform/stack.ts': ['build'],
};

/** What the test files of this run need together; a run of pure rules needs nothing and so starts nothing. */
export function needsOf({ rootDir, testPathPatterns }: Run): Set<Need> {
  const selected = testPathPatterns.toExecutor({ rootDir });
  const reached = new Set<string>();
  for (const path of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    const file = join(tests, path);
    if (path.endsWith('.test.ts') && selected.isMatch(file)) addReachable(file, reached);
  }
  return new Set([...reached].flatMap((file) => needsOfModule[relative(tests, file)] ?? []));
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
