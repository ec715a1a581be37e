import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { decisionMade } from '../../../db/commerce/payout/payout.reads';
import {
  findPayout,
  storeDecision,
  lockPayout,
  type PayoutRow,
} from '../../../db/commerce/payout/payout.transitions';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PayoutDecision, PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import type { PayoutAction } from '../../../workflows/commerce/payout/payout.rules';
import { noSuchPayout, requireDecidable } from '../../../workflows/commerce/payout/payout-refusals';
import { refusal } from '../../../workflows/errors';
import { stateOf } from './payout-state';
import type { PayoutDeps } from './request-payout';

interface Command extends PayoutDecision {
  payoutId: string;
  at: string;
}

/** A decision that is being made on a locked payout. */
export interface Making extends RequestNote {
  payout: PayoutRow;
  noteId: string;
  at: Date;
}

/**
 * Makes a decision on a payout, in one transaction under its lock, and returns the state after it. The same decision again
 * only returns the state. The owner is locked first: user, payout and balances in this order, as a request and a chargeback lock
 * them. Refused: PAYOUT_NOT_FOUND, FORBIDDEN for an own payout, and what its status does not allow.
 */
export const makeDecision = (
  { db, policy }: Pick<PayoutDeps, 'db' | 'policy'>,
  { payoutId, noteId, at }: Command,
  { action, byOwner = false }: { action: PayoutAction; byOwner?: boolean },
  carryOut: (tx: Tx, making: Making) => Promise<void>,
): Promise<PayoutState> =>
  inTransaction(db, async (tx) => {
    const payout = await lockWithOwner(tx, payoutId);
    if (await decisionMade(tx, noteId)) return stateOf(payout, policy);
    const note = await readNote(tx, noteId);
    if ((payout.userId === note.actorId) !== byOwner)
      throw refusal('FORBIDDEN', 'You cannot decide on your own payout.');
    requireDecidable(action, payout, byOwner);
    await carryOut(tx, { ...note, payout, noteId, at: new Date(at) });
    const after = await findPayout(tx, payoutId);
    if (!after) throw new Error(`There is no payout ${payoutId}.`);
    return stateOf(after, policy);
  });

async function lockWithOwner(tx: Tx, payoutId: string): Promise<PayoutRow> {
  const known = await findPayout(tx, payoutId);
  if (known) await lockUserStanding(tx, known.userId);
  const payout = known && (await lockPayout(tx, payoutId));
  if (!payout) throw noSuchPayout(known?.kind ?? 'PARTNER');
  return payout;
}

/** Records the decision with the payout, so that the same again is recognised. */
export const keepAction = (
  tx: Tx,
  { payout, noteId, actorId, at }: Making,
  action: PayoutAction,
  sending: number | null = null,
): Promise<void> =>
  storeDecision(tx, { id: noteId, payoutId: payout.id, action, sending, madeBy: actorId, madeAt: at });

/** The verbs of the audit log. */
type Verb = 'approve' | 'cancel' | 'complete' | 'process' | 'reject';

/** A change of a payout; `actorId`: null when a chargeback made it. */
type Audited = Pick<Making, 'payout' | 'at'> & { actorId: string | null; clientAddress: string | null };

/** Records a decision; the last statement of its transaction. */
export function auditPayout(
  tx: Tx,
  { payout, actorId, clientAddress, at }: Audited,
  verb: Verb,
  next: Record<string, unknown>,
): Promise<void> {
  const { id, kind, status, amountMinor, currency } = payout;
  return recordAudit(tx, {
    actorId,
    clientAddress,
    at,
    action: kind === 'PARTNER' ? `payout.${verb}` : `wallet-withdrawal.${verb}`,
    entityId: id,
    previous: { status, amountMinor, currency },
    next,
  });
}
