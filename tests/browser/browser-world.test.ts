import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBrowserWorld, type BrowserWorld } from '../support/worlds/browser-world';

let browser: BrowserWorld;
let server: Server;
let home: string;
let served: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/plain');
    response.end(request.url === '/' ? served : 'near');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await startBrowserWorld();
});
afterAll(async () => {
  await browser.teardown();
  server.close();
});

test('a page of this machine is shown with its local files', async () => {
  served =
    '<h1 id=title>far</h1><script>fetch("/x").then((r) => r.text()).then((t) => (title.textContent = t))</script>';
  const page = await browser.openPage(home);
  await page.getByText('near').waitFor();
  expect(browser.strayRequests).toEqual([]);
  expect(browser.complaints).toEqual([]);
});

test('requests of a page to other machines are refused and recorded', async () => {
  served = '<img src="https://example.com/pixel.png"><script>throw new Error("broken page")</script>';
  await browser.openPage(home);
  expect(browser.strayRequests).toEqual(['https://example.com/pixel.png']);
  expect(browser.complaints).toEqual(expect.arrayContaining(['broken page']));
});
