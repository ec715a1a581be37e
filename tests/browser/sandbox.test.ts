import { v7 } from 'uuid';
import { sandboxPaymentUrl } from '../../activities/providers/payments/sandbox/sandbox-link';
import { rows } from '../../db/sql/query';
import { startBrowserWorld, type BrowserWorld } from '../support/worlds/browser-world';
import { eventually } from '../support/checks/eventually';
import { testVariables } from '../support/worlds/variables';
import { startWorld, type World } from '../support/worlds/world';

let world: World;
let browser: BrowserWorld;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowserWorld()]);
});
afterAll(async () => {
  await browser.teardown();
  await world.teardown();
});
afterEach(() => {
  expect(browser.complaints).toEqual([]);
  expect(browser.strayRequests).toEqual([]);
});

/** A payment as the checkout opens it; without a process, so its reports are only stored. */
function payment({ description = 'Order 2026-1' } = {}) {
  const key = v7();
  const expiresAt = new Date(Date.now() + 1_800_000).toISOString();
  const payment = { key, method: 'CARD', amountMinor: 4_999, currency: 'USD', description, expiresAt };
  return { key, url: sandboxPaymentUrl(world.url, testVariables['SANDBOX_SECRET']!, payment) };
}

interface Received {
  type: string;
  paymentId: string;
  receivedAt: Date;
}

/** The stored reports of a payment, once there are `count`. */
const received = (key: string, count: number): Promise<Received[]> =>
  eventually(async () => {
    const found = await rows<Received>(
      world.db,
      `SELECT type, body::json -> 'data' ->> 'paymentId' AS payment_id, received_at
         FROM webhook_events WHERE body::json -> 'data' ->> 'key' = $1 ORDER BY received_at, id`,
      [key],
    );
    expect(found).toHaveLength(count);
    return found;
  });

async function press(url: string, button: string, heading: string): Promise<void> {
  const page = await browser.openPage(url);
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await page.close();
}

test('Pay: one paid report arrives by signed webhook', async () => {
  const { key, url } = payment();
  await press(url, 'Pay', 'Paid');
  expect(await received(key, 1)).toMatchObject([{ type: 'payment.paid' }]);
});

test('Decline: one declined report arrives', async () => {
  const { key, url } = payment();
  await press(url, 'Decline', 'Declined');
  expect(await received(key, 1)).toMatchObject([{ type: 'payment.declined' }]);
});

test('Pay late: expired arrives first, and paid two seconds after', async () => {
  const { key, url } = payment();
  await press(url, 'Pay late', 'Paid late');
  const [first, second] = await received(key, 2);
  expect([first!.type, second!.type]).toEqual(['payment.expired', 'payment.paid']);
  expect(second!.receivedAt.getTime() - first!.receivedAt.getTime()).toBeGreaterThan(1_000);
});

test('Pay twice: two payments are reported', async () => {
  const { key, url } = payment();
  await press(url, 'Pay twice', 'Paid twice');
  const reports = await received(key, 2);
  expect(reports.map(({ type }) => type)).toEqual(['payment.paid', 'payment.paid']);
  expect(new Set(reports.map(({ paymentId }) => paymentId)).size).toBe(2);
});

test('the page that follows can be loaded again, and going back does not pay again', async () => {
  const { key, url } = payment();
  const page = await browser.openPage(url);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('The payment was reported. You may close this page.').waitFor();
  await page.reload();
  await page.getByText('The payment was reported. You may close this page.').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Already paid' }).waitFor();
  await received(key, 1);
});

test('what a description holds is shown as text and does not run', async () => {
  const { url } = payment({
    description: '<img src=x onerror="document.title=1"><script>document.title = 1</script>',
  });
  const page = await browser.openPage(url);
  expect(await page.locator('h1').textContent()).toContain('<script>document.title = 1</script>');
  expect(await page.locator('img, script').count()).toBe(0);
});

test('the page has its style in spite of its strict policy', async () => {
  const page = await browser.openPage(payment().url);
  expect(await page.evaluate("getComputedStyle(document.querySelector('.amount')).fontWeight")).toBe('600');
});
