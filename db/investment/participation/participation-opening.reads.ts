import type { Offer } from '../../../workflows/investment/participation/require-offered';
import { firstRow, type Db } from '../../sql/query';

/** SQL that draws the number of a participation, such as INV-2026-00000012. */
export const NEXT_NUMBER = `'INV-' || to_char(now() AT TIME ZONE 'UTC', 'YYYY') || '-'
  || lpad(nextval('participation_numbers')::text, 8, '0')`;

interface ParticipationToOpen {
  /** Null: there is no such strategy. */
  offer: (Offer & { name: string }) | null;
  isOpened: boolean;
  /** Its number, or the one drawn for it; null when the strategy takes nothing, since each is drawn once. */
  number: string | null;
}

type Row = { [Column in keyof Offer]: Offer[Column] | null } & { name: string | null } & Pick<
    ParticipationToOpen,
    'isOpened' | 'number'
  >;

/** The offer of a strategy, closed while its provider is switched off, and whether this participation is opened already. */
export async function participationToOpen(
  db: Db,
  { participationId, strategyId }: { participationId: string; strategyId: string },
): Promise<ParticipationToOpen> {
  const row = await firstRow<Row>(
    db,
    `SELECT s.name, CASE WHEN v.is_active THEN s.status ELSE 'CLOSED' END AS status, s.currency, s.min_minor, s.max_minor, s.min_days, s.max_days, s.compounding_available,
       s.automatic_reinvestment, p.id IS NOT NULL AS is_opened,
       CASE WHEN p.id IS NULL AND s.status = 'ACTIVE' AND v.is_active THEN ${NEXT_NUMBER} ELSE p.number END AS number
     FROM (SELECT 1) AS one LEFT JOIN investment_strategies s ON s.id = $2
       LEFT JOIN investment_providers v ON v.code = s.provider_code LEFT JOIN participations p ON p.id = $1`,
    [participationId, strategyId],
  );
  if (!row) throw new Error('A statement without a table has a row.');
  const { isOpened, number, ...offer } = row;
  return { offer: isWhole(offer) ? offer : null, isOpened, number };
}

const isWhole = (offer: Omit<Row, 'isOpened' | 'number'>): offer is Offer & { name: string } =>
  offer.name !== null;
