import { setTimeout as pause } from 'node:timers/promises';
import { connect, connectForLongWork } from '../../../db/sql/connection';
import { isDatabaseAway } from '../../../db/sql/errors';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import { execute, firstRow, rows, type Db } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { eventually } from '../../support/checks/eventually';

const own = ownDatabase();
let longDb: Db;
beforeAll(() => {
  longDb = connectForLongWork({ DATABASE_URL: own.url }, 'long-work-test');
});
afterAll(() => longDb.sequelize.close());

const running = () =>
  rows(own.db, `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(%'`);
const never = new AbortController().signal;

test('a statement that is silent for longer than other connections may be comes to its end', async () => {
  jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize tells of every connection that is lost.
  const impatient = connect({ DATABASE_URL: own.url, DATABASE_STATEMENT_TIMEOUT_MS: 200 }, 'impatient');
  const slow = (tx: Db) => execute(tx, 'SELECT pg_sleep(1)');
  await expect(inLongTransaction(impatient, never, slow)).rejects.toThrow(/silent|terminated/);
  await impatient.sequelize.close();
  expect(await inLongTransaction(longDb, never, async (tx) => (await slow(tx), 'done'))).toBe('done');
}, 20_000);

test('an abort cancels the statement that runs, at the server, and the ones after it', async () => {
  const abort = new AbortController();
  const work = inLongTransaction(longDb, abort.signal, async (tx) => {
    await execute(tx, 'SELECT pg_sleep(60)').catch(() => undefined);
    await execute(tx, 'ROLLBACK TO SAVEPOINT none').catch(() => undefined);
    await execute(tx, 'SELECT pg_sleep(60)');
  });
  const ended = work.catch((error: unknown) => error);
  await eventually(async () => expect(await running()).toHaveLength(1));
  const begun = performance.now();
  abort.abort(new Error('stop'));
  expect(await ended).toBeInstanceOf(Error);
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(await running()).toEqual([]);
});

test('what was aborted before it began does not begin; what ended cancels nobody', async () => {
  await expect(
    inLongTransaction(longDb, AbortSignal.abort(new Error('stop')), () => Promise.resolve()),
  ).rejects.toThrow('stop');
  const abort = new AbortController();
  await inLongTransaction(longDb, abort.signal, (tx) => execute(tx, 'SELECT 1'));
  const after = Promise.all(
    [1, 2, 3].map(() => firstRow(longDb, 'SELECT pg_sleep(0.5), true AS whole').then((row) => row)),
  );
  abort.abort();
  await pause(300);
  expect(await after).toHaveLength(3);
});

test('it sees one moment, and a read-only one refuses to write', async () => {
  const seen = await inLongTransaction(
    longDb,
    never,
    async (tx) => {
      const count = () => firstRow<{ n: number }>(tx, 'SELECT count(*)::int AS n FROM blocked_words');
      const before = await count();
      await execute(own.db, `INSERT INTO blocked_words VALUES ('long-work-test')`);
      return [before, await count()];
    },
    { readOnly: true },
  );
  expect(seen[0]).toEqual(seen[1]);
  const write = (tx: Db) => execute(tx, `DELETE FROM blocked_words WHERE word = 'long-work-test'`);
  await expect(inLongTransaction(longDb, never, write, { readOnly: true })).rejects.toThrow('read-only');
});

test('PostgreSQL looks whether the client of a long statement is still there', async () => {
  const settings = await firstRow(
    longDb,
    `SELECT current_setting('client_connection_check_interval') AS look,
            current_setting('statement_timeout') AS longest, current_setting('lock_timeout') AS lock`,
  );
  expect(settings).toEqual({ look: '10s', longest: '50min', lock: '0' });
});

test('a step waits for a lock no longer than its pool allows, and that is no fault of its own', async () => {
  const steps = connect({ DATABASE_URL: own.url, DATABASE_STATEMENT_TIMEOUT_MS: 8_000 }, 'steps', undefined, {
    lockTimeoutMs: 200,
  });
  const holder = await own.db.sequelize.transaction();
  await execute({ ...own.db, transaction: holder }, 'LOCK TABLE blocked_words');
  const failure: unknown = await execute(steps, 'DELETE FROM blocked_words').catch((error: unknown) => error);
  await holder.rollback();
  expect(String(failure)).toContain('lock timeout');
  expect(isDatabaseAway(failure)).toBe(true);
  await steps.sequelize.close();
});
