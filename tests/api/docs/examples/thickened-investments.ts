import { v7 } from 'uuid';
import { enterProviderPayment } from '../../../../api/admin/providers/payments/enter.command';
import { demo } from '../../../../api/docs/examples/demo';
import { policyFrom } from '../../../../db/policy/config';
import { execute, type Db } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import type { Arrange } from '../../families/arrangements/arranged';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** A participation of a demo strategy that has run for forty days and brought something. */
const runningIn = (db: Db, userId: string) =>
  make.participation(db, {
    ...{ userId, strategyId: demo.strategy, status: 'ACTIVE', at: daysAgo(40) },
    ...{ externalId: `A-${v7()}`, profits: [{ amountMinor: 3_70, at: daysAgo(5) }] },
  });

const shown: Arrange = async ({ world }, { user }) => ({
  params: { id: (await runningIn(world.db, user.id)).id },
});

const listed: Arrange = async ({ world }, { user }) => {
  await runningIn(world.db, user.id);
  return {};
};

/** The findings that the daily comparison and the daily push leave of a demo provider. */
const compared: Arrange = async ({ world: { db } }, { user }) => {
  const { id } = await runningIn(db, user.id);
  const at = daysAgo(1);
  await execute(
    db,
    `INSERT INTO investment_differences (id, participation_id, provider_code, kind, held_minor, reported_minor,
       currency, found_at, last_seen_at) VALUES ($1, $2, 'alpha', 'PROFITS_DIFFER', 370, 420, 'USD', $3, $3)`,
    [v7(), id, at],
  );
  await execute(
    db,
    `INSERT INTO investment_provider_debts (provider_code, currency, owed_minor, counted_at)
     VALUES ('alpha', 'USD', 99630, $1)`,
    [at],
  );
  await execute(
    db,
    `INSERT INTO kyc_syncs (provider_code, slot, started_at, ended_at, accepted, refused, completed_at, next_call_at)
     VALUES ('alpha', '2026-03-01', $1, $1, 41, 0, $1, $1) ON CONFLICT DO NOTHING`,
    [at],
  );
  return { query: { provider: 'alpha' } };
};

/** The demo provider that owes the principal of a participation that has matured. */
const owing: Arrange = async ({ world: { db } }) => {
  await make.participation(db, { strategyId: demo.strategy, status: 'MATURED', at: daysAgo(100) });
  return { params: { code: 'alpha' } };
};

const paid: Arrange = async (family, person) => {
  const arranged = await owing(family, person);
  const { id: actorId } = await make.admin(family.world.db);
  const payment = {
    providerCode: 'alpha',
    direction: 'RECEIVED',
    amountMinor: 400_00,
    currency: 'USD',
  } as const;
  await enterProviderPayment(
    { db: family.world.db, policy: policyFrom({}) },
    { ...payment, bankReference: 'BANK-2026-1187', note: 'Withdrawals of September.' },
    { actorId, clientAddress: null },
  );
  return arranged;
};

/** A day on which a payment provider sent money that we do not know, so many days ago. */
const differing =
  (days: number): Arrange =>
  async ({ world: { db } }) => {
    await make.difference(db, { day: utcDayAgo(days) });
    return {};
  };

/** Requests about investments and providers whose answer shows more than the family's arranged ones. */
export const thickenedInvestments: Readonly<Record<string, Arrange>> = {
  'GET /investment/participations': listed,
  'GET /investment/participations/:id': shown,
  'GET /investment/portfolio': listed,
  'GET /investment/portfolio/performance': async (family, person) => ({
    ...(await listed(family, person)),
    query: { period: 'WEEK' },
  }),
  'GET /admin/participations': listed,
  'GET /admin/participations/:id': shown,
  'GET /admin/investment/differences': compared,
  'GET /admin/providers/:code/payments': paid,
  'POST /admin/providers/:code/payments': owing,
  'GET /admin/reconciliation/runs': differing(20),
  'GET /admin/reconciliation/differences': differing(21),
  'POST /admin/reconciliation/differences/:id/resolve': async ({ world: { db } }) => ({
    params: { id: (await make.difference(db, { day: utcDayAgo(22) })).id },
    body: { note: 'A correction of the provider, agreed by phone; booked by hand.' },
  }),
};
