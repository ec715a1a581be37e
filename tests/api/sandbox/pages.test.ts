import request from 'supertest';
import { v7 } from 'uuid';
import { makeSecret, ownPaymentServer } from '../payments/payment-server';
import { anHourAgo, coming, current, payerAt } from './paying';

const server = ownPaymentServer([current, coming]);
const { link, show, press, booked } = payerAt(server);

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

describe('a link that was changed', () => {
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
