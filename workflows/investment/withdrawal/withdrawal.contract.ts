import type { TransferOut, TransferProgress } from '../../commerce/payout/transfer-out.rules';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { WithdrawalMethod } from './withdrawal.rules';
import type { WithdrawalStatus } from './withdrawal.states';

export interface WithdrawalInput {
  withdrawalId: string;
  participationId: string;
  userId: string;
  /** As people name it, with its amount, for the summary. */
  label?: string;
  /** True for one that was requested already, whose process was lost: no update has to open it. */
  exists?: true;
  /** In a later run: operators are not reminded of it before (ISO 8601); empty: they never were. */
  remindAt?: string;
}

export interface WithdrawalState {
  status: WithdrawalStatus;
  /** The money on its way out; null if all of it stays here, or it has ended. */
  transfer: TransferOut | null;
}

export type WithdrawalResult = 'COMPLETED' | 'CREDITED' | 'REFUSED';

/** The payout of one participation that its owner withdraws, until the money is where it belongs. */
export const withdrawalProcess = defineProcess<WithdrawalInput, WithdrawalResult, 'withdrawalId'>({
  type: 'withdrawal',
  queue: 'interactive',
  area: 'investment',
  id: ({ withdrawalId }) => `withdrawal:${withdrawalId}`,
  entityId: ({ withdrawalId }) => withdrawalId,
  resource: 'withdrawal',
  userId: ({ userId }) => userId,
  summary: ({ participationId, label }) => label ?? `Withdrawal of participation ${participationId}`,
  repeatable: true,
  parks: true,
  ownMatter: 'your own withdrawal',
  drives: {
    table: 'investment_withdrawals',
    amount: 'net_minor',
    key: { withdrawalId: 'id', participationId: 'participation_id', userId: 'user_id' },
    column: 'status',
    open: ['PROCESSING'],
    since: 'created_at',
    settledSince: 'ended_at',
  },
});

/** A request to withdraw. The API has checked its form only. */
export interface RequestWithdrawal {
  method: WithdrawalMethod;
  acceptPenalty: boolean;
  /** The note with the sealed destination; null: the saved payout details, or the wallet. */
  detailsNoteId: string | null;
  /** ISO 8601; after it nothing is withdrawn any more. Left out: whenever it can be. */
  notAfter?: string;
}

/** Ends the participation and books its payout. Refused with the codes of POST …/participations/:id/withdraw. */
export const requestWithdrawal = decision<WithdrawalState, [RequestWithdrawal]>('requestWithdrawal', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** The report of a person about a transfer from our bank account. */
export interface WithdrawalSettlement {
  /** The stored note that names the administrator, with the bank's reference. */
  noteId: string;
  outcome: 'DONE' | 'REFUSED';
}

/** The state after a settlement. */
export interface SettledWithdrawal extends WithdrawalState {
  /** The provider that had sent the money after all, so that the settlement is refused; left out: none had. */
  arrivedBy?: string;
}

/**
 * Settles a transfer that a person has sent, or that the bank refused. Refused: ALREADY_SETTLED, CANNOT_SETTLE (its
 * provider may still send it), VALIDATION_ERROR (the reference of another transfer).
 */
export const settleWithdrawal = decision<WithdrawalState, [WithdrawalSettlement]>('settleWithdrawal', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

interface At {
  withdrawalId: string;
  /** ISO 8601. */
  at: string;
}

export interface WithdrawalActivities {
  /** Null: there is no such withdrawal. */
  withdrawalState: (withdrawal: { withdrawalId: string }) => Promise<WithdrawalState | null>;
  /** The same withdrawal again only returns its state. */
  requestWithdrawal: (request: WithdrawalInput & RequestWithdrawal & At) => Promise<WithdrawalState>;
  /** The same settlement again only returns the state. */
  settleWithdrawal: (settlement: WithdrawalSettlement & At) => Promise<SettledWithdrawal>;
  /** Leaves the transfer to a person, if it was certainly not sent; returns why it stays with its provider, or null. */
  handOverWithdrawal: (withdrawal: At) => Promise<string | null>;
}

export interface WithdrawalProviderActivities {
  /**
   * Sends the money, or looks it up where it may have been sent before, and books the outcome: it arrived, or it was
   * refused and goes to the wallet.
   */
  sendWithdrawal: (withdrawal: At) => Promise<TransferProgress>;
}
