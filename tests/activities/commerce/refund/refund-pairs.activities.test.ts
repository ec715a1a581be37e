import { v7 } from 'uuid';
import { firstRow, rows, type Db, type Watch } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, paidOrder } from '../../../support/builders/ordering';
import { arrived, askBack } from '../../../support/builders/refunding';
import { stored, takenByTheBank } from '../chargeback/chargebacks';

const own = ownDatabase();
const now = (): string => new Date().toISOString();

/** An order with something for every step: paid or arrived, a request or money on its way, perhaps a chargeback. */
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

/** Every step that moves the money of an order back; each may be refused, and none may fail. */
const steps: Readonly<Record<string, Step>> = {
  request: (db, fixture) => askBack(db, fixture),
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
    return { ...(await paidOrder(own.db)), ...(await withoutRequest()) };
  },
  async asked() {
    const order = await arrived(own.db, { partnerMinor: 500 });
    const { refundRequestId: requestId } = await askBack(own.db, order);
    return { ...order, ...(await withoutRequest()), requestId };
  },
  async owed() {
    const order = await paidOrder(own.db);
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
    if (result.status === 'rejected' && !refusalIn(result.reason)) throw result.reason;
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
