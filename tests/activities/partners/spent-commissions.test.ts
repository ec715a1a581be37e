import { v7 } from 'uuid';
import { execute, firstRow } from '../../../db/sql/query';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR } from '../../support/builders/ordering';
import type { MadeOrder, OrderOptions } from '../../support/builders/given/steps';
import { refundByShop, refundState } from '../../support/builders/refunding';
import { takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { disputes } from '../commerce/chargeback/charged-back';
import { matureDue } from './maturation/maturing';

const own = ownDatabase();
const { bank, lose } = disputes(own);

// The rule of balances among them: what is left of commissions is in the ledger.
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** All commissions of a partner mature. */
async function mature(partnerId: string): Promise<void> {
  await execute(
    own.db,
    `UPDATE partner_commissions SET matures_at = now() - interval '1 day' WHERE partner_id = $1 AND status = 'PENDING'`,
    [partnerId],
  );
  expect((await matureDue(own.db)).matured).toBe(1);
}

/** A partner with a commission of a customer's order that has matured. */
async function earner(options: OrderOptions = {}) {
  const { id, addressId } = await make.buyer(own.db, { kycLevel: 'STANDARD' });
  const partner = await make.partner(own.db, { userId: id });
  /** Another customer buys the same, and the commission matures. */
  const sells = async (sold: OrderOptions = {}) => {
    const order = await given(own.db)
      .order({ sponsorId: partner.id, ...sold })
      .paid();
    await takeAllEvents(own.db);
    await mature(partner.id);
    return order;
  };
  const sold = await sells(options);
  const available = async () =>
    (await firstRow<{ minor: number }>(
      own.db,
      `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_available'`,
      [id],
    ))!.minor;
  const earnedMinor = await available();
  expect(earnedMinor).toBeGreaterThan(0);
  return { partner: { id, addressId }, sold, sells, earnedMinor, available };
}

test('a commission that has matured pays a part of an order, and is available again when that is cancelled', async () => {
  const { partner, earnedMinor, available } = await earner();
  const order = await given(own.db).order({ partner }).paid();
  expect([order.partnerMinor, await available()]).toEqual([earnedMinor, 0]);
  expect(await violations(own.db)).toEqual([]);
  const { rest } = (await firstRow<{ rest: number }>(
    own.db,
    'SELECT amount_minor AS rest FROM payment_captures WHERE order_id = $1',
    [order.orderId],
  ))!;
  expect(rest).toBe(PRICE_MINOR - earnedMinor);
  await takeAllEvents(own.db);
  await orderSteps(own.db).cancelOrder({
    ...{ orderId: order.orderId, at: new Date().toISOString() },
    noteId: await noteOf(own.db, partner.id, 'Changed my mind.'),
  });
  expect(await available()).toBe(earnedMinor);
  await takeAllEvents(own.db);
  expect(await available()).toBe(earnedMinor);
});

test('of a refund the card gets its money first, and the partner balance the rest', async () => {
  const { partner, earnedMinor, available } = await earner();
  const order = await given(own.db).order({ partner }).paid().shipped().delivered();
  const back = async (amountMinor: number) => {
    const refundRequestId = v7();
    await refundByShop(own.db, order, { refundRequestId, amountMinor });
    return (await refundState(own.db, { refundRequestId, orderId: order.orderId })).partner;
  };
  expect([await back(order.totalMinor - earnedMinor), await available()]).toEqual([0, 0]);
  expect([await back(earnedMinor - 1), await available()]).toEqual([earnedMinor - 1, earnedMinor - 1]);
  expect([await back(1), await available()]).toEqual([1, earnedMinor]);
  await takeAllEvents(own.db);
  expect(await available()).toBe(earnedMinor);
});

/** Ways in which the money of a customer's order goes back, after which the engine counts that. */
const BACK = {
  'a refund': async (order: MadeOrder) => {
    const refundRequestId = v7();
    await refundByShop(own.db, order, { refundRequestId, amountMinor: order.totalMinor });
    expect(await refundState(own.db, { refundRequestId, orderId: order.orderId })).toMatchObject({
      request: 'COMPLETED',
    });
  },
  'a lost chargeback': async (order: MadeOrder) => lose(order, order.totalMinor),
};

test.each(['a refund', 'a lost chargeback'] as const)(
  '%s after the commission was spent: the balance is below zero, and the next commissions fill it',
  async (way) => {
    const paying = way === 'a refund' ? { method: 'BALANCE' as const } : { provider: bank() };
    const { partner, sold, sells, earnedMinor, available } = await earner({ shippingMinor: 0, ...paying });
    await given(own.db).order({ partner }).paid();
    expect(await available()).toBe(0);

    await BACK[way](sold);
    await takeAllEvents(own.db);
    expect(await available()).toBe(-earnedMinor);
    expect(await violations(own.db)).toEqual([]);

    await sells();
    expect(await available()).toBe(0);
    await sells();
    expect(await available()).toBe(earnedMinor);
  },
);
