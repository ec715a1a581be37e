import { v7 } from 'uuid';
import { execute, type Db } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { partnerSale } from '../../../support/builders/make/partners/partner-sales';
import { poolRun } from '../../../support/builders/make/partners/pool-runs';
import { attempted, entrance } from '../../../support/builders/partnering/entering';

const at = new Date('2026-06-01T00:00:00.000Z');

/**
 * At least one row of every table of the partner programme, with every optional reference, and where a unique constraint is
 * to be violated, two.
 */
export async function guardedRows(db: Db): Promise<void> {
  const { id: adminId } = await make.admin(db);
  const { id: sponsorId } = await make.partner(db);
  const { id: partnerId } = await make.partner(db, { sponsorId });
  await network(db, sponsorId, adminId);
  await sales(db, partnerId);
  await commissions(db, { partnerId, sponsorId, adminId });
  await links(db, sponsorId);
  await entrances(db, partnerId);
  await poolRun(db);
  await poolRun(db);
}

async function network(db: Db, partnerId: string, adminId: string): Promise<void> {
  await insert(db, 'partner_levels', { partner_id: partnerId, level: 1, partners: 1, volume_minor: 0 });
  await insert(db, 'partner_months', {
    ...{ partner_id: partnerId, month: '2026-06-01', personal_points: 0, group_points: 0 },
    ...{ personal_volume_minor: 0, group_volume_minor: 0 },
  });
  const change = { partner_id: partnerId, programme_version: 1, changed_at: at };
  await insert(db, 'partner_rank_changes', { id: v7(), from_level: 1, to_level: 2, ...change });
  await insert(db, 'partner_rank_changes', {
    ...{ id: v7(), from_level: 2, to_level: 1, changed_by: adminId, reason: 'By mistake.', ...change },
  });
}

async function sales(db: Db, partnerId: string): Promise<void> {
  for (const kind of ['ORDER', 'REFUND'] as const) {
    const { id: userId } = await make.user(db);
    await partnerSale(db, { userId, partnerId, baseMinor: kind === 'REFUND' ? -5 : 5, at, kind });
  }
}

/** One with every reference, a part that was taken back of it, a differential, and one of a profit. */
async function commissions(
  db: Db,
  { partnerId, sponsorId, adminId }: { partnerId: string; sponsorId: string; adminId: string },
): Promise<void> {
  const { id, sourceId } = await make.commission(db, { partnerId, sourcePartnerId: sponsorId });
  const back = await make.commission(db, { partnerId, sourceId, reversalOf: id, grossMinor: -1 });
  await make.commission(db, { partnerId: sponsorId, sourceId, type: 2 });
  await make.commission(db, { partnerId: sponsorId, type: 5 });
  await execute(
    db,
    `UPDATE partner_commissions SET adjustments = 1, adjusted_by = $2, adjusted_at = now(), adjustment_reason = 'Checked.',
       approved_by = $2, buyer_id = $2 WHERE id = $1`,
    [id, adminId],
  );
  await execute(
    db,
    'UPDATE partner_commissions SET event_id = (SELECT id FROM domain_events LIMIT 1) WHERE id = $1',
    [back.id],
  );
  await execute(
    db,
    `INSERT INTO partner_commission_restorals (commission_id, event_id, reversed_at, restored_at)
     SELECT $1, event_id, $2, $2 FROM partner_commissions WHERE id = $3`,
    [id, at, back.id],
  );
}

async function links(db: Db, partnerId: string): Promise<void> {
  for (const code of ['AAAAAAAA', 'BBBBBBBB']) {
    const id = v7();
    await insert(db, 'partner_links', {
      ...{ id, partner_id: partnerId, code, name: 'Letter', campaign: 'June', landing_path: '/a' },
      created_at: at,
    });
    await insert(db, 'partner_link_days', { link_id: id, day: '2026-06-01', clicks: 1 });
    await insert(db, 'partner_link_clicks', {
      ...{ link_id: id, touch_id: v7(), clicked_at: at, repeated_until: new Date(at.getTime() + 1_800_000) },
    });
  }
}

/** One that waits, two that were paid, and the payment of one that was taken, given back, and taken back by its bank. */
async function entrances(db: Db, partnerId: string): Promise<void> {
  await entrance(db);
  const { id: entranceId, attemptId } = await attempted(db);
  for (const paidFor of [partnerId, (await make.partner(db)).id]) {
    const { id } = await entrance(db);
    await execute(
      db,
      `UPDATE partner_entrances SET status = 'PAID', payment_status = 'PAID', paid_at = now(), ended_at = now(),
         partner_id = $2 WHERE id = $1`,
      [id, paidFor],
    );
  }
  const of = { entrance_id: entranceId, amount_minor: 5, currency: 'USD' };
  const captureId = v7();
  await insert(db, 'payment_captures', {
    ...{ id: captureId, attempt_id: attemptId, provider: 'sandbox', provider_payment_id: 'one', ...of },
    ...{ applied: true, captured_at: at },
  });
  await insert(db, 'payment_refunds', {
    ...{ id: v7(), capture_id: captureId, reason: 'LATE_PAYMENT', status: 'PROCESSING', ...of },
    created_at: at,
  });
  await insert(db, 'chargebacks', {
    ...{ id: v7(), capture_id: captureId, provider: 'sandbox', provider_chargeback_id: 'one', ...of },
    ...{ status: 'TAKEN', created_at: at, updated_at: at },
  });
}
