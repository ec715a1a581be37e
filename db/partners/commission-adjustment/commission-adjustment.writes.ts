import type { Attributes } from 'sequelize';
import type { AdjustmentEffect } from '../../../workflows/partners/commission/commission-adjustment.rules';
import { postTransfer } from '../../ledger/ledger.transitions';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Commission } from '../commission/commission.model';

/** A locked commission, with the user whose it is. */
export type LockedCommission = Pick<
  Attributes<Commission>,
  | ('id' | 'partnerId' | 'status' | 'netMinor' | 'grossMinor' | 'baseMinor' | 'currency')
  | ('reversalOf' | 'adjustments')
> & { userId: string };

/** A part taken back of a commission, by a refund. */
export type TakenBack = Pick<Attributes<Commission>, 'id' | 'netMinor' | 'status'>;

/** Locks a commission until the transaction ends; null without one. */
export const lockCommission = (tx: Tx, id: string): Promise<LockedCommission | null> =>
  firstRow<LockedCommission>(
    tx,
    `SELECT c.id, c.partner_id, c.status, c.net_minor, c.gross_minor, c.base_minor, c.currency, c.reversal_of,
       c.adjustments, p.user_id
     FROM partner_commissions c JOIN partners p ON p.id = c.partner_id WHERE c.id = $1 FOR UPDATE OF c`,
    [id],
  );

/** Locks the parts taken back of a locked commission, in the order of their ids. */
export const lockTakenBack = (tx: Tx, commissionId: string): Promise<TakenBack[]> =>
  table(tx, Commission).all(
    ['id', 'netMinor', 'status'],
    { reversalOf: commissionId },
    { order: [['id', 'ASC']], lock: 'UPDATE' },
  );

/** The number of the adjustment, and what is stored of it with the commission. */
export type StoredAdjustment = Pick<Attributes<Commission>, 'status' | 'netMinor'> & {
  number: number;
  by: string;
  reason: string;
  at: Date;
  /** `approved_by` becomes this administrator (given), nobody (taken), or stays (kept). */
  approval: 'given' | 'taken' | 'kept';
};

/** Changes a commission that is still as it was locked; returns the number of changed rows. */
export const keepAdjustment = (
  tx: Tx,
  before: Pick<LockedCommission, 'id' | 'status' | 'netMinor'>,
  { status, netMinor, number, by, reason, at, approval }: StoredAdjustment,
): Promise<number> =>
  execute(
    tx,
    `UPDATE partner_commissions SET status = $4, net_minor = $5, adjustments = $6, adjusted_by = $7, adjusted_at = $8,
       adjustment_reason = $9, processed_at = CASE WHEN $4 = status THEN processed_at ELSE $8 END,
       approved_by = CASE $10 WHEN 'given' THEN $7 WHEN 'taken' THEN NULL ELSE approved_by END
     WHERE id = $1 AND status = $2 AND net_minor = $3 AND adjustments = $6 - 1`,
    [before.id, before.status, before.netMinor, status, netMinor, number, by, at, reason, approval],
  );

/** Moves parts taken back to a status together with their commission. */
export async function moveTakenBack(
  tx: Tx,
  ids: readonly string[],
  status: LockedCommission['status'],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    tx,
    `UPDATE partner_commissions SET status = $2, processed_at = $3 WHERE id = ANY ($1::uuid[]) AND status <> $2`,
    [ids, status, at],
  );
}

/** Adds to what a partner has earned. */
export async function addEarned(tx: Tx, partnerId: string, earnedMinor: number): Promise<void> {
  if (earnedMinor === 0) return;
  await execute(tx, 'UPDATE partner_standings SET earned_minor = earned_minor + $2 WHERE partner_id = $1', [
    partnerId,
    earnedMinor,
  ]);
}

/**
 * Books an adjustment by its number. What leaves or joins both balances goes to, or comes from,
 * `commission_expense`; `partner_available` may fall below zero.
 */
export async function bookAdjustment(
  tx: Tx,
  { id, userId, currency }: Pick<LockedCommission, 'id' | 'userId' | 'currency'>,
  { pendingMinor, availableMinor }: AdjustmentEffect,
  { number, at }: { number: number; at: Date },
): Promise<void> {
  await postTransfer(tx, {
    reference: { kind: 'commission-adjustment', subjectId: id, part: String(number) },
    clawback: availableMinor < 0,
    entries: [
      { account: 'partner_pending', userId, currency, amountMinor: pendingMinor },
      { account: 'partner_available', userId, currency, amountMinor: availableMinor },
      { account: 'commission_expense', currency, amountMinor: -pendingMinor - availableMinor },
    ],
    at,
  });
}
