import { v7 } from 'uuid';
import { execute } from '../../../db/sql/query';
import { make } from '../builders/make';
import type { Make, Makes } from './make';

const participation =
  (status: 'PENDING_PAYMENT' | 'ACTIVE'): Make =>
  async ({ world: { db } }, { owner }) =>
    (await make.participation(db, { status, userId: (await owner()).user.id })).id;

/** An investment that a provider has reported and that nobody here has. */
const unknown: Make = async ({ world: { db } }) => {
  const id = v7();
  await execute(
    db,
    `INSERT INTO investment_differences (id, provider_code, investment_external_id, kind, currency, reported_minor,
       found_at, last_seen_at) VALUES ($1, 'alpha', $2, 'UNKNOWN_HERE', 'USD', 50000, now(), now())`,
    [id, `ALPHA-${id}`],
  );
  return id;
};

/** Strategies, their providers, and what people have in them. */
export const investments = {
  'investment difference': { any: unknown },
  'investment provider': {
    /** One that owes the principal of a participation that has ended. */
    any: async ({ world: { db } }) => {
      const { code } = await make.provider(db);
      const { id: strategyId } = await make.strategy(db, { providerCode: code });
      const { amountMinor } = await make.participation(db, { strategyId, status: 'MATURED' });
      return { id: code, fields: { amount: amountMinor / 100 } };
    },
  },
  participation: {
    any: participation('ACTIVE'),
    PENDING_PAYMENT: participation('PENDING_PAYMENT'),
    ACTIVE: participation('ACTIVE'),
  },
  strategy: {
    any: async ({ world: { db } }) =>
      (await make.strategy(db, { imageUrl: 'https://images.example.com/a.webp' })).id,
    ACTIVE: async ({ world: { db } }) => (await make.strategy(db)).id,
  },
  'strategy category': { any: async ({ world: { db } }) => (await make.strategyCategory(db)).id },
  'strategy document': {
    any: async ({ world: { db } }, { within }) =>
      make.strategyDocument(db, within.strategy ?? (await make.strategy(db)).id),
  },
} satisfies Record<string, Makes>;
