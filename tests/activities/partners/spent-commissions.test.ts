import { v7 } from 'uuid';
import { execute, firstRow } from '../../../db/sql/query';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR } from '../../support/builders/ordering';
import { refundByShop, refundState } from '../../support/builders/refunding';
import { takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { matureDue } from './maturation/maturing';

const own = ownDatabase();

// The rule of balances among them: what is left of commissions is in the ledger.
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A partner with a commission of a customer's order that has matured. */
async function earner() {
  const { id, addressId } = await make.buyer(own.db, { kycLevel: 'STANDARD' });
  const partner = await make.partner(own.db, { userId: id });
  await given(own.db).order({ sponsorId: partner.id }).paid();
  await takeAllEvents(own.db);
  await execute(
    own.db,
    `UPDATE partner_commissions SET matures_at = now() - interval '1 day' WHERE partner_id = $1`,
    [partner.id],
  );
  expect((await matureDue(own.db)).matured).toBe(1);
  const available = async () =>
    (await firstRow<{ minor: number }>(
      own.db,
      `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_available'`,
      [id],
    ))!.minor;
  const earnedMinor = await available();
  expect(earnedMinor).toBeGreaterThan(0);
  return { partner: { id, addressId }, earnedMinor, available };
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
