import { z } from 'zod';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import type { Route } from '../../http/endpoint';
import { idOf } from '../../http/request/ids/id-of';
import { AdminPayout, AdminWalletWithdrawal } from './payout.view';

/** One of the two lists of payouts, whose endpoints differ by their words only. */
export interface PayoutDesk {
  kind: PayoutKind;
  tag: string;
  /** One of its rows in words. */
  noun: string;
  /** The field of a list, and the name of its files. */
  name: 'payouts' | 'withdrawals';
  /** The path parameters of one of its rows, with which the endpoint succeeds in these states. */
  one: (...states: readonly string[]) => z.ZodObject<{ id: ReturnType<typeof idOf> }>;
  row: typeof AdminPayout | typeof AdminWalletWithdrawal;
  /** The refusal when there is none of this id. */
  notFound: { PAYOUT_NOT_FOUND: 404 } | { WITHDRAWAL_NOT_FOUND: 404 };
  list: Read;
  export: Read;
  show: Read;
  approveSeveral: Decide;
  approve: Decide;
  reject: Decide;
  process: Decide;
  complete: Decide;
  cancel: Decide;
}

type Read = Route & { method: 'get' };
type Decide = Route & { method: 'post' };

export const payoutDesk = {
  kind: 'PARTNER',
  tag: 'Administration: payouts',
  noun: 'payout of a partner',
  name: 'payouts',
  one: (...states) => z.object({ id: idOf('payout', ...states) }),
  row: AdminPayout,
  notFound: { PAYOUT_NOT_FOUND: 404 },
  list: {
    id: 'listPayouts',
    returns: 'One page of payouts, and how many wait',
    method: 'get',
    path: '/admin/payouts',
  },
  export: {
    id: 'exportPayouts',
    returns: 'The payouts as CSV',
    method: 'get',
    path: '/admin/payouts/export',
  },
  show: {
    id: 'getPayout',
    returns: 'The payout, and where to send it',
    method: 'get',
    path: '/admin/payouts/:id',
  },
  approveSeveral: {
    id: 'approvePayouts',
    returns: 'Of each payout, whether it is approved',
    method: 'post',
    path: '/admin/payouts/approve',
  },
  approve: {
    id: 'approvePayout',
    returns: 'The approval',
    method: 'post',
    path: '/admin/payouts/:id/approve',
  },
  reject: { id: 'rejectPayout', returns: 'The rejection', method: 'post', path: '/admin/payouts/:id/reject' },
  process: {
    id: 'processPayout',
    returns: 'Whether the money has arrived, or is on its way',
    method: 'post',
    path: '/admin/payouts/:id/process',
  },
  complete: {
    id: 'completePayout',
    returns: 'The payout as it is now',
    method: 'post',
    path: '/admin/payouts/:id/complete',
  },
  cancel: {
    id: 'cancelPayout',
    returns: 'The payout, whose money is back',
    method: 'post',
    path: '/admin/payouts/:id/cancel',
  },
} as const satisfies PayoutDesk;

export const walletDesk = {
  kind: 'WALLET',
  tag: 'Administration: payouts',
  noun: 'withdrawal from a wallet',
  name: 'withdrawals',
  one: (...states) => z.object({ id: idOf('wallet withdrawal', ...states) }),
  row: AdminWalletWithdrawal,
  notFound: { WITHDRAWAL_NOT_FOUND: 404 },
  list: {
    id: 'listWalletWithdrawals',
    returns: 'One page of withdrawals, and how many wait',
    method: 'get',
    path: '/admin/wallet-withdrawals',
  },
  export: {
    id: 'exportWalletWithdrawals',
    returns: 'The withdrawals as CSV',
    method: 'get',
    path: '/admin/wallet-withdrawals/export',
  },
  show: {
    id: 'getWalletWithdrawal',
    returns: 'The withdrawal, and where to send it',
    method: 'get',
    path: '/admin/wallet-withdrawals/:id',
  },
  approveSeveral: {
    id: 'approveWalletWithdrawals',
    returns: 'Of each withdrawal, whether it is approved',
    method: 'post',
    path: '/admin/wallet-withdrawals/approve',
  },
  approve: {
    id: 'approveWalletWithdrawal',
    returns: 'The approval',
    method: 'post',
    path: '/admin/wallet-withdrawals/:id/approve',
  },
  reject: {
    id: 'rejectWalletWithdrawal',
    returns: 'The rejection',
    method: 'post',
    path: '/admin/wallet-withdrawals/:id/reject',
  },
  process: {
    id: 'processWalletWithdrawal',
    returns: 'Whether the money has arrived, or is on its way',
    method: 'post',
    path: '/admin/wallet-withdrawals/:id/process',
  },
  complete: {
    id: 'completeWalletWithdrawal',
    returns: 'The withdrawal as it is now',
    method: 'post',
    path: '/admin/wallet-withdrawals/:id/complete',
  },
  cancel: {
    id: 'cancelWalletWithdrawal',
    returns: 'The withdrawal, whose money is back',
    method: 'post',
    path: '/admin/wallet-withdrawals/:id/cancel',
  },
} as const satisfies PayoutDesk;
