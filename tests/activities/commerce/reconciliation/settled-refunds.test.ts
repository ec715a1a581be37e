import {
  lockDifference,
  resolveDifference,
} from '../../../../db/commerce/reconciliation/difference-resolution.writes';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { PRICE_MINOR } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { BY_BANK, BY_PROVIDER, statedRefunds } from './stated-refunds';
import { comparing, dayBeside, openWith, TheirStatement } from './their-statement';

/**
 * Refunds that a provider made and our database does not know, as after a restore from a backup: a person makes them again, gives them
 * up, and settles them by the provider's id, before or after the provider's statement has them.
 */
const own = ownDatabase();
const SANDBOX = 'sandbox';

const statement = new TheirStatement(SANDBOX);
const { bookings, run, saysRefund, saysReturn, settle, unsent } = statedRefunds(own, statement);

const MISSING_HERE = (providerId: string) => ({
  ...{ kind: 'MISSING_HERE', movementKind: 'REFUND', providerId, ourId: null },
});

/** Resolves all open differences by the word of a person. */
async function resolveAll(): Promise<void> {
  const { id: resolvedBy } = await make.admin(own.db);
  const open = await rows<{ id: string }>(
    own.db,
    'SELECT id FROM reconciliation_differences WHERE resolved_at IS NULL',
  );
  for (const { id } of open)
    await inTransaction(own.db, async (tx) => {
      await lockDifference(tx, id);
      await resolveDifference(tx, id, {
        resolvedAt: new Date(),
        resolvedBy,
        note: 'Of the time after the backup.',
      });
    });
}

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

test('settled before its statement is read: no difference, and booked once, on the account of the provider', async () => {
  const refundId = await unsent();
  await settle(refundId, 're_A');
  expect(await bookings(refundId)).toEqual(BY_BANK);
  saysRefund('re_A');
  expect(await run()).toBe(0);
  expect(await bookings(refundId)).toEqual({ ...BY_PROVIDER, clearing_bank: 0 });
  expect(await run()).toBe(0);
  await settle(refundId, 're_A');
  expect(await bookings(refundId)).toEqual({ ...BY_PROVIDER, clearing_bank: 0 });
});

test('settled after a person has resolved its difference: booked on the account of the provider, and no difference again', async () => {
  saysRefund('re_B');
  expect(await run()).toBe(1);
  await resolveAll();
  const [refundId, other] = [await unsent(), await unsent()];
  await settle(refundId, 're_B');
  expect(await bookings(refundId)).toEqual(BY_PROVIDER);
  expect(await run()).toBe(0);
  await expect(settle(other, 're_B')).rejects.toThrow('is already recorded for another payment');
  expect(await bookings(other)).toEqual({});
});

test('settled while its difference is open: that is resolved', async () => {
  saysRefund('re_C');
  expect(await run()).toBe(1);
  const refundId = await unsent();
  await settle(refundId, 're_C');
  expect(await bookings(refundId)).toEqual(BY_PROVIDER);
  expect(await openWith(own.db, SANDBOX)).toEqual([]);
  expect(await run()).toBe(0);
});

test('settled while the comparison finds its difference: the next comparison, of whichever day, resolves it', async () => {
  saysRefund('re_F');
  expect(await run()).toBe(1);
  const differs = (minor: number) =>
    execute(own.db, `UPDATE reconciliation_differences SET their_minor = $1 WHERE provider_id = 're_F'`, [
      minor,
    ]);
  // Not found by the settlement, as while it is not committed.
  await differs(1);
  const refundId = await unsent();
  await settle(refundId, 're_F');
  await differs(PRICE_MINOR);
  expect(await bookings(refundId)).toEqual(BY_BANK);
  expect(await comparing(own.db, statement).run(dayBeside(1))).toBe(0);
  expect(await bookings(refundId)).toEqual({ ...BY_PROVIDER, clearing_bank: 0 });
});

test('of another amount it stays a difference, and booked from our bank account', async () => {
  const refundId = await unsent();
  await settle(refundId, 're_D');
  saysRefund('re_D', PRICE_MINOR - 1);
  expect(await run()).toBe(1);
  expect(await openWith(own.db, SANDBOX)).toEqual([MISSING_HERE('re_D')]);
  expect(await bookings(refundId)).toEqual(BY_BANK);
  await resolveAll();
});

test('one that the provider has undone was sent from our bank account', async () => {
  const refundId = await unsent();
  await settle(refundId, 're_E');
  saysRefund('re_E');
  saysReturn('re_E');
  expect(await run()).toBe(0);
  expect(await bookings(refundId)).toEqual(BY_BANK);
});

test('booked before the day is compared, which locks no order while it takes its time', async () => {
  const refundId = await unsent();
  await settle(refundId, 're_G');
  saysRefund('re_G');
  let compared: Promise<number> | undefined;
  await inTransaction(own.db, async (tx) => {
    await execute(tx, 'LOCK TABLE reconciliation_differences IN EXCLUSIVE MODE');
    compared = run();
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect(await rows(own.db, waiting)).toHaveLength(1));
    expect(await bookings(refundId)).toEqual({ ...BY_PROVIDER, clearing_bank: 0 });
    const ofRefund = `SELECT 1 FROM orders o JOIN payment_refunds r ON r.order_id = o.id WHERE r.id = $1 FOR UPDATE NOWAIT`;
    expect(await rows(tx, ofRefund, [refundId])).toHaveLength(1);
  });
  expect(await compared).toBe(0);
});
