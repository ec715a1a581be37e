import { AWAITS_PAYOUT } from '../../investment/provider-event/waiting-payout.reads';
import { firstRow, rows, type Tx } from '../../sql/query';
import { secondsSince } from '../figures/read-figures';

/** Findings about investment providers that a person has to look at. */
export interface InvestmentFigures {
  /** Differences that are neither resolved nor accepted, by kind; each kind has a row. */
  differences: { kind: string; differences: number }[];
  /**
   * Of each active provider with an API: the time since it was told of every change of a verification, or since it could be
   * told first, and the users whose verification it refused in its last push.
   */
  syncs: { provider: string; incompleteSeconds: number; refusedUsers: number }[];
  /** Participations that are mature and run on because a report of their payout waits, and the time since the first matured. */
  held: { participations: number; oldestSeconds: number };
  /** The debt of each provider, as the last reconciliation added it up; `beyondSeconds`: 0 while it is within the limit. */
  debts: { provider: string; currency: string; owedMinor: number; beyondSeconds: number }[];
}

/** The most providers that are shown. */
const MOST_PROVIDERS = 200;

/** Reads them; differences by the index of open ones. */
export const investmentFigures = async (tx: Tx): Promise<InvestmentFigures> => ({
  held: await heldByReports(tx),
  differences: await rows(
    tx,
    `SELECT kinds.kind, count(d.id)::int AS differences
       FROM unnest(ARRAY['NOT_REPORTED', 'PRINCIPAL_DIFFERS', 'PROFITS_DIFFER', 'UNKNOWN_HERE', 'WITHDRAWAL_DIFFERS'])
         AS kinds (kind)
       LEFT JOIN investment_differences d ON d.kind = kinds.kind AND d.resolved_at IS NULL AND d.accepted_at IS NULL
       GROUP BY kinds.kind ORDER BY kinds.kind`,
  ),
  syncs: await rows(
    tx,
    `SELECT p.code AS provider,
            greatest(extract(epoch FROM now() - greatest(k.completed_at, p.connected_at)), 0)::float8 AS incomplete_seconds,
            coalesce(k.refused - k.missed, 0) AS refused_users
       FROM investment_providers p LEFT JOIN kyc_syncs k ON k.provider_code = p.code
      WHERE p.is_active AND p.api_base IS NOT NULL ORDER BY p.code LIMIT ${MOST_PROVIDERS}`,
  ),
  debts: await rows(
    tx,
    `SELECT provider_code AS provider, currency, owed_minor,
            coalesce(greatest(extract(epoch FROM now() - beyond_since), 0), 0)::float8 AS beyond_seconds
       FROM investment_provider_debts ORDER BY owed_minor DESC, provider_code, currency LIMIT ${MOST_PROVIDERS}`,
  ),
});

/** Reads them by the index of participations that run, in the order of their maturity. */
async function heldByReports(tx: Tx): Promise<InvestmentFigures['held']> {
  const held = await firstRow<InvestmentFigures['held']>(
    tx,
    `SELECT count(*)::int AS participations, ${secondsSince('min(p.matures_at)')} AS oldest_seconds
       FROM participations p WHERE p.status = 'ACTIVE' AND p.matures_at <= now() AND ${AWAITS_PAYOUT}`,
  );
  if (!held) throw new Error('PostgreSQL answered no row to a count.');
  return held;
}
