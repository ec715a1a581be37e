import { z } from 'zod';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { uuid } from '../../http/request/fields';
import { AdminPayout, AdminWalletWithdrawal } from './payout.view';

/** One of the two lists of payouts, whose endpoints differ by their words only. */
export interface PayoutDesk {
  kind: PayoutKind;
  tag: string;
  /** One of its rows in words. */
  noun: string;
  /** The field of a list, and the name of its files. */
  name: 'payouts' | 'withdrawals';
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

/** The method and the path of an endpoint. */
interface Read {
  method: 'get';
  path: string;
}
interface Decide {
  method: 'post';
  path: string;
}

/** The path parameters of one payout. */
export const onePayoutParams = z.object({ id: uuid() });

export const payoutDesk = {
  kind: 'PARTNER',
  tag: 'Administration: payouts',
  noun: 'payout of a partner',
  name: 'payouts',
  row: AdminPayout,
  notFound: { PAYOUT_NOT_FOUND: 404 },
  list: { method: 'get', path: '/admin/payouts' },
  export: { method: 'get', path: '/admin/payouts/export' },
  show: { method: 'get', path: '/admin/payouts/:id' },
  approveSeveral: { method: 'post', path: '/admin/payouts/approve' },
  approve: { method: 'post', path: '/admin/payouts/:id/approve' },
  reject: { method: 'post', path: '/admin/payouts/:id/reject' },
  process: { method: 'post', path: '/admin/payouts/:id/process' },
  complete: { method: 'post', path: '/admin/payouts/:id/complete' },
  cancel: { method: 'post', path: '/admin/payouts/:id/cancel' },
} as const satisfies PayoutDesk;

export const walletDesk = {
  kind: 'WALLET',
  tag: 'Administration: payouts',
  noun: 'withdrawal from a wallet',
  name: 'withdrawals',
  row: AdminWalletWithdrawal,
  notFound: { WITHDRAWAL_NOT_FOUND: 404 },
  list: { method: 'get', path: '/admin/wallet-withdrawals' },
  export: { method: 'get', path: '/admin/wallet-withdrawals/export' },
  show: { method: 'get', path: '/admin/wallet-withdrawals/:id' },
  approveSeveral: { method: 'post', path: '/admin/wallet-withdrawals/approve' },
  approve: { method: 'post', path: '/admin/wallet-withdrawals/:id/approve' },
  reject: { method: 'post', path: '/admin/wallet-withdrawals/:id/reject' },
  process: { method: 'post', path: '/admin/wallet-withdrawals/:id/process' },
  complete: { method: 'post', path: '/admin/wallet-withdrawals/:id/complete' },
  cancel: { method: 'post', path: '/admin/wallet-withdrawals/:id/cancel' },
} as const satisfies PayoutDesk;
