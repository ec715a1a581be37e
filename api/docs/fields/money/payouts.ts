import type { FieldWords } from '../words';

const ADMIN_ROWS = ['AdminPayout', 'AdminWalletWithdrawal', 'PayoutToSend', 'WalletWithdrawalToSend'];

/** The same words for a field of every row that administrators see. */
const ofAdminRows = (fields: FieldWords): FieldWords =>
  Object.fromEntries(
    ADMIN_ROWS.flatMap((row) => Object.entries(fields).map(([name, text]) => [`${row}.${name}`, text])),
  );

/** Payouts of partners and withdrawals from wallets. */
export const payoutFields: FieldWords = {
  ...ofAdminRows({
    approvedAt: 'When it was approved; null before.',
    approvedBy: 'The administrator who approved it; null before.',
    processedAt: 'When it was last sent; null before.',
    processedBy: 'The administrator who sent it, or had it sent; null before.',
    endedAt: 'When it was completed, rejected or cancelled; null before.',
    partner: 'The partner whose balance it is paid from.',
    method: 'Where it goes.',
  }),
  'Payout.method': 'Where it goes.',
  'payouts.method': 'Where it goes.',
  canRequest: 'True if a payout of all that is available can be requested.',
  estimatedCompletion: 'The day on which the money is to arrive; null if it has.',
  'ProcessedPayout.externalReference': 'What the provider or the bank calls the transfer; null if unknown.',
  'ProcessedPayout.processedAt': 'When it was sent.',
  'ProcessedPayout.processedBy': 'The administrator who sent it, or had it sent.',
  'RejectedPayout.reason': 'Why it is rejected; the owner reads it.',
  'RejectedPayout.fundsReturned': 'Whether the money is back; false: it is forfeited.',
  minimumPayout: 'The least amount of a payout.',
  payouts: 'Payouts, newest first.',
  pendingAmount: 'The sum of those that wait for a decision.',
  pendingCount: 'Those that wait for a decision.',
  processingAmount: 'The sum of those that may be on their way.',
  processingCount: 'Those that may be on their way.',
  'ApprovedPayouts.results': 'The outcome of each, in the order of the request.',
  'results.ok': 'True if it is approved.',
};
