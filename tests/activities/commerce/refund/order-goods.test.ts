import fc from 'fast-check';
import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { given } from '../../../support/builders/given';
import { byStaff, STOCK, type MadeOrder, type OrderOptions } from '../../../support/builders/given/steps';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import { approve, requestRefund, stockOf } from '../../../support/builders/refunding';

const own = ownDatabase();
const now = (): string => new Date().toISOString();
let staffId: string;

beforeAll(async () => {
  staffId = (await make.admin(own.db)).id;
});

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

interface RefundCommand {
  units?: number;
  line?: number;
  amountMinor?: number;
  includeShipping?: boolean;
}

/** An administrator refunds units of a line, an amount, or the shipping. */
async function refund(order: MadeOrder, { units, line = 0, ...command }: RefundCommand) {
  const { amountMinor = null, includeShipping = false } = command;
  const { orderId, userId } = order;
  const items = units === undefined ? null : [{ itemId: order.items[line]!.id, quantity: units }];
  const noteId = await noteOf(own.db, staffId, 'Sold out.');
  const names = { refundRequestId: v7(), orderId, userId };
  return orderSteps(own.db).refundOrder({ ...names, items, amountMinor, includeShipping, noteId, at: now() });
}

const cancel = async ({ orderId, userId }: MadeOrder) =>
  orderSteps(own.db).cancelOrder({ orderId, noteId: await noteOf(own.db, userId, 'No more.'), at: now() });

const move = async ({ orderId }: MadeOrder, to: 'SHIPPED' | 'DELIVERED') =>
  orderSteps(own.db).moveOrder({ orderId, to, ...(await byStaff(own.db)), at: now() });

/** A paid order whose parcel is being packed. */
async function inProcess(options: OrderOptions = {}): Promise<MadeOrder> {
  const order = await given(own.db)
    .order({ discountBp: 0, method: 'BALANCE', ...options })
    .paid();
  await orderSteps(own.db).beginProcessing({ orderId: order.orderId, at: now() });
  return order;
}

const countsOf = ({ orderId }: MadeOrder) =>
  rows<{ status: string; refunded: number; restocked: number }>(
    own.db,
    `SELECT o.status, i.refunded_quantity AS refunded, i.restocked_quantity AS restocked
     FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.id = $1 ORDER BY i.position`,
    [orderId],
  );

test.each([1, 2])(
  '%i of 2 units are refunded before the order is cancelled: 10 are in stock',
  async (units) => {
    const order = await inProcess();
    await refund(order, { units });
    expect(await stockOf(own.db, order)).toEqual([STOCK - 2 + units]);
    await cancel(order);
    expect(await stockOf(own.db, order)).toEqual([STOCK]);
    expect(await countsOf(order)).toEqual([{ status: 'CANCELLED', refunded: 2, restocked: 2 }]);
  },
);

test('an order of which all units are refunded is not shipped; of the rest it is', async () => {
  const order = await inProcess();
  await refund(order, { units: 1 });
  const other = await inProcess();
  await move(order, 'SHIPPED');
  await refund(other, { units: 2 });
  await expect(move(other, 'SHIPPED')).rejects.toMatchObject({
    type: 'VALIDATION_ERROR',
    details: [{ status: ['cannot be SHIPPED without items'] }, 'NOTHING_TO_SHIP'],
  });
  await refund(other, { includeShipping: true });
  expect(await countsOf(other)).toEqual([{ status: 'REFUNDED', refunded: 2, restocked: 2 }]);
  expect(await stockOf(own.db, other)).toEqual([STOCK]);
});

test('an amount that refunds all of an order that has not left takes its goods back, those of before once', async () => {
  const whole = await inProcess();
  await refund(whole, { amountMinor: whole.totalMinor });
  expect(await stockOf(own.db, whole)).toEqual([STOCK]);
  expect(await countsOf(whole)).toEqual([{ status: 'REFUNDED', refunded: 2, restocked: 2 }]);

  const rest = await inProcess();
  await refund(rest, { units: 1 });
  await refund(rest, { amountMinor: rest.totalMinor - 2_500 });
  expect(await stockOf(own.db, rest)).toEqual([STOCK]);
  expect(await countsOf(rest)).toEqual([{ status: 'REFUNDED', refunded: 2, restocked: 2 }]);
});

test('an amount that refunds all of a delivered order leaves its goods with the buyer', async () => {
  const order = await given(own.db).order({ method: 'BALANCE' }).paid().shipped().delivered();
  await refund(order, { amountMinor: order.totalMinor });
  expect(await stockOf(own.db, order)).toEqual([STOCK - 2]);
  expect(await countsOf(order)).toEqual([{ status: 'REFUNDED', refunded: 0, restocked: 0 }]);
});

test('after a refund of an amount, a buyer asks for what is left, and it can be approved', async () => {
  const order = await given(own.db)
    .order({ discountBp: 0, taxBp: 1_900, method: 'BALANCE' })
    .paid()
    .shipped()
    .delivered();
  await refund(order, { amountMinor: 2_000 });
  const asked = await requestRefund(own.db, order);
  expect(asked.requestedMinor).toBe(order.totalMinor - 2_000);
  await approve(own.db, asked, { restock: true });
  expect(await countsOf(order)).toEqual([{ status: 'REFUNDED', refunded: 2, restocked: 2 }]);
});

test('the database refuses more units than were sold, of either kind', async () => {
  const order = await inProcess();
  for (const column of ['refunded', 'restocked'])
    await expect(
      rows(own.db, `UPDATE order_items SET ${column}_quantity = quantity + 1 WHERE order_id = $1`, [
        order.orderId,
      ]),
    ).rejects.toMatchObject({ parent: { constraint: `order_items_${column}_check` } });
});

describe('refunds of units and amounts, cancellation, shipment and delivery in any order', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('units' as const),
      line: fc.nat(1),
      units: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ kind: fc.constant('amount' as const), amountBp: fc.constantFrom(10_000, 5_000, 1_000) }),
    fc
      .constantFrom(...(['shipping', 'SHIPPED', 'DELIVERED', 'cancel', 'return'] as const))
      .map((kind) => ({ kind })),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  async function carryOut(order: MadeOrder, next: Step): Promise<unknown> {
    if (next.kind === 'units') return refund(order, { line: next.line, units: next.units });
    if (next.kind === 'shipping') return refund(order, { includeShipping: true });
    if (next.kind === 'cancel') return cancel(order);
    if (next.kind === 'return') return approve(own.db, await requestRefund(own.db, order), { restock: true });
    if (next.kind !== 'amount') return move(order, next.kind);
    const [{ left } = { left: 0 }] = await rows<{ left: number }>(
      own.db,
      'SELECT total_minor - refunded_minor AS left FROM orders WHERE id = $1',
      [order.orderId],
    );
    return refund(order, { amountMinor: Math.max(1, Math.floor((left * next.amountBp) / 10_000)) });
  }

  test('the units in stock and those that were sold and did not come back are those of before', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const lines = [2, 3].map((quantity) => ({ priceMinor: 999, quantity }));
      const order = await inProcess({ lines, taxBp: 1_900 });
      let shippedWith = [0, 0];
      const comeBack = [0, 0];
      for (const next of steps) {
        const before = await stockOf(own.db, order);
        try {
          await carryOut(order, next);
        } catch (error) {
          if (!refusalIn(error)) throw error;
        }
        const counts = await countsOf(order);
        const stock = await stockOf(own.db, order);
        expect(stock).toEqual(counts.map(({ restocked }, i) => STOCK - order.items[i]!.quantity + restocked));
        const sent = shippedWith.some((units) => units > 0);
        const rest = order.items.map(({ quantity }, i) => quantity - counts[i]!.refunded);
        if (!sent && ['SHIPPED', 'DELIVERED'].includes(counts[0]!.status)) shippedWith = rest;
        // Goods of a parcel return only by a request whose goods an administrator has received.
        else if (sent) stock.forEach((units, i) => (comeBack[i]! += units - before[i]!));
        const isShipped = shippedWith.some((units) => units > 0);
        if (!isShipped && counts[0]!.status === 'CANCELLED') expect(stock).toEqual([STOCK, STOCK]);
        if (isShipped)
          expect(stock.map((units, i) => units + shippedWith[i]! - comeBack[i]!)).toEqual([STOCK, STOCK]);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  }, 300_000);
});
