import { takeBankReference } from '../../../db/commerce/payment/sent-reference.transitions';
import { findPayout, type PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import type { CompletedPayout, PayoutActivities } from '../../../workflows/commerce/payout/payout.contract';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { transferMove } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { requireSecondAdministrator } from '../../../workflows/commerce/payout/payout-refusals';
import { businessRefusal, refusal } from '../../../workflows/errors';
import {
  isSameAttempt,
  openStateOf,
  requireNamed,
  type ArrivedTransfer,
} from '../../providers/payouts/attempted-transfer';
import {
  lookUpAttempt,
  refusedFor,
  whyNotSettled,
  type FoundAttempt,
} from '../../providers/payouts/look-up-attempt';
import { whilePersonWaits } from '../../providers/while-person-waits';
import { completeTransfer, refuseTransfer } from './end-transfer';
import { auditPayout, keepAction, makeDecision, type Making } from './make-decision';
import type { PayoutDeps } from './request-payout';

type Complete = Parameters<PayoutActivities['completePayout']>[0];

const REFUSED_BY_PERSON = 'Refused by the bank.';

/** The payout, and its last attempt at its provider, before it is locked. */
interface LookedUp {
  before: PayoutRow | null;
  /** Null: it is not on its way. */
  found: FoundAttempt | null;
}

/**
 * Records that a person has sent a payout from our bank account, by the reference in the stored note, or that it was refused, which makes
 * it APPROVED again. A provider that was asked to send it is looked up first: where the money has arrived, that completes the
 * payout, which the result names unless the reference is that of the provider's transfer. Where another amount has arrived, a
 * person completes it by that reference. While its provider sends it, only what has certainly not been sent is refused; where
 * the provider has forgotten it, or is retired, the word of a second administrator is taken. Refused: NOT_PROCESSING, ALREADY_SETTLED, CANNOT_SETTLE (a provider may still
 * send it, or has sent another amount), VALIDATION_ERROR (no reference, or that of another payment), FORBIDDEN.
 */
export async function completePayout(deps: PayoutDeps, command: Complete): Promise<CompletedPayout> {
  const { before, found } = await lookUp(deps, command);
  const isDone = command.outcome === 'DONE';
  let arrivedBy: string | undefined;
  try {
    const state = await makeDecision(
      deps,
      command,
      { action: isDone ? 'COMPLETE' : 'REFUSE' },
      async (tx, making) => {
        const { payout } = making;
        if (before === null || found === null || !isSameAttempt(payout, before))
          throw refusal('CANNOT_SETTLE', 'This payout has only just changed. Try again.');
        const to = transferMove(isDone ? 'SETTLE_DONE' : 'SETTLE_REFUSED', openStateOf(payout), found.fate);
        if (to === null) throw refusedFor(whyNotSettled({ ...payout, name: 'payout' }, found));
        if (found.fate === 'SENT') {
          const isNamed = await completeArrived(tx, deps, making, { arrived: found.arrived, isDone });
          arrivedBy = isNamed ? undefined : found.arrived.provider;
          return;
        }
        requireProven(making, found, deps.policy);
        if (to === 'FAILED') await refuseByPerson(tx, making, found);
        else if (found.fate === 'FORGOTTEN') await completeForgotten(tx, making);
        else await completeByHand(tx, making);
      },
    );
    return arrivedBy === undefined ? state : { ...state, arrivedBy };
  } catch (error) {
    if (violates(error, 'payouts_bank_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

async function lookUp({ db, payouts }: PayoutDeps, { payoutId, at }: Complete): Promise<LookedUp> {
  const before = await findPayout(db, payoutId);
  if (before?.status !== 'PROCESSING') return { before, found: null };
  const attempt = { ...before, name: 'payout' };
  return { before, found: await lookUpAttempt(payouts, attempt, new Date(at), whilePersonWaits) };
}

/**
 * Refuses the word of the administrator who processed it above the amount that needs two, and of any amount where no provider can say
 * any more whether it has sent the money: then a second administrator says what its statement says.
 */
function requireProven(
  { payout, actorId, text }: Making,
  { fate }: FoundAttempt,
  { payoutFourEyes }: PayoutDeps['policy'],
): void {
  if (fate === 'FORGOTTEN' && text === null) throw referenceIsMissing();
  requireSecondAdministrator(payout, actorId, payout.processedBy, fate === 'FORGOTTEN' ? 0 : payoutFourEyes);
}

/** Completes it by the transfer of a provider. Returns true if the person has named that transfer. */
async function completeArrived(
  tx: Tx,
  { policy }: PayoutDeps,
  making: Making,
  { arrived, isDone }: { arrived: ArrivedTransfer; isDone: boolean },
): Promise<boolean> {
  const { payout, actorId, text, at } = making;
  const { provider, transferId, amountMinor } = arrived;
  const isOther = amountMinor !== payout.amountMinor;
  requireNamed(arrived, { ...payout, name: 'payout' }, isDone ? text : null);
  if (isOther) requireSecondAdministrator(payout, actorId, payout.processedBy, policy.payoutFourEyes);
  await completeTransfer(tx, payout, { provider, transferReference: transferId }, at);
  const isNamed = isDone && text === transferId;
  // A person who has not named it is refused, so this is not the decision that they made.
  if (isNamed) await keepAction(tx, making, 'COMPLETE');
  await auditPayout(tx, making, 'complete', {
    ...{ status: 'COMPLETED', provider, reference: transferId },
    ...(isOther && { arrivedMinor: amountMinor }),
    ...(isDone && !isNamed && text !== null && { alsoSentAs: text }),
  });
  return isNamed;
}

async function completeByHand(tx: Tx, making: Making): Promise<void> {
  const { payout, actorId, text, at } = making;
  const reference = text ?? payout.externalReference;
  if (reference === null) throw referenceIsMissing();
  if (!(await takeBankReference(tx, reference))) throw referenceIsTaken();
  const arrived = { provider: BY_HAND, transferReference: reference, settledBy: actorId };
  await completeTransfer(tx, payout, arrived, at);
  await keepAction(tx, making, 'COMPLETE');
  await auditPayout(tx, making, 'complete', { status: 'COMPLETED', reference });
}

/** Completes it by the word of a person, whose reference is that of the provider that has forgotten it. */
async function completeForgotten(tx: Tx, making: Making): Promise<void> {
  const { payout, text, at } = making;
  const provider = payout.askedProvider ?? BY_HAND;
  if (text === null) throw referenceIsMissing();
  await completeTransfer(tx, payout, { provider, transferReference: text }, at);
  await keepAction(tx, making, 'COMPLETE');
  await auditPayout(tx, making, 'complete', { status: 'COMPLETED', provider, reference: text });
}

/** `found`: what its provider says, where that is certain. */
async function refuseByPerson(
  tx: Tx,
  making: Making,
  found: Exclude<FoundAttempt, { fate: 'SENT' }>,
): Promise<void> {
  const reason = found.fate === 'REFUSED' ? found.reason : REFUSED_BY_PERSON;
  await refuseTransfer(tx, making.payout, { reason, fate: found.fate });
  await keepAction(tx, making, 'REFUSE');
  await auditPayout(tx, making, 'complete', { status: 'APPROVED', reference: making.text });
}

const referenceIsMissing = (): Error =>
  refusal('VALIDATION_ERROR', 'Say what the bank, or the statement, calls the transfer.', {
    externalReference: ['is required where no provider says what became of the transfer'],
  });

const referenceIsTaken = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another payment.', {
    externalReference: ['is already recorded for another payment'],
  });
