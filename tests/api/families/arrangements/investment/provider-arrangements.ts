import { make } from '../../../../support/builders/make';
import { nextNumber } from '../../../../support/builders/make/insert';
import type { Arrange } from '../arranged';

const provider: Arrange = async ({ world }) => ({
  params: { code: (await make.provider(world.db, { name: 'Before' })).code },
});

/** Providers, as administrators keep them and users go there. */
export const providerArrangements: Readonly<Record<string, Arrange>> = {
  'POST /investment/strategies/:id/sso-redirect': async ({ world }) => ({
    params: { id: (await make.strategy(world.db)).id },
  }),
  'POST /admin/providers': () => ({ body: { code: `family-${nextNumber()}` } }),
  'GET /admin/providers/:code': provider,
  'PATCH /admin/providers/:code': provider,
  'POST /admin/providers/:code/rotate-secret': provider,
};
