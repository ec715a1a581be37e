import { continueAsNew } from '@temporalio/workflow';
import { transferOut, type Reminders, type TransferSteps } from '../../commerce/payout/transfer-out';
import { Entity } from '../../kit/entity';
import {
  durableTransactions,
  localTransactions,
  localTransactionsForever,
  now,
  provider,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { participationMoved, participationProcess } from '../participation/participation.contract';
import { settle, type Settling } from './settlement';
import * as contract from './withdrawal.contract';
import type { WithdrawalActivities, WithdrawalProviderActivities } from './withdrawal.contract';

/** The payout of a participation that its owner withdraws: to the wallet at once, else by a transfer. */
export async function withdrawal(input: contract.WithdrawalInput): Promise<contract.WithdrawalResult> {
  const { withdrawalId, participationId } = input;
  const local = localTransactions<WithdrawalActivities>();
  const durable = durableTransactions<WithdrawalActivities>();
  const forever = localTransactionsForever<WithdrawalActivities>();
  const reminders: Reminders = { remindAt: input.remindAt ?? '' };
  const payout = new Entity({
    id: withdrawalId,
    reading: 'read the state of the withdrawal',
    read: () => local.withdrawalState({ withdrawalId }),
    ...(input.exists && { exists: input.exists }),
    renew: () => continueAsNew<typeof withdrawal>({ ...input, ...reminders }),
  });
  payout.opens(
    contract.requestWithdrawal,
    (request) => durable.requestWithdrawal({ ...input, ...request, at: now() }),
    { stateIn: (state) => state },
  );
  const settling: Settling = { mayBeSettled: false };
  // Also opens it: the process of a withdrawal whose settlement is late may have been lost.
  payout.opens(
    contract.settleWithdrawal,
    (settlement) => settle(payout, withdrawalId, settlement, settling),
    {
      stateIn: (state) => state,
      description: 'Say that the transfer from our bank account was sent, or refused.',
    },
  );
  const steps: TransferSteps = {
    send: (code) => provider<WithdrawalProviderActivities>(code).sendWithdrawal({ withdrawalId, at: now() }),
    handOver: () => forever.handOverWithdrawal({ withdrawalId, at: now() }),
    settledAt: 'POST /admin/withdrawals/:id/settle',
    isSettled: () => payout.state?.status !== 'PROCESSING' || settling.mayBeSettled,
  };
  const send = transferOut(payout, steps, reminders);
  let isParticipationTold = false;

  return payout.follow<contract.WithdrawalResult>({
    async next({ status, transfer }) {
      if (!isParticipationTold) {
        isParticipationTold = true;
        await notify(participationProcess, { participationId }, participationMoved);
      }
      if (status !== 'PROCESSING') return { ended: status };
      if (transfer === null) throw new Error('Money on its way out has a transfer.');
      settling.mayBeSettled = false;
      return send(transfer);
    },
    closing: {
      REFUSED: 'Refused: nothing was withdrawn.',
      COMPLETED: 'The money is where it belongs.',
      CREDITED: 'The transfer was refused; the money is in the wallet instead.',
    },
    refused: 'REFUSED',
  });
}
