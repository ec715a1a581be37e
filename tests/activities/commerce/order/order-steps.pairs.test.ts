import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import { refusalIn, type ErrorCode } from '../../../../workflows/errors';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { make } from '../../../support/builders/make';
import {
  noteOf,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  orderCommand,
  type OrderCommand,
} from '../../../support/builders/ordering';
import { countingTries, warmPool, type CountedDb } from '../../../support/servers/tries';
import { stored } from '../chargeback/chargebacks';

/**
 * Every step of checkout at once with itself and with every other one, on one order: whatever comes first, what must
 * hold of them holds, nothing is thrown but what the step declares, and no transaction had to be tried again.
 */
const own = ownDatabase();
const at = new Date().toISOString();
const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
let counted: CountedDb;
let staffId: string;
beforeAll(async () => {
  counted = countingTries(own.db);
  staffId = (await make.admin(own.db)).id;
});
beforeEach(() => warmPool(counted.db));
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

type Order = OrderCommand & { paymentId: string };
type Begin = () => Promise<unknown>;
interface Step {
  /** Writes down what the step is about, and answers what begins it. */
  prepare: (order: Order) => Promise<Begin> | Begin;
  refuses: readonly ErrorCode[];
}

const steps = () => orderSteps(counted.db);
const opening =
  (paymentMethod: PaymentMethod) =>
  ({ orderId }: Order): Begin =>
  () =>
    steps().openPayment({ orderId, attemptId: v7(), paymentMethod, at: later(1) });
const reporting = (outcome: 'PAID' | 'EXPIRED') => async (order: Order) => {
  const { webhookEventId } = await storedReport(own.db, outcome, order);
  return () => steps().applyPaymentEvent({ webhookEventId, at: later(1) });
};

const STEPS: Readonly<Record<string, Step>> = {
  placeOrder: {
    prepare: (order) => () => steps().placeOrder({ ...order, ...order.command, at }),
    refuses: [],
  },
  openPayment: { prepare: opening('EWALLET'), refuses: ['NOT_PAYABLE'] },
  'openPayment by balance': { prepare: opening('BALANCE'), refuses: ['NOT_PAYABLE'] },
  confirmTransfer: {
    prepare: async ({ orderId }) => {
      const noteId = await noteOf(own.db, staffId, null);
      const transfer = { orderId, amountMinor: PRICE_MINOR, onMismatch: 'REFUSE' as const, noteId };
      const ids = { captureId: v7(), transactionId: v7() };
      return () => steps().confirmTransfer({ ...transfer, ...ids, at: later(1) });
    },
    refuses: [],
  },
  cancelOrder: {
    prepare: async ({ orderId, userId }) => {
      const noteId = await noteOf(own.db, userId, 'Changed my mind.');
      return () => steps().cancelOrder({ orderId, noteId, at: later(1) });
    },
    refuses: ['CANNOT_CANCEL'],
  },
  expireOrder: {
    prepare:
      ({ orderId }) =>
      () =>
        steps().expireOrder({ orderId, at: later(30) }),
    refuses: [],
  },
  'applyPaymentEvent PAID': { prepare: reporting('PAID'), refuses: [] },
  'applyPaymentEvent EXPIRED': { prepare: reporting('EXPIRED'), refuses: [] },
  lookUpPayments: {
    prepare: async ({ orderId, attemptId: key }) => {
      const payment = { key, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
      await enterSandboxPayments(own.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
      return () => lookForMoney(steps(), { orderId, at: later(30) });
    },
    refuses: [],
  },
  chargeback: {
    prepare: async (order) => {
      const { paymentId } = order;
      const change = { chargebackId: v7(), paymentId, amountMinor: 1_000 };
      const webhookEventId = await stored(own.db, 'payment.charged_back', order, change);
      return () => steps().applyPaymentEvent({ webhookEventId, at: later(1) });
    },
    refuses: [],
  },
};

/** The steps of the order before those under test. */
const STATES: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
  'waits for payment': () => Promise.resolve(),
  'is paid': async (order) => (await STEPS['applyPaymentEvent PAID']!.prepare(order))(),
  'is cancelled': async (order) => (await STEPS['cancelOrder']!.prepare(order))(),
};

const names = Object.keys(STEPS);
const rounds = Object.keys(STATES).flatMap((state) => names.map((first) => ({ state, first })));

test.each(rounds)('an order that $state: $first at once with every step', async ({ state, first }) => {
  for (const second of names) {
    const placed = await placedOrder(own.db, { walletMinor: 2 * PRICE_MINOR }, { at });
    const order = { ...placed, paymentId: v7() };
    await STATES[state]!(order);
    const pair = [STEPS[first]!, STEPS[second]!];
    const begin: Begin[] = [];
    for (const step of pair) begin.push(await step.prepare(order));
    const outcomes = await Promise.allSettled(begin.map((run) => run()));
    const undeclared = outcomes.flatMap((outcome, i): unknown[] => {
      if (outcome.status === 'fulfilled') return [];
      const code = refusalIn(outcome.reason)?.code;
      return code && pair[i]!.refuses.includes(code)
        ? []
        : [`${first} + ${second}: ${String(outcome.reason)}`];
    });
    expect(undeclared).toEqual([]);
  }
  expect(counted.contended()).toBe(0);
});

test('placing one order twice at once places it once, and both get the same answer', async () => {
  for (let round = 0; round < 10; round++) {
    const order = await orderCommand(own.db);
    const command = { ...order, ...order.command, at };
    const [one, other] = await Promise.all([steps().placeOrder(command), steps().placeOrder(command)]);
    expect(other).toEqual(one);
  }
  expect(counted.contended()).toBe(0);
});
