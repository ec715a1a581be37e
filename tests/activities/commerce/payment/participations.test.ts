import { v7 } from 'uuid';
import { payableOffer } from '../../../../activities/commerce/payment/open-payable-attempt';
import { paymentPageActivities } from '../../../../activities/commerce/payment-event/payment-page.activities';
import { stripeProvider } from '../../../../activities/providers/payments/stripe/driver';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { openMatters } from '../../../../db/identity/user/open-matters.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow } from '../../../../db/sql/query';
import type { PaymentOutcome } from '../../../../workflows/commerce/payment/payment-report.rules';
import {
  invested,
  investmentState,
  PRINCIPAL_MINOR,
  type Investment,
} from '../../../support/builders/investing/invested';
import { withdrawsByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { orderSteps, storedReport } from '../../../support/builders/ordering';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { violations } from '../../../support/checks/violations';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import { ownDatabase } from '../../../support/servers/database';
import { stored } from '../chargeback/chargebacks';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const steps = () => orderSteps(own.db);
/** When the windows of the participations here are over. */
const ended = new Date(Date.now() + 90 * 60_000).toISOString();

/** Stores a report of a participation's payment and applies it twice, as when the first answer was lost. */
async function applied(
  outcome: PaymentOutcome,
  made: Investment,
  change: { amountMinor?: number; paymentId?: string } = {},
) {
  const report = { attemptId: made.attemptId, amountMinor: PRINCIPAL_MINOR, ...change };
  const { webhookEventId } = await storedReport(own.db, outcome, report);
  const at = new Date().toISOString();
  const first = await steps().applyPaymentEvent({ webhookEventId, at });
  await steps().applyPaymentEvent({ webhookEventId, at });
  return first;
}
const stateOf = ({ id }: Investment) => investmentState(own.db, id);
const refundOf = async ({ id }: Investment): Promise<string> =>
  (await firstRow<{ id: string }>(own.db, 'SELECT id FROM payment_refunds WHERE participation_id = $1', [
    id,
  ]))!.id;

describe('opening an attempt', () => {
  test('by card it has a page at once, which a repetition answers too', async () => {
    const made = await invested(own.db);
    expect(made.offer).toMatchObject({ method: 'CARD', amountMinor: PRINCIPAL_MINOR, bankDetails: null });
    expect(made.paymentUrl).toContain('/sandbox/');
    expect(await payableOffer(own.db, { participationId: made.id })).toEqual(made.offer);
  });

  test('by transfer it has our account, with its number as the purpose', async () => {
    const made = await invested(own.db, { method: 'BANK_TRANSFER' });
    expect(made.offer.bankDetails).toMatchObject({ accountNumber: 'DE02', purpose: made.number });
    expect(await payableOffer(own.db, { participationId: made.id })).toEqual(made.offer);
  });

  test('one that has no attempt has no offer', async () => {
    expect(await payableOffer(own.db, { participationId: v7() })).toBeNull();
  });

  test('where a company opens the page, the offer names it, and the page is kept and answered', async () => {
    const bank = await FakeStripe.start();
    const page = { successUrl: 'https://shop.test/', cancelUrl: 'https://shop.test/' };
    const provider = stripeProvider({ secretKey: 'sk_test_1', apiBase: bank.url, ...page });
    const payments = {
      providers: new Map([['stripe', provider]]),
      current: 'stripe',
      bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
      accountHolder: 'Shop',
    };
    const made = await invested(own.db, { provider });
    expect(made.offer).toMatchObject({
      paymentUrl: null,
      pageToOpen: { attemptId: made.attemptId, provider: 'stripe' },
    });
    const { openPage } = paymentPageActivities({ db: own.db, payments });
    const opened = await openPage({ attemptId: made.attemptId });
    expect(opened.paymentUrl).toBe(bank.state.sessionOf(made.attemptId).url);
    expect(await payableOffer(own.db, { participationId: made.id })).toEqual({
      ...made.offer,
      ...opened,
      pageToOpen: undefined,
    });
    await bank.stop();
  });
});

describe('applyPaymentEvent, twice', () => {
  test('PAID: it runs, and the answer names it and no order', async () => {
    const made = await invested(own.db);
    expect(await applied('PAID', made)).toEqual({
      outcome: 'APPLIED',
      participationId: made.id,
      userId: made.userId,
      label: `${made.number} · 1000.00 USD`,
      awaitsFulfilment: false,
      refundsDue: [],
    });
    expect(await stateOf(made)).toMatchObject({ participation: 'ACTIVE PAID', attempts: ['CARD PAID'] });
  });

  test('another amount is owed back; its only attempt is over, and so it is cancelled', async () => {
    const made = await invested(own.db);
    const { outcome, refundsDue } = (await applied('PAID', made, { amountMinor: 5 })) as {
      outcome: string;
      refundsDue: unknown[];
    };
    expect(outcome).toBe('RETURNED');
    expect(refundsDue).toEqual([
      {
        refundId: await refundOf(made),
        participationId: made.id,
        userId: made.userId,
        label: `${made.number} · 0.05 USD`,
      },
    ]);
    expect(await stateOf(made)).toMatchObject({
      participation: 'CANCELLED FAILED',
      attempts: ['CARD DECLINED'],
      refunds: ['AMOUNT_MISMATCH 5 PROCESSING'],
    });
    expect(await openMatters(own.db, made.userId, { at: new Date(), returnWindowDays: null })).toContain(
      `money for participation ${made.number} is on its way back`,
    );
  });

  test('EXPIRED gives it up; money after that goes back, which makes it REFUNDED', async () => {
    const made = await invested(own.db);
    await applied('EXPIRED', made);
    expect(await stateOf(made)).toMatchObject({ participation: 'CANCELLED FAILED', reservedMinor: 0 });
    await applied('PAID', made);
    expect(await stateOf(made)).toMatchObject({
      participation: 'CANCELLED FAILED',
      refunds: ['LATE_PAYMENT 100000 PROCESSING'],
    });
    const refundId = await refundOf(made);
    const at = new Date().toISOString();
    expect(await steps().paymentRefundState({ refundId })).toEqual({
      status: 'PROCESSING',
      awaitsLookUp: false,
      refundRequestId: null,
      participationId: made.id,
      userId: made.userId,
    });
    await steps().completeRefund({ refundId, providerRefundId: v7(), at });
    expect((await stateOf(made)).participation).toBe('CANCELLED REFUNDED');
  });

  test('reports of one payment at once: it is paid once', async () => {
    const made = await invested(own.db);
    const paymentId = v7();
    await Promise.all([1, 2, 3].map(() => applied('PAID', made, { paymentId })));
    expect(await stateOf(made)).toMatchObject({ participation: 'ACTIVE PAID', refunds: [] });
  });
});

describe('a look-up at the end of the window, twice', () => {
  const unreported = (key: string, outcomes: PaymentOutcome[]): Promise<unknown> => {
    const payment = { key, amountMinor: PRINCIPAL_MINOR, currency: 'USD', at: new Date() };
    return enterSandboxPayments(own.db, payment, () => outcomes.map((status) => ({ status, delayMs: 0 })));
  };
  const lookUp = ({ id: participationId }: Investment) =>
    lookForMoney(steps(), { participationId, at: ended });

  test('lost money is found and pays it', async () => {
    const made = await invested(own.db);
    await unreported(made.attemptId, ['DECLINED', 'PAID']);
    for (let times = 0; times < 2; times++) expect(await lookUp(made)).toEqual([]);
    expect(await stateOf(made)).toMatchObject({ participation: 'ACTIVE PAID', refunds: [] });
  });

  test('money twice: one refund is due, named again when the first answer was lost', async () => {
    const made = await invested(own.db);
    await unreported(made.attemptId, ['PAID', 'PAID']);
    const due = await lookUp(made);
    expect(due).toMatchObject([{ refundId: await refundOf(made), participationId: made.id }]);
    expect(await lookUp(made)).toEqual(due);
  });

  test('nothing is known of it: it waits; a transfer is looked for at no provider', async () => {
    for (const method of ['CARD', 'BANK_TRANSFER'] as const) {
      const made = await invested(own.db, { method });
      await unreported(made.attemptId, method === 'CARD' ? [] : ['PAID']);
      expect(await lookUp(made)).toEqual([]);
      expect((await stateOf(made)).participation).toBe('PENDING_PAYMENT PENDING');
    }
  });
});

describe('chargebacks', () => {
  const report = async (
    type: Parameters<typeof stored>[1],
    made: Investment,
    paymentId: string,
    chargebackId: string,
  ) => {
    const { attemptId, id: orderId } = made;
    const change = { paymentId, amountMinor: PRINCIPAL_MINOR, chargebackId };
    const webhookEventId = await stored(own.db, type, { orderId, attemptId }, change);
    const at = new Date().toISOString();
    const first = await steps().applyPaymentEvent({ webhookEventId, at });
    return { first, again: await steps().applyPaymentEvent({ webhookEventId, at }) };
  };

  test('of a running one ask a person when taken and when lost, also when the answer was lost', async () => {
    const made = await invested(own.db);
    const [paymentId, chargebackId] = [v7(), v7()];
    await applied('PAID', made, { paymentId });
    const taken = await report('payment.charged_back', made, paymentId, chargebackId);
    const toDecide = expect.stringContaining('took back 1000.00 USD until the dispute is decided') as string;
    expect(taken).toMatchObject({ first: { outcome: 'APPLIED', toDecide }, again: { toDecide } });
    const lost = await report('payment.chargeback_lost', made, paymentId, chargebackId);
    expect(lost.first).toMatchObject({ toDecide: expect.stringContaining('for good') as string });
    expect((await stateOf(made)).participation).toBe('ACTIVE PAID');
  });

  test('of an ended one ask too: about its open withdrawal, its successor, or what was paid out', async () => {
    const decision = async (ends: (made: Investment) => Promise<string>) => {
      const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
      const made = await invested(own.db, { userId });
      const [paymentId, chargebackId] = [v7(), v7()];
      await applied('PAID', made, { paymentId });
      const words = await ends(made);
      const { first, again } = await report('payment.charged_back', made, paymentId, chargebackId);
      expect(first).toMatchObject({ toDecide: expect.stringContaining(words) as string });
      expect(again).toMatchObject({ toDecide: expect.stringContaining(words) as string });
    };
    const matures = async ({ id, userId }: Investment) => {
      await execute(own.db, 'UPDATE participations SET matures_at = started_at WHERE id = $1', [id]);
      const due = { participationId: id, userId, at: new Date().toISOString() };
      return matureWhenDue(own.db, policyFrom({}), due);
    };
    await decision(async (made) => {
      await matures(made);
      return `the participation is MATURED, its money paid out`;
    });
    await decision(async (made) => {
      await execute(own.db, 'UPDATE participations SET auto_reinvest = true WHERE id = $1', [made.id]);
      const { successor } = await matures(made);
      return `its money went into participation ${successor!.label.split(' ')[0]}, which is ACTIVE`;
    });
    await decision(async (made) => {
      await execute(own.db, 'UPDATE participations SET lock_days = 0 WHERE id = $1', [made.id]);
      return `withdrawal ${await withdrawsByHand(own.db, made)} of it is still on its way to the investor`;
    });
  });

  test('of late money that is given up: lost, it has reached the investor, and nothing is owed or asked', async () => {
    const made = await invested(own.db);
    const [paymentId, chargebackId] = [v7(), v7()];
    await applied('EXPIRED', made);
    await applied('PAID', made, { paymentId });
    await steps().abandonRefund({ refundId: await refundOf(made), at: new Date().toISOString() });
    expect(await openMatters(own.db, made.userId, { at: new Date(), returnWindowDays: null })).toEqual([
      `money for participation ${made.number} is owed`,
    ]);
    const taken = await report('payment.charged_back', made, paymentId, chargebackId);
    expect(taken.first).not.toHaveProperty('toDecide');
    await report('payment.chargeback_lost', made, paymentId, chargebackId);
    expect(await stateOf(made)).toMatchObject({
      participation: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT 100000 CHARGED_BACK'],
    });
    const back = await report('payment.chargeback_returned', made, paymentId, chargebackId);
    expect(back.first).toMatchObject({ refundsToWake: [{ participationId: made.id }] });
    expect(await stateOf(made)).toMatchObject({
      participation: 'CANCELLED FAILED',
      refunds: ['LATE_PAYMENT 100000 PROCESSING'],
    });
  });
});

test('a row of payments belongs to an order or a participation, never to both or neither', async () => {
  const made = await invested(own.db);
  const wrong = (change: string): Promise<unknown> =>
    execute(own.db, `UPDATE payment_attempts SET ${change} WHERE id = $1`, [made.attemptId]);
  await expect(wrong('participation_id = NULL')).rejects.toThrow('payment_attempts_payable_check');
});
