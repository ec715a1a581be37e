import { randomUUID } from 'node:crypto';
import type { Db } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { nextNumber } from '../../../../support/builders/make/insert';
import type { Arrange } from '../arranged';

const provider: Arrange = async ({ world }) => ({
  params: { code: (await make.provider(world.db, { name: 'Before' })).code },
});

/** The request for all that a provider owes, the principal of a participation that has ended. */
const owing = async (db: Db) => {
  const { code } = await make.provider(db);
  const { id: strategyId } = await make.strategy(db, { providerCode: code });
  const { amountMinor } = await make.participation(db, { strategyId, status: 'MATURED' });
  return { params: { code }, body: { amount: amountMinor / 100 } };
};

const paying: Arrange = async ({ world: { db } }) => {
  const { params, body } = await owing(db);
  return { params, body: { ...body, bankReference: randomUUID() } };
};

/** Providers, as administrators keep them and users go there. */
export const providerArrangements: Readonly<Record<string, Arrange>> = {
  'POST /investment/strategies/:id/sso-redirect': async ({ world }) => ({
    params: { id: (await make.strategy(world.db)).id },
  }),
  'POST /admin/providers': () => ({ body: { code: `family-${nextNumber()}` } }),
  'GET /admin/providers/:code': provider,
  'PATCH /admin/providers/:code': provider,
  'POST /admin/providers/:code/rotate-secret': provider,
  'GET /admin/providers/:code/payments': provider,
  'POST /admin/providers/:code/payments': paying,
  'GET /admin/providers/:code/write-offs': provider,
  'POST /admin/providers/:code/write-offs': ({ world }) => owing(world.db),
};
