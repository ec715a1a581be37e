import { audited } from '../../../db/administration/audit/audit.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { partnerAddressee } from '../../../db/partners/commission-adjustment/commission-addressee.reads';
import {
  addEarned,
  bookAdjustment,
  keepAdjustment,
  lockCommission,
  lockTakenBack,
  moveTakenBack,
  type LockedCommission,
  type TakenBack,
} from '../../../db/partners/commission-adjustment/commission-adjustment.writes';
import { earnsBy } from '../../../db/partners/membership/own-partner.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { amountInWords, toMinor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { commissionAdjustedLetter } from '../../../workflows/partners/commission/commission.letters';
import {
  amountBounds,
  effectOf,
  placeOf,
  statusAfter,
  type Adjustment,
} from '../../../workflows/partners/commission/commission-adjustment.rules';
import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';
import type { Actor } from '../actor';

export interface AdjustCommission {
  id: string;
  action: Adjustment;
  /** In major units; with ADJUST_AMOUNT only. */
  newAmount: number | null;
  reason: string;
}

export interface Adjusted {
  before: LockedCommission;
  status: CommissionStatus;
  netMinor: number;
  at: Date;
}

/**
 * Adjusts a commission: its row, the parts taken back of it, the partner's balances and sum, the audit log and a mail.
 * Refused: COMMISSION_NOT_FOUND; FORBIDDEN for an own one and in one's own network; CANNOT_ADJUST; VALIDATION_ERROR for an amount out of bounds.
 */
export const adjustCommission = (
  db: Db,
  command: AdjustCommission,
  actor: Actor & { actorId: string },
): Promise<Adjusted> =>
  inTransaction(db, async (tx) => {
    const before = await lockCommission(tx, command.id);
    if (!before) throw refusal('COMMISSION_NOT_FOUND');
    if (await earnsBy(tx, actor.actorId, before.partnerId))
      throw refusal('FORBIDDEN', 'You cannot adjust your own commission, nor one of your network.');
    const takenBack = await lockTakenBack(tx, before.id);
    const status = before.reversalOf === null ? statusAfter(command.action, before.status) : null;
    if (status === null)
      throw refusal('CANNOT_ADJUST', `A commission that is ${before.status} cannot be adjusted like this.`);
    const netMinor = newNetMinor(command, before, takenBack);
    const adjusted = { before, status, netMinor, at: new Date() };
    await applyAdjustment(tx, adjusted, takenBack, { ...command, by: actor.actorId });
    await queueAdjustedMail(tx, adjusted, command);
    const { currency } = before;
    const earlier = { status: before.status, netMinor: before.netMinor, currency };
    const { action: decision, reason } = command;
    const by = { ...actor, at: adjusted.at };
    const next = { decision, status, netMinor, currency, reason };
    await audited(tx, by, 'commission.adjust', before.id, earlier, next, earlier);
    return adjusted;
  });

/** The amount after it, in minor units. */
function newNetMinor(
  { action, newAmount }: AdjustCommission,
  before: LockedCommission,
  takenBack: readonly TakenBack[],
): number {
  if (action !== 'ADJUST_AMOUNT' || newAmount === null) return before.netMinor;
  const { currency } = before;
  const taken = -takenBack.reduce((sum, row) => sum + (row.status === 'REVERSED' ? 0 : row.netMinor), 0);
  const { leastMinor, mostMinor } = amountBounds(before, taken);
  const invalid = (message: string) =>
    refusal('VALIDATION_ERROR', 'The amount is not possible.', { newAmount: [message] });
  let minor: number;
  try {
    minor = toMinor(newAmount, currency);
  } catch {
    throw invalid(`must be an amount of ${currency}`);
  }
  if (minor < leastMinor)
    throw invalid(`must be at least ${amountInWords(leastMinor, currency)}, which refunds have taken back`);
  if (minor > mostMinor)
    throw invalid(`must be at most ${amountInWords(mostMinor, currency)}, of which it was computed`);
  if (minor === before.netMinor) throw invalid('is the amount already');
  return minor;
}

/** Changes the rows and books it, in the order of locks of workflows/partners/README.md. */
async function applyAdjustment(
  tx: Tx,
  { before, status, netMinor, at }: Adjusted,
  takenBack: readonly TakenBack[],
  { by, reason, action }: { by: string; reason: string; action: Adjustment },
): Promise<void> {
  const number = before.adjustments + 1;
  const approval = action === 'APPROVE' ? 'given' : action === 'HOLD' ? 'taken' : 'kept';
  const changed = await keepAdjustment(tx, before, { status, netMinor, number, by, reason, at, approval });
  if (changed !== 1) throw new Error(`Commission ${before.id} changed under its lock.`);
  const following = status === before.status ? [] : takenBack.filter((row) => placeOf(row.status) !== null);
  await moveTakenBack(
    tx,
    following.map(({ id }) => id),
    status,
    at,
  );
  const effect = effectOf([
    { before, after: { status, netMinor } },
    ...following.map((row) => ({ before: row, after: { netMinor: row.netMinor, status } })),
  ]);
  await addEarned(tx, before.partnerId, effect.earnedMinor);
  await bookAdjustment(tx, before, effect, { number, at });
}

/** Queues the mail to the partner; none about an approval, nor to an erased account. */
async function queueAdjustedMail(
  tx: Tx,
  { before, netMinor }: Adjusted,
  { action, reason }: AdjustCommission,
): Promise<void> {
  if (action === 'APPROVE') return;
  const addressee = await partnerAddressee(tx, before.partnerId);
  if (!addressee) return;
  const content = commissionAdjustedLetter(action, {
    firstName: addressee.firstName,
    commissionId: before.id,
    previousMinor: before.netMinor,
    newMinor: netMinor,
    currency: before.currency,
    reason,
  });
  const reference = `commission:${before.id}:adjust:${before.adjustments + 1}`;
  await enqueueQuietMail(tx, { reference, to: addressee.email, ...letter(content) });
}
