import type { OperationWords } from './words';

/** Payouts of partners, withdrawals from wallets, and the decisions of administrators on both. */
export const payoutOperations: OperationWords = {
  'GET /mlm/payouts/balance': ['getPayoutBalance', 'What can be paid out, and what keeps it from that'],
  'POST /mlm/payouts/request': ['requestPayout', 'The payout, whose amount is held'],
  'GET /mlm/payouts/history': ['listOwnPayouts', 'One page of your payouts'],
  'POST /mlm/payouts/:id/cancel': ['cancelOwnPayout', 'The payout, whose money is back'],
  'POST /users/me/balance/withdraw': ['withdrawBalance', 'The withdrawal, whose amount is held'],
  'GET /users/me/balance/withdrawals': ['listOwnWalletWithdrawals', 'One page of your withdrawals'],
  'POST /users/me/balance/withdrawals/:id/cancel': [
    'cancelOwnWalletWithdrawal',
    'The withdrawal, whose money is back',
  ],
  'GET /admin/payouts': ['listPayouts', 'One page of payouts, and how many wait'],
  'GET /admin/payouts/export': ['exportPayouts', 'The payouts as CSV'],
  'GET /admin/payouts/:id': ['getPayout', 'The payout, and where to send it'],
  'POST /admin/payouts/approve': ['approvePayouts', 'Of each payout, whether it is approved'],
  'POST /admin/payouts/:id/approve': ['approvePayout', 'The approval'],
  'POST /admin/payouts/:id/reject': ['rejectPayout', 'The rejection'],
  'POST /admin/payouts/:id/process': ['processPayout', 'Whether the money has arrived, or is on its way'],
  'POST /admin/payouts/:id/complete': ['completePayout', 'The payout as it is now'],
  'POST /admin/payouts/:id/cancel': ['cancelPayout', 'The payout, whose money is back'],
  'GET /admin/wallet-withdrawals': ['listWalletWithdrawals', 'One page of withdrawals, and how many wait'],
  'GET /admin/wallet-withdrawals/export': ['exportWalletWithdrawals', 'The withdrawals as CSV'],
  'GET /admin/wallet-withdrawals/:id': ['getWalletWithdrawal', 'The withdrawal, and where to send it'],
  'POST /admin/wallet-withdrawals/approve': [
    'approveWalletWithdrawals',
    'Of each withdrawal, whether it is approved',
  ],
  'POST /admin/wallet-withdrawals/:id/approve': ['approveWalletWithdrawal', 'The approval'],
  'POST /admin/wallet-withdrawals/:id/reject': ['rejectWalletWithdrawal', 'The rejection'],
  'POST /admin/wallet-withdrawals/:id/process': [
    'processWalletWithdrawal',
    'Whether the money has arrived, or is on its way',
  ],
  'POST /admin/wallet-withdrawals/:id/complete': ['completeWalletWithdrawal', 'The withdrawal as it is now'],
  'POST /admin/wallet-withdrawals/:id/cancel': [
    'cancelWalletWithdrawal',
    'The withdrawal, whose money is back',
  ],
};
