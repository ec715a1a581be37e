import { paymentPageActivities } from '../../../../activities/commerce/payment/payment-page.activities';
import { bankProvider } from '../../../../activities/providers/payments/bank/bank';
import { ProviderRefusal, type PaymentProvider } from '../../../../activities/providers/payments/port';
import { execute, firstRow } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import type { OrderOptions } from '../../../support/builders/given/steps';
import { orderSteps } from '../../../support/builders/ordering';
import { mailsTo } from '../../../support/checks/mail';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const at = new Date().toISOString();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A provider that opens pages by a call. */
function slowProvider(openPayment: PaymentProvider['openPayment']): PaymentProvider {
  return { ...bankProvider(), code: 'slow', opensByCall: true, openPayment };
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
