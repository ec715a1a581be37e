import { make } from '../../../../support/builders/make';
import type { Arrange } from '../arranged';

/** Participations, as investors use them and administrators read them. */
export const participationArrangements: Readonly<Record<string, Arrange>> = {
  'POST /investment/participations': async ({ world }) => ({
    body: {
      ...{ strategyId: (await make.strategy(world.db)).id, amount: 1_000, currency: 'USD', durationDays: 90 },
      ...{ options: { compounding: false, autoReinvest: true }, paymentMethod: 'BANK_TRANSFER' },
      ...{ acceptRiskDisclosure: true, acceptTerms: true },
    },
  }),
  'GET /investment/participations/:id': async ({ world }, { user }) => ({
    params: { id: (await make.participation(world.db, { userId: user.id, status: 'ACTIVE' })).id },
  }),
  'POST /admin/participations/:id/cancel': async ({ world }) => ({
    params: { id: (await make.participation(world.db)).id },
    body: { reason: 'Requested again and again, and never paid.' },
  }),
  'GET /admin/participations/:id': async ({ world }) => ({
    params: { id: (await make.participation(world.db)).id },
  }),
};
