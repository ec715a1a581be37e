import path from 'node:path';
import { Client } from 'pg';
import { migrateUp } from '../../db/schema/migrate';
import { ensureProgramRole, programUrlOf } from '../../local/cluster/program-role';
import { startPostgres, type RunningPostgres } from '../../local/servers/postgres';
import { useScratch } from './scratch';

const scratch = useScratch();
let running: RunningPostgres;
beforeAll(async () => {
  const settings = { fsync: 'off', max_connections: 20 };
  running = await startPostgres({ dataDir: path.join(scratch(), 'role'), settings, log: () => undefined });
});
afterAll(() => running.stop());

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

it('gets its rights in a data directory that one role had made and migrated before', async () => {
  await migrateUp(running.url);
  await ask(running.url, `INSERT INTO blocked_words VALUES ('spam')`);

  const odd = "pass'word/ö:@";
  await ensureProgramRole(running.url, odd);
  const programs = programUrlOf(running.url, odd);
  await migrateUp(running.url, programs);

  expect(await ask(programs, 'SELECT current_user::text, word FROM blocked_words')).toContain('spam');
  await expect(ask(programs, 'ALTER TABLE audit_records DISABLE TRIGGER ALL')).rejects.toThrow(
    'must be owner',
  );
  await expect(ask(programs, 'DROP TABLE blocked_words')).rejects.toThrow('must be owner');
});

it('takes another password at the next start, and keeps its rights', async () => {
  await ensureProgramRole(running.url, 'another');
  expect(await ask(programUrlOf(running.url, 'another'), 'SELECT count(*)::int FROM orders')).toEqual([0]);
  await expect(ask(programUrlOf(running.url, 'wrong'), 'SELECT 1')).rejects.toThrow(
    'password authentication failed',
  );
});

it('needs no superuser as owner: as docker-compose.yml makes the roles, and as README.md hands a database over', async () => {
  await ensureProgramRole(running.url, 'programs');
  await ask(running.url, `CREATE ROLE marketplace_owner LOGIN PASSWORD 'owner'`);
  const addressOf = (database: string, role: string, password: string): string => {
    const url = new URL(running.url);
    Object.assign(url, { pathname: `/${database}`, username: role, password });
    return url.href;
  };
  await ask(running.url, 'CREATE DATABASE fresh OWNER marketplace_owner');
  const fresh = addressOf('fresh', 'marketplace', 'programs');
  await migrateUp(addressOf('fresh', 'marketplace_owner', 'owner'), fresh);
  await expect(ask(fresh, 'DELETE FROM audit_records')).rejects.toThrow('permission denied');

  await ask(running.url, 'CREATE DATABASE older OWNER marketplace');
  const older = addressOf('older', 'marketplace', 'programs');
  await migrateUp(older);
  const owner = addressOf('older', 'marketplace_owner', 'owner');
  await expect(migrateUp(owner, older)).rejects.toThrow();
  await ask(addressOf('older', 'postgres', 'postgres'), 'REASSIGN OWNED BY marketplace TO marketplace_owner');
  expect(await migrateUp(owner, older)).toEqual([]);
  await expect(ask(older, 'DELETE FROM audit_records')).rejects.toThrow('permission denied');
  expect(await ask(older, 'SELECT count(*)::int FROM orders')).toEqual([0]);
});
