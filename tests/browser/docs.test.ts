import type { Page } from 'playwright-core';
import { endpoints } from '../../api/endpoints';
import { seedDemo } from '../api/docs/examples/demo-world';
import { startBrowserWorld, type BrowserWorld } from '../support/worlds/browser-world';
import { startWorld, type World } from '../support/worlds/world';

/** Rendering every operation takes a while on few cores. */

let world: World;
let browser: BrowserWorld;
let page: Page;

beforeAll(async () => {
  world = await startWorld();
  await seedDemo(world);
  browser = await startBrowserWorld();
  page = await browser.openPage(`${world.url}/api/docs`);
  await page.locator('.opblock-tag').first().waitFor();
});
afterAll(async () => {
  await browser.teardown();
  await world.teardown();
});
/** A page that violates its policy, throws, or sends requests to other machines fails the test. */
afterEach(() => {
  const complaints = browser.complaints.filter((text) => !text.endsWith('status of 401 (Unauthorized)'));
  expect({ complaints, strayRequests: browser.strayRequests }).toEqual({ complaints: [], strayRequests: [] });
});

test('it shows every operation, and one of each group whole', async () => {
  const shown: string[] = [];
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  for (const tag of tags) {
    const heading = await openGroup(tag);
    shown.push(...(await operationsShown()));
    // One of each group: each takes seconds to render, and the document is checked completely elsewhere.
    const operation = page.locator('.opblock').first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.opblock-body .responses-table').waitFor();
    expect(await operation.getByText(/could not render|failed to load|resolver error/i).count()).toBe(0);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.opblock-body').waitFor({ state: 'detached' });
    await heading.click();
    await page.locator('.opblock').first().waitFor({ state: 'detached' });
  }
  const served = endpoints.map(
    ({ method, path }) => `${method.toUpperCase()} /api/v1${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(shown.sort()).toEqual(served.sort());
  expect(await page.locator('.opblock-tag').count()).toBe(tags.length);
});

test('the demo buyer logs in on it and orders, with nothing but what it fills in', async () => {
  const refused = await tryOut('GET', '/users/me/addresses');
  expect(refused.status).toBe(401);

  const login = await tryOut('POST', '/auth/login');
  expect(login.status).toBe(200);
  await authorize(login.body.data.accessToken);

  const listed = await tryOut('GET', '/users/me/addresses');
  expect(listed.status).toBe(200);
  expect(listed.shown).toContain('Torstraße 1');
  expect((await tryOut('POST', '/users/me/addresses')).status).toBe(201);

  const product = await tryOut('GET', '/products/{id}');
  expect(product.status).toBe(200);
  expect((await tryOut('GET', '/shipping/methods')).status).toBe(200);
  expect((await tryOut('POST', '/cart/items')).status).toBe(201);
  expect((await tryOut('POST', '/cart/coupons')).status).toBe(201);

  const placed = await tryOut('POST', '/cart/checkout');
  expect(placed.status).toBe(201);
  expect(placed.body.data).toMatchObject({ status: 'PENDING_PAYMENT', payment: { method: 'CARD' } });
  expect(placed.shown).toContain(placed.body.data.orderNumber);
});

test('its calls are sent without cookies: only the entered token identifies the caller', async () => {
  expect(await browser.context.cookies()).toEqual([]);
});

/** Opens the group of a tag unless it is open, and answers its heading. */
async function openGroup(tag: string) {
  const heading = page.locator(`.opblock-tag[data-tag="${tag}"]`);
  if ((await heading.getAttribute('data-is-open')) !== 'true') await heading.click();
  await page.locator('.opblock').first().waitFor();
  return heading;
}

/** Method and path of each operation in the groups that are open. */
function operationsShown(): Promise<string[]> {
  return page
    .locator('.opblock-summary')
    .evaluateAll((lines) =>
      lines.map((line) =>
        ['.opblock-summary-method', '.opblock-summary-path']
          .map((part) => line.querySelector(part)?.textContent?.replace(/\u200b/g, ''))
          .join(' '),
      ),
    );
}

/** Opens an operation, sends its example, and answers the response and what the page shows of it. */
async function tryOut(method: string, path: string) {
  const served = endpoints.find(
    (one) => one.method === method.toLowerCase() && one.path.replace(/:(\w+)/g, '{$1}') === path,
  );
  await openGroup(served!.tag);
  const operation = page
    .locator(`.opblock-${method.toLowerCase()}`)
    .filter({ has: page.locator(`.opblock-summary-path[data-path="/api/v1${path}"]`) });
  if ((await operation.locator('.opblock-body').count()) === 0)
    await operation.locator('.opblock-summary-control').click();
  const address = new RegExp(`/api/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  const [response] = await Promise.all([
    page.waitForResponse(
      (answer) => address.test(new URL(answer.url()).pathname) && answer.request().method() === method,
    ),
    operation.getByRole('button', { name: 'Execute' }).click(),
  ]);
  const live = operation.locator('.live-responses-table .response');
  await live.filter({ hasText: String(response.status()) }).waitFor();
  return { status: response.status(), body: await response.json(), shown: await live.innerText() };
}

async function authorize(token: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').first().click();
  const bearer = page.locator('.auth-container').filter({ hasText: 'bearer' });
  await bearer.locator('input').fill(token);
  await bearer.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
}
