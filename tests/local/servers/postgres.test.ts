import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../../local/servers/postgres';
import { startOf } from '../../../local/processes/identity';
import { useScratch } from '../scratch';

const scratch = useScratch();
let running: RunningPostgres | undefined;
afterEach(() => running?.stop());

const start = async (name: string, password?: string) => {
  const dataDir = path.join(scratch(), name);
  const settings = { fsync: 'off', max_connections: 20 };
  running = await startPostgres({
    dataDir,
    settings,
    log: () => undefined,
    ...(password === undefined ? {} : { password }),
  });
  return running;
};

const ask = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
};

it('keeps its data over a stop, a kill and a changed port', async () => {
  const first = await start('kept');
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  await first.stop();
  const second = await start('kept');
  await ask(second.url, 'INSERT INTO kept VALUES (2)');
  await second.kill();
  const third = await start('kept');
  expect(await ask(third.url, 'SELECT n FROM kept ORDER BY n')).toEqual([1, 2]);
});

it('takes the settings asked for, and folds and splits text by Unicode', async () => {
  const { url } = await start('settings');
  expect(await ask(url, 'SHOW fsync')).toEqual(['off']);
  expect(await ask(url, 'SHOW max_connections')).toEqual(['20']);
  expect(await ask(url, `SELECT lower('ÄÉ')`)).toEqual(['äé']);
  await ask(url, 'CREATE EXTENSION pg_trgm');
  expect(await ask(url, `SELECT similarity('größe', 'GRÖSSE') > 0.2`)).toEqual([true]);
  expect(await ask(url, 'SELECT datname FROM pg_database WHERE datname = current_database()')).toEqual([
    'marketplace',
  ]);
});

it('writes no value of a row or a statement into its log', async () => {
  const lines: string[] = [];
  running = await startPostgres({
    dataDir: path.join(scratch(), 'silent'),
    log: () => undefined,
    output: (line) => void lines.push(line),
  });
  await ask(running.url, 'CREATE TABLE people (email text PRIMARY KEY)');
  const insert = `INSERT INTO people VALUES ('ada@example.com')`;
  await ask(running.url, insert);
  await expect(ask(running.url, insert)).rejects.toMatchObject({ detail: expect.stringContaining('ada@') });
  await running.stop();
  expect(lines.join('\n')).toContain('duplicate key value violates unique constraint "people_pkey"');
  expect(lines.join('\n')).not.toContain('ada@');
});

it('ends a server that an earlier start has left on its directory', async () => {
  const left = await start('left');
  const next = await start('left');
  expect(await startOf(left.pid)).toBeUndefined();
  expect(await ask(next.url, 'SELECT 1')).toEqual([1]);
});

it('is not kept from starting by a lock file whose process id belongs to another by now', async () => {
  const first = await start('stale');
  const lockFile = path.join(scratch(), 'stale', 'postmaster.pid');
  const content = await readFile(lockFile, 'utf8');
  await first.stop();
  await writeFile(lockFile, content.replace(/^\d+/, String(process.pid)));
  const next = await start('stale');
  expect(await ask(next.url, 'SELECT 1')).toEqual([1]);
});

it('says what to do about a password that is not the one it was made with', async () => {
  await (await start('password', 'one')).stop();
  running = undefined;
  await expect(start('password', 'other')).rejects.toThrow(/password authentication failed[^]*npm run reset/);
});
