import type { Attributes } from 'sequelize';
import type { Reversible } from '../../../workflows/partners/commission/taking-back.rules';
import type { Partner } from '../membership/partner.model';
import { execute, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { CommissionRestoral } from './commission-restoral.model';
import { Commission } from './commission.model';

export type NewCommission = Omit<
  Attributes<Commission>,
  | (
      | 'adjustments'
      | 'adjustedBy'
      | 'adjustedAt'
      | 'adjustmentReason'
      | 'approvedBy'
      | 'processedAt'
      | 'paidAt'
    )
  | 'reversedFrom'
>;

/**
 * Adds commissions by one statement. One that its partner has for the same source, type and level, or that takes back the same
 * commission for the same event, is there already and is not added again. Returns the ids of those that were added.
 */
export async function insertCommissions(tx: Tx, commissions: readonly NewCommission[]): Promise<Set<string>> {
  if (commissions.length === 0) return new Set();
  const added = await rows<{ id: string }>(
    tx,
    `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, buyer_id, source_partner_id,
       programme_version, rank_level, base_minor, commission_weight, rate_bp, met_rate_bp, gross_minor, net_minor, points,
       currency, status, matures_at, reversal_of, event_id, created_at)
     SELECT c."id", c."partnerId", c."type", c."sourceType", c."sourceId", c."level", c."buyerId", c."sourcePartnerId",
       c."programmeVersion", c."rankLevel", c."baseMinor", c."commissionWeight", c."rateBp", c."metRateBp", c."grossMinor",
       c."netMinor", c."points", c."currency", c."status", c."maturesAt", c."reversalOf", c."eventId", c."createdAt"
     FROM jsonb_to_recordset($1::jsonb) AS c ("id" uuid, "partnerId" uuid, "type" smallint, "sourceType" text,
       "sourceId" uuid, "level" smallint, "buyerId" uuid, "sourcePartnerId" uuid, "programmeVersion" integer,
       "rankLevel" smallint, "baseMinor" bigint, "commissionWeight" numeric, "rateBp" integer, "metRateBp" integer,
       "grossMinor" bigint, "netMinor" bigint, "points" bigint, "currency" text, "status" text, "maturesAt" timestamptz,
       "reversalOf" uuid, "eventId" uuid, "createdAt" timestamptz)
     ORDER BY c."id"
     ON CONFLICT DO NOTHING RETURNING id`,
    [JSON.stringify(commissions)],
  );
  return new Set(added.map(({ id }) => id));
}

/** A commission of a sale, with what was taken back of it and its partner's user. */
export type ReversibleCommission = Omit<NewCommission, 'commissionWeight'> &
  Reversible &
  Pick<Attributes<Partner>, 'userId'>;

/** Locks the commissions of a source, by their ids, as adjustments do. Those that take back are not among them. */
export async function lockCommissionsOf(tx: Tx, sourceId: string): Promise<ReversibleCommission[]> {
  const found = await rows<Omit<ReversibleCommission, 'commissionWeight'> & { commissionWeight: string }>(
    tx,
    `WITH locked AS MATERIALIZED (
       SELECT * FROM partner_commissions WHERE source_id = $1 AND reversal_of IS NULL ORDER BY id FOR UPDATE)
     SELECT c.*, p.user_id, coalesce(-back.gross, 0)::bigint AS back_gross_minor,
       coalesce(-back.net, 0)::bigint AS back_net_minor, coalesce(-back.points, 0)::bigint AS back_points,
       back.parts > 0 AS has_parts
     FROM locked c JOIN partners p ON p.id = c.partner_id
     LEFT JOIN LATERAL (SELECT sum(b.gross_minor) AS gross, sum(b.net_minor) AS net, sum(b.points) AS points,
         count(*) AS parts
       FROM partner_commissions b WHERE b.reversal_of = c.id) back ON true
     ORDER BY c.id`,
    [sourceId],
  );
  return found.map((commission) => ({
    ...commission,
    commissionWeight: BigInt(commission.commissionWeight),
  }));
}

/** Marks locked commissions as taken back as a whole. */
export async function markReversed(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    tx,
    `UPDATE partner_commissions SET status = 'REVERSED', reversed_from = status, processed_at = $2
     WHERE id = ANY($1::uuid[]) AND status IN ('PENDING', 'HELD', 'APPROVED')`,
    [ids, at],
  );
}

/** Puts locked commissions that were taken back as a whole back into the state before, and records when they were taken back. */
export async function unmarkReversed(
  tx: Tx,
  ids: readonly string[],
  { eventId, at }: { eventId: string; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  const reversed = await table(tx, Commission).all(['id', 'processedAt', 'createdAt'], {
    id: ids,
    status: 'REVERSED',
    reversedFrom: ['PENDING', 'HELD', 'APPROVED'],
  });
  await table(tx, CommissionRestoral).insertAll(
    reversed.map(({ id: commissionId, processedAt, createdAt }) => ({
      ...{ commissionId, eventId, reversedAt: processedAt ?? createdAt, restoredAt: at },
    })),
  );
  await execute(
    tx,
    `UPDATE partner_commissions SET status = reversed_from, reversed_from = NULL,
       processed_at = CASE WHEN reversed_from <> 'PENDING' THEN $2::timestamptz END
     WHERE id = ANY($1::uuid[]) AND status = 'REVERSED' AND reversed_from IS NOT NULL`,
    [ids, at],
  );
}
