import { readMessage } from '../../../../activities/providers/payments/read-message';
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { paymentEventActivities } from '../../../../activities/commerce/payment-event/payment-event.activities';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { unstartedWebhookEvents } from '../../../../db/administration/webhook/webhook-event.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { held, waiting } from '../../../support/checks/held-locks';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, type Report } from './reporting';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Marks a report as dead, as its process does when its patience is over, or when an operator abandons it. */
const giveUp = (webhookEventId: string, why: { waitedInVain?: true } = { waitedInVain: true }) =>
  paymentEventActivities({ db: own.db, policy: policyFrom({}), readMessage }).markEventDead({
    ...{ webhookEventId, reason: 'It waited for three days.', at: new Date().toISOString(), ...why },
  });

async function begin() {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const { id: strategyId, providerCode, strategyCode } = await make.strategy(own.db);
  await make.signedIn(own.db, providerCode, user.id);
  const externalId = v7();
  const about = () => ({ externalId: v7(), investmentExternalId: externalId });
  const data = { externalId, userId: user.id, strategyCode, amount: 1_000, currency: 'USD' };
  const created: Report = {
    type: 'investment.created',
    data: { ...data, startDate: '2026-06-01', maturityDate: '2126-01-01' },
  };
  const profit = (): Report => ({ type: 'profit.distributed', data: { ...about(), amount: 5 } });
  const payout = (amount: number): Report => ({
    type: 'investment.withdrawn',
    data: { ...about(), amount, status: 'WITHDRAWN' },
  });
  return {
    ...reporting(own.db, providerCode, { POLICY_PROVIDER_MOVEMENTS_A_DAY: '1000' }),
    ...{ user, strategyId, created, profit, payout },
    participation: async () =>
      (await firstRow<{ id: string; userId: string }>(
        own.db,
        'SELECT id, user_id FROM participations WHERE external_id = $1',
        [externalId],
      ))!,
    rowsOf: () =>
      rows(
        own.db,
        `SELECT status, started_at IS NOT NULL AS is_started, count(*)::int AS n FROM webhook_events
         WHERE provider = $1 GROUP BY 1, 2 ORDER BY 1`,
        [providerCode],
      ),
  };
}

test('those that died of waiting for an investment are applied with it, when it comes after all', async () => {
  const { report, store, apply, row, created, profit } = await begin();
  const waited = await store(profit());
  expect(await apply(waited)).toMatchObject({ outcome: 'WAITING' });
  await giveUp(waited);
  expect(await row(waited)).toMatchObject({ status: 'DEAD' });
  expect(await report(created)).toMatchObject({ outcome: 'APPLIED' });
  expect(await row(waited)).toMatchObject({ status: 'PROCESSED', error: null, waitsFor: null });
});

test('so are those of an investment that was paid here, and more than one transaction takes', async () => {
  const { report, store, apply, created, profit, user, strategyId, rowsOf } = await begin();
  const [first] = [await store(profit())];
  for (const id of [first, ...(await Promise.all(Array.from({ length: 110 }, () => store(profit()))))]) {
    await apply(id);
    await giveUp(id);
  }
  await make.participation(own.db, { status: 'ACTIVE', userId: user.id, strategyId, amountMinor: 1_000_00 });
  const data = { ...created.data, maturityDate: undefined };
  expect(await report({ ...created, data })).toMatchObject({ outcome: 'APPLIED', participation: null });
  // The sweep starts processes for the others.
  expect(await rowsOf()).toEqual([
    { status: 'PROCESSED', isStarted: true, n: 101 },
    { status: 'WAITING', isStarted: false, n: 11 },
  ]);
  const now = new Date();
  const unstarted = await unstartedWebhookEvents(own.db, {
    receivedBefore: now,
    at: now.toISOString(),
    limit: 20,
  });
  for (const { id } of unstarted) await apply(id);
  expect(await rowsOf()).toEqual([{ status: 'PROCESSED', isStarted: true, n: 112 }]);
});

test('a payout that has to wait for something else then holds the maturity, and gets a process again', async () => {
  const { report, store, apply, row, created, payout, participation } = await begin();
  const short = await store(payout(10));
  await apply(short);
  await giveUp(short);
  await report({ ...created, data: { ...created.data, maturityDate: '2026-09-01' } });
  expect(await row(short)).toMatchObject({ status: 'WAITING' });
  const now = new Date();
  const unstarted = await unstartedWebhookEvents(own.db, {
    receivedBefore: now,
    at: now.toISOString(),
    limit: 20,
  });
  expect(unstarted.map(({ id }) => id)).toEqual([short]);
  const made = await participation();
  const due = { participationId: made.id, userId: made.userId, at: new Date().toISOString() };
  expect(await matureWhenDue(own.db, policyFrom({}), due)).toMatchObject({ status: 'ACTIVE' });
  expect(await apply(short)).toMatchObject({ outcome: 'WAITING' });
  // Once it has waited in vain, no other one holds the money until a person has decided.
  await giveUp(short);
  const next = await store(payout(10));
  expect(await apply(next)).toMatchObject({ outcome: 'WAITING' });
  expect(await matureWhenDue(own.db, policyFrom({}), due)).toMatchObject({ status: 'MATURED' });
});

test('one that a person discards while its investment comes stays discarded', async () => {
  const { report, store, apply, row, created, profit } = await begin();
  const waited = await store(profit());
  await apply(waited);
  await giveUp(waited);
  const discarding = await held(
    own.db,
    `UPDATE webhook_events SET status = 'DISCARDED', waits_for = NULL, reconciled_at = now() WHERE id = '${waited}'`,
  );
  const applied = report(created);
  await waiting(own.db, 1);
  await discarding.release();
  expect(await applied).toMatchObject({ outcome: 'APPLIED' });
  expect((await row(waited))?.status).toBe('DISCARDED');
});

test('one that an operator has abandoned is not applied', async () => {
  const { report, store, apply, row, created, profit } = await begin();
  const abandoned = await store(profit());
  await apply(abandoned);
  await giveUp(abandoned, {});
  await report(created);
  expect((await row(abandoned))?.status).toBe('DEAD');
});

test('one that is dead for another reason, was discarded, or lost its text stays as it is', async () => {
  const { report, store, apply, row, created, profit, payout } = await begin();
  const wrong = await store({ ...profit(), data: { ...profit().data, amount: 'five' } });
  await apply(wrong);
  const textless = await store(profit());
  await apply(textless);
  await giveUp(textless);
  await execute(own.db, 'UPDATE webhook_events SET body = NULL WHERE id = $1', [textless]);
  await report(created);
  expect((await row(wrong))?.status).toBe('DEAD');
  expect((await row(textless))?.status).toBe('DEAD');
  // A payout that nobody has explained in its time is for a person: what comes later does not revive it.
  const short = await store(payout(10));
  await apply(short);
  await giveUp(short);
  await report(profit());
  expect((await row(short))?.status).toBe('DEAD');
});

test('a payout that waits is not woken by what leaves it waiting, however often that comes', async () => {
  const { report, store, apply, row, created, profit, payout } = await begin();
  await report(created);
  const short = await store(payout(10));
  await apply(short);
  for (let times = 0; times < 3; times++)
    expect(await report(profit())).toMatchObject({ outcome: 'APPLIED', wake: [] });
  expect((await row(short))?.status).toBe('WAITING');
});

test('what one says of the identity of a person is deleted when it is dead', async () => {
  const { store, apply, user } = await begin();
  const [unknown, malformed] = [
    await store({ type: 'kyc.synced', data: { userId: user.id, status: 'APPROVED', level: 'ENHANCED' } }),
    await store({ type: 'kyc.synced', data: { userId: user.id, status: 7, data: { passport: 'X-12345' } } }),
  ];
  expect(await apply(unknown)).toMatchObject({ outcome: 'WAITING' });
  await giveUp(unknown);
  expect(await apply(malformed)).toMatchObject({ outcome: 'DEAD' });
  for (const id of [unknown, malformed])
    expect(await firstRow(own.db, 'SELECT status, body FROM webhook_events WHERE id = $1', [id])).toEqual({
      status: 'DEAD',
      body: null,
    });
});

test('one about a user who was erased is marked, so that its text is deleted once it was reconciled', async () => {
  const { store, apply, created, user } = await begin();
  const erased = await store(created);
  await execute(own.db, 'UPDATE users SET erased_at = now(), password_hash = NULL WHERE id = $1', [user.id]);
  await apply(erased);
  await giveUp(erased);
  const other = await store({ ...created, data: { ...created.data, userId: v7(), externalId: v7() } });
  await apply(other);
  await giveUp(other);
  const marks = 'SELECT is_about_erased FROM webhook_events WHERE id = $1';
  expect(await firstRow(own.db, marks, [erased])).toEqual({ isAboutErased: true });
  expect(await firstRow(own.db, marks, [other])).toEqual({ isAboutErased: false });
  await execute(own.db, 'UPDATE users SET erased_at = NULL WHERE id = $1', [user.id]);
});

test.each(['userId', 'email'])(
  'one with a %s of any length is stored, and found to be wrong',
  async (field) => {
    const { report, created } = await begin();
    const data = { ...created.data, [field]: randomBytes(6_000).toString('hex') };
    expect(await report({ ...created, data })).toMatchObject({ outcome: 'DEAD' });
  },
);
