import { rows, firstRow, type Db } from '../../../../db/sql/query';
import { nextNumber } from '../../../support/builders/make/insert';

/** The body of a request for a new strategy of a category. */
export const strategyRequest = (categoryId: string, fields: Record<string, unknown> = {}) => ({
  name: `Harbours ${nextNumber()}`,
  description: 'Lends to harbours of the North Sea.',
  shortDescription: 'Loans to harbours.',
  categoryId,
  returnRate: { min: 6, max: 10.25, expected: 8.5, type: 'FIXED', payoutFrequency: 'MONTHLY' },
  duration: { minDays: 30, maxDays: 365, lockPeriodDays: 14 },
  investment: { minAmount: 100, maxAmount: 50_000, currency: 'USD', totalCapacity: 1_000_000 },
  riskLevel: 'MEDIUM',
  riskDisclosure: 'You may lose what you put in.',
  terms: {
    ...{ earlyWithdrawalAllowed: true, earlyWithdrawalPenalty: 12.5 },
    ...{ compoundingAvailable: true, automaticReinvestment: false },
  },
  commissionPercentage: 5,
  careerPointsPercentage: 100,
  status: 'ACTIVE',
  ...fields,
});

export interface Audited {
  actorId: string;
  action: string;
  previous: Record<string, unknown> | null;
  next: Record<string, unknown> | null;
}

/** The audit records of a strategy, in order. */
export const auditsOf = (db: Db, id: string): Promise<Audited[]> =>
  rows<Audited>(
    db,
    `SELECT actor_id, action, previous, next FROM audit_records
     WHERE entity_type = 'strategy' AND entity_id = $1 ORDER BY sequence`,
    [id],
  );

/** A strategy as stored. */
export const keptStrategy = async (db: Db, id: string) =>
  (await firstRow<Record<string, unknown>>(db, 'SELECT * FROM investment_strategies WHERE id = $1', [id]))!;
