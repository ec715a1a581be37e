import { v7 } from 'uuid';
import { bookRefundReturned } from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import { recordLateArrival } from '../../../../db/commerce/reconciliation/late-arrival.writes';
import { payoutsAreStopped } from '../../../../db/commerce/reconciliation/payouts-stopped.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import { insertUnlinked, recorded, withdrawalRow } from './our-records';
import { at, comparing, DAY, DAY_MS, dayBeside, openWith, TheirStatement } from './their-statement';

const own = ownDatabase();

/** Compares the day and those around it. */
async function threeDays(statement: TheirStatement): Promise<void> {
  const { run } = comparing(own.db, statement);
  for (const day of [-1, 0, 1]) await run(dayBeside(day));
}

const rowsOf = (provider: string) =>
  rows<{ id: string; foundAt: Date; lastSeenAt: Date; resolvedAt: Date | null; resolvedBy: string | null }>(
    own.db,
    `SELECT id, found_at, last_seen_at, resolved_at, resolved_by FROM reconciliation_differences
      WHERE provider = $1 ORDER BY found_at`,
    [provider],
  );

test('a day on which nothing moved is compared, and has nothing', async () => {
  const statement = new TheirStatement('empty');
  const { run } = comparing(own.db, statement);
  expect(await run()).toBe(0);
  const [done] = await rows(
    own.db,
    `SELECT day::text AS day, reading, movements, fees_booked, compared_at IS NOT NULL AS done
       FROM provider_reconciliations WHERE provider = 'empty'`,
  );
  expect(done).toEqual({ day: DAY, reading: 1, movements: 0, feesBooked: 0, done: true });
});

test('a refund that came back is no movement, neither there nor in our books', async () => {
  const statement = new TheirStatement('undelivered');
  const { code } = statement;
  const { ourId } = await recorded(own, code, {
    kind: 'REFUND',
    providerId: 're_1',
    amountMinor: 700,
    at: at(12),
  });
  statement.says({ kind: 'REFUND', providerId: 're_1', amountMinor: 700, at: at(12) });
  await threeDays(statement);
  expect(await openWith(own.db, code)).toEqual([]);
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `UPDATE ledger_transfers t SET kind = 'payment-refund', subject_id = $2 FROM ledger_entries e
        WHERE e.transfer_id = t.id AND e.account = 'clearing_' || $1`,
      [code, ourId],
    );
    await execute(
      tx,
      `UPDATE payment_refunds SET status = 'ABANDONED', provider_refund_id = NULL, completed_at = NULL,
         returned_reference = 're_1' WHERE id = $1`,
      [ourId],
    );
    const returned = { id: ourId, amountMinor: 700, currency: 'USD', provider: code };
    await bookRefundReturned(tx, returned, 're_1', at(30).toISOString());
  });
  statement.says({ kind: 'REFUND', providerId: 'txn_1', amountMinor: -700, reverses: 're_1', at: at(30) });
  await threeDays(statement);
  expect(await openWith(own.db, code)).toEqual([]);
});

test('a movement of ours is judged only when the days are read that its movement there may be of', async () => {
  const statement = new TheirStatement('midnight');
  await recorded(own, statement.code, {
    kind: 'CAPTURE',
    providerId: 'late',
    amountMinor: 100,
    at: at(18.5),
  });
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'early', amountMinor: 200, at: at(1) });
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'noon', amountMinor: 300, at: at(12) });
  const { run } = comparing(own.db, statement);
  const missing = async () => (await openWith(own.db, statement.code)).map(({ providerId }) => providerId);
  await run(dayBeside(-1));
  expect(await missing()).toEqual([]);
  await run();
  expect(await missing()).toEqual(['early', 'noon']);
  // The provider has it on the next day, whose hours before 6:00 belong to this one.
  statement.says({ kind: 'CAPTURE', providerId: 'late', amountMinor: 100, at: at(24.3) });
  await run(dayBeside(1));
  expect(await missing()).toEqual(['early', 'noon']);
});

test('on the first day of a provider ours are not judged: what was late may be of the day before, which was not read', async () => {
  const statement = new TheirStatement('first-day');
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'late', amountMinor: 100, at: at(9) });
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'never', amountMinor: 200, at: at(33) });
  statement.says({ kind: 'CAPTURE', providerId: 'late', amountMinor: 100, at: at(-1) });
  statement.says({ kind: 'CAPTURE', providerId: 'not here', amountMinor: 300, at: at(9) });
  const { run } = comparing(own.db, statement);
  await run();
  expect(await openWith(own.db, statement.code)).toMatchObject([
    { kind: 'MISSING_HERE', providerId: 'not here' },
  ]);
  // The second day in a row.
  await run(dayBeside(1));
  expect(await openWith(own.db, statement.code)).toMatchObject([
    { kind: 'MISSING_HERE', providerId: 'not here' },
    { kind: 'MISSING_THERE', providerId: 'never' },
  ]);
});

test('after days that were not read ours are judged from the second day on, or when the day before is read', async () => {
  const statement = new TheirStatement('gap');
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'late', amountMinor: 100, at: at(9) });
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'never', amountMinor: 200, at: at(10) });
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'gone', amountMinor: 300, at: at(34) });
  statement.says({ kind: 'CAPTURE', providerId: 'late', amountMinor: 100, at: at(-1) });
  const { run } = comparing(own.db, statement);
  for (const day of [-10, -9, 0]) await run(dayBeside(day));
  expect(await openWith(own.db, statement.code)).toEqual([]);
  await run(dayBeside(1));
  expect(await openWith(own.db, statement.code)).toMatchObject([
    { kind: 'MISSING_THERE', providerId: 'gone' },
  ]);
  await run(dayBeside(-1));
  expect(await openWith(own.db, statement.code)).toMatchObject([
    { kind: 'MISSING_THERE', providerId: 'gone' },
    { kind: 'MISSING_THERE', providerId: 'never' },
  ]);
});

test('what a late report brings is resolved by the next run, of whichever day, and found again it is the same row', async () => {
  const statement = new TheirStatement('late-report');
  statement.says({ kind: 'CAPTURE', providerId: 'x', amountMinor: 100, at: at(10) });
  const { run } = comparing(own.db, statement);
  await run(dayBeside(-1));
  expect(await run()).toBe(1);
  expect(await run()).toBe(1);
  const [found, ...others] = await rowsOf(statement.code);
  expect(others).toEqual([]);
  expect(found!.lastSeenAt.getTime()).toBeGreaterThan(found!.foundAt.getTime());
  expect(await payoutsAreStopped(own.db, policyFrom({}))).toBe(true);
  await recorded(own, statement.code, { kind: 'CAPTURE', providerId: 'x', amountMinor: 100, at: at(10) });
  expect(await run(dayBeside(1))).toBe(0);
  expect(await rowsOf(statement.code)).toMatchObject([
    { id: found!.id, resolvedAt: expect.any(Date), resolvedBy: null },
  ]);
  await execute(
    own.owner,
    `UPDATE payment_captures SET provider_payment_id = 'y' WHERE provider_payment_id = 'x'`,
  );
  expect(await run()).toBe(2);
  const again = await rowsOf(statement.code);
  expect(again).toHaveLength(2);
  expect(again[0]).toMatchObject({ id: found!.id, resolvedAt: null });
});

test('one that an administrator has explained stays explained until its amounts change', async () => {
  const statement = new TheirStatement('explained');
  const { id: by } = await make.admin(own.db);
  await recorded(own, statement.code, { kind: 'REFUND', providerId: 'r', amountMinor: 100, at: at(10) });
  statement.says({ kind: 'REFUND', providerId: 'r', amountMinor: 90, at: at(10) });
  const { run } = comparing(own.db, statement);
  expect(await run()).toBe(1);
  await execute(
    own.db,
    `UPDATE reconciliation_differences SET resolved_at = now(), resolved_by = $2, note = 'Agreed.' WHERE provider = $1`,
    [statement.code, by],
  );
  expect(await run()).toBe(0);
  expect(await rowsOf(statement.code)).toMatchObject([{ resolvedBy: by }]);
  statement.movements[0]!.amountMinor = 80;
  expect(await run()).toBe(1);
  expect(await rowsOf(statement.code)).toMatchObject([{ resolvedBy: null, resolvedAt: null }]);
});

test('what is under way here, and has arrived there, is no difference', async () => {
  const statement = new TheirStatement('under-way');
  const [withdrawal, refund] = [v7(), v7()];
  const sent = { providerId: 'unknown', amountMinor: 500, currency: 'USD', at: at(9) };
  const open = {
    status: 'PROCESSING',
    transfer_reference: null,
    ended_at: null,
    details: Buffer.from('sealed'),
  };
  const capture = {
    id: v7(),
    attempt_id: v7(),
    participation_id: v7(),
    provider: statement.code,
    currency: 'USD',
  };
  await insertUnlinked(own, [
    ['investment_withdrawals', { ...withdrawalRow(withdrawal, statement.code, sent), ...open, sendings: 2 }],
    [
      'payment_captures',
      {
        ...{ ...capture, provider_payment_id: 'p', amount_minor: 50, applied: false },
        captured_at: new Date('2020-01-01'),
      },
    ],
    [
      'payment_refunds',
      {
        ...{
          id: refund,
          participation_id: v7(),
          capture_id: capture.id,
          reason: 'CANCELLATION',
          amount_minor: 50,
        },
        ...{ currency: 'USD', status: 'PROCESSING', created_at: at(8), asked_at: at(8) },
      },
    ],
  ]);
  statement.says({
    kind: 'TRANSFER_OUT',
    providerId: 't',
    reference: `${withdrawal}:2`,
    amountMinor: 500,
    at: at(10),
  });
  statement.says({ kind: 'REFUND', providerId: 'r', reference: `${refund}:1`, amountMinor: 50, at: at(10) });
  await threeDays(statement);
  expect(await openWith(own.db, statement.code)).toEqual([]);
  // One that was sent under an earlier key, which had counted as refused, left a second time.
  statement.says({
    kind: 'TRANSFER_OUT',
    providerId: 't1',
    reference: withdrawal,
    amountMinor: 500,
    at: at(11),
  });
  statement.says({
    kind: 'TRANSFER_OUT',
    providerId: 't2',
    reference: `${withdrawal}:2`,
    amountMinor: 500,
    at: at(12),
  });
  await threeDays(statement);
  expect(await openWith(own.db, statement.code)).toMatchObject([
    { kind: 'MISSING_HERE', providerId: 't1', ourId: null },
    { kind: 'TWICE', providerId: 't2', ourId: withdrawal },
  ]);
});

test('a movement that the provider undid is as none: what we hold of it is missing there, also days later', async () => {
  const statement = new TheirStatement('undone');
  const ours = { kind: 'REFUND' as const, providerId: 'r', amountMinor: 100, at: at(10) };
  const { ourId } = await recorded(own, statement.code, ours);
  statement.says({ ...ours, reference: ourId });
  statement.says({ kind: 'REFUND', providerId: 'never', amountMinor: 70, at: at(11) });
  statement.says({
    kind: 'REFUND',
    providerId: 'never:failed',
    reverses: 'never',
    amountMinor: -70,
    at: at(12),
  });
  await threeDays(statement);
  expect(await openWith(own.db, statement.code)).toEqual([]);
  statement.says({ kind: 'REFUND', providerId: 'r:failed', reverses: 'r', amountMinor: -100, at: at(50) });
  statement.says({ kind: 'REFUND', providerId: 'in part', reverses: 'r', amountMinor: -1, at: at(51) });
  statement.says({ kind: 'REFUND', providerId: 'of none', reverses: 'gone', amountMinor: -5, at: at(52) });
  await comparing(own.db, statement).run(dayBeside(2));
  expect(await openWith(own.db, statement.code)).toEqual([
    { kind: 'MISSING_HERE', movementKind: 'REFUND', providerId: 'in part', ourId: null },
    { kind: 'MISSING_HERE', movementKind: 'REFUND', providerId: 'of none', ourId: null },
    { kind: 'MISSING_THERE', movementKind: 'REFUND', providerId: 'r', ourId },
  ]);
});

test('what the provider no longer says of a day that is read again is forgotten', async () => {
  const statement = new TheirStatement('read-again');
  statement.says({ kind: 'CAPTURE', providerId: 'x', amountMinor: 100, at: at(10) });
  const { run } = comparing(own.db, statement);
  expect(await run()).toBe(1);
  statement.movements.length = 0;
  expect(await run()).toBe(0);
  expect(
    await rows(own.db, 'SELECT 1 FROM provider_movements WHERE provider = $1', [statement.code]),
  ).toEqual([]);
});

test.each([
  ['a day that has not ended for an hour', () => new Date(Date.parse(DAY) + DAY_MS + 59 * 60_000)],
  ['a day of two months ago', () => new Date(Date.parse(DAY) + 60 * DAY_MS)],
])('%s is refused for good', async (_, now) => {
  const { begin } = comparing(own.db, new TheirStatement('refused'));
  const refused = (async () => begin(DAY, now()))();
  await expect(refused).rejects.toMatchObject({ type: 'NotComparable', nonRetryable: true });
});

test('an open difference stops payouts, unless the policy lets them go on; an explained one does not', async () => {
  await execute(
    own.db,
    'UPDATE reconciliation_differences SET resolved_at = now() WHERE resolved_at IS NULL',
  );
  const [stops, goesOn] = [policyFrom({}), policyFrom({ POLICY_RECONCILIATION_STOPS_PAYOUTS: 'false' })];
  expect(await payoutsAreStopped(own.db, stops)).toBe(false);
  const statement = new TheirStatement('stopping');
  statement.says({ kind: 'TRANSFER_OUT', providerId: 'x', amountMinor: 100, at: at(10) });
  await comparing(own.db, statement).run();
  expect(await payoutsAreStopped(own.db, stops)).toBe(true);
  expect(await payoutsAreStopped(own.db, goesOn)).toBe(false);
});

test('a transfer that a look-up has shown stays open until the statement has it, and is the same difference then', async () => {
  const statement = new TheirStatement('shown');
  const { run } = comparing(own.db, statement);
  const arrival = { provider: 'shown', transferId: 'tr_1', amountMinor: 40_00, currency: 'USD' };
  const subjectId = v7();
  const shows = () =>
    inTransaction(own.db, (tx) => recordLateArrival(tx, { ...arrival, subjectId }, new Date(at(12))));
  await shows();
  await shows();
  const [shown, ...more] = await rowsOf('shown');
  expect(more).toEqual([]);
  expect(await run(dayBeside(-1))).toBe(1);
  expect(await run()).toBe(1);
  statement.says({ kind: 'TRANSFER_OUT', providerId: 'tr_1', amountMinor: 40_00, at: at(12) });
  expect(await run()).toBe(1);
  expect(await rowsOf('shown')).toEqual([
    { ...shown, lastSeenAt: expect.any(Date) as Date, resolvedAt: null },
  ]);
  // The person has given it back.
  statement.says({
    ...{ kind: 'TRANSFER_OUT', providerId: 'tr_2', amountMinor: -40_00, reverses: 'tr_1', at: at(26) },
  });
  expect(await run(dayBeside(1))).toBe(0);
});
