import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { KycSync } from '../kyc-push/kyc-sync.model';
import type { InvestmentDifference } from './investment-difference.model';
import { countedDebts, type CountedDebt } from '../provider-payment/provider-payment.reads';

/** A difference, with the number of its participation. */
export type DifferenceRow = Attributes<InvestmentDifference> & { number: string | null };

export interface DifferenceFilter {
  provider: string | null;
  kind: string | null;
  /** Null: any. */
  state: 'OPEN' | 'ACCEPTED' | 'RESOLVED' | null;
}

const MATCHING = `FROM investment_differences d
  WHERE ($1::text IS NULL OR d.provider_code = $1) AND ($2::text IS NULL OR d.kind = $2)
    AND ($3::text IS NULL OR $3 = CASE WHEN d.resolved_at IS NOT NULL THEN 'RESOLVED'
      WHEN d.accepted_at IS NOT NULL THEN 'ACCEPTED' ELSE 'OPEN' END)`;

/** One page of the differences that were found, newest first. */
export async function listDifferences(
  db: Db,
  { provider, kind, state }: DifferenceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; differences: DifferenceRow[] }> {
  const filter = [provider, kind, state];
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${MATCHING}`, filter);
  const differences = await rows<DifferenceRow>(
    db,
    `SELECT d.*, (SELECT p.number FROM participations p WHERE p.id = d.participation_id) AS number
       ${MATCHING} ORDER BY d.found_at DESC, d.id LIMIT $4 OFFSET $5`,
    [...filter, limit, offset],
  );
  return { total: counted?.total ?? 0, differences };
}

/** An investment provider as operators see it: the money that it owes, and the last push of verifications to it. */
export interface ProviderStanding {
  code: string;
  debts: Omit<CountedDebt, 'providerCode'>[];
  sync: Omit<Attributes<KycSync>, 'providerCode' | 'nextCallAt'> | null;
}

/** The most providers in a summary. */
const MOST_PROVIDERS = 100;

/** The standing of providers, by code; of one provider if it is named. */
export async function providerStandings(db: Db, provider: string | null): Promise<ProviderStanding[]> {
  const found = await rows<Attributes<KycSync> & { code: string }>(
    db,
    `SELECT p.code, k.* FROM investment_providers p LEFT JOIN kyc_syncs k ON k.provider_code = p.code
      WHERE $1::text IS NULL OR p.code = $1 ORDER BY p.code LIMIT ${MOST_PROVIDERS}`,
    [provider],
  );
  const debts = await countedDebts(
    db,
    found.map(({ code }) => code),
  );
  return found.map(({ code, ...sync }) => ({
    code,
    debts: debts.filter(({ providerCode }) => providerCode === code),
    sync: (sync.slot as string | null) === null ? null : sync,
  }));
}
