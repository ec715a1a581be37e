import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import {
  NOTHING_HELD,
  orderState,
  orderSteps,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { APPLIED, at, later, refused, transfersOf } from './transfers';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';

const own = ownDatabase();
const steps = () => orderSteps(own.db);

let staffId: string;

const { transferFor, confirm, auditsOf, expired } = transfersOf(() => ({ db: own.db, staffId }));

beforeAll(async () => {
  staffId = (await make.admin(own.db)).id;
});

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const paidBy = (orderId: string) =>
  firstRow(
    own.db,
    `SELECT o.payment_method AS method, a.method AS attempt, c.provider, c.amount_minor AS minor
     FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PAID'
     JOIN payment_captures c ON c.attempt_id = a.id AND c.applied WHERE o.id = $1`,
    [orderId],
  );
const BY_TRANSFER = {
  method: 'BANK_TRANSFER',
  attempt: 'BANK_TRANSFER',
  provider: 'bank',
  minor: PRICE_MINOR,
};

describe('a transfer of the right amount, while the order waits', () => {
  test('pays it once and names the administrator once', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
    expect(await confirm(order, 'fits-1')).toEqual(APPLIED);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
    expect(await auditsOf(order)).toEqual([{ actor: staffId, outcome: 'APPLIED', status: 'PAID' }]);
  });

  test('pays it although the buyer turned to a card meanwhile, whose page is closed with it', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
    const card = { orderId: order.orderId, attemptId: v7(), paymentMethod: 'CARD' as const, at: later(1) };
    await steps().openPayment(card);
    expect(await confirm(order, 'fits-2')).toEqual(APPLIED);
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
  });

  test('pays it although no transfer was ever announced', async () => {
    const order = await given(own.db).order({ method: 'CARD', at });
    expect(await confirm(order, 'fits-3')).toEqual(APPLIED);
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
  });

  test('is what the partner balance leaves', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER', partnerMinor: 1_000, at });
    await expect(steps().confirmTransfer(await transferFor(order, 'fits-4'))).rejects.toMatchObject(
      refused('AMOUNT_MISMATCH', 'amount'),
    );
    expect(await confirm(order, 'fits-4', { amountMinor: PRICE_MINOR - 1_000 })).toEqual(APPLIED);
  });
});

describe('a transfer for an order that does not want it', () => {
  const returned = (order: OrderToPlace, status: string, paymentStatus: string) => ({
    status,
    paymentStatus,
    outcome: 'RETURNED',
    label: expect.stringMatching(/^ORD-/) as string,
    refundsDue: [
      {
        refundId: expect.any(String) as string,
        orderId: order.orderId,
        userId: order.userId,
        label: expect.stringMatching(/^ORD-\d{4}-\d{8} · \d+\.\d\d USD$/) as string,
      },
    ],
  });

  test.each(['BANK_TRANSFER', undefined] as const)(
    'came too late (announced: %s): it goes back, and the order is REFUNDED when it is',
    async (method) => {
      const order = await expired(await given(own.db).order({ ...(method ? { method } : {}), at }));
      const entered = await confirm(order, `late-${method ?? 'card'}`);
      expect(entered).toEqual(returned(order, 'CANCELLED', 'FAILED'));
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'CANCELLED FAILED',
        refunds: ['LATE_PAYMENT PROCESSING'],
        ...NOTHING_HELD,
      });
      const [refund] = entered.refundsDue;
      await steps().completeRefund({ refundId: refund!.refundId, providerRefundId: 'out-1', at: later(90) });
      expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    },
  );

  test('an order that was paid by another method keeps its payment, and the transfer goes back', async () => {
    const order = await given(own.db).order({ at }).paid();
    expect(await confirm(order, 'twice-1')).toEqual(returned(order, 'PAID', 'PAID'));
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
      ...TWO_SOLD,
    });
    expect(await auditsOf(order)).toEqual([{ actor: staffId, outcome: 'RETURNED', status: 'PAID' }]);
  });

  test('another amount is refused, and goes back only if that is said', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
    const wrong = { amountMinor: PRICE_MINOR - 1 };
    await expect(steps().confirmTransfer(await transferFor(order, 'less-1', wrong))).rejects.toMatchObject(
      refused('AMOUNT_MISMATCH', 'amount'),
    );
    expect(await auditsOf(order)).toEqual([]);
    const entered = await confirm(order, 'less-1', { ...wrong, onMismatch: 'RETURN' });
    expect(entered).toEqual(returned(order, 'PENDING_PAYMENT', 'PENDING'));
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_RESERVED,
    });
    expect(await confirm(order, 'less-2', { onMismatch: 'RETURN' })).toEqual(APPLIED);
  });

  test('an order that expires after its returned transfer was sent back is REFUNDED', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
    const entered = await confirm(order, 'less-3', { amountMinor: PRICE_MINOR - 1, onMismatch: 'RETURN' });
    const [refund] = entered.refundsDue;
    await steps().completeRefund({ refundId: refund!.refundId, providerRefundId: 'out-3', at: later(90) });
    await expired(order);
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
  });
});

describe('one bank reference', () => {
  test('belongs to one order and one amount', async () => {
    const [first, second] = [await given(own.db).order({ at }), await given(own.db).order({ at })];
    await confirm(first, 'once-1');
    const other = await transferFor(second, 'once-1');
    await expect(steps().confirmTransfer(other)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId', 'TRANSFER_ALREADY_USED'),
    );
    const more = await transferFor(first, 'once-1', { amountMinor: PRICE_MINOR + 1, onMismatch: 'RETURN' });
    await expect(steps().confirmTransfer(more)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId', 'TRANSFER_ALREADY_USED'),
    );
    expect(await orderState(own.db, second)).toMatchObject({ order: 'PENDING_PAYMENT PENDING' });
  });

  test.each(['Bank 7a', 'BANK-7b', 'bank\u00a07\tc'])(
    '%j is the same in capitals and without blanks',
    async (reference) => {
      const same = reference.toUpperCase().replace(/\s/g, '');
      const [first, second] = [await given(own.db).order({ at }), await given(own.db).order({ at })];
      expect(await confirm(first, reference)).toEqual(APPLIED);
      expect(await confirm(first, same)).toEqual(APPLIED);
      await expect(confirm(second, same)).rejects.toMatchObject(
        refused('VALIDATION_ERROR', 'transactionId', 'TRANSFER_ALREADY_USED'),
      );
      expect(await auditsOf(first)).toHaveLength(1);
      expect(await orderState(own.db, second)).toMatchObject({ order: 'PENDING_PAYMENT PENDING' });
    },
  );

  test('entered again for its own order, by any administrator, gets the same answer and does nothing', async () => {
    const paid = await given(own.db).order({ at });
    const late = await expired(await given(own.db).order({ at }));
    for (const [order, reference] of [
      [paid, 'again-1'],
      [late, 'again-2'],
    ] as const) {
      const first = await confirm(order, reference);
      expect(await confirm(order, reference)).toEqual(first);
      expect(await auditsOf(order)).toHaveLength(1);
    }
  });

  test('entered for two orders at once pays one of them; the other is refused and left as it was', async () => {
    for (let round = 0; round < 10; round++) {
      const orders = [await given(own.db).order({ at }), await given(own.db).order({ at })];
      // Every other round in two spellings, which are one reference to a bank.
      const spellings = [`race-${round}`, round % 2 ? `RACE -${round}` : `race-${round}`];
      const transfers = await Promise.all(orders.map((order, nth) => transferFor(order, spellings[nth]!)));
      const outcomes = await Promise.allSettled(
        transfers.map((transfer) => steps().confirmTransfer(transfer)),
      );
      const [lost] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(lost).toMatchObject(refused('VALIDATION_ERROR', 'transactionId', 'TRANSFER_ALREADY_USED'));
      const states = await Promise.all(orders.map(async (order) => (await orderState(own.db, order)).order));
      expect(states.sort()).toEqual(['PAID PAID', 'PENDING_PAYMENT PENDING']);
      const audits = await Promise.all(orders.map(auditsOf));
      expect(audits.flat()).toHaveLength(1);
    }
  });

  test('entered twice at once for one order is recorded once, and both get the same answer', async () => {
    const order = await given(own.db).order({ at });
    const transfers = await Promise.all([1, 2, 3, 4].map(() => transferFor(order, 'same-1')));
    const answers = await Promise.all(transfers.map((transfer) => steps().confirmTransfer(transfer)));
    expect(answers).toEqual([APPLIED, APPLIED, APPLIED, APPLIED]);
    expect(await auditsOf(order)).toHaveLength(1);
  });

  test('against the card that pays at the same moment: one pays, the other goes back', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await given(own.db).order({ at });
      const { webhookEventId } = await storedReport(own.db, 'PAID', order);
      const transfer = await transferFor(order, `card-${round}`);
      await Promise.all([
        steps().applyPaymentEvent({ webhookEventId, at: later(1) }),
        steps().confirmTransfer(transfer),
      ]);
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['DUPLICATE_PAYMENT PROCESSING'],
        ...TWO_SOLD,
      });
    }
  });
});
