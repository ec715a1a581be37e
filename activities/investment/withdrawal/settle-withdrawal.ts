import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { takeBankReference } from '../../../db/commerce/payment/sent-reference.transitions';
import {
  findWithdrawal,
  lockWithdrawal,
  type Withdrawal,
} from '../../../db/investment/withdrawal/withdrawal.transitions';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { alreadySettled } from '../../../workflows/investment/withdrawal/already-settled';
import type {
  SettledWithdrawal,
  WithdrawalActivities,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import {
  arrivedBefore,
  requireNamed,
  takeBackUnsent,
  type ArrivedBefore,
  type AskedTransfer,
} from '../../providers/payouts/arrived-before';
import { endTransfer, type SentWithdrawal } from './end-transfer';
import type { WithdrawalDeps } from './request-withdrawal';
import { stateOf } from './withdrawal-state';

type Settle = Parameters<WithdrawalActivities['settleWithdrawal']>[0];

/**
 * Records that a person has sent a withdrawal from our bank account, by the reference in the kept note, or that the bank
 * refused it, whose money then goes to the wallet. Refused: ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (the
 * reference paid something else). The same again only answers the state. One that a provider was asked to send is looked up
 * there first: where the money has arrived, it is completed by that provider instead, which the answer names, unless the
 * reference is that of its transfer. Of another amount than was to be sent, it has to be. What a bank file could still take up
 * is taken back with it.
 */
export async function settleWithdrawal(deps: WithdrawalDeps, command: Settle): Promise<SettledWithdrawal> {
  const { db, payouts, policy } = deps;
  const withdrawal = await findWithdrawal(db, command.withdrawalId);
  const isByHand = withdrawal?.status === 'PROCESSING' && withdrawal.provider === BY_HAND;
  const arrived = isByHand ? await arrivedBefore(payouts, handedOver(withdrawal), command.outcome) : null;
  try {
    if (arrived !== null)
      return await inTransaction(db, async (tx) => {
        const { withdrawal: after, isNamed } = await completed(tx, deps, command, arrived);
        return { ...stateOf(after, policy), ...(!isNamed && { arrivedBy: arrived.provider }) };
      });
    return await inTransaction(db, async (tx) =>
      stateOf(await settled(tx, deps, command, { isLookedUp: isByHand }), policy),
    );
  } catch (error) {
    if (violates(error, 'investment_withdrawals_bank_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

const handedOver = (withdrawal: Withdrawal): AskedTransfer => ({
  ...withdrawal,
  amountMinor: withdrawal.netMinor,
  name: 'withdrawal',
});

/** Completes a withdrawal by the transfer of a provider that has arrived after all; `isNamed`: the person named that one. */
async function completed(
  tx: Tx,
  { payouts }: WithdrawalDeps,
  { withdrawalId, noteId, outcome, at }: Settle,
  arrived: ArrivedBefore,
): Promise<{ withdrawal: Withdrawal; isNamed: boolean }> {
  const { provider, transferId, otherMinor } = arrived;
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (!withdrawal) throw new Error(`There is no withdrawal ${withdrawalId}.`);
  requireByHand(withdrawal);
  const { actorId, clientAddress, text } = await readNote(tx, noteId);
  requireNamed(arrived, handedOver(withdrawal), outcome === 'DONE' ? text : null);
  const moment = new Date(at);
  await takeBackUnsent(tx, payouts, withdrawal, { arrivedThrough: provider, at: moment });
  const end = { status: 'COMPLETED', transferReference: transferId, provider } as const;
  await endTransfer(tx, { ...withdrawal, provider }, end, moment);
  const isNamed = text === transferId;
  const { status, netMinor: amountMinor, currency } = withdrawal;
  await recordAudit(tx, {
    ...{
      actorId,
      clientAddress,
      action: 'withdrawal.settle',
      entityType: 'withdrawal',
      entityId: withdrawalId,
    },
    previous: { status, amountMinor, currency },
    next: {
      ...{ status: 'COMPLETED', provider, reference: transferId },
      ...(otherMinor !== null && { arrivedMinor: otherMinor }),
      ...(!isNamed && outcome === 'DONE' && { alsoSentAs: text }),
    },
    at: moment,
  });
  return { withdrawal: { ...withdrawal, provider, status: 'COMPLETED' }, isNamed };
}

async function settled(
  tx: Tx,
  { payouts }: WithdrawalDeps,
  { withdrawalId, noteId, outcome, at }: Settle,
  { isLookedUp }: { isLookedUp: boolean },
): Promise<Withdrawal> {
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (!withdrawal) throw new Error(`There is no withdrawal ${withdrawalId}.`);
  if (withdrawal.settlementId === noteId) return withdrawal;
  if (withdrawal.status !== 'PROCESSING') throw alreadySettled(withdrawal);
  const moment = new Date(at);
  // First, since it says what a person has to do about a transfer that the bank may carry out.
  await takeBackUnsent(tx, payouts, withdrawal, { outcome, at: moment });
  requireByHand(withdrawal);
  if (!isLookedUp)
    throw refusal('CANNOT_SETTLE', 'This withdrawal has only just been left to a person. Try again.');
  const { actorId, clientAddress, text } = await readNote(tx, noteId);
  const reference = text ?? '';
  if (!(await takeBankReference(tx, reference))) throw referenceIsTaken();
  const end =
    outcome === 'DONE'
      ? ({ status: 'COMPLETED' } as const)
      : ({ status: 'CREDITED', refusedBecause: 'Refused by the bank.' } as const);
  const settlement = { transferReference: reference, settledBy: actorId, settlementId: noteId };
  await endTransfer(tx, withdrawal, { ...end, ...settlement }, moment);
  const { status, netMinor: amountMinor, currency } = withdrawal;
  await recordAudit(tx, {
    actorId,
    action: 'withdrawal.settle',
    entityType: 'withdrawal',
    entityId: withdrawalId,
    previous: { status, amountMinor, currency },
    next: { status: end.status, reference },
    clientAddress,
    at: moment,
  });
  return { ...withdrawal, status: end.status };
}

function requireByHand(withdrawal: Withdrawal): asserts withdrawal is SentWithdrawal {
  const { status, provider } = withdrawal;
  if (status !== 'PROCESSING') throw alreadySettled(withdrawal);
  if (provider !== BY_HAND)
    throw refusal(
      'CANNOT_SETTLE',
      `${provider} is still trying to send this withdrawal. Abandon the operation first.`,
    );
}

const referenceIsTaken = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another payment.', {
    reference: ['is already recorded for another payment'],
  });
