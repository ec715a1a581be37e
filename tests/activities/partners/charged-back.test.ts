import { v7 } from 'uuid';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import type { ChargebackStatus } from '../../../workflows/commerce/payment/payment-report.rules';
import { given } from '../../support/builders/given';
import { invested } from '../../support/builders/investing/invested';
import { make } from '../../support/builders/make';
import { orderSteps, PRICE_MINOR, storedReport } from '../../support/builders/ordering';
import { attempted } from '../../support/builders/partnering/entering';
import { refundByShop, refundState, type ShopRefund } from '../../support/builders/refunding';
import { takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { disputes } from '../commerce/chargeback/charged-back';
import { stored } from '../commerce/chargeback/chargebacks';
import { matureDue } from './maturation/maturing';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const REPORTS = {
  TAKEN: 'payment.charged_back',
  LOST: 'payment.chargeback_lost',
  RETURNED: 'payment.chargeback_returned',
} as const satisfies Record<ChargebackStatus, string>;

/** Something that was paid by card: its id and attempt, and what the provider's reports name. */
interface Paid {
  orderId: string;
  attemptId: string;
  paymentId: string;
}

/** A bank does this with a payment, and the provider reports it. Engines count nothing yet. */
async function bank(
  paid: Paid,
  status: ChargebackStatus,
  amountMinor: number,
  name = 'one',
): Promise<string> {
  const change = { chargebackId: name, paymentId: paid.paymentId, amountMinor };
  const webhookEventId = await stored(own.db, REPORTS[status], paid, change);
  const at = new Date().toISOString();
  return (await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at })).outcome;
}

/** The same, and everything that is announced is counted. */
async function bankCounted(...args: Parameters<typeof bank>): Promise<string> {
  const outcome = await bank(...args);
  await takeAllEvents(own.db);
  return outcome;
}

/** A partner who has referred the user. */
async function refer(userId: string): Promise<{ id: string; userId: string }> {
  const partner = await make.partner(own.db);
  await execute(own.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [userId, partner.id]);
  return partner;
}

/** A paid order of a referred buyer that is counted. */
async function sale() {
  const order = await given(own.db).order().paid();
  const partner = await refer(order.userId);
  await takeAllEvents(own.db);
  const { paymentId } = (await firstRow<{ paymentId: string }>(
    own.db,
    'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1',
    [order.orderId],
  ))!;
  return { paid: { ...order, paymentId }, partner };
}

/** The commissions of a partner, as `<amount> <status>`; what was taken back and restored included. */
async function commissionsOf(partner: { id: string }): Promise<string[]> {
  const found = await rows<{ row: string }>(
    own.db,
    `SELECT net_minor || ' ' || status AS row FROM partner_commissions WHERE partner_id = $1 ORDER BY created_at, id`,
    [partner.id],
  );
  return found.map(({ row }) => row);
}

async function balancesOf({ userId }: { userId: string }): Promise<{ pending: number; available: number }> {
  const found = await rows<{ account: string; minor: number }>(
    own.db,
    'SELECT account, balance_minor AS minor FROM ledger_balances WHERE user_id = $1',
    [userId],
  );
  const of = (account: string) => found.find((one) => one.account === account)?.minor ?? 0;
  return { pending: of('partner_pending'), available: of('partner_available') };
}

const countsOf = ({ id }: { id: string }) =>
  firstRow(
    own.db,
    'SELECT earned_minor, personal_volume_minor, personal_points FROM partner_standings WHERE partner_id = $1',
    [id],
  );

/** The amounts that administrators see as reversed, in the order of time. */
const reversedFacts = async (): Promise<number[]> => {
  const found = await rows<{ minor: number }>(
    own.db,
    `SELECT amount_minor AS minor FROM analytics_facts WHERE figure = 'commission.reversed' ORDER BY at`,
  );
  return found.map(({ minor }) => minor);
};

const eventsOf = async (entityId: string): Promise<string[]> => {
  const found = await rows<{ type: string }>(
    own.db,
    `SELECT type FROM domain_events WHERE entity_id = $1 AND type LIKE 'chargeback.%' ORDER BY occurred_at, id`,
    [entityId],
  );
  return found.map(({ type }) => type);
};

describe('of an order', () => {
  test('nothing is taken back while the dispute is open, all when it is lost, and that returns with the money', async () => {
    const { paid, partner } = await sale();
    const [earned] = await commissionsOf(partner);
    const minor = parseInt(earned!, 10);
    const counts = await countsOf(partner);
    const before = await reversedFacts();
    await bankCounted(paid, 'TAKEN', PRICE_MINOR);
    expect(await commissionsOf(partner)).toEqual([`${minor} PENDING`]);

    for (const report of [1, 2])
      expect(await bankCounted(paid, 'LOST', PRICE_MINOR)).toBe(report === 1 ? 'APPLIED' : 'WITHOUT_EFFECT');
    expect(await commissionsOf(partner)).toEqual([`${minor} REVERSED`]);
    expect(await balancesOf(partner)).toEqual({ pending: 0, available: 0 });
    expect(await countsOf(partner)).toEqual({ earnedMinor: 0, personalVolumeMinor: 0, personalPoints: 0 });
    expect(await violations(own.db)).toEqual([]);

    for (const _ of [1, 2]) await bankCounted(paid, 'RETURNED', PRICE_MINOR);
    expect(await commissionsOf(partner)).toEqual([`${minor} PENDING`]);
    expect(await balancesOf(partner)).toEqual({ pending: minor, available: 0 });
    expect(await countsOf(partner)).toEqual(counts);
    expect(await eventsOf(paid.orderId)).toEqual(['chargeback.lost', 'chargeback.returned']);
    // Both stay in the figures, each in its own time.
    expect((await reversedFacts()).slice(before.length)).toEqual([minor, -minor]);
  });

  test('one that is returned before it is lost is no event of the programme', async () => {
    const { paid } = await sale();
    await bankCounted(paid, 'TAKEN', PRICE_MINOR);
    await bankCounted(paid, 'RETURNED', PRICE_MINOR);
    expect(await eventsOf(paid.orderId)).toEqual([]);
  });

  test('a part takes back its part, and its return adds the same with the opposite sign', async () => {
    const { paid, partner } = await sale();
    const minor = parseInt((await commissionsOf(partner))[0]!, 10);
    const half = Math.round(minor / 2);
    await bankCounted(paid, 'LOST', PRICE_MINOR / 2);
    expect(await commissionsOf(partner)).toEqual([`${minor} PENDING`, `-${half} PENDING`]);
    await bankCounted(paid, 'LOST', PRICE_MINOR / 2, 'two');
    expect((await balancesOf(partner)).pending).toBe(0);
    await bankCounted(paid, 'RETURNED', PRICE_MINOR / 2);
    await bankCounted(paid, 'RETURNED', PRICE_MINOR / 2, 'two');
    expect(await balancesOf(partner)).toEqual({ pending: minor, available: 0 });
    expect(await commissionsOf(partner)).toHaveLength(5);
  });

  test('what has matured is taken from the available balance, and returns', async () => {
    const { paid, partner } = await sale();
    await execute(
      own.db,
      `UPDATE partner_commissions SET matures_at = now() - interval '1 day' WHERE partner_id = $1`,
      [partner.id],
    );
    expect((await matureDue(own.db)).matured).toBe(1);
    const { available } = await balancesOf(partner);
    await bankCounted(paid, 'LOST', PRICE_MINOR);
    expect((await commissionsOf(partner))[0]).toContain('REVERSED');
    expect(await balancesOf(partner)).toEqual({ pending: 0, available: 0 });
    await bankCounted(paid, 'RETURNED', PRICE_MINOR);
    expect(await balancesOf(partner)).toEqual({ pending: 0, available });
    expect(await commissionsOf(partner)).toEqual([`${available} APPROVED`]);
  });

  test('the return is counted first: it takes the loss, and both are taken once', async () => {
    const { paid, partner } = await sale();
    const before = await commissionsOf(partner);
    await bank(paid, 'LOST', PRICE_MINOR);
    await bank(paid, 'RETURNED', PRICE_MINOR);
    await execute(
      own.db,
      `UPDATE domain_events SET occurred_at = occurred_at - interval '1 hour' WHERE type = 'chargeback.returned'`,
    );
    await takeAllEvents(own.db);
    expect(await commissionsOf(partner)).toEqual(before);
    const kinds = await rows<{ kind: string; minor: number }>(
      own.db,
      `SELECT kind, base_minor AS minor FROM partner_sales WHERE source_id = $1 AND kind <> 'ORDER' ORDER BY number`,
      [paid.orderId],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['CHARGEBACK', 'RETURN']);
    expect(kinds[0]!.minor + kinds[1]!.minor).toBe(0);
  });

  test('while it is lost and not counted, nothing of the order matures', async () => {
    const { paid, partner } = await sale();
    await execute(
      own.db,
      `UPDATE partner_commissions SET matures_at = now() - interval '1 day' WHERE partner_id = $1`,
      [partner.id],
    );
    await bank(paid, 'LOST', PRICE_MINOR);
    expect((await matureDue(own.db)).matured).toBe(0);
    await takeAllEvents(own.db);
    expect((await matureDue(own.db)).matured).toBe(0);
    expect((await commissionsOf(partner))[0]).toContain('REVERSED');
  });
});

describe('that only pays an unsent refund of an order that partner earnings paid in part', () => {
  const { bank: disputedBank, send, lose } = disputes(own);

  /** An order of 100.00 and the parcel, of which `card` was paid by card, is refunded by card, and lost to the bank. */
  async function refundPaidByBank(shippingMinor: number, cardMinor: number, refund: ShopRefund) {
    const goods = { lines: [{ priceMinor: 100_00, quantity: 1 }], discountBp: 0, shippingMinor };
    const partnerMinor = 100_00 + shippingMinor - cardMinor;
    const order = await given(own.db)
      .order({ ...goods, partnerMinor, provider: disputedBank() })
      .paid();
    const partner = await refer(order.userId);
    await takeAllEvents(own.db);
    const [earned] = await commissionsOf(partner);
    const refundRequestId = v7();
    const { refundsDue } = await refundByShop(own.db, order, { refundRequestId, ...refund });
    await lose(order, cardMinor);
    expect(await send(refundsDue[0]!.refundId)).toEqual({ sentBy: 'NOBODY' });
    expect(await refundState(own.db, { refundRequestId, orderId: order.orderId })).toMatchObject({
      ...{ request: 'COMPLETED', sent: `CHARGED_BACK ${cardMinor}` },
    });
    return { ...order, partner, earnedMinor: parseInt(earned!, 10) };
  }

  const take = async (type: string, { orderId }: { orderId: string }): Promise<void> => {
    const event = await firstRow<{ id: string }>(
      own.db,
      'SELECT id FROM domain_events WHERE entity_id = $1 AND type = $2',
      [orderId, type],
    );
    expect(await takeEvent(own.db, policyFrom({}), event!.id)).toBe(true);
  };
  const leftOf = async ({ orderId }: { orderId: string }): Promise<number> =>
    (await firstRow<{ minor: number }>(
      own.db,
      'SELECT sum(base_minor)::bigint AS minor FROM partner_sales WHERE source_id = $1',
      [orderId],
    ))!.minor;

  const orders = [
    ['chargeback.lost', 'refund.completed'],
    ['refund.completed', 'chargeback.lost'],
  ] as const;

  test.each(orders)('takes back what the refund takes, once: %s counted first', async (...types) => {
    const sold = await refundPaidByBank(0, 50_00, { amountMinor: 50_00 });
    for (const type of types) await take(type, sold);
    expect((await balancesOf(sold.partner)).pending).toBe(sold.earnedMinor / 2);
    expect(await leftOf(sold)).toBe(50_00);
  });

  test.each(orders)(
    'takes nothing of the goods if that is of the parcel: %s counted first',
    async (...types) => {
      const sold = await refundPaidByBank(20_00, 20_00, { includeShipping: true });
      const counts = await countsOf(sold.partner);
      for (const type of types) await take(type, sold);
      expect((await balancesOf(sold.partner)).pending).toBe(sold.earnedMinor);
      expect(await leftOf(sold)).toBe(100_00);
      expect(await countsOf(sold.partner)).toEqual(counts);
    },
  );
});

/** Pays a participation or an entrance fee by the sandbox. */
async function payByCard(of: { id: string; attemptId: string }, amountMinor: number): Promise<Paid> {
  const paymentId = `payment-${of.id}`;
  const { webhookEventId } = await storedReport(own.db, 'PAID', {
    ...{ attemptId: of.attemptId, amountMinor, paymentId },
  });
  await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  return { orderId: of.id, attemptId: of.attemptId, paymentId };
}

test('of a participation, the commissions of its deposit are taken back and restored', async () => {
  const { id, attemptId, amountMinor, userId } = await invested(own.db);
  const partner = await refer(userId);
  const paid = await payByCard({ id, attemptId }, amountMinor);
  await takeAllEvents(own.db);
  const before = await commissionsOf(partner);
  expect(before).toHaveLength(1);
  await bankCounted(paid, 'LOST', amountMinor);
  expect((await commissionsOf(partner))[0]).toContain('REVERSED');
  expect(await countsOf(partner)).toMatchObject({ earnedMinor: 0, personalVolumeMinor: 0 });
  await bankCounted(paid, 'RETURNED', amountMinor);
  expect(await commissionsOf(partner)).toEqual(before);
});

test('of an entrance fee, the commissions of those above are taken back in part and restored', async () => {
  const fee = await attempted(own.db);
  const { userId } = (await firstRow<{ userId: string }>(
    own.db,
    'SELECT user_id FROM partner_entrances WHERE id = $1',
    [fee.id],
  ))!;
  const partner = await refer(userId);
  const paid = await payByCard(fee, 49_90);
  await takeAllEvents(own.db);
  expect(await commissionsOf(partner)).toEqual(['998 PENDING']);
  await bankCounted(paid, 'LOST', 24_95);
  expect(await balancesOf(partner)).toEqual({ pending: 4_99, available: 0 });
  await bankCounted(paid, 'RETURNED', 24_95);
  expect(await balancesOf(partner)).toEqual({ pending: 9_98, available: 0 });
});
