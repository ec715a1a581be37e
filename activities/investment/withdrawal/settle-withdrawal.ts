import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { takeBankReference } from '../../../db/commerce/payment/sent-reference.transitions';
import {
  findWithdrawal,
  lockWithdrawal,
  type Withdrawal,
  type WithdrawalEnd,
} from '../../../db/investment/withdrawal/withdrawal.transitions';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { transferMove } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { alreadySettled } from '../../../workflows/investment/withdrawal/already-settled';
import type {
  SettledWithdrawal,
  WithdrawalActivities,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import {
  isSameAttempt,
  openStateOf,
  requireNamed,
  type AttemptedTransfer,
} from '../../providers/payouts/attempted-transfer';
import {
  lookUpAttempt,
  refusedFor,
  whyNotSettled,
  type FoundAttempt,
} from '../../providers/payouts/look-up-attempt';
import { whilePersonWaits } from '../../providers/while-person-waits';
import { endTransfer, type SentWithdrawal } from './end-transfer';
import type { WithdrawalDeps } from './request-withdrawal';
import { stateOf } from './withdrawal-state';

type Settle = Parameters<WithdrawalActivities['settleWithdrawal']>[0];

/** A withdrawal, and its last attempt at its provider, before it is locked. */
interface LookedUp {
  before: Withdrawal;
  found: FoundAttempt;
}

/**
 * Records that a person has sent a withdrawal from our bank account, by the reference in the stored note, or that it was refused, whose
 * money then goes to the wallet. Refused: ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (the reference paid something else). The
 * same again only returns the state. One that a provider was asked to send is looked up there first: where the money has arrived,
 * it is completed by that provider instead, which the answer names, unless the reference is that of its transfer. Of another
 * amount than was to be sent, it has to be. While its provider sends it, only what has certainly not been sent is refused;
 * where the provider has forgotten it, the word of the person is taken.
 */
export async function settleWithdrawal(deps: WithdrawalDeps, command: Settle): Promise<SettledWithdrawal> {
  const { db, payouts, policy } = deps;
  const before = await findWithdrawal(db, command.withdrawalId);
  if (!before) throw new Error(`There is no withdrawal ${command.withdrawalId}.`);
  const isOpen = before.status === 'PROCESSING';
  const found = isOpen
    ? await lookUpAttempt(payouts, attemptOf(before), new Date(command.at), whilePersonWaits)
    : null;
  try {
    return await inTransaction(db, async (tx) => {
      const withdrawal = await lockWithdrawal(tx, before.id);
      if (!withdrawal) throw new Error(`There is no withdrawal ${before.id}.`);
      if (withdrawal.settlementId === command.noteId) return stateOf(withdrawal, policy);
      if (withdrawal.status !== 'PROCESSING') throw alreadySettled(withdrawal);
      if (found === null || !isSameAttempt(withdrawal, before))
        throw refusal('CANNOT_SETTLE', 'This withdrawal has only just changed. Try again.');
      const { isNamed, ...after } = await settled(tx, command, { before: withdrawal, found });
      const arrivedBy = found.fate === 'SENT' && !isNamed ? found.arrived.provider : undefined;
      return {
        ...stateOf({ ...withdrawal, ...after }, policy),
        ...(arrivedBy !== undefined && { arrivedBy }),
      };
    });
  } catch (error) {
    if (violates(error, 'investment_withdrawals_bank_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

const attemptOf = (withdrawal: Withdrawal): AttemptedTransfer & Pick<Withdrawal, 'provider'> => ({
  ...withdrawal,
  amountMinor: withdrawal.netMinor,
  name: 'withdrawal',
});

/** The end of a settled withdrawal; `isNamed`: the person has named the transfer that ended it. */
async function settled(
  tx: Tx,
  { withdrawalId, noteId, outcome, at }: Settle,
  { before: withdrawal, found }: LookedUp,
): Promise<{ status: 'COMPLETED' | 'CREDITED'; isNamed: boolean }> {
  const { provider } = withdrawal;
  const command = outcome === 'DONE' ? 'SETTLE_DONE' : 'SETTLE_REFUSED';
  const to = transferMove(command, openStateOf(withdrawal), found.fate);
  if (to === null || provider === null) throw refusedFor(whyNotSettled(attemptOf(withdrawal), found));
  const { actorId, clientAddress, text } = await readNote(tx, noteId);
  const { end, next, isNamed } = await endBySettlement(tx, { ...withdrawal, provider }, found, {
    ...{ outcome, reference: text ?? '', noteId, actorId },
  });
  await endTransfer(tx, { ...withdrawal, provider: end.provider ?? provider }, end, new Date(at));
  const { status, netMinor: amountMinor, currency } = withdrawal;
  await recordAudit(tx, {
    ...{ actorId, clientAddress, action: 'withdrawal.settle' },
    entityId: withdrawalId,
    previous: { status, amountMinor, currency },
    next,
    at: new Date(at),
  });
  return { status: end.status, isNamed };
}

interface Settling {
  outcome: Settle['outcome'];
  reference: string;
  noteId: string;
  actorId: string;
}

/** The end of a withdrawal that a person may settle, and what the audit trail says of it. */
async function endBySettlement(
  tx: Tx,
  withdrawal: SentWithdrawal,
  found: FoundAttempt,
  { outcome, reference, noteId, actorId }: Settling,
): Promise<{ end: WithdrawalEnd; next: Record<string, unknown>; isNamed: boolean }> {
  if (found.fate === 'SENT') {
    const { provider, transferId, amountMinor } = found.arrived;
    requireNamed(found.arrived, attemptOf(withdrawal), outcome === 'DONE' ? reference : null);
    const isNamed = reference === transferId;
    const next = {
      ...{ status: 'COMPLETED', provider, reference: transferId },
      ...(amountMinor !== withdrawal.netMinor && { arrivedMinor: amountMinor }),
      ...(!isNamed && outcome === 'DONE' && { alsoSentAs: reference }),
    };
    return { end: { status: 'COMPLETED', transferReference: transferId, provider }, next, isNamed };
  }
  const isForgotten = found.fate === 'FORGOTTEN';
  // What was requested from its provider is the provider's transfer, not one of our bank.
  if (!isForgotten && !(await takeBankReference(tx, reference))) throw referenceIsTaken();
  const settlement = { transferReference: reference, settledBy: actorId, settlementId: noteId };
  const end: WithdrawalEnd =
    outcome === 'DONE'
      ? { status: 'COMPLETED', ...settlement }
      : { status: 'CREDITED', refusedBecause: 'Refused by the bank.', ...settlement };
  return { end, next: { status: end.status, reference }, isNamed: true };
}

const referenceIsTaken = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another payment.', {
    reference: ['is already recorded for another payment'],
  });
