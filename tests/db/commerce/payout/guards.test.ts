import { firstRow } from '../../../../db/sql/query';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import {
  at,
  decision,
  payee,
  payoutSteps,
  processed,
  requested,
} from '../../../support/builders/paying-out/payees';
import { casesOf, guardsAmong, refusedBy } from '../../../support/checks/guards';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { toppingUp } from '../../../activities/ledger/topping-up';
import { violatingPayouts } from './violating-payouts';

const own = ownDatabase();
const { paid, chargedBack } = toppingUp(own);
const TABLES = [/^payouts /, /^payout_decisions /];
const guards = guardsAmong(TABLES, ['CHECK', 'UNIQUE', 'CREATE UNIQUE']);
const primary = guardsAmong(TABLES, ['PRIMARY KEY']);
const references = guardsAmong(TABLES, ['FOREIGN KEY']);

/** Payouts in every status, by a provider and by a person. */
beforeAll(async () => {
  const [bank, byHand] = [payoutSteps(own.db, new FakePayouts()), payoutSteps(own.db, null)];
  await requested(byHand, await payee(own.db));
  const approvedId = await requested(byHand, await payee(own.db));
  await byHand.approvePayout(await decision(own.db, approvedId));
  await processed(own.db, byHand, await payee(own.db, { kind: 'WALLET' }));
  await bank.sendPayout({ payoutId: await processed(own.db, bank, await payee(own.db)), at: at() });
  const settledId = await processed(own.db, byHand, await payee(own.db));
  await byHand.completePayout({ ...(await decision(own.db, settledId, { text: 'OUT 1' })), outcome: 'DONE' });
  const rejectedId = await requested(byHand, await payee(own.db, { kind: 'WALLET' }));
  await byHand.rejectPayout({ ...(await decision(own.db, rejectedId, { text: 'No.' })), returnsFunds: true });
  const one = await payee(own.db);
  const cancelledId = await requested(byHand, one);
  await byHand.cancelPayout({ ...(await decision(own.db, cancelledId, { by: one.userId })), byOwner: true });
  const owner = await payee(own.db, { kind: 'WALLET', availableMinor: 0 });
  const toppedUp = await paid({ userId: owner.userId });
  await requested(byHand, owner);
  await chargedBack('payment.charged_back', toppedUp);
});

test('every CHECK and key of payouts is violated by a case below, and no case is left over', () => {
  expect(Object.keys(violatingPayouts).sort()).toEqual(guards.map(({ name }) => name).sort());
  expect(primary).toHaveLength(2);
  expect(references.length).toBeGreaterThan(6);
});

// Of the role that may do everything else.
test.each(casesOf(violatingPayouts))('%s refuses %s', async (name, statement) => {
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(primary)('$name refuses a row again', async ({ table, name }) => {
  // Of one that has ended, since nothing else refuses a copy of it.
  const ended = table === 'payouts' ? `WHERE provider = 'sandbox'` : '';
  const again = `INSERT INTO ${table} SELECT * FROM ${table} ${ended}`;
  expect(await refusedBy(own.owner, again, name)).toBe(name);
});

test.each(references)('$name refuses what it does not know', async ({ table, name, definition }) => {
  const [, column = ''] = /^FOREIGN KEY \((\w+)\)/.exec(definition) ?? [];
  const statement = `UPDATE ${table} SET ${column} = gen_random_uuid() WHERE ${column} IS NOT NULL`;
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test('the rows themselves are allowed', async () => {
  const found = await firstRow(own.db, 'SELECT count(DISTINCT status)::int AS statuses FROM payouts');
  expect(found).toEqual({ statuses: 6 });
  expect(await violations(own.db)).toEqual([]);
});
