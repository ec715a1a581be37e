import { v7 } from 'uuid';
import { listPaymentRefunds } from '../../../../../db/commerce/refund/payment-refund.reads';
import { execute, firstRow, rows } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import { make } from '../../../../support/builders/make';
import { noteOf, orderState, orderSteps, PRICE_MINOR, TWO_SOLD } from '../../../../support/builders/ordering';
import { approve, deliveredOrder, refundState, requestRefund } from '../../../../support/builders/refunding';
import { FakeBank } from '../../../../support/fakes/fake-bank';
import { asActivity } from '../../../../support/servers/run-activity';
import { owedMessages } from '../../../../support/checks/mail';
import { violations } from '../../../../support/checks/violations';
import { effectOf, NOTHING, refundReports, type ReportedRefund } from './refund-reports';
import { ownDatabase } from '../../../../support/servers/database';

/** Reports of a provider on refunds, after its first answer or without a question. */
const own = ownDatabase();
const { apply, at, bookedOn, differences, hears, sentRefund, settle, steps, stored } = refundReports(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const isToSend = async (refundId: string): Promise<boolean> => {
  const filter = { status: null, order: null, participation: null, entrance: null, topUp: null };
  const all = await listPaymentRefunds(own.db, { ...filter, needsTransfer: true }, { limit: 100, offset: 0 });
  return all.refunds.some(({ id }) => id === refundId);
};

/** The subjects of the mails under a name, without what they are about, in the order in which they were queued. */
const mailsOf = async (name: string): Promise<string[]> =>
  (await owedMessages(own.db, 'reference LIKE $1', [`${name}:%`])).map(
    ({ subject }) => String(subject).split(':')[0]!,
  );

describe('a refund that fails after it was sent', () => {
  test('is booked back and owed again, and a person is asked to send it, whatever is said twice', async () => {
    const { order, refundId, as } = await sentRefund();
    const event = await stored('refund.failed', order.orderId, { refundId, as });
    const words = expect.stringMatching(
      `^sandbox could not deliver 50.00 USD .* as ${as}, .*/admin/payment-refunds/${refundId}/settle`,
    ) as string;
    expect(effectOf(await apply(event))).toEqual({ outcome: 'APPLIED', wakes: [], toDecide: words });
    // The answer was lost: asked for again. Another event about the same asks nobody a second time.
    expect(effectOf(await apply(event))).toEqual({ ...NOTHING, toDecide: words });
    expect(effectOf(await hears('refund.failed', order.orderId, { refundId, as }))).toEqual(NOTHING);
    expect(await orderState(own.db, order)).toMatchObject({
      ...{ order: 'CANCELLED PAID', refunds: ['CANCELLATION ABANDONED'] },
    });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR]);
    expect(await isToSend(refundId)).toBe(true);
  });

  test('is settled by hand, which is booked in addition to what came back', async () => {
    const { order, refundId, as } = await sentRefund();
    await hears('refund.failed', order.orderId, { refundId, as });
    await settle(refundId);
    expect(await orderState(own.db, order)).toMatchObject({
      ...{ order: 'CANCELLED REFUNDED', refunds: ['CANCELLATION COMPLETED'] },
    });
    expect(await bookedOn('clearing_bank', refundId)).toEqual([PRICE_MINOR]);
    expect(await isToSend(refundId)).toBe(false);
    expect(effectOf(await hears('refund.failed', order.orderId, { refundId, as }))).toEqual(NOTHING);
    expect(await mailsOf(`payment-refund:${refundId}`)).toEqual(['Refund could not be sent', 'Refund sent']);
  });

  test('and was sent by another payment after all: its buyer is told of that too', async () => {
    const { order, refundId, as } = await sentRefund();
    await hears('refund.failed', order.orderId, { refundId, as });
    expect(
      effectOf(await hears('refund.completed', order.orderId, { refundId, as: `${as}-2` })),
    ).toMatchObject({
      outcome: 'APPLIED',
    });
    expect(await mailsOf(`payment-refund:${refundId}`)).toEqual(['Refund could not be sent', 'Refund sent']);
  });

  test('a report that is older than the failure does not undo it', async () => {
    const { order, refundId, as } = await sentRefund();
    await hears('refund.failed', order.orderId, { refundId, as });
    for (const type of ['refund.completed', 'refund.pending'] as const)
      expect(effectOf(await hears(type, order.orderId, { refundId, as }))).toEqual(NOTHING);
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION ABANDONED'] });
  });

  test('of a request: it has FAILED and its buyer is told, until a person has sent it', async () => {
    const order = await deliveredOrder(own.db);
    const request = await requestRefund(own.db, order);
    const { refundsDue } = await approve(own.db, request);
    const refundId = refundsDue[0]!.refundId;
    await steps().completeRefund({ refundId, providerRefundId: 're_2', at: at() });
    expect(await refundState(own.db, request)).toMatchObject({ request: 'COMPLETED' });
    await hears('refund.failed', order.orderId, { refundId, as: 're_2' });
    expect(await refundState(own.db, request)).toMatchObject({
      ...{ request: 'FAILED', order: 'REFUNDED REFUNDED', sent: 'ABANDONED 5500' },
    });
    await settle(refundId);
    expect(await refundState(own.db, request)).toMatchObject({ request: 'COMPLETED' });
    expect(await mailsOf(`refund:${request.refundRequestId}`)).toEqual([
      'Refund approved',
      ...['Refund sent', 'Refund could not be sent', 'Refund sent'],
    ]);
  });

  test('by twenty reports at once it is booked back once', async () => {
    const { order, refundId, as } = await sentRefund();
    const events = await Promise.all(
      Array.from({ length: 20 }, () => stored('refund.failed', order.orderId, { refundId, as })),
    );
    const applied = await Promise.all(events.map(apply));
    expect(applied.filter(({ outcome }) => outcome === 'APPLIED')).toHaveLength(1);
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR]);
  });
});

describe('a refund that is on its way', () => {
  test('its process looks at it when the provider says how it ended; pending changes nothing', async () => {
    const { refundId, ...order } = await given(own.db).order().paid().cancelled();
    expect(effectOf(await hears('refund.pending', order.orderId, { refundId, as: 're_3' }))).toEqual(NOTHING);
    for (const type of ['refund.completed', 'refund.failed'] as const)
      expect(effectOf(await hears(type, order.orderId, { refundId, as: 're_3' }))).toEqual({
        ...NOTHING,
        wakes: [refundId],
      });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION PROCESSING'] });
  });
});

describe('a refund that was given up', () => {
  test('while it is pending is not sent by hand, and completed by what the provider sends', async () => {
    const bank = new FakeBank();
    bank.mood = 'keeps it pending';
    const { refundId, ...order } = await given(own.db).order({ provider: bank }).paid().cancelled();
    const ofBank = orderSteps(own.db, bank);
    const sent = await asActivity(ofBank.sendRefund)({
      refundId,
      again: false,
      at: new Date().toISOString(),
    });
    expect(sent).toEqual({ sentBy: 'PROVIDER_LATER', overdueAfterMs: 3 * 24 * 3_600_000 });
    await ofBank.abandonRefund({ refundId, at: at() });
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
    const settles = () => ofBank.settleRefund({ refundId, noteId, at: at() });
    await expect(settles()).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
    bank.carriesOut(`${refundId}:1`, PRICE_MINOR);
    await expect(settles()).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
    expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED REFUNDED' });
  });

  const givenUp = async () => {
    const order = await given(own.db).order().paid().cancelled();
    await steps().abandonRefund({ refundId: order.refundId, at: at() });
    return order;
  };

  test('and is sent after all is completed by that', async () => {
    const { refundId, ...order } = await givenUp();
    const report = { refundId, as: 're_4' };
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toMatchObject({
      outcome: 'APPLIED',
    });
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toEqual(NOTHING);
    expect(await orderState(own.db, order)).toMatchObject({
      ...{ order: 'CANCELLED REFUNDED', refunds: ['CANCELLATION COMPLETED'] },
    });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR]);
  });

  test('and is sent in another amount, or after a person has sent it: a person decides', async () => {
    const { refundId, orderId } = await givenUp();
    const report = { refundId, as: 're_5' };
    expect(effectOf(await hears('refund.completed', orderId, { ...report, amountMinor: 1 }))).toEqual({
      ...NOTHING,
      toDecide: expect.stringMatching(/was given up\. Settle it by that reference/) as string,
    });
    await settle(refundId);
    expect(effectOf(await hears('refund.completed', orderId, report))).toEqual({
      ...NOTHING,
      toDecide: expect.stringMatching(/which is COMPLETED by other money: it left twice/) as string,
    });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([]);
  });
});

describe('a refund that was made at the provider', () => {
  const dashboard = (orderId: string, report: ReportedRefund) => hears('refund.completed', orderId, report);
  const refundedMinor = async (orderId: string): Promise<number | undefined> =>
    (
      await firstRow<{ minor: number }>(own.db, 'SELECT refunded_minor AS minor FROM orders WHERE id = $1', [
        orderId,
      ])
    )?.minor;

  test('of all of the price makes the order REFUNDED, its goods back, once by its id', async () => {
    const order = await given(own.db).order().paid();
    const as = `re_${order.orderId}`;
    const events = await Promise.all([1, 2, 3].map(() => stored('refund.completed', order.orderId, { as })));
    const applied = await Promise.all(events.map(apply));
    expect(applied.map(({ outcome }) => outcome).sort()).toEqual([
      'APPLIED',
      'WITHOUT_EFFECT',
      'WITHOUT_EFFECT',
    ]);
    const state = await orderState(own.db, order);
    expect(state).toMatchObject({ order: 'REFUNDED REFUNDED', refunds: ['REFUND COMPLETED'] });
    expect(state.stock).not.toBe(TWO_SOLD.stock);
    expect(await differences(as)).toEqual([]);
    const audited = await rows(
      own.db,
      `SELECT actor_id, next->>'providerRefundId' AS as FROM audit_records WHERE entity_id = $1 AND action = 'order.refund'`,
      [order.orderId],
    );
    expect(audited).toEqual([{ actorId: null, as }]);
  });

  test('of a part is counted, and no more than the rest can be refunded', async () => {
    const { orderId } = await given(own.db).order().paid();
    expect(effectOf(await dashboard(orderId, { as: 're_6', amountMinor: 20_00 }))).toMatchObject({
      outcome: 'APPLIED',
    });
    expect(await refundedMinor(orderId)).toBe(20_00);
    expect(effectOf(await dashboard(orderId, { as: 're_7', amountMinor: 30_01 }))).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringMatching(/^sandbox has sent back 30\.01 USD of payment .* as re_7/) as string,
    });
    expect(await refundedMinor(orderId)).toBe(20_00);
    expect(await differences('re_7')).toEqual([
      { kind: 'MISSING_HERE', movementKind: 'REFUND', minor: 30_01, isOpen: true },
    ]);
    expect(effectOf(await dashboard(orderId, { as: 're_7', amountMinor: 30_01 }))).toEqual(NOTHING);
    await execute(own.db, `DELETE FROM reconciliation_differences WHERE provider_id = 're_7'`, []);
  });

  test('of a cancelled order is a matter for a person', async () => {
    const { orderId, refundId } = await given(own.db).order().paid().cancelled();
    expect(effectOf(await dashboard(orderId, { as: 're_8' })).toDecide).toMatch(/^sandbox has sent back/);
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([]);
    await execute(own.db, `DELETE FROM reconciliation_differences WHERE provider_id = 're_8'`, []);
  });

  test('that is pending or fails is nothing yet; one that fails later is owed again', async () => {
    const order = await given(own.db).order().paid();
    const { orderId } = order;
    expect(effectOf(await hears('refund.pending', orderId, { as: 're_9' }))).toEqual(NOTHING);
    expect(effectOf(await hears('refund.failed', orderId, { as: 're_12' }))).toEqual(NOTHING);
    await dashboard(orderId, { as: 're_9' });
    expect(effectOf(await hears('refund.failed', orderId, { as: 're_9' }))).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringContaining('could not deliver') as string,
    });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['REFUND ABANDONED'] });
  });

  test('of a payment that is not recorded waits for it', async () => {
    const order = await given(own.db).order();
    const id = await stored('refund.completed', order.orderId, { as: 're_10' });
    expect((await apply(id)).outcome).toBe('UNKNOWN_PAYMENT');
  });
});
