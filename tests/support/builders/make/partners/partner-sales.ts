import { v7 } from 'uuid';
import { postTransfer } from '../../../../../db/ledger/ledger.transitions';
import { keepFirstOrder } from '../../../../../db/partners/link/referral-touch.writes';
import { execute, type Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { insert } from '../insert';
import { participation } from '../participations';

interface SaleOptions {
  /** The sponsor of the sale; null: nobody. */
  partnerId?: string | null;
  baseMinor: number;
  at: Date;
  kind?: 'ORDER' | 'REFUND' | 'INVESTMENT';
  currency?: string;
  /** The buyer. */
  userId: string;
}

/** A sale that the commission engine has counted, with its event; answers its source. */
export async function partnerSale(
  db: Db,
  { partnerId = null, baseMinor, at, kind = 'ORDER', currency = 'USD', userId }: SaleOptions,
): Promise<string> {
  const [eventId, sourceId] = [v7(), v7()];
  await soldEvent(db, { id: eventId, at, takenAt: at, entityId: sourceId });
  await insert(db, 'partner_sales', {
    ...{ id: v7(), event_id: eventId, kind, source_id: sourceId, buyer_id: userId, partner_id: partnerId },
    ...{ base_minor: baseMinor, commission_weight: 0, points_weight: 0, points: 0, currency },
    ...{ programme_version: 1, occurred_at: at, counted_at: at },
  });
  if (kind === 'ORDER') await inTransaction(db, (tx) => keepFirstOrder(tx, userId, at));
  return sourceId;
}

/**
 * An investment by nobody's customer that the commission engine has counted, and that matured since: with its participation,
 * its event and its ledger entries, so that the invariants hold.
 */
export async function countedInvestment(
  db: Db,
  { amountMinor, at }: { amountMinor: number; at: Date },
): Promise<void> {
  const { id, userId } = await participation(db, { status: 'MATURED', amountMinor, at });
  const counted = await execute(
    db,
    `WITH taken AS (
       DELETE FROM event_deliveries d USING domain_events e
        WHERE e.position = d.position AND e.type = 'investment.created' AND e.entity_id = $1
       RETURNING e.id, e.data, e.occurred_at)
     INSERT INTO partner_sales (id, event_id, kind, source_id, buyer_id, base_minor, commission_weight, points_weight, points,
       currency, programme_version, occurred_at, counted_at)
     SELECT $2, id, 'INVESTMENT', (data ->> 'transactionId')::uuid, $3, $4, 0, 0, 0, 'USD', 1, occurred_at, occurred_at
       FROM taken`,
    [id, v7(), userId, amountMinor],
  );
  if (counted !== 1) throw new Error(`Participation ${id} announced no investment.`);
}

/** An event that makes a sale; not counted unless `takenAt` is set. */
export async function soldEvent(
  db: Db,
  {
    id = v7(),
    at,
    takenAt = null,
    entityId = v7(),
  }: {
    id?: string;
    at: Date;
    takenAt?: Date | null;
    entityId?: string;
  },
): Promise<string> {
  await insert(db, 'domain_events', {
    ...{ id, type: 'order.paid', reference: `order.paid:${entityId}`, entity_id: entityId },
    ...{ data: '{}', occurred_at: at },
  });
  if (takenAt === null) await queueEvents(db, 'id = $1', [id]);
  return id;
}

/** Gives the commission engine events that it has counted, or that it never got, as a migration does for a new consumer. */
export const queueEvents = (db: Db, condition: string, bind: readonly unknown[] = []): Promise<number> =>
  execute(
    db,
    `INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
     SELECT 'commissions', position, entity_id, type, occurred_at FROM domain_events WHERE ${condition}`,
    bind,
  );

/** Marks every event as counted, as if the commission engine had taken it. */
export const takeEvents = (db: Db): Promise<number> => execute(db, 'DELETE FROM event_deliveries');

interface PendingOptions {
  partner: { id: string; userId: string };
  netMinor?: number;
  maturesAt: Date;
  /** The order. */
  sourceId?: string;
  status?: 'PENDING' | 'HELD';
  /** The commission of which it takes back a part. */
  reversalOf?: string | null;
}

/** A commission of a team sale that waits for its maturity, booked as the engine does; answers its id. */
export async function pendingCommission(
  db: Db,
  {
    partner,
    netMinor = 10_00,
    maturesAt,
    sourceId = v7(),
    status = 'PENDING',
    reversalOf = null,
  }: PendingOptions,
): Promise<string> {
  const id = v7();
  const at = new Date(maturesAt.getTime() - 30 * 24 * 3_600_000);
  await inTransaction(db, async (tx) => {
    await insert(tx, 'partner_commissions', {
      ...{ id, partner_id: partner.id, type: 1, source_type: 'ORDER', source_id: sourceId, level: 1 },
      ...{ programme_version: 1, rank_level: 1, base_minor: 100_00, rate_bp: 5000 },
      commission_weight: netMinor * 20_000,
      ...{ gross_minor: netMinor, net_minor: netMinor, currency: 'USD', status, matures_at: maturesAt },
      ...{ reversal_of: reversalOf, created_at: at },
    });
    await execute(tx, 'UPDATE partner_standings SET earned_minor = earned_minor + $2 WHERE partner_id = $1', [
      ...[partner.id, netMinor],
    ]);
    await postTransfer(tx, {
      reference: { kind: 'commission', subjectId: id },
      entries: [
        { account: 'commission_expense', currency: 'USD', amountMinor: -netMinor },
        { account: 'partner_pending', userId: partner.userId, currency: 'USD', amountMinor: netMinor },
      ],
      at,
    });
  });
  return id;
}
