import { takeBankReference } from '../../../db/commerce/payment/sent-reference.transitions';
import { findPayout, type PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import type { CompletedPayout, PayoutActivities } from '../../../workflows/commerce/payout/payout.contract';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { requireSecondAdministrator } from '../../../workflows/commerce/payout/payout-refusals';
import { businessRefusal, refusal } from '../../../workflows/errors';
import {
  arrivedBefore,
  requireNamed,
  takeBackUnsent,
  type ArrivedBefore,
} from '../../providers/payouts/arrived-before';
import { completeTransfer, refuseTransfer } from './end-transfer';
import { auditPayout, keepAction, makeDecision, type Making } from './make-decision';
import type { PayoutDeps } from './request-payout';

type Complete = Parameters<PayoutActivities['completePayout']>[0];

const REFUSED_BY_BANK = 'Refused by the bank.';

/** The payout, and its transfer at the providers, before it is locked. */
interface LookedUp {
  before: PayoutRow | null;
  /** The transfer that has arrived; null: none has. */
  arrived: ArrivedBefore | null;
}

/**
 * Records that a person has sent a payout from our bank account, by the reference in the kept note, or that the bank refused it,
 * which makes it APPROVED again. A provider that was asked to send it is looked up first: where the money has arrived, that
 * completes the payout, which the answer names if the person has sent it too. Where another amount has arrived, a person
 * completes it by giving the provider's transfer as the reference. What a bank file could still take up is taken back with it.
 * Refused: NOT_PROCESSING, CANNOT_SETTLE (a provider may still send it, or has sent another amount), VALIDATION_ERROR (no
 * reference, or that of another payment), FORBIDDEN.
 */
export async function completePayout(deps: PayoutDeps, command: Complete): Promise<CompletedPayout> {
  const looked = await lookUp(deps, command);
  const isDone = command.outcome === 'DONE';
  const sent = { twice: false };
  try {
    const state = await makeDecision(
      deps,
      command,
      { action: isDone ? 'COMPLETE' : 'REFUSE' },
      async (tx, making) => {
        requireUnchanged(making.payout, looked.before);
        if (looked.arrived !== null) {
          sent.twice = await completeArrived(tx, deps, making, { ...looked.arrived, isDone });
        } else {
          const { at, actorId, payout } = making;
          // First, since it says what a person has to do about a transfer that the bank may carry out.
          const isRefused = await takeBackUnsent(tx, deps.payouts, payout, { outcome: command.outcome, at });
          requireByHand(payout);
          requireSecondAdministrator(payout, actorId, payout.processedBy, deps.policy.payoutFourEyes);
          await (isDone ? completeByHand(tx, making) : refuseByHand(tx, making, isRefused));
        }
      },
    );
    return sent.twice ? { ...state, alsoSentBy: looked.arrived?.provider ?? '' } : state;
  } catch (error) {
    if (violates(error, 'payouts_bank_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

async function lookUp({ db, payouts }: PayoutDeps, { payoutId, outcome }: Complete): Promise<LookedUp> {
  const before = await findPayout(db, payoutId);
  if (before?.status !== 'PROCESSING') return { before, arrived: null };
  // While its provider sends it, only money that has arrived is of interest.
  const asked = before.provider === BY_HAND ? outcome : 'DONE';
  return { before, arrived: await arrivedBefore(payouts, { ...before, name: 'payout' }, asked) };
}

/** Refuses to settle another transfer than the one that was looked up. */
function requireUnchanged(payout: PayoutRow, before: PayoutRow | null): void {
  if (payout.provider !== before?.provider || payout.sendings !== before.sendings)
    throw refusal('CANNOT_SETTLE', 'This payout has only just changed. Try again.');
}

function requireByHand({ provider }: PayoutRow): void {
  if (provider !== BY_HAND)
    throw refusal(
      'CANNOT_SETTLE',
      `${provider} is still trying to send this payout. Abandon the operation first.`,
    );
}

/** Completes it by the transfer of a provider. Answers true if a person reports another transfer of the money. */
async function completeArrived(
  tx: Tx,
  { payouts, policy }: PayoutDeps,
  making: Making,
  { isDone, ...arrived }: ArrivedBefore & { isDone: boolean },
): Promise<boolean> {
  const { payout, actorId, text, at } = making;
  const { provider, transferId, otherMinor } = arrived;
  requireNamed(arrived, { ...payout, name: 'payout' }, isDone ? text : null);
  if (otherMinor !== null)
    requireSecondAdministrator(payout, actorId, payout.processedBy, policy.payoutFourEyes);
  await takeBackUnsent(tx, payouts, payout, { arrivedThrough: provider, at });
  await completeTransfer(tx, payout, { provider, transferReference: transferId }, at);
  const isByHand = payout.provider === BY_HAND && text !== transferId;
  // A person who has sent it as well is refused, so this is not the decision that they made.
  if (!isByHand) await keepAction(tx, making, 'COMPLETE');
  await auditPayout(tx, making, 'complete', {
    ...{ status: 'COMPLETED', provider, reference: transferId },
    ...(otherMinor !== null && { arrivedMinor: otherMinor }),
    ...(isByHand && isDone && { alsoSentAs: text }),
  });
  return isByHand;
}

async function completeByHand(tx: Tx, making: Making): Promise<void> {
  const { payout, actorId, text, at } = making;
  const reference = text ?? payout.externalReference;
  if (reference === null)
    throw refusal('VALIDATION_ERROR', 'Say what the bank calls the transfer.', {
      externalReference: ['is required for a payout that a person has sent'],
    });
  if (!(await takeBankReference(tx, reference))) throw referenceIsTaken();
  const arrived = { provider: BY_HAND, transferReference: reference, settledBy: actorId };
  await completeTransfer(tx, payout, arrived, at);
  await keepAction(tx, making, 'COMPLETE');
  await auditPayout(tx, making, 'complete', { status: 'COMPLETED', reference });
}

/** `isByProvider`: the transfer of its provider is refused for certain too, so that the next one has another key. */
async function refuseByHand(tx: Tx, making: Making, isByProvider: boolean): Promise<void> {
  await refuseTransfer(tx, making.payout, { reason: REFUSED_BY_BANK, isByProvider });
  await keepAction(tx, making, 'REFUSE');
  await auditPayout(tx, making, 'complete', { status: 'APPROVED', reference: making.text });
}

const referenceIsTaken = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another payment.', {
    externalReference: ['is already recorded for another payment'],
  });
