import request from 'supertest';
import { v7 } from 'uuid';
import { sandboxPaymentUrl } from '../../../activities/providers/payments/sandbox-link';
import { rows } from '../../../db/sql';
import { ownDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { connectTemporal, type TestTemporal } from '../../support/temporal';
import {
  absentTemporal,
  makeSecret,
  startPaymentServer,
  type PaymentServer,
} from '../payments/payment-server';

const database = ownDatabase();
const [current, coming] = [makeSecret(), makeSecret()];
let temporal: TestTemporal;
let server: PaymentServer;

beforeAll(async () => {
  temporal = await connectTemporal();
  const secrets = [current, coming];
  server = await startPaymentServer({ db: database.db, client: temporal.client, secrets });
});
afterAll(async () => {
  await server.drain();
  await temporal.close();
});

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();

/** A link as the driver gives it out. */
function link(change: { amountMinor?: number; description?: string; expiresAt?: string } = {}, by = current) {
  const key = v7();
  const wish = {
    key,
    method: 'CARD',
    amountMinor: 4_999,
    currency: 'USD',
    description: 'Order 7',
    expiresAt: inAnHour(),
  };
  const url = new URL(sandboxPaymentUrl(server.url, by, { ...wish, ...change }));
  return { key, path: url.pathname, search: url.search };
}
type Link = ReturnType<typeof link>;

const show = ({ path, search }: Link) => request(server.url).get(path + search);
const press = ({ path, search }: Link, button: string) =>
  request(server.url).post(`${path}/${button}${search}`);

/** Presses a button as a browser does, and answers the heading of the page it ends on. */
async function pressed(payment: Link, button: string): Promise<string> {
  const answer = await press(payment, button).redirects(1).expect(200);
  return /<h1>(.*?)<\/h1>/.exec(answer.text)![1]!;
}

interface Entry {
  status: string;
  type: string;
  delayMs: number;
  eventId: string;
  paymentId: string;
}

const booked = ({ key }: Link) =>
  rows<Entry>(
    database.db,
    `SELECT p.status, e.type, e.delay_ms AS "delayMs", e.id AS "eventId", p.id AS "paymentId"
       FROM sandbox_payments p JOIN sandbox_events e ON e.payment_id = p.id
      WHERE p.payment_key = $1 ORDER BY e.id`,
    [key],
  );

/** The process that tells us of an entry. */
const reporting = ({ eventId }: Entry) =>
  eventually(() => temporal.client.workflow.getHandle(`sandbox-webhook:${eventId}`).describe());

const brief = async (payment: Link) => (await booked(payment)).map(({ type, delayMs }) => [type, delayMs]);

describe('the page', () => {
  test('shows what is to be paid, and four buttons that are plain forms', async () => {
    const payment = link({ amountMinor: 123_450 });
    const { text } = await show(payment).expect(200).expect('content-type', /html/);
    expect(text).toContain('Order 7');
    expect(text).toContain('USD 1,234.50'.replace(' ', '\u00a0'));
    expect([...text.matchAll(/<button type="submit">(.*?)<\/button>/g)].map(([, label]) => label)).toEqual([
      'Pay',
      'Decline',
      'Pay late',
      'Pay twice',
    ]);
    expect(text).not.toContain('<script');
  });

  test('allows nothing to run or load, forms to us only, and is not kept', async () => {
    const { headers } = await show(link()).expect(200);
    const policy = headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('shows what a description holds as text', async () => {
    const hostile = `<script>alert(1)</script>"'&amp;`;
    const { text } = await show(link({ description: hostile })).expect(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;');
  });

  test('opens with a link that was signed with the coming secret, and with one that has expired', async () => {
    await show(link({}, coming)).expect(200);
    await show(link({ expiresAt: anHourAgo() })).expect(200);
  });

  test('of a payment that was made says so and offers no button', async () => {
    const payment = link();
    await press(payment, 'pay');
    const { text } = await show(payment).expect(200);
    expect(text).toContain('Already paid');
    expect(text).not.toContain('<form');
  });
});

describe('a link that is not as it was given out', () => {
  const tampered: [string, (url: URL) => void][] = [
    ['another amount', (url) => url.searchParams.set('amount', '1')],
    ['another currency', (url) => url.searchParams.set('currency', 'EUR')],
    ['another method', (url) => url.searchParams.set('method', 'EWALLET')],
    ['another description', (url) => url.searchParams.set('description', 'Order 8')],
    ['another end', (url) => url.searchParams.set('expires', '2099-01-01T00:00:00.000Z')],
    ['another key', (url) => (url.pathname = `/sandbox/payments/${v7()}`)],
    ['a key that is none', (url) => (url.pathname = '/sandbox/payments/1')],
    ['no signature', (url) => url.searchParams.delete('signature')],
    ['a short signature', (url) => url.searchParams.set('signature', 'AAAA')],
    ['an amount twice', (url) => url.searchParams.append('amount', '1')],
    ['nothing at all', (url) => (url.search = '')],
  ];

  test.each(tampered)('%s: 403 on the page, its buttons and its result', async (_, tamper) => {
    const payment = link();
    const url = new URL(payment.path + payment.search, server.url);
    tamper(url);
    const changed = { ...payment, path: url.pathname, search: url.search };
    const { text } = await show(changed).expect(403).expect('content-type', /html/);
    expect(text).toContain('not a payment');
    for (const button of ['pay', 'decline', 'pay-late', 'pay-twice'])
      await press(changed, button).expect(403);
    await request(server.url)
      .get(`${changed.path}/result${changed.search || '?'}&outcome=PAID`)
      .expect(403);
    expect(await booked(payment)).toEqual([]);
  });

  test('a link signed by someone else is refused, and so is an outcome that does not exist', async () => {
    await show(link({}, makeSecret())).expect(403);
    const { path, search } = link();
    await request(server.url).get(`${path}/result${search}&outcome=%3Cb%3E`).expect(403);
  });
});

describe('pressing', () => {
  test('Pay records the payment, starts its report, and leads to a page that can be loaded again', async () => {
    const payment = link();
    const answer = await press(payment, 'pay').expect(303);
    expect(answer.headers['location']).toMatch(/^result\?.*&outcome=PAID$/);
    const [entry, ...more] = await booked(payment);
    expect(entry).toMatchObject({ status: 'PAID', type: 'payment.paid', delayMs: 0 });
    expect(more).toEqual([]);
    expect(await reporting(entry!)).toMatchObject({
      type: 'sandboxWebhook',
      taskQueue: 'providers',
    });

    const result = new URL(answer.headers['location']!, `${server.url}${payment.path}/pay`);
    for (let times = 0; times < 2; times++) {
      const { text } = await request(server.url)
        .get(result.pathname + result.search)
        .expect(200);
      expect(text).toContain('The payment was reported. You may close this page.');
      expect(text).toContain('href="http://shop.test/docs"');
    }
    expect(await booked(payment)).toHaveLength(1);
  });

  test('Decline reports a declined payment, which may then be paid', async () => {
    const payment = link();
    expect(await pressed(payment, 'decline')).toBe('Declined');
    expect(await pressed(payment, 'decline')).toBe('Already declined');
    expect(await pressed(payment, 'pay')).toBe('Paid');
    expect(await brief(payment)).toEqual([
      ['payment.declined', 0],
      ['payment.paid', 0],
    ]);
  });

  test('Pay late reports that it expired now, and that it was paid two seconds after', async () => {
    const payment = link();
    expect(await pressed(payment, 'pay-late')).toBe('Paid late');
    expect(await brief(payment)).toEqual([
      ['payment.expired', 0],
      ['payment.paid', 2_000],
    ]);
    for (const entry of await booked(payment))
      expect(await reporting(entry)).toMatchObject({ type: 'sandboxWebhook' });
  });

  test('Pay twice reports two payments', async () => {
    const payment = link();
    expect(await pressed(payment, 'pay-twice')).toBe('Paid twice');
    const entries = await booked(payment);
    expect(entries.map(({ type }) => type)).toEqual(['payment.paid', 'payment.paid']);
    expect(new Set(entries.map(({ paymentId }) => paymentId)).size).toBe(2);
  });

  test('a card amount that ends in .13 is declined', async () => {
    const payment = link({ amountMinor: 10_013 });
    expect(await pressed(payment, 'pay')).toBe('Declined');
    expect(await brief(payment)).toEqual([['payment.declined', 0]]);
  });

  test('Pay after its time reports that it expired', async () => {
    const payment = link({ expiresAt: anHourAgo() });
    expect(await pressed(payment, 'pay')).toBe('Expired');
    expect(await brief(payment)).toEqual([['payment.expired', 0]]);
  });

  test('anything on a paid payment tells so and records nothing', async () => {
    const payment = link();
    await press(payment, 'pay');
    for (const button of ['pay', 'decline', 'pay-late', 'pay-twice'])
      expect(await pressed(payment, button)).toBe('Already paid');
    expect(await booked(payment)).toHaveLength(1);
  });

  test('Pay pressed eight times at once is one payment', async () => {
    const payment = link();
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(payment, 'pay')));
    expect(answers.filter(({ headers }) => headers['location']!.endsWith('=PAID'))).toHaveLength(1);
    expect(await booked(payment)).toHaveLength(1);
  });

  test('by anything but POST does nothing', async () => {
    const payment = link();
    await request(server.url).get(`${payment.path}/pay${payment.search}`).expect(404);
    expect(await booked(payment)).toEqual([]);
  });

  test('while Temporal is away still records the payment; the sweep reports it', async () => {
    const client = absentTemporal();
    const whole = server;
    const waits = { msg: 'a sandbox report waits for the sweep' };
    server = await startPaymentServer({ db: database.db, client, secrets: [current] });
    try {
      const payment = link();
      expect(await pressed(payment, 'pay')).toBe('Paid');
      expect(await booked(payment)).toHaveLength(1);
      await eventually(async () => expect(server.logged).toContainEqual(expect.objectContaining(waits)));
    } finally {
      await server.drain();
      await client.connection.close();
      server = whole;
    }
  });
});
