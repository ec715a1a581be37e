import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { Cleanup } from '../run/cleanup';
import { provided } from '../run/provided';

/** A real Chromium that reaches this machine only. */
export interface BrowserWorld {
  readonly context: BrowserContext;
  openPage: (url: string) => Promise<Page>;
  /** Every address outside this machine that a page requested; each was refused. */
  readonly strayRequests: readonly string[];
  /** Errors of pages: uncaught exceptions, and console errors such as a violated content security policy. */
  readonly complaints: readonly string[];
  teardown: () => Promise<void>;
}

const quietFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser with a profile of its own, which teardown removes. */
export async function startBrowserWorld(): Promise<BrowserWorld> {
  const cleanup = new Cleanup();
  return cleanup.guard(async () => {
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    cleanup.add(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
    const executablePath = provided('TEST_CHROMIUM_PATH');
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: quietFlags });
    cleanup.add(() => context.close());

    const strayRequests: string[] = [];
    const complaints: string[] = [];
    await context.route(isElsewhere, async (route) => {
      strayRequests.push(route.request().url());
      await route.abort();
    });
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const openPage = async (url: string) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    };
    return { context, strayRequests, complaints, openPage, teardown: () => cleanup.run() };
  });
}

/** True for addresses of other machines; data and blob addresses carry their content. */
const isElsewhere = ({ protocol, hostname }: URL): boolean =>
  /^(https?|wss?|ftp):$/.test(protocol) && hostname !== '127.0.0.1';
