import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { type Db, firstRow, rows, type Watch } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import { approve, deliveredOrder, requestRefund, stockOf } from '../../../support/builders/refunding';
import { stored, takenByTheBank } from '../chargeback/chargebacks';
import { given } from '../../../support/builders/given';
import fc from 'fast-check';
import { type MadeOrder, type OrderOptions, STOCK } from '../../../support/builders/given/steps';

const own = ownDatabase();

describe('two steps at once', () => {
  const now = (): string => new Date().toISOString();

  /** An order with something for every step: paid or delivered, a request or money on its way, perhaps a chargeback. */
  interface Fixture {
    orderId: string;
    attemptId: string;
    userId: string;
    adminId: string;
    requestId: string | null;
    refundId: string | null;
  }
  type Step = (db: Db, fixture: Fixture) => Promise<unknown>;
  const note = (db: Db, { adminId }: Fixture): Promise<string> => noteOf(db, adminId, v7());

  /** The provider sent what an administrator had settled a moment before by another payment: a person has to know. */
  const isPaidTwice = (error: unknown): boolean =>
    error instanceof ApplicationFailure &&
    error.type === 'RefundRefused' &&
    error.message.endsWith('although it is COMPLETED by another payment.');

  /** Every step that moves the money of an order back; each may be refused, and none may fail in any other way. */
  const steps: Readonly<Record<string, Step>> = {
    request: (db, fixture) => requestRefund(db, fixture),
    refundOrder: async (db, fixture) =>
      orderSteps(db).refundOrder({
        refundRequestId: v7(),
        orderId: fixture.orderId,
        userId: fixture.userId,
        items: null,
        amountMinor: 700,
        includeShipping: false,
        noteId: await note(db, fixture),
        at: now(),
      }),
    approve: async (db, fixture) =>
      fixture.requestId &&
      orderSteps(db).approveRefund({
        refundRequestId: fixture.requestId,
        orderId: fixture.orderId,
        noteId: await note(db, fixture),
        amountMinor: null,
        restock: true,
        at: now(),
      }),
    reject: async (db, fixture) =>
      fixture.requestId &&
      orderSteps(db).rejectRefund({
        refundRequestId: fixture.requestId,
        orderId: fixture.orderId,
        noteId: await note(db, fixture),
        at: now(),
      }),
    cancel: async (db, fixture) =>
      orderSteps(db).cancelOrder({ orderId: fixture.orderId, noteId: await note(db, fixture), at: now() }),
    completeRefund: async (db, { refundId }) =>
      refundId && orderSteps(db).completeRefund({ refundId, providerRefundId: `of ${refundId}`, at: now() }),
    abandonRefund: async (db, { refundId }) =>
      refundId && orderSteps(db).abandonRefund({ refundId, at: now() }),
    settle: async (db, fixture) =>
      fixture.refundId &&
      orderSteps(db).settleRefund({ refundId: fixture.refundId, noteId: await note(db, fixture), at: now() }),
    chargeback: (db, fixture) => takenByTheBank(db, fixture, 1_000, 'TAKEN', ['APPLIED', 'WITHOUT_EFFECT']),
    chargebackLost: async (db, fixture) => {
      const lost = { chargebackId: 'of', amountMinor: 1_000 };
      const webhookEventId = await stored(db, 'payment.chargeback_lost', fixture, lost);
      return orderSteps(db).applyPaymentEvent({ webhookEventId, at: now() });
    },
    chargebackReturn: (db, fixture) =>
      takenByTheBank(db, fixture, 1_000, 'RETURNED', ['APPLIED', 'WITHOUT_EFFECT', 'UNKNOWN']),
  };

  /** Steps to be run at the same time. */
  const fixtures: Readonly<Record<string, () => Promise<Fixture>>> = {
    async paid() {
      return { ...(await given(own.db).order().paid()), ...(await withoutRequest()) };
    },
    async asked() {
      const order = await deliveredOrder(own.db, { partnerMinor: 500 });
      const { refundRequestId: requestId } = await requestRefund(own.db, order);
      return { ...order, ...(await withoutRequest()), requestId };
    },
    async owed() {
      const order = await given(own.db).order().paid();
      const fixture = { ...order, ...(await withoutRequest()) };
      await takenByTheBank(own.db, order, 1_000);
      const { refundsDue } = (await steps['refundOrder']!(own.db, fixture)) as {
        refundsDue: { refundId: string }[];
      };
      const { refundId } = refundsDue[0]!;
      await orderSteps(own.db).abandonRefund({ refundId, at: now() });
      return { ...fixture, refundId };
    },
  };
  const withoutRequest = async () => ({
    adminId: (await make.admin(own.db)).id,
    requestId: null,
    refundId: null,
  });
  const names = Object.keys(steps);
  const pairs = Object.keys(fixtures).flatMap((fixture) =>
    names.flatMap((first, index) => names.slice(index).map((second) => ({ fixture, first, second }))),
  );

  /** A retry would hide a lost lock or a wrong order of locks, so transactions are counted, except those of notes. */
  function counting(): { db: Db; begun: () => number } {
    let begun = 0;
    const watch: Watch = (statement, run) => {
      if (statement === 'TRANSACTION') begun++;
      return run();
    };
    return { db: { ...own.db, watch }, begun: () => begun };
  }

  beforeAll(async () => {
    await Promise.all(Array.from({ length: 4 }, () => rows(own.db, 'SELECT pg_sleep(0.2)')));
  });

  test.each(pairs)('$fixture: $first and $second at once', async ({ fixture: kind, first, second }) => {
    const fixture = await fixtures[kind]!();
    const { db, begun } = counting();
    const results = await Promise.allSettled([first, second].map((name) => steps[name]!(db, fixture)));
    for (const result of results)
      if (result.status === 'rejected' && !refusalIn(result.reason) && !isPaidTwice(result.reason))
        throw result.reason;
    expect(begun()).toBeLessThanOrEqual(2);
    const order = await firstRow(
      own.db,
      'SELECT refunded_minor <= total_minor AS fits FROM orders WHERE id = $1',
      [fixture.orderId],
    );
    expect(order).toEqual({ fits: true });
  });

  test('after all of that, all invariants hold', async () => {
    expect(await violations(own.db)).toEqual([]);
  });
});

describe('units', () => {
  const bought = fc.record<OrderOptions>({
    lines: fc.array(
      fc.record({ priceMinor: fc.integer({ min: 1, max: 9_999 }), quantity: fc.integer({ min: 1, max: 4 }) }),
      { minLength: 1, maxLength: 3 },
    ),
    discountBp: fc.constantFrom(0, 1, 333, 5_000),
    taxBp: fc.constantFrom(0, 700, 1_900, 1),
    shippingMinor: fc.constantFrom(0, 499),
    partnerMinor: fc.constantFrom(0, 0, 1, 3_000, 500_000),
    method: fc.constantFrom('CARD', 'BALANCE'),
  });
  const step = fc.record({
    units: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
    approvedBp: fc.constantFrom(10_000, 10_000, 4_321, 1),
    restock: fc.boolean(),
    decision: fc.constantFrom('approve', 'approve', 'approve', 'give up', 'turn down' as const),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** Requests the units of an order, step by step; then all that is left. */
  async function giveBack(order: MadeOrder, steps: Step[]) {
    const left = order.items.map(({ quantity }) => quantity);
    const onShelf = order.items.map(() => 0);
    const all = {
      units: left.map(() => 99),
      approvedBp: 10_000,
      restock: true,
      decision: 'approve' as const,
    };
    let backMinor = 0;
    let whole = true;
    for (const { units, approvedBp, restock, decision } of [...steps, all]) {
      const items = order.items
        .map(({ id: itemId }, index) => ({ itemId, quantity: Math.min(units[index] ?? 0, left[index]!) }))
        .filter(({ quantity }) => quantity > 0);
      if (items.length === 0) continue;
      const asked = await requestRefund(own.db, order, { items }).catch((error: unknown) => {
        expect(error).toMatchObject({ type: 'CANNOT_REFUND' });
        return null;
      });
      // Units whose share of the price is nothing cannot be requested alone; the order may be refunded without them.
      if (asked === null) continue;
      if (decision === 'turn down') {
        await turnDown(asked);
        continue;
      }
      const amountMinor = Math.ceil((asked.requestedMinor * approvedBp) / 10_000);
      const { refundsDue } = await approve(own.db, asked, { amountMinor, restock });
      for (const { refundId } of refundsDue) await conclude(refundId, decision);
      whole &&= amountMinor === asked.requestedMinor && (refundsDue.length === 0 || decision === 'approve');
      backMinor += amountMinor;
      asked.items.forEach(({ itemId, quantity }) => {
        const index = order.items.findIndex(({ id }) => id === itemId);
        left[index]! -= quantity;
        if (restock) onShelf[index]! += quantity;
      });
    }
    return { backMinor, whole, onShelf };
  }

  async function turnDown({
    refundRequestId,
    orderId,
  }: {
    refundRequestId: string;
    orderId: string;
  }): Promise<void> {
    const noteId = await noteOf(own.db, v7(), 'No.');
    await orderSteps(own.db).rejectRefund({ refundRequestId, orderId, noteId, at: new Date().toISOString() });
  }

  async function conclude(refundId: string, decision: string): Promise<void> {
    const activities = orderSteps(own.db);
    const at = new Date().toISOString();
    if (decision === 'give up') await activities.abandonRefund({ refundId, at });
    else await activities.completeRefund({ refundId, providerRefundId: v7(), at });
  }

  /** At half its price, one of the two units of a cent is worth nothing. */
  const withUnitOfNoValue: OrderOptions = {
    lines: [
      { priceMinor: 3_486, quantity: 1 },
      { priceMinor: 1, quantity: 2 },
    ],
    discountBp: 5_000,
    taxBp: 0,
    shippingMinor: 0,
    partnerMinor: 0,
    method: 'CARD',
  };

  test('in whatever units an order goes back: exact to the cent, never more than was paid, and all invariants hold', async () => {
    await fc.assert(
      fc.asyncProperty(bought, fc.array(step, { maxLength: 4 }), async (options, steps) => {
        const order = await deliveredOrder(own.db, options);
        const { backMinor, whole, onShelf } = await giveBack(order, steps);
        const now = await firstRow<{ status: string; backMinor: number; brought: number }>(
          own.db,
          `SELECT status, refunded_minor AS back_minor, (SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e
             JOIN ledger_transfers t ON t.id = e.transfer_id JOIN refund_requests r ON r.id::text = t.subject_id
           WHERE r.order_id = o.id AND e.account = 'refunds' AND t.kind = 'refund' AND e.amount_minor > 0) AS brought
         FROM orders o WHERE id = $1`,
          [order.orderId],
        );
        expect(now).toEqual({
          status: whole && order.totalMinor > 0 ? 'REFUNDED' : 'DELIVERED',
          backMinor,
          brought: backMinor,
        });
        if (whole) expect(backMinor).toBe(order.totalMinor);
        expect(backMinor).toBeLessThanOrEqual(order.totalMinor);
        const sold = order.items.map(({ quantity }, index) => STOCK - quantity + onShelf[index]!);
        expect(await stockOf(own.db, order)).toEqual(sold);
        expect(await violations(own.db)).toEqual([]);
      }),
      {
        numRuns: 60,
        endOnFailure: true,
        examples: [
          [withUnitOfNoValue, [{ units: [1, 1, 0], approvedBp: 10_000, restock: true, decision: 'approve' }]],
        ],
      },
    );
  });
});
