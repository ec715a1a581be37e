import type { TransferInFile } from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import type { LockedBankFile } from '../../../../db/commerce/bank-file/bank-file.writes';
import { bankName } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { currencyDigits } from '../../../../workflows/commerce/money.rules';
import { notReadable } from './report-xml';
import type { ReportedTransfer, StatusReport } from './status-report';

/**
 * Refuses with VALIDATION_ERROR a report on another file, or one that repeats something of the file otherwise than the file has
 * it: its payment, the number or the sum of its transfers, a transfer, an amount or its currency.
 */
export function requireOfFile(
  report: StatusReport,
  file: LockedBankFile,
  transfers: readonly TransferInFile[],
): void {
  const name = bankName(file.id);
  if (report.messageId !== name) throw notReadable('is about another file');
  // Our files call their only payment what they are called themselves.
  if (report.paymentIds.some((id) => id !== name)) throw notReadable('is about another payment');
  if (report.counts.some((count) => !/^\d{1,15}$/.test(count) || Number(count) !== file.transferCount))
    throw notReadable('names another number of transfers than the file');
  if (report.sums.some((sum) => minorIn(sum, file.currency) !== file.amountMinor))
    throw notReadable('names another sum than the file');
  const amounts = new Map(transfers.map((transfer) => [bankName(transfer.id), transfer.amountMinor]));
  for (const [transfer, { amount }] of report.ofTransfers) {
    const ours = amounts.get(transfer);
    if (ours === undefined) throw notReadable('names a transfer that the file does not hold');
    if (amount !== null) requireAmount(amount, ours, file.currency);
  }
}

function requireAmount(
  { text, currency }: NonNullable<ReportedTransfer['amount']>,
  amountMinor: number,
  ours: string,
): void {
  if (currency !== null && currency !== ours)
    throw notReadable('names another currency of a transfer than the file');
  if (minorIn(text, ours) !== amountMinor)
    throw notReadable('names another amount of a transfer than the file');
}

/** The minor units of an amount as XML has it, to whose decimals zeros may be added. Refuses what is no amount. */
function minorIn(text: string, currency: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,17}))?$/.exec(text) ?? [];
  if (whole === undefined) throw notReadable('has an amount that is none');
  const digits = currencyDigits(currency);
  const fraction = decimals.replace(/0+$/, '');
  return fraction.length > digits ? null : Number(whole + fraction.padEnd(digits, '0'));
}
