import { execute, firstRow, rows } from '../../../db/sql/query';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import type { Shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import type { World } from '../../support/worlds/world';

/** A buyer, an order of theirs that has left or arrived, and its lines. */
export interface Returning {
  ada: Shopper;
  orderId: string;
  /** Two units of 25 USD, then one of 10 USD; 5 USD for shipping. */
  itemIds: string[];
  /** Asks for a refund. */
  ask: (body?: object, key?: string) => ReturnType<Shopper['post']>;
}

interface Options {
  method?: 'CARD' | 'BALANCE';
  /** The last status of the parcel; null: it has not left. */
  to?: 'SHIPPED' | 'DELIVERED' | null;
}

type Place = Pick<World, 'db' | 'http' | 'processes'>;

export async function returning(
  world: Place,
  { method = 'BALANCE', to = 'DELIVERED' }: Options = {},
): Promise<Returning> {
  const [book, pen] = [await make.product(world.db), await make.product(world.db, { priceMinor: 1_000 })];
  const goods = [{ productId: book.id, quantity: 2 }, { productId: pen.id }];
  const paid = given(world).order({ goods, paymentMethod: method }).paid();
  const shipped = to === null ? paid : paid.shipped();
  const { ada, orderId } = await (to === 'DELIVERED' ? shipped.delivered() : shipped);
  const items = await rows<{ id: string }>(
    world.db,
    'SELECT id FROM order_items WHERE order_id = $1 ORDER BY unit_price_minor DESC',
    [orderId],
  );
  return {
    ada,
    orderId,
    itemIds: items.map(({ id }) => id),
    ask: (body = {}, key) =>
      ada.post(`/orders/${orderId}/refund`, { reason: 'It does not fit.', ...body }, key),
  };
}

/** Such an order with a request for all of its money; answers the request's id too. */
export async function refundRequested(
  world: Place,
  options?: Options,
): Promise<Returning & { refundId: string }> {
  const one = await returning(world, options);
  const { status, body } = await one.ask();
  if (status !== 201) throw new Error(`The refund was refused: ${status} ${JSON.stringify(body)}`);
  return { ...one, refundId: body.data.refundRequestId };
}

/** Decides as an administrator would. */
export type Decide = (
  refundId: string,
  verb: 'approve' | 'reject',
  body?: object,
  token?: string,
) => ReturnType<Shopper['post']>;

export async function staff(
  world: Pick<World, 'db' | 'http'>,
): Promise<{ id: string; token: string; decide: Decide }> {
  const admin = await make.admin(world.db);
  const token = await signIn(world, admin);
  return {
    id: admin.id,
    token,
    decide: async (refundId, verb, body = verb === 'reject' ? { reason: 'It was worn.' } : {}, as = token) =>
      world.http.post(`/api/v1/admin/refunds/${refundId}/${verb}`).auth(as, { type: 'bearer' }).send(body),
  };
}

/** The database row of a request. */
export const requestRow = async (
  { db }: Pick<World, 'db'>,
  refundId: string,
): Promise<{ status: string; note: string | null }> =>
  (await firstRow(db, 'SELECT status, decision_note AS note FROM refund_requests WHERE id = $1', [
    refundId,
  ]))!;

/** Everything of the order happened fifteen days earlier. */
export async function happenedLongAgo({ db }: Pick<World, 'db'>, orderId: string): Promise<void> {
  const earlier = `- interval '15 days'`;
  await execute(
    db,
    `UPDATE order_status_changes SET changed_at = changed_at ${earlier} WHERE order_id = $1`,
    [orderId],
  );
  await execute(db, `UPDATE tracking_events SET happened_at = happened_at ${earlier} WHERE order_id = $1`, [
    orderId,
  ]);
  await execute(
    db,
    `UPDATE shipments SET shipped_at = shipped_at ${earlier}, delivered_at = delivered_at ${earlier} WHERE order_id = $1`,
    [orderId],
  );
}
