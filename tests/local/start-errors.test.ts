import { spawn } from 'node:child_process';
import path from 'node:path';
import { typescriptArgv } from '../support/run/typescript-argv';
import { testVariables } from '../support/worlds/variables';
import { useScratch } from './scratch';

const scratch = useScratch();
const root = path.resolve(__dirname, '../..');
const DATABASE_URL = 'postgres://nobody:x@127.0.0.1:1/none';

interface Ended {
  code: unknown;
  written: string;
}

/** Starts a program with these variables only; answers its exit code and all that it wrote. */
async function run([program, ...args]: readonly string[], variables: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, [...typescriptArgv, path.join(root, program!), ...args], {
    // A directory without an `.env` file.
    cwd: scratch(),
    env: { PATH: process.env['PATH'], DATA_DIR: path.join(scratch(), 'data'), ...variables },
    timeout: 50_000,
  });
  let written = '';
  child.stdout.on('data', (part: Buffer) => (written += part.toString()));
  child.stderr.on('data', (part: Buffer) => (written += part.toString()));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { code, written };
}

/** A start that was refused for a reason a person reads: no stack, no JSON. */
function expectSentence({ code, written }: Ended, sentence: string): void {
  expect(written).toContain(sentence);
  expect(written).not.toMatch(/ZodError|\n\s+at |"path"|^\{/m);
  expect([1, 2]).toContain(code);
}

const NO_DATABASE = 'DATABASE_URL must be set to postgres://';
const ALL = { ...testVariables, DATABASE_URL };

describe.each<[readonly string[], Record<string, string>, string]>([
  [['api/main.ts'], testVariables, NO_DATABASE],
  [['api/main.ts'], { ...ALL, JWT_KEYS: '' }, 'JWT_KEYS must be set.'],
  [['api/main.ts'], { ...ALL, PORT: 'http' }, 'PORT must be a number.'],
  [['api/main.ts'], { ...ALL, POLICY_CART_DAYS: '0' }, 'POLICY_CART_DAYS must be at least 1.'],
  [['workers/main.ts'], testVariables, NO_DATABASE],
  [['workers/main.ts'], { ...ALL, SEALING_KEYS: '' }, 'SEALING_KEYS must be set to name:base64'],
  [['workers/main.ts'], { ...ALL, WORKER_POOL_MAX: '1' }, 'WORKER_POOL_MAX must be at least 5.'],
  [
    ['workers/checks/check-invariants.ts'],
    { ...testVariables, DATA_DIR: '.data' },
    'set -a; . .data/platform.env; set +a;',
  ],
  [
    ['workers/checks/check-invariants.ts'],
    { ...testVariables, DATA_DIR: '/srv/shop' },
    'set -a; . /srv/shop/platform.env; set +a;',
  ],
  [['workers/checks/check-invariants.ts'], { ...ALL, DATABASE_URL: 'x' }, 'DATABASE_URL must be postgres://'],
  [['db/schema/migrate.ts', 'up'], {}, NO_DATABASE],
  [['db/schema/migrate.ts', 'up'], { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be postgres://'],
  [['db/schema/seed.ts'], {}, NO_DATABASE],
  [['db/schema/seed.ts'], { DATABASE_URL, SEED_DEMO: 'si' }, 'SEED_DEMO must be true or false.'],
  [['db/identity/user-administration/admins.ts', 'list'], {}, NO_DATABASE],
  [
    ['db/identity/user-administration/admins.ts', 'grant', 'x'],
    { DATABASE_URL },
    'SEALING_KEYS must be set to name:base64',
  ],
  [['db/sealing/rotation/reseal.ts', '--check'], testVariables, NO_DATABASE],
  [['db/sealing/rotation/reseal.ts'], { DATABASE_URL }, 'SEALING_KEYS must be set to name:base64'],
  [['local/main.ts'], { PORT: 'http' }, 'PORT must be a number.'],
  [['local/main.ts'], { NODE_ENV: 'production' }, 'DATABASE_URL must name a real server'],
  [['local/reset.ts'], { VERBOSE: 'si' }, 'VERBOSE must be true or false.'],
])('%j', (program, variables, sentence) => {
  it(`is refused: ${sentence}`, async () => {
    expectSentence(await run(program, variables), sentence);
  });
});

it('the program that prints the document needs no variable', async () => {
  const { code, written } = await run(['api/print-openapi.ts'], {});
  expect(code).toBe(0);
  expect(written).toContain('"openapi"');
});
