import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { claimComparisons } from '../../../../db/commerce/reconciliation/reading.transitions';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { recorded } from './our-records';
import { at, bookedFees, comparing, DAY, openWith, TheirStatement } from './their-statement';

const own = ownDatabase();

/** A day of ten movements on four pages, of which one is not here, and with two fees. */
async function tenMovements(code: string): Promise<TheirStatement> {
  const statement = new TheirStatement(code);
  for (let n = 0; n < 7; n++) {
    const one = { kind: 'CAPTURE' as const, providerId: `p${n}`, amountMinor: 100 + n, at: at(8 + n) };
    await recorded(own, code, one);
    statement.says(one);
  }
  statement.says({ kind: 'CAPTURE', providerId: 'not here', amountMinor: 1, at: at(12) });
  for (const n of [1, 2]) statement.says({ kind: 'FEE', providerId: `f${n}`, amountMinor: n, at: at(9) });
  return statement;
}

/** Requires the result of that day, however it came about. */
async function expectResult(code: string): Promise<void> {
  expect(await openWith(own.db, code)).toEqual([
    { kind: 'MISSING_HERE', movementKind: 'CAPTURE', providerId: 'not here', ourId: null },
  ]);
  expect((await bookedFees(own.db, code)).map(({ expense }) => expense)).toEqual([1, 2]);
  const [run, ...others] = await rows(
    own.db,
    `SELECT movements, compared_at IS NOT NULL AS done FROM provider_reconciliations WHERE provider = $1`,
    [code],
  );
  expect([run, others]).toEqual([{ movements: 10, done: true }, []]);
}

test('a day of several pages is read page by page, each once', async () => {
  const statement = await tenMovements('pages');
  expect(await comparing(own.db, statement).run()).toBe(1);
  expect(statement.pagesRead).toBe(4);
  await expectResult(statement.code);
});

test('a reading that dies half-way goes on behind the last page that it recorded', async () => {
  const statement = await tenMovements('dies');
  const { begin, steps, compareDay } = comparing(own.db, statement);
  const of = { provider: statement.code, day: DAY, ...(await begin(DAY)) };
  statement.beforePage = (cursor) => {
    if (cursor === '6') throw new Error('The worker dies.');
  };
  const first = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await expect(first.run(steps.readStatement, { ...of, cursor: null })).rejects.toThrow('The worker dies.');
  expect(statement.pagesRead).toBe(2);
  statement.beforePage = () => undefined;
  const second = new MockActivityEnvironment({ heartbeatDetails: '6' });
  expect(await second.run(steps.readStatement, { ...of, cursor: null })).toEqual({ cursor: null });
  expect(statement.pagesRead).toBe(4);
  await compareDay({ ...of, at: new Date().toISOString() });
  await expectResult(statement.code);
});

test('a run that died anywhere is started again and comes to the same', async () => {
  const statement = await tenMovements('again');
  const { begin, readFrom, compareDay, run } = comparing(own.db, statement);
  const begun = { provider: statement.code, day: DAY, ...(await begin(DAY)) };
  statement.failures = 1;
  await expect(readFrom(begun)).rejects.toThrow('The provider answers 500.');
  expect(await run()).toBe(1);
  await expectResult(statement.code);
  // What is left of the first run can change nothing any more.
  await expect(readFrom(begun)).rejects.toMatchObject({ type: 'ReadAgain', nonRetryable: true });
  await expect(compareDay({ ...begun, at: new Date().toISOString() })).rejects.toMatchObject({
    type: 'ReadAgain',
  });
  await expectResult(statement.code);
});

test('a compared day takes no more pages, and a repeat of its comparison has the same answer', async () => {
  const statement = await tenMovements('compared');
  const { begin, readFrom, compareDay, compare } = comparing(own.db, statement);
  const of = { provider: statement.code, day: DAY, ...(await begin(DAY)) };
  await readFrom(of);
  expect(await Promise.all([compare(of), compare(of)])).toEqual([1, 1]);
  // The worker died after it had committed, before it could answer.
  expect(await compareDay({ ...of, at: new Date().toISOString() })).toEqual({ differences: 1 });
  await expect(readFrom(of)).rejects.toMatchObject({ type: 'ReadAgain' });
  await expectResult(statement.code);
});

test('a comparison while another one of its provider runs is told so at once, and changes nothing', async () => {
  const statement = await tenMovements('catching-up');
  const { begin, readFrom, compareDay, compare } = comparing(own.db, statement);
  const of = { provider: statement.code, day: DAY, ...(await begin(DAY)) };
  await readFrom(of);
  await inTransaction(own.db, async (tx) => {
    expect(await claimComparisons(tx, statement.code)).toBe(true);
    expect(await compareDay({ ...of, at: new Date().toISOString() })).toEqual({ differences: null });
  });
  expect(await openWith(own.db, statement.code)).toEqual([]);
  expect(await compare(of)).toBe(1);
  await expectResult(statement.code);
});

test('two runs of a day at once, and of the days around it, come to the same', async () => {
  const statement = await tenMovements('at-once');
  const { run } = comparing(own.db, statement);
  const days = [DAY, DAY, DAY].map((day) => run(day));
  const outcomes = await Promise.allSettled(days);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  await expectResult(statement.code);
});

test('the same page twice, and a movement twice on a page, are read as once', async () => {
  const statement = await tenMovements('overlap');
  statement.movements.splice(4, 0, statement.movements[3]!);
  statement.movements.splice(9, 0, statement.movements[0]!);
  expect(await comparing(own.db, statement).run()).toBe(1);
  await expectResult(statement.code);
});
