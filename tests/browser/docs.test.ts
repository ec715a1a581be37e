import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import type { Page } from 'playwright-core';
import { createApp } from '../../api/app';
import { ApiConfig } from '../../api/config';
import { endpoints } from '../../api/endpoints';
import { serve, type Serving } from '../../api/http/serve';
import { Processes } from '../../api/http/temporal/temporal';
import { policyFrom } from '../../db/policy/config';
import { startBrowserWorld, type BrowserWorld } from '../support/worlds/browser-world';
import { ownDatabase } from '../support/servers/database';
import { make } from '../support/builders/make';
import { testVariables } from '../support/worlds/variables';

/** Rendering every operation takes a while on few cores. */
jest.setTimeout(240_000);

const database = ownDatabase();
let browser: BrowserWorld;
let serving: Serving;
let page: Page;

beforeAll(async () => {
  const unreachable = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const { app } = createApp({
    config: ApiConfig.parse(testVariables),
    policy: policyFrom({}),
    db: database.db,
    processes: new Processes(unreachable),
    log: pino({ level: 'silent' }),
  });
  serving = await serve(app, 0);
  browser = await startBrowserWorld();
  page = await browser.openPage(`http://127.0.0.1:${serving.port}/api/docs`);
  await page.locator('.opblock').first().waitFor();
});
afterAll(async () => {
  await browser.teardown();
  await serving.drain(1_000);
});
/** A page that violates its policy, throws, or sends requests to other machines fails the test. */
afterEach(() => {
  const complaints = browser.complaints.filter((text) => !text.endsWith('status of 401 (Unauthorized)'));
  expect({ complaints, strayRequests: browser.strayRequests }).toEqual({ complaints: [], strayRequests: [] });
});

test('it shows every operation, and one of each group whole', async () => {
  const shown = await page
    .locator('.opblock-summary')
    .evaluateAll((lines) =>
      lines.map((line) =>
        ['.opblock-summary-method', '.opblock-summary-path']
          .map((part) => line.querySelector(part)?.textContent?.replace(/\u200b/g, ''))
          .join(' '),
      ),
    );
  const served = endpoints.map(
    ({ method, path }) => `${method.toUpperCase()} /api/v1${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(shown.sort()).toEqual(served.sort());

  // One of each group: each takes seconds to render, and the document is checked completely elsewhere.
  const groups = await page.locator('.opblock-tag-section').all();
  expect(groups.length).toBe(new Set(endpoints.map(({ tag }) => tag)).size);
  for (const group of groups) {
    const operation = group.locator('.opblock').first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.opblock-body .responses-table').waitFor();
    expect(await operation.getByText(/could not render|failed to load|resolver error/i).count()).toBe(0);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.opblock-body').waitFor({ state: 'detached' });
  }
});

test('a buyer logs in on it as the example says, and calls what is theirs', async () => {
  const buyer = await make.user(database.db, { email: 'buyer@example.com', password: 'Buyer-demo-1!' });
  await make.address(database.db, buyer.id, { label: 'Home', isDefault: true });

  const refused = await tryOut('GET', '/users/me/addresses');
  expect(refused.status).toBe(401);

  const login = await tryOut('POST', '/auth/login');
  expect(login.status).toBe(200);
  await authorize(login.body.data.accessToken);

  const listed = await tryOut('GET', '/users/me/addresses');
  expect(listed.status).toBe(200);
  expect(listed.body.data.addresses.map(({ label }: { label: string }) => label)).toEqual(['Home']);
  expect(listed.shown).toContain('Unter den Linden 1');

  const added = await tryOut('POST', '/users/me/addresses');
  expect(added.status).toBe(201);
  expect(added.body.data).toMatchObject({ recipientName: 'Ada Lovelace', country: 'DE' });
});

test('its calls are sent without cookies: only the entered token identifies the caller', async () => {
  expect(await browser.context.cookies()).toEqual([]);
});

/** Opens an operation, sends its example, and answers the response and what the page shows of it. */
async function tryOut(method: string, path: string) {
  const operation = page
    .locator(`.opblock-${method.toLowerCase()}`)
    .filter({ has: page.locator(`.opblock-summary-path[data-path="/api/v1${path}"]`) });
  if ((await operation.locator('.opblock-body').count()) === 0)
    await operation.locator('.opblock-summary-control').click();
  const [response] = await Promise.all([
    page.waitForResponse(
      (answer) => answer.url().endsWith(`/api/v1${path}`) && answer.request().method() === method,
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
