import { v7 } from 'uuid';
import { invested } from '../../../support/builders/investing/invested';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { soldEvent } from '../../../support/builders/make/partners/partner-sales';
import { orderSteps, PRICE_MINOR, storedReport } from '../../../support/builders/ordering';
import { attempted } from '../../../support/builders/partnering/entering';
import { ownDatabase } from '../../../support/servers/database';
import { stored } from '../../commerce/chargeback/chargebacks';
import { disputes } from '../../commerce/chargeback/charged-back';
import { ago, commissionStatus, matureDue } from './maturing';

const own = ownDatabase();
const { bank: company, lose, bankActs, send, twoRefunds } = disputes(own);
const mature = async () => (await matureDue(own.db)).matured;

/** A commission that has been due for a day; by default of type 1 and of an order. */
const due = async (options: NonNullable<Parameters<typeof make.commission>[1]>, eventId?: string) => {
  const { id } = await make.commission(own.db, { at: ago(31), ...options });
  if (eventId !== undefined)
    await execute(own.db, 'UPDATE partner_commissions SET event_id = $2 WHERE id = $1', [id, eventId]);
  return id;
};
const statusesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => commissionStatus(own.db, id)));

/** The rank bonus of a BUILDER who has the points of the rank, by an event of this entity. */
async function dueBonus(entityId: string, type: string): Promise<string> {
  const { id: partnerId } = await make.partner(own.db);
  await make.partner(own.db, { sponsorId: partnerId });
  await execute(
    own.db,
    `UPDATE partner_standings SET personal_points = 5000000, group_points = CASE WHEN partner_id = $1 THEN 10000000 ELSE 5000000 END
     WHERE $1 IN (partner_id, sponsor_id)`,
    [partnerId],
  );
  const event = await firstRow<{ id: string }>(
    own.db,
    'SELECT id FROM domain_events WHERE entity_id = $1 AND type = $2',
    [entityId, type],
  );
  return due(
    { partnerId, type: 8, level: 2, rankLevel: 2, sourceId: partnerId, baseMinor: 50_00 },
    event!.id,
  );
}

/** Pays a participation or an entrance fee by the sandbox; answers what its reports name. */
async function paid(of: { id: string; attemptId: string }, amountMinor: number) {
  const paymentId = `payment-${of.id}`;
  const report = { attemptId: of.attemptId, amountMinor, paymentId };
  const { webhookEventId } = await storedReport(own.db, 'PAID', report);
  await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  return { orderId: of.id, attemptId: of.attemptId, paymentId, amountMinor };
}

type Paid = Awaited<ReturnType<typeof paid>>;
type Acts = Parameters<typeof stored>[1];

/** A bank takes money back or returns it, as the sandbox reports; answers the decision that a person has to make. */
async function bank(acts: Acts, { paymentId, amountMinor, ...of }: Paid): Promise<string | null> {
  const change = { chargebackId: 'one', paymentId, amountMinor };
  const webhookEventId = await stored(own.db, acts, of, change);
  const applied = await orderSteps(own.db).applyPaymentEvent({
    webhookEventId,
    at: new Date().toISOString(),
  });
  expect(applied.outcome).toBe('APPLIED');
  return 'toDecide' in applied ? (applied.toDecide ?? null) : null;
}

/** A participation that was paid by card and runs; its deposit is the source of commissions. */
async function participationByCard() {
  const { id, attemptId, amountMinor } = await invested(own.db);
  const payment = await paid({ id, attemptId }, amountMinor);
  const deposit = await firstRow<{ id: string }>(
    own.db,
    `SELECT id FROM investment_transactions WHERE participation_id = $1 AND type = 'DEPOSIT'`,
    [id],
  );
  return { id, payment, depositId: deposit!.id };
}

/** Commissions that stay PENDING while the dispute is open, and mature when it is returned; `free` matures at once. */
async function heldByChargeback(
  ids: readonly string[],
  payment: Paid,
  free: string[] = [],
): Promise<string | null> {
  const toDecide = await bank('payment.charged_back', payment);
  await mature();
  expect(await statusesOf([...ids, ...free])).toEqual([
    ...ids.map(() => 'PENDING'),
    ...free.map(() => 'APPROVED'),
  ]);
  await bank('payment.chargeback_returned', payment);
  expect(await mature()).toBe(ids.length);
  return toDecide;
}

describe('a chargeback', () => {
  test('of an order keeps its commissions and the bonus of the rank that it gave', async () => {
    const order = await given(own.db).order().paid();
    const payment = await firstRow<{ paymentId: string }>(
      own.db,
      'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1',
      [order.orderId],
    );
    const ids = [await due({ sourceId: order.orderId }), await dueBonus(order.orderId, 'order.paid')];
    await heldByChargeback(ids, { ...order, ...payment!, amountMinor: PRICE_MINOR });
  });

  test('of a participation keeps those of its deposit, of its profits and of the rank', async () => {
    const { id, payment, depositId } = await participationByCard();
    const { id: other } = await make.participation(own.db, { status: 'ACTIVE' });
    const profitId = v7();
    await execute(
      own.db,
      `INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code,
         occurred_at, created_at)
       SELECT $2, id, user_id, 'PROFIT', 100, currency, provider_code, now(), now() FROM participations WHERE id = $1`,
      [id, profitId],
    );
    const ids = [
      await due({ sourceType: 'INVESTMENT', sourceId: depositId }),
      await due({ type: 5, sourceId: profitId }),
      await dueBonus(id, 'investment.created'),
    ];
    const free = await dueBonus(other, 'investment.created');
    expect(await heldByChargeback(ids, payment, [free])).toContain(': decide what becomes of it.');
  });

  test('of an entrance fee keeps its commissions', async () => {
    const fee = await attempted(own.db);
    const payment = await paid(fee, 49_90);
    await heldByChargeback([await due({ type: 0, sourceId: fee.id })], payment);
  });

  test('of a payment that paid nothing keeps none', async () => {
    const order = await given(own.db).order().paid();
    await paid({ id: order.orderId, attemptId: order.attemptId }, PRICE_MINOR);
    const found = await rows<{ paymentId: string }>(
      own.db,
      'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1 AND NOT applied',
      [order.orderId],
    );
    expect(found).toHaveLength(1);
    await execute(own.db, `UPDATE payment_refunds SET status = 'ABANDONED' WHERE order_id = $1`, [
      order.orderId,
    ]);
    const id = await due({ sourceId: order.orderId });
    await bank('payment.charged_back', { ...order, ...found[0]!, amountMinor: PRICE_MINOR });
    expect(await mature()).toBe(1);
    expect(await statusesOf([id])).toEqual(['APPROVED']);
  });

  test('that only paid refunds which were due keeps none, and one that took more does', async () => {
    const refunded = await twoRefunds();
    await lose(refunded, PRICE_MINOR);
    for (const refundId of refunded.refundIds) expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    const other = await given(own.db).order({ provider: company() }).paid();
    await bankActs(other, 'payment.charged_back', 1);
    const [covered, more] = [
      await due({ sourceId: refunded.orderId }),
      await due({ sourceId: other.orderId }),
    ];
    await execute(own.db, 'DELETE FROM event_deliveries');
    expect(await mature()).toBe(1);
    expect(await statusesOf([covered, more])).toEqual(['APPROVED', 'PENDING']);
  });
});

describe('a refund', () => {
  test.each(['open', 'announced'] as const)(
    'that is %s keeps the bonus of the rank that its order gave',
    async (state) => {
      const order = await given(own.db).order().paid();
      const id = await dueBonus(order.orderId, 'order.paid');
      if (state === 'announced') {
        const event = await soldEvent(own.db, { at: ago(3), entityId: v7() });
        await execute(
          own.db,
          `WITH refund AS (UPDATE domain_events SET type = 'refund.completed', entity_id = $2 WHERE id = $1
             RETURNING position)
           UPDATE event_deliveries d SET entity_id = $2 FROM refund WHERE d.position = refund.position`,
          [...[event, order.orderId]],
        );
      } else
        await execute(
          own.db,
          `INSERT INTO refund_requests (id, order_id, user_id, status, reason, currency, requested_minor, created_at)
           VALUES (gen_random_uuid(), $1, $2, 'PENDING_REVIEW', '-', 'USD', 100, now())`,
          [order.orderId, order.userId],
        );
      expect(await mature()).toBe(0);
      expect(await statusesOf([id])).toEqual(['PENDING']);
      await execute(own.db, 'DELETE FROM refund_requests WHERE order_id = $1', [order.orderId]);
      await execute(own.db, `DELETE FROM domain_events WHERE type = 'refund.completed' AND entity_id = $1`, [
        order.orderId,
      ]);
      expect(await mature()).toBe(1);
    },
  );
});

describe('an early withdrawal', () => {
  const depositOf = async (id: string) =>
    (await firstRow<{ id: string }>(
      own.db,
      `SELECT id FROM investment_transactions WHERE participation_id = $1 AND type = 'DEPOSIT'`,
      [id],
    ))!.id;

  test.each([
    { endedAt: ago(5), matured: 1, status: 'PENDING' },
    { endedAt: ago(0.5), matured: 3, status: 'APPROVED' },
  ])(
    'commissions of its deposit and of the rank stay or become $status',
    async ({ endedAt, matured, status }) => {
      const made = await make.participation(own.db, {
        ...{ status: 'WITHDRAWN', at: ago(31), endedAt, profits: [{ amountMinor: 100, at: ago(31) }] },
      });
      const profit = await firstRow<{ id: string }>(
        own.db,
        `SELECT id FROM investment_transactions WHERE participation_id = $1 AND type = 'PROFIT'`,
        [made.id],
      );
      const ids = [
        await due({ sourceType: 'INVESTMENT', sourceId: await depositOf(made.id) }),
        await dueBonus(made.id, 'investment.created'),
      ];
      const ofProfit = await due({ type: 5, sourceId: profit!.id });
      expect(await mature()).toBe(matured);
      expect(await statusesOf([...ids, ofProfit])).toEqual([status, status, 'APPROVED']);
    },
  );

  test('of one that matured keeps none', async () => {
    const made = await make.participation(own.db, { status: 'MATURED', at: ago(31), durationDays: 7 });
    const id = await due({ sourceType: 'INVESTMENT', sourceId: await depositOf(made.id) });
    expect(await mature()).toBe(1);
    expect(await statusesOf([id])).toEqual(['APPROVED']);
  });
});
