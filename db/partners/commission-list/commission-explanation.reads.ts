import type { Attributes } from 'sequelize';
import { firstRow, literals, rows, type Db } from '../../sql/query';
import type { ComputedBack } from '../../../workflows/partners/commission/commission-explanation.rules';
import type { CommissionHold } from '../../../workflows/partners/commission/commission.rules';
import type { Commission } from '../commission/commission.model';
import { HELD_BY, SALE_OF } from '../commission/held-back';
import { OPEN_REFUND_REQUESTS } from '../../../workflows/commerce/refund/refund-request.states';
import { LISTED, type ListedCommission } from './commission-list.reads';

/** A commission with what its amount was computed of. */
export type ExplainedCommission = Pick<
  Attributes<Commission>,
  'baseMinor' | 'commissionWeight' | 'rateBp' | 'metRateBp' | 'programmeVersion' | 'rankLevel'
> & {
  rankCode: string;
  rankName: string;
  withholdingBp: number;
  /** Of the rank that a rank bonus is for; null of any other. */
  bonusMinor: number | null;
  /** A refund of its order that is not decided and done yet; the commission does not mature before. */
  openRefundId: string | null;
  /** The reason for which it would stay PENDING now if it were due; null: none, or it is not PENDING. */
  heldBy: CommissionHold | null;
};

/** A commission of a partner, or of any if null; null without one. */
export const listedCommission = (
  db: Db,
  id: string,
  partnerId: string | null,
): Promise<ListedCommission | null> =>
  firstRow<ListedCommission>(
    db,
    `WITH c AS MATERIALIZED (SELECT * FROM partner_commissions WHERE id = $1 AND ($2::uuid IS NULL OR partner_id = $2))
     ${LISTED}`,
    [id, partnerId],
  );

export const explainedCommission = (db: Db, id: string): Promise<ExplainedCommission | null> =>
  firstRow<ExplainedCommission>(
    db,
    `SELECT c.base_minor, c.commission_weight::text AS commission_weight, c.rate_bp, c.met_rate_bp,
       c.programme_version, c.rank_level, r.code AS rank_code, r.name AS rank_name, v.withholding_bp,
       CASE WHEN c.type = 8 THEN b.bonus_minor END AS bonus_minor,
       (SELECT q.id FROM refund_requests q WHERE c.source_type = 'ORDER' AND q.order_id = c.source_id
          AND q.status IN (${literals(OPEN_REFUND_REQUESTS)}) ORDER BY q.id LIMIT 1) AS open_refund_id,
       CASE WHEN c.status = 'PENDING' THEN ${HELD_BY} END AS held_by
     FROM partner_commissions c JOIN partners p ON p.id = c.partner_id
       JOIN partner_programmes v ON v.version = c.programme_version
       JOIN partner_ranks r ON r.programme_version = c.programme_version AND r.level = c.rank_level
       LEFT JOIN partner_ranks b ON b.programme_version = c.programme_version AND b.level = c.level
       ${SALE_OF}
     WHERE c.id = $1`,
    [id],
  );

/**
 * The figures of a part taken back: the commission, the refunds of its order that were counted up to the one of the
 * part, and the parts of those before it. Null of any other commission.
 */
export const backOf = (db: Db, id: string): Promise<ComputedBack | null> =>
  firstRow<ComputedBack>(
    db,
    `SELECT o.gross_minor AS of_minor, o.commission_weight::text AS weight, up_to.weight::text AS weight_taken,
       coalesce(-up_to.before, 0)::bigint AS before_minor
     FROM partner_commissions c
       JOIN partner_commissions o ON o.id = c.reversal_of AND o.commission_weight > 0
       JOIN partner_sales own ON own.event_id = c.event_id AND own.kind IN ('REFUND', 'CHARGEBACK', 'RETURN')
       CROSS JOIN LATERAL (SELECT -sum(s.commission_weight) AS weight, sum(b.gross_minor) AS before
         FROM partner_sales s
           LEFT JOIN partner_commissions b ON b.reversal_of = o.id AND b.event_id = s.event_id AND b.id <> c.id
         WHERE s.source_id = o.source_id AND s.kind IN ('REFUND', 'CHARGEBACK', 'RETURN')
           AND s.number <= own.number) AS up_to
     WHERE c.id = $1`,
    [id],
  );

/** The rate of a rank on the way up from the sponsor to a commission. */
export interface MetRate {
  level: number;
  rankCode: string;
  rateBp: number;
}

/** The ranks that earned of the same source on the way up to a commission, with it, from the sponsor on. */
export const ratesMet = (db: Db, id: string, limit: number): Promise<MetRate[]> =>
  rows<MetRate>(
    db,
    `SELECT o.level, r.code AS rank_code,
       max(CASE WHEN c.type = 6 THEN r.profit_rate_bp ELSE r.team_rate_bp END) AS rate_bp
     FROM partner_commissions c
       JOIN partner_commissions o ON o.source_id = c.source_id AND o.level <= c.level AND o.reversal_of IS NULL
         AND o.type = ANY (CASE WHEN c.type = 6 THEN '{5,6}'::smallint[] ELSE '{1,2,3}'::smallint[] END)
       JOIN partner_ranks r ON r.programme_version = o.programme_version AND r.level = o.rank_level
     WHERE c.id = $1 AND c.type IN (2, 6) GROUP BY o.level, r.code ORDER BY o.level LIMIT $2`,
    [id, limit],
  );

/** A part of a commission that a refund has taken back; amounts are below zero. */
export type TakenPart = Pick<Attributes<Commission>, 'id' | 'netMinor' | 'status' | 'createdAt'>;

/** The parts taken back of a commission, in the order in which their refunds were counted. */
export const partsTakenBack = (db: Db, id: string, limit: number): Promise<TakenPart[]> =>
  rows<TakenPart>(
    db,
    `SELECT c.id, c.net_minor, c.status, c.created_at
     FROM partner_commissions c LEFT JOIN partner_sales s ON s.event_id = c.event_id
     WHERE c.reversal_of = $1 ORDER BY s.number, c.id LIMIT $2`,
    [id, limit],
  );

/** The sum of all parts taken back of a commission, below zero; those that were reversed do not count. */
export async function takenBackMinor(db: Db, id: string): Promise<number> {
  const row = await firstRow<{ minor: number }>(
    db,
    `SELECT coalesce(sum(net_minor), 0)::bigint AS minor FROM partner_commissions
     WHERE reversal_of = $1 AND status <> 'REVERSED'`,
    [id],
  );
  return row?.minor ?? 0;
}

/** An adjustment as it was recorded. Amounts are net, in minor units. */
export interface RecordedAdjustment {
  action: string;
  previousStatus: string;
  newStatus: string;
  previousMinor: number;
  newMinor: number;
  reason: string;
  at: Date;
}

const RECORDED = `a.next ->> 'decision' AS action, a.previous ->> 'status' AS previous_status, a.next ->> 'status' AS new_status,
  (a.previous ->> 'netMinor')::bigint AS previous_minor, (a.next ->> 'netMinor')::bigint AS new_minor,
  a.next ->> 'reason' AS reason, a.created_at AS at`;

/** The adjustments of a commission, the oldest first. */
export const adjustmentsOf = (db: Db, id: string, limit: number): Promise<RecordedAdjustment[]> =>
  rows<RecordedAdjustment>(
    db,
    `SELECT ${RECORDED}
     FROM audit_records a WHERE a.entity_type = 'commission' AND a.entity_id = $1 AND a.action = 'commission.adjust'
     ORDER BY a.sequence LIMIT $2`,
    [id, limit],
  );

/** The adjustments of all commissions of a partner, the newest first. */
export const adjustmentsOfPartner = (
  db: Db,
  partnerId: string,
  limit: number,
): Promise<(RecordedAdjustment & { commissionId: string; currency: string })[]> =>
  rows(
    db,
    `SELECT c.id AS commission_id, c.currency, ${RECORDED}
     FROM partner_commissions c JOIN audit_records a ON a.entity_type = 'commission' AND a.entity_id = c.id::text
       AND a.action = 'commission.adjust'
     WHERE c.partner_id = $1 AND c.adjustment_reason IS NOT NULL ORDER BY a.sequence DESC LIMIT $2`,
    [partnerId, limit],
  );
