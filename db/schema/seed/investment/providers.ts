import { providerByCode } from '../../../investment/provider/provider.reads';
import { createProvider, internalProvider } from '../../../investment/provider/provider.writes';
import { keysOf } from '../../../sealing/keys-of';
import type { Tx } from '../../../sql/query';
import type { SeedStep } from '../step';

/** The demo's providers. Their addresses are reserved for examples, so nothing that is sent there arrives. */
export const DEMO_PROVIDERS = [
  { code: 'alpha', name: 'Alpha Capital' },
  { code: 'beta', name: 'Beta Invest' },
] as const;

/** The demo's providers, with secrets of their own on each machine. */
export const demoProviders: SeedStep = {
  title: 'demo providers',
  isMissing: async (tx) => (await missing(tx)).length > 0,
  async add(tx, { at }) {
    for (const { code, name } of await missing(tx))
      await createProvider(
        tx,
        keysOf(tx),
        {
          ...{ code, name, apiBase: `https://${code}.example/api`, ssoAudience: `${code}.example` },
          ...{ ssoUrl: null, webhooksPerMinute: null, isActive: true },
        },
        at,
      );
  },
};

/** The provider of strategies that no other company runs. */
export const ownProvider: SeedStep = {
  title: 'internal provider',
  isMissing: async (tx) => (await providerByCode(tx, 'internal')) === null,
  async add(tx, { at }) {
    await internalProvider(tx, at);
  },
};

async function missing(tx: Tx): Promise<(typeof DEMO_PROVIDERS)[number][]> {
  const found = await Promise.all(DEMO_PROVIDERS.map(({ code }) => providerByCode(tx, code)));
  return DEMO_PROVIDERS.filter((_, i) => found[i] === null);
}
