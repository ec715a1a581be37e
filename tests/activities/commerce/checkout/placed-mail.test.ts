import { v7 } from 'uuid';
import { paymentPageActivities } from '../../../../activities/commerce/payment-event/payment-page.activities';
import { bankProvider } from '../../../../activities/providers/payments/bank/driver';
import { ProviderRefusal, type PaymentProvider } from '../../../../activities/providers/payments/port';
import { claimDue } from '../../../../db/administration/outbox/outbox.transitions';
import { withdrawMail } from '../../../../db/administration/outbox/outbox.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import { given } from '../../../support/builders/given';
import type { OrderOptions, OrderToPlace } from '../../../support/builders/given/steps';
import { noteOf, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { mailsTo, type OwedMail } from '../../../support/checks/mail';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const at = new Date().toISOString();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A provider that opens pages by a call. */
function slowProvider(openPayment: PaymentProvider['openPayment']): PaymentProvider {
  return { ...bankProvider(), code: 'slow', opensWithinMs: 60_000, openPayment };
}
const opened = slowProvider(() => Promise.resolve({ paymentUrl: 'https://pay.example/1', reference: null }));
const refused = slowProvider(() => Promise.reject(new ProviderRefusal('No.')));

/** An order that was placed twice, as after an answer that was lost. */
async function placed(options: OrderOptions = {}, provider?: PaymentProvider) {
  const order = await given(own.db).cart(options);
  const steps = orderSteps(own.db, provider);
  const first = await steps.placeOrder({ ...order, ...order.input, at });
  expect(await steps.placeOrder({ ...order, ...order.input, at })).toEqual(first);
  const { email } = (await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [
    order.userId,
  ]))!;
  return { order, ...first, mails: () => mailsTo(own.db, email), steps };
}
const isDue = async (orderId: string): Promise<boolean> =>
  (await firstRow(own.db, 'SELECT 1 FROM outbox_messages WHERE reference = $1 AND due_at <= now()', [
    `order:${orderId}:placed`,
  ])) !== null;

test('by card: one mail, with the goods, the sums, the address and the page', async () => {
  const { order, orderNumber, payment, mails } = await placed({ taxBp: 1_000 });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    reference: `order:${order.orderId}:placed`,
    subject: `Your order ${orderNumber}`,
  });
  const text = mail!.text;
  expect(text).toMatch(/^Hello \S+,\n\nThank you for your order/);
  expect(text).toMatch(/\n2 × .+: 50\.00 USD\n/);
  expect(text).toContain(
    'Subtotal: 50.00 USD\nDiscount: -5.00 USD\nShipping: 5.00 USD\nTax: 5.00 USD\nTotal: 55.00 USD\n',
  );
  expect(text).toMatch(/Delivery address:\n.+\n.+\n.+\nGermany\n/);
  expect(text).toMatch(/Please pay 55\.00 USD by \d+ \w+ \d{4}, \d\d:\d\d UTC\./);
  expect(text).toContain(`Pay now: ${payment.paymentUrl}`);
  expect(await isDue(order.orderId)).toBe(true);
});

test('by bank transfer: the account, and the number of the order as the purpose', async () => {
  const { orderNumber, mails } = await placed({ method: 'BANK_TRANSFER' });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail!.text).toContain(
    `Account holder: Shop\nBank: Bank\nAccount: DE02\nBIC: BIK\nReference: ${orderNumber}`,
  );
  expect(mail!.text).toMatch(/Please transfer 50\.00 USD to this account by /);
});

test('what the partner balance pays is not to be paid again', async () => {
  const { mails } = await placed({ partnerMinor: 2_000 });
  const [mail] = await mails();
  expect(mail!.text).toContain('Total: 50.00 USD\nPaid from your partner balance: 20.00 USD');
  expect(mail!.text).toContain('Please pay 30.00 USD by ');
});

test('an order that is paid at once is reported as paid, with its goods and sums', async () => {
  const { order, mails } = await placed({ method: 'BALANCE' });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail!.reference).toBe(`order:${order.orderId}:paid`);
  expect(mail!.text).toMatch(/2 × .+: 50\.00 USD\n/);
  expect(mail!.text).toContain('Total: 50.00 USD');
});

test('a page that a company has to open is waited for, and then mailed at once', async () => {
  const { order, mails, steps } = await placed({}, opened);
  expect(await isDue(order.orderId)).toBe(false);
  const page = { attemptId: order.attemptId };
  expect(await steps.openPage(page)).toEqual({ paymentUrl: 'https://pay.example/1' });
  expect(await steps.openPage(page)).toEqual({ paymentUrl: 'https://pay.example/1' });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail!.text).toContain('Pay now: https://pay.example/1');
  expect(await isDue(order.orderId)).toBe(true);
});

test('without a page the mail goes after ten seconds, and says how to pay', async () => {
  const { order, mails, steps } = await placed({}, refused);
  await expect(steps.openPage({ attemptId: order.attemptId })).rejects.toMatchObject({ type: 'PageRefused' });
  const [mail] = await mails();
  expect(mail!.text).toContain('Open the order in your account to choose how to pay.');
  const due = await firstRow<{ seconds: number }>(
    own.db,
    `SELECT extract(epoch FROM due_at - created_at)::int AS seconds FROM outbox_messages WHERE reference = $1`,
    [`order:${order.orderId}:placed`],
  );
  expect(due).toEqual({ seconds: 10 });
});

test('a page that opens once the mail is on its way changes no mail', async () => {
  const { order, mails } = await placed({}, refused);
  const [before] = await mails();
  await execute(own.db, 'UPDATE outbox_messages SET attempts = 1 WHERE reference = $1', [before!.reference]);
  const payments = {
    providers: new Map([['slow', opened]]),
    current: 'slow',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
    accountHolder: 'Shop',
  };
  await paymentPageActivities({ db: own.db, payments }).openPage({ attemptId: order.attemptId });
  expect(await mails()).toEqual([before]);
});

describe('once the order no longer waits for payment, or another way to pay it is chosen,', () => {
  const later = new Date(Date.parse(at) + 31 * 60_000).toISOString();
  const cancel = async ({ orderId, userId }: OrderToPlace) =>
    orderSteps(own.db).cancelOrder({ orderId, noteId: await noteOf(own.db, userId, 'No.'), at });
  const pay = ({ orderId }: OrderToPlace, paymentMethod: PaymentMethod, provider?: PaymentProvider) =>
    orderSteps(own.db, provider).openPayment({ orderId, attemptId: v7(), paymentMethod, at });
  const ENDS: [string, (order: OrderToPlace) => Promise<unknown>][] = [
    ['cancelled', cancel],
    ['paid by balance', (order) => pay(order, 'BALANCE')],
    ['expired', ({ orderId }) => orderSteps(own.db).expireOrder({ orderId, at: later })],
  ];
  const keptPage = ({ attemptId }: OrderToPlace) => ({
    paymentUrl: 'https://pay.example/dead',
    reference: `session-${attemptId}`,
  });
  /** A provider during whose call something happens. */
  const interrupted = (order: OrderToPlace, happens: (order: OrderToPlace) => Promise<unknown>) =>
    slowProvider(async () => {
      await happens(order);
      return keptPage(order);
    });
  const keptOf = ({ attemptId }: OrderToPlace) =>
    firstRow(
      own.db,
      'SELECT payment_url, provider_reference AS reference FROM payment_attempts WHERE id = $1',
      [attemptId],
    );
  const asks = (mails: readonly OwedMail[]) => mails.filter(({ reference }) => reference.endsWith(':placed'));

  test.each(ENDS)('%s: a mail that waits for its page is withdrawn', async (_how, end) => {
    const { order, mails } = await placed({ walletMinor: PRICE_MINOR }, refused);
    await end(order);
    expect(asks(await mails())).toEqual([]);
  });

  test.each(ENDS)(
    '%s during the call: nobody sees the page, which is kept to be closed',
    async (_how, end) => {
      const { order, mails } = await placed({ walletMinor: PRICE_MINOR }, opened);
      const steps = orderSteps(own.db, interrupted(order, end));
      for (let times = 0; times < 2; times++)
        expect(await steps.openPage({ attemptId: order.attemptId })).toEqual({ paymentUrl: null });
      expect(asks(await mails())).toEqual([]);
      expect(await keptOf(order)).toEqual(keptPage(order));
    },
  );

  test('by a transfer, also during the call: the mail names the account alone, at once', async () => {
    const { order, orderNumber, mails } = await placed({}, opened);
    const steps = orderSteps(
      own.db,
      interrupted(order, (one) => pay(one, 'BANK_TRANSFER', opened)),
    );
    expect(await steps.openPage({ attemptId: order.attemptId })).toEqual({ paymentUrl: null });
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail!.text).toContain(`Reference: ${orderNumber}`);
    expect(mail!.text).not.toContain('Pay now');
    expect(await isDue(order.orderId)).toBe(true);
    expect(await keptOf(order)).toEqual(keptPage(order));
  });

  test('by a page that is not open yet: the mail forgets the first page, and waits for the other', async () => {
    const { order, mails } = await placed({}, opened);
    await orderSteps(own.db, opened).openPage({ attemptId: order.attemptId });
    await pay(order, 'EWALLET', opened);
    const [mail] = await mails();
    expect(mail!.text).not.toContain('Pay now');
    expect(await isDue(order.orderId)).toBe(false);
  });

  test('a mail that a sender has claimed is on its way; one that is withdrawn meanwhile cannot be claimed', async () => {
    const claimed = await placed({});
    const [before] = await claimed.mails();
    await execute(own.db, 'UPDATE outbox_messages SET attempts = 1 WHERE reference = $1', [
      before!.reference,
    ]);
    await cancel(claimed.order);
    expect(await claimed.mails()).toEqual([before]);

    const { order } = await placed({});
    const reference = `order:${order.orderId}:placed`;
    const queued = () =>
      firstRow<{ id: string }>(own.db, 'SELECT id FROM outbox_messages WHERE reference = $1', [reference]);
    const { id } = (await queued())!;
    const found = await inTransaction(own.db, async (tx) => {
      await withdrawMail(tx, reference);
      return claimDue(own.db, 1_000, 60_000);
    });
    expect(found.map((message) => message.id)).not.toContain(id);
    expect(await queued()).toBeNull();
  });
});
