import { defineSignal } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import { payoutsOf, type PayoutInput, type PayoutResult } from './payout.contract';

/** The withdrawal of money from a wallet: a payout of kind WALLET, with the same messages and steps. */
export const walletWithdrawalProcess = defineProcess<PayoutInput, PayoutResult, 'payoutId'>({
  type: 'walletWithdrawal',
  queue: 'interactive',
  area: 'commerce',
  id: ({ payoutId }) => `wallet-withdrawal:${payoutId}`,
  entityId: ({ payoutId }) => payoutId,
  resource: 'wallet withdrawal',
  userId: ({ userId }) => userId,
  summary: ({ payoutId, label }) =>
    label === undefined ? `Withdrawal ${payoutId} from a wallet` : `${label} · withdrawal from the wallet`,
  repeatable: true,
  parks: true,
  ownMatter: 'your own withdrawal',
  drives: payoutsOf('WALLET'),
});

/** A chargeback of a top-up has ended the withdrawal that held its money. */
export const withdrawalChargedBack = defineSignal('withdrawalChargedBack');
