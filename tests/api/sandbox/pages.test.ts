import request from 'supertest';
import { v7 } from 'uuid';
import { sandboxPaymentUrl } from '../../../activities/providers/payments/sandbox/sandbox-link';
import { settle, type SandboxAction } from '../../../api/sandbox/outcome';
import { rows } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';
import { makeSecret, ownPaymentServer } from '../payments/payment-server';

const [current, coming] = [makeSecret(), makeSecret()];

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();

interface PaymentOptions {
  amountMinor?: number;
  description?: string;
  expiresAt?: string;
}

interface Link {
  key: string;
  path: string;
  search: string;
}

interface Entry {
  status: string;
  type: string;
  delayMs: number;
  eventId: string;
  paymentId: string;
}

/** The sandbox's page as a browser without a screen sees it, and its records. */
function payerAt(server: ReturnType<typeof ownPaymentServer>) {
  const press = ({ path, search }: Link, button: string) =>
    request(server.url).post(`${path}/${button}${search}`);
  return {
    /** A link as the driver gives it out. */
    link: (change: PaymentOptions = {}, by = current): Link => {
      const command = {
        method: 'CARD',
        amountMinor: 4_999,
        currency: 'USD',
        description: 'Order 7',
        expiresAt: inAnHour(),
      };
      const key = v7();
      const url = new URL(sandboxPaymentUrl(server.url, by, { key, ...command, ...change }));
      return { key, path: url.pathname, search: url.search };
    },

    show: ({ path, search }: Link) => request(server.url).get(path + search),

    press,

    /** Presses a button as a browser does, and answers the heading of the page it ends on. */
    pressed: async (payment: Link, button: string): Promise<string> => {
      const answer = await press(payment, button).redirects(1).expect(200);
      return /<h1>(.*?)<\/h1>/.exec(answer.text)![1]!;
    },

    booked: ({ key }: Link) =>
      rows<Entry>(
        server.db,
        `SELECT p.status, e.type, e.delay_ms, e.id AS event_id, p.id AS payment_id
           FROM sandbox_payments p JOIN sandbox_events e ON e.payment_id = p.id
          WHERE p.payment_key = $1 ORDER BY e.id`,
        [key],
      ),
  };
}

const server = ownPaymentServer([current, coming]);

describe('pages', () => {
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

    test('says until when as people read it', async () => {
      const { text } = await show(link({ expiresAt: '2099-03-04T05:06:07.000Z' })).expect(200);
      expect(text).toContain('By card, until 4 March 2099, 05:06 UTC');
    });

    test('of a payment whose time has passed says so and offers no button', async () => {
      const { text } = await show(link({ expiresAt: '2026-03-04T05:06:07.000Z' })).expect(200);
      expect(text).toContain('The time to pay ended on 4 March 2026, 05:06 UTC.');
      expect(text).not.toContain('<form');
      expect(text).toContain('<a href="http://shop.test/docs">Look at the order</a>');
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
});

describe('buttons', () => {
  const { link, press, pressed, booked } = payerAt(server);

  /** The process that reports a payment of the sandbox. */
  const reporting = ({ eventId }: Entry) =>
    eventually(() => server.temporal.workflow.getHandle(`sandbox-webhook:${eventId}`).describe());

  const brief = async (payment: Link) => (await booked(payment)).map(({ type, delayMs }) => [type, delayMs]);

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
        taskQueue: 'ingest',
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

    test('any press on a paid payment shows that it is paid and records nothing', async () => {
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
      const waits = { msg: 'a sandbox report waits for the sweep' };
      await server.withoutTemporal(async (logged) => {
        const payment = link();
        expect(await pressed(payment, 'pay')).toBe('Paid');
        expect(await booked(payment)).toHaveLength(1);
        await eventually(() => expect(logged).toContainEqual(expect.objectContaining(waits)));
      });
    });
  });
});

describe('outcomes', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const card = { method: 'CARD', amountMinor: 49_900, expiresAt: '2026-03-01T12:30:00.000Z' };
  const past = { ...card, expiresAt: '2026-03-01T11:59:59.999Z' };
  const scripted = { ...card, amountMinor: 1_013 };

  const at = (status: string, delayMs = 0) => ({ status, delayMs });

  test.each<[SandboxAction, typeof card, string, unknown[]]>([
    ['pay', card, 'PAID', [at('PAID')]],
    ['decline', card, 'DECLINED', [at('DECLINED')]],
    ['pay-twice', card, 'PAID_TWICE', [at('PAID'), at('PAID')]],
    ['pay-late', card, 'PAID_LATE', [at('EXPIRED'), at('PAID', 2_000)]],
    ['pay', past, 'EXPIRED', [at('EXPIRED')]],
    ['decline', past, 'EXPIRED', [at('EXPIRED')]],
    ['pay-twice', past, 'EXPIRED', [at('EXPIRED')]],
    ['pay-late', past, 'PAID_LATE', [at('EXPIRED'), at('PAID', 2_000)]],
    ['pay', scripted, 'DECLINED', [at('DECLINED')]],
    ['pay-twice', scripted, 'DECLINED', [at('DECLINED')]],
    ['pay-late', scripted, 'DECLINED', [at('DECLINED')]],
    ['pay', { ...scripted, method: 'EWALLET' }, 'PAID', [at('PAID')]],
    ['pay', { ...card, amountMinor: 1_300 }, 'PAID', [at('PAID')]],
  ])('%s on %j comes to %s', (press, link, outcome, entries) => {
    expect(settle(press, link, [], now)).toEqual({ outcome, entries });
  });

  test.each<SandboxAction>(['pay', 'decline', 'pay-late', 'pay-twice'])(
    'a paid payment is closed: %s records nothing',
    (press) => {
      expect(settle(press, card, ['EXPIRED', 'PAID'], now)).toEqual({ outcome: 'ALREADY_PAID', entries: [] });
    },
  );

  test('what was declined or has expired is reported once, and may still be paid', () => {
    expect(settle('decline', card, ['DECLINED'], now)).toEqual({ outcome: 'ALREADY_DECLINED', entries: [] });
    expect(settle('pay', past, ['EXPIRED'], now)).toEqual({ outcome: 'ALREADY_EXPIRED', entries: [] });
    expect(settle('pay', card, ['DECLINED'], now).outcome).toBe('PAID');
    expect(settle('pay-late', past, ['EXPIRED'], now).outcome).toBe('PAID_LATE');
  });
});
