import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { payoutAccount } from '../../../db/commerce/payout/payout-account.reads';
import { restoreIsUnreleased } from '../../../db/administration/restore/restore.reads';
import { differencesStopPayouts } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import { findPayout, movePayout, type PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import type { Tx } from '../../../db/sql/query';
import type { PayoutActivities, PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import { requireSecondAdministrator } from '../../../workflows/commerce/payout/payout-refusals';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { refusal, refusalOf } from '../../../workflows/errors';
import { senderOf } from '../../providers/payouts';
import { auditPayout, keepAction, makeDecision, type Making } from './make-decision';
import type { PayoutDeps } from './request-payout';
import { requireTopUpsCovered } from './chargeback/require-top-ups-covered';
import { foundNow, lookUpApproved, requireUnsent, type LookedUpApproved } from './transfer/require-unsent';

type Process = Parameters<PayoutActivities['processPayout']>[0];

/**
 * Marks an approved payout as PROCESSING, with the number of its transfer: from now on it may be sent, by its provider or, where the
 * note has the bank's reference or no provider pays to such a destination, by a person, unless a provider may have sent it before. Refused: NOT_APPROVED, CANNOT_SETTLE (for a
 * person: a provider has sent it, or may have), FORBIDDEN (an own payout, one whose owner's account is not active, without a second administrator,
 * while a difference with a provider stops payouts, after a restore that is not released unless a person has sent it, and a
 * withdrawal while a bank has taken back more of its owner's top-ups than the wallet held).
 */
export async function processPayout(deps: PayoutDeps, decision: Process): Promise<PayoutState> {
  const { text } = await readNote(deps.db, decision.noteId);
  const before = await findPayout(deps.db, decision.payoutId);
  const sender = before === null || text !== null ? BY_HAND : senderOf(deps.payouts, before.method);
  const isByHand = sender === BY_HAND;
  // A provider's own step looks up what was requested before.
  const lookedUp = isByHand ? await lookUpApproved(deps, decision) : null;
  return makeDecision(deps, decision, { action: 'PROCESS' }, async (tx, making) => {
    const { payout, actorId, at } = making;
    const { approvedBy } = payout;
    requireSecondAdministrator(payout, actorId, approvedBy, deps.policy.payoutFourEyes);
    await requireActiveOwner(tx, payout);
    await requireTopUpsCovered(tx, payout);
    if (await differencesStopPayouts(tx, deps.policy)) throw payoutsStopped(DIFFERENCE_IS_OPEN);
    // What left after the copy is entered before the release: nothing is sent by that.
    if (text === null && (await restoreIsUnreleased(tx))) throw payoutsStopped(RESTORE_IS_UNRELEASED);
    const provider = isByHand ? senderByHand(making, lookedUp) : sender;
    // No earlier transfer may still arrive: an APPROVED payout has none whose outcome is unknown.
    const sendings = payout.sendings + 1;
    await movePayout(tx, payout, {
      ...{ status: 'PROCESSING', provider, sendings, externalReference: text, lastRefusal: null },
      ...{ processedBy: actorId, processedAt: at },
    });
    await keepAction(tx, making, 'PROCESS', sendings);
    await auditPayout(tx, making, 'process', {
      ...{ status: 'PROCESSING', provider, sending: sendings, externalReference: text },
    });
  });
}

/**
 * The sender of what is requested from no provider. A person who names the bank's transfer has sent it: a provider would send the
 * money again. Where nobody has yet, and a provider has sent it after all, its step completes it.
 */
function senderByHand(making: Making, lookedUp: LookedUpApproved | null): string {
  const found = foundNow(making.payout, lookedUp);
  if (making.text === null && found.fate === 'SENT') return found.arrived.provider;
  requireUnsent(making, lookedUp, 'PROCESS_BY_HAND', (provider) =>
    refusal(
      'CANNOT_SETTLE',
      `${provider} has sent this payout after all. Have it sent without a reference: it is completed then by that transfer.`,
    ),
  );
  return BY_HAND;
}

const DIFFERENCE_IS_OPEN = 'A difference with a provider is open, so no payout is sent until it is resolved.';
const RESTORE_IS_UNRELEASED =
  'The database was restored from a copy, so no payout is sent until an operator releases it.';

const payoutsStopped = (message: string): Error =>
  refusalOf({ code: 'FORBIDDEN', message, reason: 'PAYOUTS_STOPPED' });

/**
 * Chosen: money of an account that was suspended waits until it is active again, or is rejected. A membership that was suspended or
 * ended, and an account that is to be deleted, keep only new requests away.
 */
async function requireActiveOwner(tx: Tx, { kind, userId, currency }: PayoutRow): Promise<void> {
  const account = await payoutAccount(tx, { userId, kind, currency });
  if (account?.isAccountActive) return;
  throw refusalOf({
    code: 'FORBIDDEN',
    message: 'The account of this user is not active.',
    reason: 'USER_STATUS_NOT_ALLOWED',
  });
}
