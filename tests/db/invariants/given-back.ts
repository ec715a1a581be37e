import { firstRow, type Db } from '../../../db/sql/query';
import { moves } from '../../support/builders/delivering';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import type { PlacedOrder, Shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import type { World } from '../../support/worlds/world';

/** Orders with refund requests, by their ids. */
export interface GivenBackOrders {
  /** Paid by card and partner balance, given back whole, and restocked. */
  allBack: string;
  /** Paid by balance; one of two units came back, for less than it cost. */
  partlyBack: string;
  /** Paid by balance; nobody has decided yet on all of it. */
  refundRequested: string;
  turnedDown: string;
}

type Order = (options: Parameters<Shopper['order']>[0]) => Promise<PlacedOrder & { ada: Shopper }>;

/** Refund requests in every final state, and one that is open. */
export async function givenBack(world: World, order: Order): Promise<GivenBackOrders> {
  const token = await signIn(world, await make.admin(world.db));
  const asked = async (options: Parameters<Order>[0], quantity: number | null = null) => {
    const { ada, orderId, payment } = await order(options);
    if (payment.paymentUrl) await press(world, payment.paymentUrl, 'pay');
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    await moves(world, orderId, 'SHIPPED', 'DELIVERED');
    const items = quantity === null ? null : [{ itemId: await itemOf(world.db, orderId), quantity }];
    const { body } = await ada.post(`/orders/${orderId}/refund`, { reason: 'It does not fit.', items });
    return { orderId, refundId: String(body.data.refundRequestId) };
  };
  const decided = async (
    { orderId, refundId }: { orderId: string; refundId: string },
    verb: 'approve' | 'reject',
    body: object,
  ): Promise<string> => {
    const answer = await world.http
      .post(`/api/v1/admin/refunds/${refundId}/${verb}`)
      .auth(token, { type: 'bearer' })
      .send(body);
    expect(answer.status).toBe(200);
    return orderId;
  };
  const byCard = { usePartnerBalance: true };
  const byBalance = { paymentMethod: 'BALANCE' as const };
  return {
    allBack: await decided(await asked(byCard), 'approve', { restock: true }),
    partlyBack: await decided(await asked(byBalance, 1), 'approve', { amount: 20 }),
    refundRequested: (await asked(byBalance)).orderId,
    turnedDown: await decided(await asked(byBalance), 'reject', { reason: 'It was worn.' }),
  };
}

const itemOf = async (db: Db, orderId: string): Promise<string> =>
  (await firstRow<{ id: string }>(db, 'SELECT id FROM order_items WHERE order_id = $1', [orderId]))!.id;
