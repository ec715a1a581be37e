import path from 'node:path';
import type { Log } from '../../../local/logs/log';
import { firstFound } from '../../../local/toolchain/chain';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import { namedBy, onPath } from '../../../local/toolchain/executable';
import { builtWithGo, type GoBuild } from '../../../local/toolchain/go-install';

/** Pinned: it validates every call against the Stripe API description of its own release. */
export const STRIPE_MOCK_VERSION = 'v0.203.0';

const ADVICE = `Do one of these:
  - install stripe-mock so that it is on PATH, or set STRIPE_MOCK_PATH to it;
  - install Go 1.22 or later, which lets this run build it once.`;

const goBuild = (config: ToolchainConfig): GoBuild => ({
  tool: 'stripe-mock',
  version: STRIPE_MOCK_VERSION,
  takes: 'some seconds',
  main: {
    package: 'github.com/stripe/stripe-mock',
    target: path.join(config.cacheDir, `stripe-mock-${STRIPE_MOCK_VERSION}`, 'stripe-mock'),
  },
});

/**
 * The path of Stripe's own stand-in for its API, for tests: from STRIPE_MOCK_PATH, PATH, or a cached build with Go, in
 * this order. Throws MissingToolError when none has it.
 */
export const resolveStripeMock = (
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
): Promise<string> =>
  firstFound(
    'stripe-mock',
    [
      namedBy('STRIPE_MOCK_PATH', config.stripeMockPath),
      onPath(['stripe-mock'], config.searchDirs),
      builtWithGo(goBuild(config), config, log),
    ],
    ADVICE,
    log,
  );
