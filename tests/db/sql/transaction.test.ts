import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, connectForLongWork } from '../../../db/sql/connection';
import { isContention, isDatabaseAway, violates } from '../../../db/sql/errors';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import { type Db, execute, firstRow, rows, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';

describe('transactions', () => {
  const own = ownDatabase();

  beforeAll(() =>
    execute(
      own.owner,
      'CREATE TABLE boxes (id integer PRIMARY KEY, content integer NOT NULL CONSTRAINT boxes_not_overfull CHECK (content < 100))',
    ),
  );
  beforeEach(async () => {
    await execute(own.db, 'DELETE FROM boxes');
    await execute(own.db, 'INSERT INTO boxes VALUES (1, 0), (2, 0)');
  });

  const contents = async () =>
    (await rows<{ content: number }>(own.db, 'SELECT content FROM boxes ORDER BY id')).map(
      ({ content }) => content,
    );
  const fill = (tx: Tx, id: number) =>
    execute(tx, 'UPDATE boxes SET content = content + 1 WHERE id = $1', [id]);
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  test('all of it happens, or none', async () => {
    expect(await inTransaction(own.db, (tx) => fill(tx, 1))).toBe(1);
    const failing = inTransaction(own.db, async (tx) => {
      await fill(tx, 1);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await contents()).toEqual([1, 0]);
  });

  test('two that stand in each other’s way both come through', async () => {
    let begun = 0;
    let bothBegan: () => void = () => undefined;
    const meeting = new Promise<void>((resolve) => (bothBegan = resolve));
    const crossing = (first: number, second: number) => {
      let tries = 0;
      return inTransaction(own.db, async (tx) => {
        await fill(tx, first);
        if (++begun === 2) bothBegan();
        await meeting;
        await fill(tx, second);
        return ++tries;
      });
    };
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    // One of them began again; more than once, if it took its row before the other was woken.
    expect(begun).toBeGreaterThan(2);
    expect(await contents()).toEqual([2, 2]);
  });

  test.each([
    ['40001', true],
    ['40P01', true],
    ['23514', false],
  ])('after SQLSTATE %s the work is tried again: %s', async (sqlstate, again) => {
    let tries = 0;
    const raise = `DO $body$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${sqlstate}'; END $body$`;
    const work = inTransaction(own.db, async (tx) => {
      tries++;
      await fill(tx, 1);
      if (tries < 3) await tx.sequelize.query(raise, { transaction: tx.transaction });
    });
    const error = await failure(work);
    expect([tries, error === null, isContention(error)]).toEqual(
      again ? [3, true, false] : [1, false, false],
    );
    expect(await contents()).toEqual([again ? 1 : 0, 0]);
  });

  test('what never stops failing is given up', async () => {
    let tries = 0;
    const raise = `DO $body$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $body$`;
    const work = inTransaction(own.db, async (tx) => {
      tries++;
      await tx.sequelize.query(raise, { transaction: tx.transaction });
    });
    expect(isContention(await failure(work))).toBe(true);
    expect(tries).toBe(5);
  });

  test('a refusal is recognised by the name of its constraint', async () => {
    const overfull = await failure(execute(own.db, 'UPDATE boxes SET content = 100'));
    expect(violates(overfull, 'boxes_not_overfull')).toBe(true);
    expect(violates(overfull, 'boxes_pkey')).toBe(false);
    expect(violates(await failure(execute(own.db, 'INSERT INTO boxes VALUES (1, 0)')), 'boxes_pkey')).toBe(
      true,
    );
    expect(violates(new Error('boxes_pkey'), 'boxes_pkey')).toBe(false);
    expect(isDatabaseAway(overfull)).toBe(false);
  });

  test('a database that cannot be reached is told from one that refuses', async () => {
    jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize tells of every connection that is lost.
    const nobody = connect({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(isDatabaseAway(await failure(execute(nobody, 'SELECT 1')))).toBe(true);
    await nobody.sequelize.close();
    const killed = inTransaction(own.db, (tx) =>
      execute(tx, 'SELECT pg_terminate_backend(pg_backend_pid())'),
    );
    expect(isDatabaseAway(await failure(killed))).toBe(true);
    const goesOn = inTransaction(own.db, async (tx) => {
      await failure(execute(tx, 'SELECT pg_terminate_backend(pg_backend_pid())'));
      await execute(tx, 'SELECT 1'); // On a connection that the driver knows to be lost.
    });
    expect(isDatabaseAway(await failure(goesOn))).toBe(true);
    const tooSlow = inTransaction(own.db, async (tx) => {
      await execute(tx, 'SET LOCAL statement_timeout = 20');
      await execute(tx, 'SELECT pg_sleep(5)');
    });
    expect(isDatabaseAway(await failure(tooSlow))).toBe(true);
    expect(isDatabaseAway(await failure(execute(own.db, 'SELECT nonsense')))).toBe(false);
  });
});

describe('long transactions', () => {
  const own = ownDatabase();
  let longDb: Db;
  beforeAll(() => {
    longDb = connectForLongWork({ DATABASE_URL: own.url }, 'long-work-test');
  });
  afterAll(() => longDb.sequelize.close());

  const running = () =>
    rows(
      own.db,
      `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(%'`,
    );
  const never = new AbortController().signal;

  test('a statement that is silent for longer than other connections may be comes to its end', async () => {
    jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize tells of every connection that is lost.
    const impatient = connect({ DATABASE_URL: own.url, DATABASE_STATEMENT_TIMEOUT_MS: 200 }, 'impatient');
    const slow = (tx: Db) => execute(tx, 'SELECT pg_sleep(1)');
    await expect(inLongTransaction(impatient, never, slow)).rejects.toThrow(/silent|terminated/);
    await impatient.sequelize.close();
    expect(await inLongTransaction(longDb, never, async (tx) => (await slow(tx), 'done'))).toBe('done');
  });

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
    expect(performance.now() - begun).toBeLessThan(60_000); // The statement's own time.
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
    const steps = connect(
      { DATABASE_URL: own.url, DATABASE_STATEMENT_TIMEOUT_MS: 8_000 },
      'steps',
      undefined,
      {
        lockTimeoutMs: 200,
      },
    );
    const holder = await own.db.sequelize.transaction();
    await execute({ ...own.db, transaction: holder }, 'LOCK TABLE blocked_words');
    const failure: unknown = await execute(steps, 'DELETE FROM blocked_words').catch(
      (error: unknown) => error,
    );
    await holder.rollback();
    expect(String(failure)).toContain('lock timeout');
    expect(isDatabaseAway(failure)).toBe(true);
    await steps.sequelize.close();
  });
});

describe('a silent server', () => {
  const own = ownDatabase();
  const sockets = new Set<Socket>();
  afterAll(() => sockets.forEach((socket) => socket.destroy()));

  /** A proxy before the database; after `swallow` it drops everything in both directions. */
  async function swallowingProxy(): Promise<{ url: string; swallow: () => void; close: () => void }> {
    const real = new URL(own.url);
    let swallows = false;
    const server = createServer((near) => {
      const far = new Socket();
      far.connect(Number(real.port), real.hostname);
      near.on('data', (bytes) => swallows || far.write(bytes));
      far.on('data', (bytes) => swallows || near.write(bytes));
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(own.url);
    url.port = String((server.address() as AddressInfo).port);
    return { url: url.href, swallow: () => (swallows = true), close: () => server.close() };
  }

  test('nobody waits for ever for a database that says nothing any more', async () => {
    jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize tells of every connection that is lost.
    const proxy = await swallowingProxy();
    const db = connect({ DATABASE_URL: proxy.url, DATABASE_STATEMENT_TIMEOUT_MS: 200 });
    await execute(db, 'SELECT 1');
    proxy.swallow();
    const failure: unknown = await execute(db, 'SELECT 1').catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    proxy.close();
    await db.sequelize.close();
  });
});
