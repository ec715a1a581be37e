import { connect } from '../../../db/sql/connection';
import { isContention, isDatabaseAway, violates } from '../../../db/sql/errors';
import { execute, rows, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';

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
  expect(begun).toBe(3);
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
  expect([tries, error === null, isContention(error)]).toEqual(again ? [3, true, false] : [1, false, false]);
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
  const killed = inTransaction(own.db, (tx) => execute(tx, 'SELECT pg_terminate_backend(pg_backend_pid())'));
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
