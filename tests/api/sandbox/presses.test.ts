import request from 'supertest';
import { eventually } from '../../support/checks/eventually';
import { ownPaymentServer } from '../payments/payment-server';
import { anHourAgo, coming, current, payerAt, type Entry, type Link } from './paying';

const server = ownPaymentServer([current, coming]);
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
