import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lockProvider } from '../../../db/investment/provider/provider.reads';
import { replaceSecret } from '../../../db/investment/provider/provider.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { typescriptArgv } from '../../support/run/typescript-argv';
import { ownDatabase } from '../../support/servers/database';
import { testKeys, testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
const program = resolve(__dirname, '../../../db/investment/provider/list-providers.ts');
const SEALING_KEYS = testVariables['SEALING_KEYS']!;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'providers-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the command as a process of its own, in `folder`, with these variables only. */
function run(variables: Record<string, string>): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH, ...variables } };
    const child = execFile(process.execPath, [...typescriptArgv, program], options, (_, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('one JSON object a line: each provider, with the secrets that are accepted, the newest first', async () => {
  const beta = await make.provider(own.db, { code: 'beta', apiBase: null, ssoAudience: null });
  const alpha = await make.provider(own.db, { code: 'alpha' });
  const at = new Date();
  const untilThen = new Date(at.getTime() + 60_000);
  const newest = await inTransaction(own.db, async (tx) => {
    await lockProvider(tx, 'alpha');
    return replaceSecret(tx, testKeys, { code: 'alpha', purpose: 'WEBHOOK', untilThen }, at);
  });
  const expected = [
    {
      ...{
        code: 'alpha',
        name: alpha.name,
        apiBase: 'https://alpha.example/api',
        ssoAudience: 'alpha.example',
      },
      ...{ webhookSecrets: [newest, alpha.webhookSecret] },
    },
    {
      ...{ code: 'beta', name: beta.name, apiBase: null, ssoAudience: null },
      ...{ webhookSecrets: [beta.webhookSecret] },
    },
  ];
  const byVariables = await run({ DATABASE_URL: own.url, SEALING_KEYS });
  expect(byVariables).toMatchObject({ code: 0, err: '' });
  expect(byVariables.out).toBe(expected.map((line) => `${JSON.stringify(line)}\n`).join(''));

  // Next to `npm start`, which writes this file.
  await mkdir(join(folder, '.data'));
  const lines = `DATABASE_URL='${own.url}'\nSEALING_KEYS='${SEALING_KEYS}'\n`;
  await writeFile(join(folder, '.data/platform.env'), lines);
  expect(await run({})).toEqual(byVariables);
  // A database that is named is not opened with the keys of another one.
  expect(await run({ DATABASE_URL: own.url })).toMatchObject({ code: 2, out: '' });
});

test('it ends with 2 and no secret without a database, without keys, and with the wrong ones', async () => {
  await make.provider(own.db, { code: 'gamma' });
  const strange = `other:${Buffer.alloc(32, 9).toString('base64')}`;
  for (const variables of [
    {},
    { DATABASE_URL: own.url },
    { DATABASE_URL: own.url, SEALING_KEYS: strange },
    { DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none', SEALING_KEYS },
  ] as Record<string, string>[]) {
    const { code, out, err } = await run(variables);
    expect({ code, out, isExplained: err !== '' }).toEqual({ code: 2, out: '', isExplained: true });
  }
});
