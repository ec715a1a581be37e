import { readMessage } from '../../../../activities/providers/payments/read-message';
import { v7 } from 'uuid';
import { paymentEventActivities } from '../../../../activities/commerce/payment-event/payment-event.activities';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { discard } from '../../../support/builders/investing/discarding';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting } from './reporting';

const own = ownDatabase();
const steps = () => paymentEventActivities({ db: own.db, policy: policyFrom({}), readMessage });
const now = () => new Date().toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A profit that waits for an investment, which then comes. */
async function waitingProfit() {
  const strategy = await make.strategy(own.db);
  const provider = reporting(own.db, strategy.providerCode);
  const investmentExternalId = v7();
  const profit = { externalId: v7(), investmentExternalId, amount: 5 };
  const id = await provider.store({ type: 'profit.distributed', data: profit });
  expect(await provider.apply(id)).toMatchObject({ outcome: 'WAITING' });
  const appear = () =>
    make.participation(own.db, {
      strategyId: strategy.id,
      externalId: investmentExternalId,
      status: 'ACTIVE',
    });
  const effects = () =>
    rows(own.db, 'SELECT 1 FROM investment_transactions WHERE webhook_event_id = $1', [id]);
  return { ...provider, id, appear, effects, code: strategy.providerCode };
}

/** Connections that wait for a lock on a report. */
const blocked = (count: number) =>
  eventually(async () => {
    const found = await firstRow<{ n: number }>(
      own.owner,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'webhook_events'`,
    );
    expect(found!.n).toBe(count);
  });

test.each([
  ['applied', ['apply', 'discard']],
  ['discarded', ['discard', 'apply']],
] as const)('discarded and applied at once: the first wins, it is %s', async (winner, order) => {
  const { id, apply, appear, effects, row } = await waitingProfit();
  await appear();
  const actions = { apply: () => apply(id), discard: () => discard(own.db, id) };
  const pending: Promise<unknown>[] = [];
  await inTransaction(own.db, async (tx) => {
    await execute(tx, 'SELECT 1 FROM webhook_events WHERE id = $1 FOR UPDATE', [id]);
    for (const [place, name] of order.entries()) {
      pending.push(actions[name]());
      await blocked(place + 1);
    }
  });
  const [first, second] = await Promise.all(pending);
  const refused = 'Only an event that is dead or waits can be discarded.';
  if (winner === 'applied') expect([first, second]).toMatchObject([{ outcome: 'APPLIED' }, refused]);
  else expect([first, second]).toEqual(['DISCARDED', { outcome: 'DISCARDED' }]);
  expect(await row(id)).toMatchObject({
    status: winner === 'applied' ? 'PROCESSED' : 'DISCARDED',
    waitsFor: null,
  });
  expect(await effects()).toHaveLength(winner === 'applied' ? 1 : 0);
});

test('twenty times both at once, exactly one wins', async () => {
  const waiting = [];
  for (let n = 0; n < 20; n++) waiting.push(await waitingProfit());
  for (const { appear } of waiting) await appear();
  await Promise.all(
    waiting.map(async ({ id, apply, effects, row }) => {
      const [applied, discarded] = await Promise.all([apply(id), discard(own.db, id)]);
      const wasApplied = applied.outcome === 'APPLIED';
      expect(discarded === 'DISCARDED').toBe(!wasApplied);
      expect(await row(id)).toMatchObject({ status: wasApplied ? 'PROCESSED' : 'DISCARDED' });
      expect(await effects()).toHaveLength(wasApplied ? 1 : 0);
    }),
  );
});

test('the investment for which it waited does not apply it, and nobody makes it DEAD', async () => {
  const { id, apply, appear, effects, row } = await waitingProfit();
  await discard(own.db, id);
  await appear();
  expect(await apply(id)).toEqual({ outcome: 'DISCARDED' });
  await steps().markEventDead({ webhookEventId: id, reason: 'It waited too long.', at: now() });
  expect(await row(id)).toMatchObject({ status: 'DISCARDED', error: 'It is wrong.' });
  expect(await effects()).toEqual([]);
});

test('one that was applied is not made DEAD by a process that gives it up', async () => {
  const { id, apply, appear, row } = await waitingProfit();
  await appear();
  await apply(id);
  await steps().markEventDead({ webhookEventId: id, reason: 'An operator gave it up.', at: now() });
  expect(await row(id)).toMatchObject({ status: 'PROCESSED', error: null });
});

test('one that its provider sends again stays discarded', async () => {
  const { id, code, row } = await waitingProfit();
  const found = await firstRow<{ externalEventId: string }>(
    own.db,
    'SELECT external_event_id FROM webhook_events WHERE id = $1',
    [id],
  );
  await discard(own.db, id);
  const again = await storeWebhookEvent(own.db, {
    ...{ id: v7(), kind: 'INVESTMENT', provider: code, externalEventId: found!.externalEventId },
    ...{ type: 'profit.distributed', body: '{}', bodyHash: 'h', known: true, at: new Date() },
  });
  expect(again).toMatchObject({ id, fresh: false, unstarted: false });
  expect(await row(id)).toMatchObject({ status: 'DISCARDED' });
});

test('a report of a payment that nobody knows is not applied either', async () => {
  const { webhookEventId } = await storedReport(own.db, 'PAID', { attemptId: v7() });
  const apply = () => steps().applyPaymentEvent({ webhookEventId, at: now() });
  expect(await apply()).toEqual({ outcome: 'UNKNOWN_PAYMENT' });
  expect(await discard(own.db, webhookEventId)).toBe('DISCARDED');
  expect(await apply()).toEqual({ outcome: 'DISCARDED' });
});
