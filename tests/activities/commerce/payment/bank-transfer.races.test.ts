import { ownDatabase } from '../../../support/servers/database';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import {
  orderStep,
  orderSteps,
  placedOrder,
  storedReport,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { APPLIED, at, later, refused, transfersOf } from './transfers';

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

describe('one bank reference', () => {
  test('belongs to one order and one amount', async () => {
    const [first, second] = [await placedOrder(own.db, {}, { at }), await placedOrder(own.db, {}, { at })];
    await confirm(first, 'once-1');
    const other = await transferFor(second, 'once-1');
    await expect(steps().confirmTransfer(other)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId'),
    );
    const more = await transferFor(first, 'once-1', { amountMinor: PRICE_MINOR + 1, onMismatch: 'RETURN' });
    await expect(steps().confirmTransfer(more)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId'),
    );
    expect(await orderStep(own.db, second)).toMatchObject({ order: 'PENDING_PAYMENT PENDING' });
  });

  test.each(['Bank 7a', 'BANK-7b', 'bank\u00a07\tc'])(
    '%j is the same in capitals and without blanks',
    async (reference) => {
      const same = reference.toUpperCase().replace(/\s/g, '');
      const [first, second] = [await placedOrder(own.db, {}, { at }), await placedOrder(own.db, {}, { at })];
      expect(await confirm(first, reference)).toEqual(APPLIED);
      expect(await confirm(first, same)).toEqual(APPLIED);
      await expect(confirm(second, same)).rejects.toMatchObject(refused('VALIDATION_ERROR', 'transactionId'));
      expect(await auditsOf(first)).toHaveLength(1);
      expect(await orderStep(own.db, second)).toMatchObject({ order: 'PENDING_PAYMENT PENDING' });
    },
  );

  test('entered again for its own order, by any administrator, gets the same answer and does nothing', async () => {
    const paid = await placedOrder(own.db, {}, { at });
    const late = await expired(await placedOrder(own.db, {}, { at }));
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
      const orders = [await placedOrder(own.db, {}, { at }), await placedOrder(own.db, {}, { at })];
      // Every other round in two spellings, which are one reference to a bank.
      const spellings = [`race-${round}`, round % 2 ? `RACE -${round}` : `race-${round}`];
      const transfers = await Promise.all(orders.map((order, nth) => transferFor(order, spellings[nth]!)));
      const outcomes = await Promise.allSettled(
        transfers.map((transfer) => steps().confirmTransfer(transfer)),
      );
      const [lost] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(lost).toMatchObject(refused('VALIDATION_ERROR', 'transactionId'));
      const states = await Promise.all(orders.map(async (order) => (await orderStep(own.db, order)).order));
      expect(states.sort()).toEqual(['PAID PAID', 'PENDING_PAYMENT PENDING']);
      const audits = await Promise.all(orders.map(auditsOf));
      expect(audits.flat()).toHaveLength(1);
    }
  });

  test('entered twice at once for one order is recorded once, and both get the same answer', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const transfers = await Promise.all([1, 2, 3, 4].map(() => transferFor(order, 'same-1')));
    const answers = await Promise.all(transfers.map((transfer) => steps().confirmTransfer(transfer)));
    expect(answers).toEqual([APPLIED, APPLIED, APPLIED, APPLIED]);
    expect(await auditsOf(order)).toHaveLength(1);
  });

  test('against the card that pays at the same moment: one pays, the other goes back', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placedOrder(own.db, {}, { at });
      const { webhookEventId } = await storedReport(own.db, 'PAID', order);
      const transfer = await transferFor(order, `card-${round}`);
      await Promise.all([
        steps().applyPaymentEvent({ webhookEventId, at: later(1) }),
        steps().confirmTransfer(transfer),
      ]);
      expect(await orderStep(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['DUPLICATE_PAYMENT PROCESSING'],
        ...TWO_SOLD,
      });
    }
  });
});
