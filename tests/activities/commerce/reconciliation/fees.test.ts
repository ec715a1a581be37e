import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { recorded } from './our-records';
import {
  at,
  bookedFees,
  comparing,
  DAY,
  DAY_MS,
  dayBeside,
  openWith,
  TheirStatement,
} from './their-statement';

const own = ownDatabase();

/** A chargeback whose reports told of a fee, and that we recorded so many hours after the provider. */
async function charged(
  statement: TheirStatement,
  providerId: string,
  feeMinor: number,
  { hours = 10, after = 0 } = {},
): Promise<string> {
  const ours = { kind: 'CHARGEBACK' as const, providerId, amountMinor: 100, at: at(hours + after) };
  const { ourId } = await recorded(own, statement.code, ours);
  await execute(own.db, `UPDATE chargebacks SET fee_minor = $2, fee_currency = 'USD' WHERE id = $1`, [
    ourId,
    feeMinor,
  ]);
  statement.says({ ...ours, at: at(hours) });
  return ourId;
}

test('a fee is booked once, by the end of its day, however often the day is compared', async () => {
  const statement = new TheirStatement('fees');
  statement.says({ kind: 'FEE', providerId: 'a', amountMinor: 150, at: at(1) });
  statement.says({ kind: 'FEE', providerId: 'b', amountMinor: -20, at: at(2) });
  const { run } = comparing(own.db, statement);
  for (let times = 0; times < 3; times++) expect(await run()).toBe(0);
  expect(await bookedFees(own.db, statement.code)).toEqual([
    { fee: 'a', expense: 150 },
    { fee: 'b', expense: -20 },
  ]);
  const [total] = await rows(
    own.db,
    `SELECT sum(amount_minor)::int AS minor, min(created_at) AS at FROM ledger_entries WHERE account = 'clearing_fees'`,
  );
  expect(total).toEqual({ minor: 130, at: new Date(Date.parse(DAY) + DAY_MS - 1) });
});

test('more fees than one batch takes are all booked', async () => {
  const statement = new TheirStatement('many-fees', 500);
  for (let n = 0; n < 2_001; n++)
    statement.says({ kind: 'FEE', providerId: `f${n}`, amountMinor: 1, at: at(1) });
  expect(await comparing(own.db, statement).run()).toBe(0);
  expect(await bookedFees(own.db, statement.code)).toHaveLength(2_001);
});

test('a fee that changes after it was booked, or is gone, is a difference', async () => {
  const statement = new TheirStatement('changed-fee');
  statement.says({ kind: 'FEE', providerId: 'a', amountMinor: 150, at: at(1) });
  statement.says({ kind: 'FEE', providerId: 'gone', amountMinor: 10, at: at(1) });
  const { run } = comparing(own.db, statement);
  await run(dayBeside(-1));
  await run();
  statement.movements.splice(0, 2, { ...statement.movements[0]!, amountMinor: 151 });
  await run(dayBeside(1));
  expect(await run()).toBe(2);
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'AMOUNT', movementKind: 'FEE', providerId: 'a', ourId: 'fee:changed-fee:a' },
    { kind: 'MISSING_THERE', movementKind: 'FEE', providerId: 'gone', ourId: 'fee:changed-fee:gone' },
  ]);
});

test('fees of chargebacks are not booked a second time, and are compared by their sum', async () => {
  const statement = new TheirStatement('disputes');
  const known = await charged(statement, 'd1', 1_500);
  await charged(statement, 'd2', 0);
  const fee = (n: number, reference: string, amountMinor: number) =>
    statement.says({ kind: 'FEE', providerId: `t${n}`, reference, amountMinor, at: at(10 + n) });
  fee(1, 'd1', 2_000);
  fee(2, 'd1', -500);
  fee(3, 'd2', 1_500);
  fee(4, 'd2', -1_500);
  const { run } = comparing(own.db, statement);
  // So that the day before, on which these chargebacks could have begun, is read.
  await run(dayBeside(-1));
  expect(await run()).toBe(0);
  expect(await bookedFees(own.db, statement.code)).toEqual([]);
  fee(5, 'd1', 700);
  expect(await run()).toBe(1);
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'AMOUNT', movementKind: 'FEE', providerId: 'd1', ourId: known },
  ]);
  await execute(own.db, 'UPDATE chargebacks SET fee_minor = 2200 WHERE id = $1', [known]);
  expect(await run()).toBe(0);
});

test('a fee of a chargeback that is not known here is not booked: the chargeback is the difference', async () => {
  const statement = new TheirStatement('unknown-dispute');
  statement.says({ kind: 'CHARGEBACK', providerId: 'd', amountMinor: 100, at: at(10) });
  statement.says({ kind: 'FEE', providerId: v7(), reference: 'd', amountMinor: 1_500, at: at(10) });
  await comparing(own.db, statement).run();
  expect(await bookedFees(own.db, statement.code)).toEqual([]);
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'MISSING_HERE', movementKind: 'CHARGEBACK', providerId: 'd', ourId: null },
  ]);
});

/** Compares days, in their order. */
async function runDays(statement: TheirStatement, days: readonly number[]): Promise<void> {
  for (const day of days) await comparing(own.db, statement).run(dayBeside(day));
}

test('a fee of the last minutes of a day is compared, though its chargeback was reported on the next day', async () => {
  const statement = new TheirStatement('fee-at-midnight');
  const midnight = { hours: 23.97, after: 0.06 };
  const forgotten = await charged(statement, 'forgotten', 0, midnight);
  await charged(statement, 'known', 1_500, midnight);
  for (const reference of ['forgotten', 'known'])
    statement.says({
      kind: 'FEE',
      providerId: `of ${reference}`,
      reference,
      amountMinor: 1_500,
      at: at(23.97),
    });
  await runDays(statement, [-1, 0]);
  // The reports of the next day may change it.
  expect(await openWith(own.db, statement.code)).toEqual([]);
  await runDays(statement, [1]);
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'AMOUNT', movementKind: 'FEE', providerId: 'forgotten', ourId: forgotten },
  ]);
  expect(await bookedFees(own.db, statement.code)).toEqual([]);
});

test('a fee that we booked with a chargeback, and that the provider never took, is a difference', async () => {
  const statement = new TheirStatement('fee-of-ours');
  const ourId = await charged(statement, 'd', 1_500);
  await runDays(statement, [-1, 0, 1]);
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'AMOUNT', movementKind: 'FEE', providerId: 'd', ourId },
  ]);
});

test('an open difference of a fee stays while its chargeback changes, until that can be judged', async () => {
  const statement = new TheirStatement('fee-lost');
  const ourId = await charged(statement, 'd', 1_500);
  statement.says({ kind: 'FEE', providerId: 't', reference: 'd', amountMinor: 2_000, at: at(10) });
  const open = [{ kind: 'AMOUNT', movementKind: 'FEE', providerId: 'd', ourId }];
  await runDays(statement, [-1, 0]);
  expect(await openWith(own.db, statement.code)).toEqual(open);
  await execute(own.db, `UPDATE chargebacks SET status = 'LOST', updated_at = $2 WHERE id = $1`, [
    ourId,
    at(24.5),
  ]);
  await runDays(statement, [0]);
  expect(await openWith(own.db, statement.code)).toEqual(open);
  await runDays(statement, [1]);
  expect(await openWith(own.db, statement.code)).toEqual(open);
  await execute(own.db, 'UPDATE chargebacks SET fee_minor = 2000 WHERE id = $1', [ourId]);
  await runDays(statement, [1]);
  expect(await openWith(own.db, statement.code)).toEqual([]);
});

test('fees of a chargeback are judged when every day is read since it began, in whichever order', async () => {
  const statement = new TheirStatement('fee-gap');
  const ourId = await charged(statement, 'd', 1_500);
  await execute(own.db, 'UPDATE chargebacks SET updated_at = $2 WHERE id = $1', [ourId, at(60)]);
  statement.says({ kind: 'FEE', providerId: 't', reference: 'd', amountMinor: 1_000, at: at(10) });
  statement.says({ kind: 'FEE', providerId: 'u', reference: 'd', amountMinor: 400, at: at(30) });
  await runDays(statement, [-1, 0, 2]);
  expect(await openWith(own.db, statement.code)).toEqual([]);
  await runDays(statement, [1]);
  expect(await openWith(own.db, statement.code)).toMatchObject([{ kind: 'AMOUNT', ourId }]);
});
