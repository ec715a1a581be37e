import { v7 } from 'uuid';
import { eraseReportsOn } from '../../../../db/administration/webhook/webhook-erasure.transitions';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting } from './reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function begin() {
  const { id: userId } = await make.user(own.db);
  const strategy = await make.strategy(own.db);
  const provider = reporting(own.db, strategy.providerCode);
  return {
    ...{ userId, strategy, ...provider },
    invests: (status: 'ACTIVE' | 'CANCELLED' = 'ACTIVE') =>
      make.participation(own.db, { userId, strategyId: strategy.id, status }),
    /** A report on the user. */
    synced: (data?: object) =>
      provider.store({ type: 'kyc.synced', data: { userId, status: 'APPROVED', level: 'ENHANCED', data } }),
  };
}

const keptOf = (userId: string) =>
  rows<{ data: Buffer | null; providerCode: string }>(
    own.db,
    'SELECT provider_code, status, level, data FROM kyc_provider_reports WHERE user_id = $1',
    [userId],
  );

test('is kept sealed and nowhere else, approves nothing, and one report is one row', async () => {
  const { userId, invests, synced, apply, strategy, row } = await begin();
  await invests();
  const id = await synced({ passport: 'X-12345' });
  expect(await apply(id)).toMatchObject({ outcome: 'APPLIED', participation: null });
  expect(await apply(id)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
  const kept = await keptOf(userId);
  expect(kept).toMatchObject([
    { providerCode: strategy.providerCode, status: 'APPROVED', level: 'ENHANCED' },
  ]);
  expect(kept[0]!.data!.toString('latin1')).not.toContain('X-12345');
  expect(await row(id)).toMatchObject({ status: 'PROCESSED' });
  expect(await firstRow(own.db, 'SELECT body, body_hash FROM webhook_events WHERE id = $1', [id])).toEqual({
    body: null,
    bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(await firstRow(own.db, 'SELECT kyc_level FROM users WHERE id = $1', [userId])).toEqual({
    kycLevel: 'BASIC',
  });
});

test('no document number that a report on a person names stays after the erasure', async () => {
  const { userId, invests, store, apply, row } = await begin();
  await invests();
  const data = {
    userId,
    status: 'APPROVED',
    level: 'ENHANCED',
    externalId: 'PASSPORT-C01X00T47',
    amount: 4711,
  };
  const synced = await store({ type: 'kyc.synced', data });
  expect(await apply(synced)).toMatchObject({ outcome: 'APPLIED' });
  const ignored = await store({ type: 'person.checked', data });
  await execute(own.db, 'UPDATE webhook_events SET reconciled_at = now() WHERE id = $1', [ignored]);
  await inTransaction(own.db, (tx) => eraseReportsOn(tx, userId));
  expect(await row(ignored)).toMatchObject({ status: 'IGNORED' });
  expect(
    await rows(own.db, 'SELECT body, movement, amount_minor FROM webhook_events WHERE id IN ($1, $2)', [
      synced,
      ignored,
    ]),
  ).toEqual(Array(2).fill({ body: null, movement: null, amountMinor: null }));
  const whole = await rows<{ text: string }>(own.db, 'SELECT w::text AS text FROM webhook_events w');
  expect(whole.filter(({ text }) => /C01X00T47|4711/.test(text))).toEqual([]);
});

test('a provider says nothing about users who do not invest with it: its report waits until they do', async () => {
  const { userId, invests, synced, apply, row } = await begin();
  const elsewhere = await make.strategy(own.db);
  await make.participation(own.db, { userId, strategyId: elsewhere.id, status: 'ACTIVE' });
  await invests('CANCELLED');
  const id = await synced();
  expect(await apply(id)).toEqual({
    outcome: 'WAITING',
    reason: `Its user ${userId} has no investment with this provider.`,
  });
  expect(await row(id)).toMatchObject({ status: 'WAITING' });
  expect(await keptOf(userId)).toEqual([]);
  await invests();
  expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
});

test('of each provider the newest hundred stay, however many another one sends', async () => {
  const { userId, invests, report } = await begin();
  await invests();
  const other = await make.strategy(own.db);
  await make.participation(own.db, { userId, strategyId: other.id, status: 'ACTIVE' });
  const data = { userId, status: 'A', level: 'B' };
  await reporting(own.db, other.providerCode).report({ type: 'kyc.synced', data });
  for (let n = 0; n < 102; n++)
    await report({ type: 'kyc.synced', data: { ...data, status: `n${n}` }, id: v7() });
  const kept = await keptOf(userId);
  expect(kept.filter(({ providerCode }) => providerCode === other.providerCode)).toHaveLength(1);
  expect(kept).toHaveLength(101);
});
