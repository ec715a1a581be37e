import {
  changeParticipation,
  lockParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { participationOutcome } from '../../../db/investment/standing/participation-standing.reads';
import type { Tx } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';
import type { ParticipationStatus } from '../../../workflows/investment/participation/participation.states';
import { cancelUnpaidParticipation } from '../../investment/participation/cancel-unpaid-participation';
import { settleParticipation } from '../../investment/participation/settle-participation';
import type { Payable } from './payable';

/** A participation as the payments kit sees it, locked. */
export async function lockParticipationToPay(tx: Tx, id: string): Promise<Payable> {
  const participation = await lockParticipation(tx, id);
  if (!participation) throw new Error(`There is no participation ${id}.`);
  return {
    ...factsOf(participation),
    settle: ({ method, provider, at }) => {
      if (method === 'EWALLET') throw new Error(`Participation ${id} cannot be paid by ${method}.`);
      return settleParticipation(tx, participation, { method, provider, at });
    },
    markFailed: (at) => changeParticipation(tx, id, { paymentStatus: 'FAILED' }, new Date(at)),
    expire: (at) => cancelUnpaidParticipation(tx, participation, { at }),
    decisionAfter: async ({ words }) => {
      const whereItIs = await whereTheMoneyIs(tx, participation);
      return (
        whereItIs &&
        `The investor's bank took back ${words}, with which participation ${participation.number} was paid. The loss is booked and ${whereItIs}: decide what becomes of it.`
      );
    },
    // No mail asks for its payment, so none changes with the page.
    showPage: () => Promise.resolve(),
  };
}

/** The place of the money of a participation whose payment a bank took back, in words; null: it has none. */
async function whereTheMoneyIs(
  tx: Tx,
  { id, status }: Pick<LockedParticipation, 'id' | 'status'>,
): Promise<string | null> {
  if (status === 'PENDING_PAYMENT' || status === 'CANCELLED') return null;
  if (status === 'ACTIVE') return 'the participation runs on';
  const { successorNumber, successorStatus, withdrawalId } = await participationOutcome(tx, id);
  if (withdrawalId !== null) return `withdrawal ${withdrawalId} of it is still on its way to the investor`;
  if (successorNumber !== null)
    return `its money went into participation ${successorNumber}, which is ${successorStatus}`;
  return `the participation is ${status}, its money paid out`;
}

const factsOf = (participation: LockedParticipation) =>
  ({
    ref: { participationId: participation.id },
    kind: 'participation',
    userId: participation.userId,
    number: participation.number,
    label: moneyLabel(participation),
    status: participation.status,
    paymentStatus: participation.paymentStatus,
    currency: participation.currency,
    dueMinor: participation.amountMinor,
    awaitsPayment: participation.status === 'PENDING_PAYMENT',
    isCancelled: participation.status === 'CANCELLED',
    // One that its provider reported never had a time to pay.
    payBy: (participation.paymentExpiresAt ?? participation.createdAt).toISOString(),
    hasOneAttempt: true,
    strayReason: STRAY_REASON[participation.status] ?? 'DUPLICATE_PAYMENT',
  }) as const;

const STRAY_REASON: Partial<Record<ParticipationStatus, RefundReason>> = {
  CANCELLED: 'LATE_PAYMENT',
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
};
