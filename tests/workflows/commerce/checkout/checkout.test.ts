import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { execute } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { checkoutProcess, placeOrder } from '../../../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import {
  orderStatus,
  paymentReported,
  cancelOrder,
} from '../../../../workflows/commerce/order/order.contract';
import { refusalIn } from '../../../../workflows/errors';
import { searchAttributes } from '../../../../workflows/kit/search-attributes';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import {
  noteOf,
  NOTHING_HELD,
  PRICE_MINOR,
  TWO_RESERVED,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { stateOf, cancel, payAgain, place, placed, report, sale } from '../sales';

const page = (attemptId: string): string => `https://checkout.stripe.test/${attemptId}`;

describe('a checkout', () => {
  let world: SkippingWorld;
  /** The calls of the steps, in their order; `held` makes them wait before they begin. */
  let calls: string[];
  let held: Promise<void> | undefined;
  /** Runs after a step has finished and before its process gets the answer. */
  let meanwhile: () => Promise<unknown>;
  let recordsReading = false;

  beforeAll(async () => {
    const recorded = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      calls.push(`${what} begins`);
      await held;
      const answer = await work();
      await meanwhile();
      calls.push(`${what} ends`);
      return answer;
    };
    world = await startSkippingWorld({
      queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
      fakes: (real) => ({
        orderState: (order) =>
          recordsReading ? recorded('reading', () => real.orderState(order)) : real.orderState(order),
        placeOrder: (command) => recorded('placing', () => real.placeOrder(command)),
        openPayment: (command) => recorded('paying', () => real.openPayment(command)),
        cancelOrder: (command) => recorded('cancelling', () => real.cancelOrder(command)),
      }),
    });
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
  });
  beforeEach(() => {
    calls = [];
    held = undefined;
    meanwhile = () => Promise.resolve();
    recordsReading = false;
  });

  /** Makes the steps wait until the answered function is called. */
  function hold(): () => void {
    let letGo: () => void = () => undefined;
    held = new Promise((resolve) => (letGo = resolve));
    return letGo;
  }

  test('an order paid from the balance is paid at once, and fulfilment has it', async () => {
    const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
    expect(sold.placed.standing.status).toBe('PAID');
    expect(await sold.checkout.result()).toBe('PAID');
    await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
    await keepHistory(sold.checkout, 'paid-from-balance');
  });

  test('an order paid by card is paid when its provider says so', async () => {
    const sold = await placed(world);
    await report(world, 'PAID', sold);
    expect(await sold.checkout.result()).toBe('PAID');
    await keepHistory(sold.checkout, 'paid-by-card');
  });

  test('operators find a checkout and the fulfilment that it started by order, buyer and area', async () => {
    const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
    expect(await sold.checkout.result()).toBe('PAID');
    for (const process of [sold.checkout, sold.fulfilment]) {
      const { typedSearchAttributes: found } = await process.describe();
      const { entityId, userId, area } = searchAttributes;
      expect([found.get(entityId), found.get(userId), found.get(area)]).toEqual([
        sold.orderId,
        sold.userId,
        'commerce',
      ]);
    }
  });

  test('a refused order answers the reason, leaves nothing and ends its process', async () => {
    const sold = await sale(world);
    await execute(world.db, `UPDATE stock_items SET available = 0 WHERE id = $1`, [sold.stockItemId]);
    await expect(place(world, sold)).rejects.toMatchObject({ type: 'INSUFFICIENT_STOCK' });
    await execute(world.db, `UPDATE stock_items SET available = 10 WHERE id = $1`, [sold.stockItemId]);
    expect(await sold.checkout.result()).toBe('REFUSED');
    expect(await sold.checkout.query(orderStatus)).toBe('REFUSED');
    expect(await stateOf(world, sold)).toMatchObject({ order: null, ...NOTHING_HELD });
    await keepHistory(sold.checkout, 'refused');
  });

  test('a process without a request for an order ends by itself', async () => {
    const sold = await sale(world);
    await world.processes.start(checkoutProcess, sold);
    await expect(cancel(world, sold)).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
    await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
    await world.sleep('9 minutes');
    expect(await sold.checkout.query(orderStatus)).toBe('PLACING');
    await world.sleep('2 minutes');
    expect(await sold.checkout.result()).toBe('REFUSED');
    expect(calls).toEqual([]);
  });

  test('signals that arrive for nothing change nothing', async () => {
    const sold = await sale(world);
    await world.processes.start(checkoutProcess, sold);
    await sold.checkout.signal(paymentReported);
    await place(world, sold);
    for (let times = 0; times < 3; times++) await sold.checkout.signal(paymentReported);
    await world.sleep('29 minutes');
    expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
    await cancel(world, sold);
  });

  test('a cancellation that arrives while the order is being placed waits for it', async () => {
    const sold = await sale(world);
    const letGo = hold();
    const placing = place(world, sold);
    await eventually(() => expect(calls).toEqual(['placing begins']));
    const noteId = await noteOf(world.db, sold.userId, 'Changed my mind at once.');
    const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
    await sold.checkout.describe(); // Earlier requests have reached the server now.
    letGo();
    expect((await placing).standing.status).toBe('PENDING_PAYMENT');
    expect((await cancelling).refundStatus).toBeNull();
    expect(await sold.checkout.result()).toBe('CANCELLED');
    expect(calls).toEqual(['placing begins', 'placing ends', 'cancelling begins', 'cancelling ends']);
    await keepHistory(sold.checkout, 'cancelled-while-placing');
  });

  test('two commands on one order run one after the other, in their order', async () => {
    const sold = await placed(world);
    calls = [];
    const letGo = hold();
    const paying = payAgain(world, sold, 'EWALLET');
    await eventually(() => expect(calls).toEqual(['paying begins']));
    const noteId = await noteOf(world.db, sold.userId, 'Changed my mind.');
    const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
    await sold.checkout.describe();
    letGo();
    await Promise.all([paying, cancelling]);
    expect(calls).toEqual(['paying begins', 'paying ends', 'cancelling begins', 'cancelling ends']);
    await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  });

  test('a payment by balance begins only after the request is written down', async () => {
    const sold = await placed(world, { walletMinor: PRICE_MINOR });
    await payAgain(world, sold, 'EWALLET');
    await payAgain(world, sold, 'BALANCE');
    const { events } = await sold.checkout.fetchHistory();
    const scheduled = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: attributes }) => attributes?.activityType?.name ?? [],
    );
    expect(scheduled).toEqual(['openPayment']);
    expect(await sold.checkout.result()).toBe('PAID');
    await keepHistory(sold.checkout, 'later-paid-from-balance');
  });

  test('what is hopeless is refused before it is accepted, and leaves nothing in the history', async () => {
    const sold = await placed(world);
    await world.sleep('29 minutes');
    calls = [];
    const letGo = hold();
    const cancelling = cancel(world, sold);
    await eventually(() => expect(calls).toEqual(['cancelling begins']));
    const second = payAgain(world, sold, 'EWALLET');
    await sold.checkout.describe();
    letGo();
    await cancelling;
    await expect(second).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
    await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
    expect(await sold.checkout.result()).toBe('CANCELLED');
  });

  test('who waits for their turn is answered before the process closes', async () => {
    const sold = await placed(world, { walletMinor: PRICE_MINOR });
    calls = [];
    const letFirst = hold();
    const paying = payAgain(world, sold, 'BALANCE');
    await eventually(() => expect(calls).toEqual(['paying begins']));
    const waiting = payAgain(world, sold, 'EWALLET');
    await sold.checkout.describe();
    const letSecond = hold();
    letFirst();
    expect((await paying).standing.status).toBe('PAID');
    await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
    expect((await sold.checkout.describe()).status.name).toBe('RUNNING');
    letSecond();
    await expect(waiting).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
    expect(await sold.checkout.result()).toBe('PAID');
  });

  test('an order that is read again after a report does not overwrite what came of a request meanwhile', async () => {
    const sold = await placed(world, { walletMinor: PRICE_MINOR });
    calls = [];
    recordsReading = true;
    let letRead: () => void = () => undefined;
    meanwhile = () => new Promise<void>((resolve) => (letRead = resolve));
    await sold.checkout.signal(paymentReported);
    await eventually(() => expect(calls).toEqual(['reading begins']));
    const paying = payAgain(world, sold, 'BALANCE');
    await sold.checkout.describe();
    meanwhile = () => Promise.resolve();
    letRead();
    expect((await paying).standing.status).toBe('PAID');
    expect(calls).toEqual(['reading begins', 'reading ends', 'paying begins', 'paying ends']);
    expect(await sold.checkout.result()).toBe('PAID');
  });

  test('money that is found twice at the end of the window pays the order once; the rest goes back', async () => {
    const sold = await placed(world);
    const payment = { key: sold.attemptId, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
    const paid = { status: 'PAID' as const, delayMs: 0 };
    await enterSandboxPayments(world.db, payment, () => [paid, paid]);
    await world.sleep('30 minutes'); // No longer: from here on the clock does not skip; see `patient`.
    expect(await sold.checkout.result()).toBe('PAID');
    await eventually(async () =>
      expect(await stateOf(world, sold)).toMatchObject({
        order: 'PROCESSING PAID',
        refunds: ['DUPLICATE_PAYMENT COMPLETED'],
      }),
    );
  });

  test('an order whose fulfilment was started by somebody else is paid all the same', async () => {
    const sold = await sale(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
    meanwhile = () => world.processes.start(fulfilmentProcess, sold);
    await place(world, sold);
    expect(await sold.checkout.result()).toBe('PAID');
    await eventually(async () =>
      expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD }),
    );
  });
});

describe('the page of a payment that a provider opens', () => {
  let world: SkippingWorld;
  /** The attempts whose page was requested, one entry per try. */
  let calls: string[];
  /** The orders whose pages were closed and looked up. */
  let lookedUp: string[];
  /** The provider's answer. */
  let answers: (attemptId: string) => Promise<{ paymentUrl: string | null }>;

  beforeAll(async () => {
    world = await startSkippingWorld({
      queues: ['interactive', ...PROVIDER_QUEUES],
      variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
      fakes: () => ({
        openPage: ({ attemptId }) => {
          calls.push(attemptId);
          return answers(attemptId);
        },
        lookUpPayments: (lookUp) => {
          if (lookUp.orderId !== undefined) lookedUp.push(lookUp.orderId);
          return Promise.resolve([]);
        },
      }),
    });
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
  });
  beforeEach(() => {
    calls = [];
    lookedUp = [];
    answers = (attemptId) => Promise.resolve({ paymentUrl: page(attemptId) });
  });

  test('the page is opened after the order is placed, and is in the answer', async () => {
    const sold = await placed(world);
    expect(sold.placed.payment).toMatchObject({ method: 'CARD', paymentUrl: page(sold.attemptId) });
    expect(sold.placed.payment).not.toHaveProperty('pageToOpen');
    expect(calls).toEqual([sold.attemptId]);
    const again = await payAgain(world, sold, 'EWALLET');
    expect(again.payment).toMatchObject({ method: 'EWALLET', paymentUrl: page(calls[1]!) });
    await keepHistory(sold.checkout, 'page-opened');
    await cancel(world, sold);
  });

  test('a request whose answer was lost gets the same page, and no second page is requested', async () => {
    const sold = await sale(world);
    const updateId = v7();
    const place = () =>
      world.processes.open(checkoutProcess, sold, placeOrder, sold.input, {
        updateId,
      });
    const first = await place();
    expect(await place()).toEqual(first);
    expect(calls).toEqual([sold.attemptId]);
    await cancel(world, sold);
  });

  test('a company that is tried in vain is tried again at once', async () => {
    let tries = 0;
    answers = (attemptId) =>
      ++tries === 1
        ? Promise.reject(new Error('The line broke.'))
        : Promise.resolve({ paymentUrl: page(attemptId) });
    const sold = await placed(world);
    expect(sold.placed.payment.paymentUrl).toBe(page(sold.attemptId));
    expect(calls).toEqual([sold.attemptId, sold.attemptId]);
    await cancel(world, sold);
  });

  test('a provider that refuses: the order is placed, the answer says so and has no page; by another method it has', async () => {
    answers = () => Promise.reject(ApplicationFailure.nonRetryable('too small', 'PageRefused'));
    const sold = await placed(world);
    expect(sold.placed.payment).toMatchObject({ paymentUrl: null, isRefused: true });
    expect(sold.placed.standing.status).toBe('PENDING_PAYMENT');
    expect(calls).toHaveLength(1);
    await keepHistory(sold.checkout, 'page-refused');
    const again = await payAgain(world, sold, 'EWALLET').catch((error: unknown) => refusalIn(error));
    expect(again).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'PAYMENT_REFUSED' });
    expect((await payAgain(world, sold, 'BANK_TRANSFER')).payment.bankDetails).not.toBeNull();
    await cancel(world, sold);
  });

  test('while a provider is called no one else waits: the buyer cancels, then gets the answer of checkout', async () => {
    let refuse: () => void = () => undefined;
    answers = () =>
      new Promise((_, reject) => {
        refuse = () => reject(ApplicationFailure.nonRetryable('closed', 'PageRefused'));
      });
    const sold = await sale(world);
    const placing = place(world, sold);
    await eventually(() => expect(calls).toHaveLength(1));
    expect((await cancel(world, sold)).refundStatus).toBeNull();
    await sold.checkout.query(orderStatus);
    expect(lookedUp).not.toContain(sold.orderId); // A page that is being opened can be closed only when it is known.
    refuse();
    expect(await placing).toMatchObject({
      standing: { status: 'PENDING_PAYMENT' },
      payment: { paymentUrl: null },
    });
    expect(await sold.checkout.result()).toBe('CANCELLED');
    expect(lookedUp.filter((orderId) => orderId === sold.orderId)).toHaveLength(1);
  });

  test('the page of an order that was paid otherwise is closed, after its fulfilment was started', async () => {
    const sold = await placed(world, { walletMinor: PRICE_MINOR });
    expect((await payAgain(world, sold, 'BALANCE')).standing.status).toBe('PAID');
    expect(await sold.checkout.result()).toBe('PAID');
    expect(lookedUp).toEqual([sold.orderId]);
    await keepHistory(sold.checkout, 'page-left-then-paid-otherwise');
  });

  test.each(['BANK_TRANSFER', 'BALANCE'] as const)('by %s no page is requested', async (method) => {
    const sold = await placed(world, { method, walletMinor: 10_000 });
    expect(sold.placed.payment.paymentUrl).toBeNull();
    expect(calls).toEqual([]);
    if (method === 'BANK_TRANSFER') await cancel(world, sold);
  });
});
