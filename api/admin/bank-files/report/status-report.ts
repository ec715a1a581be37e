import type { Element } from '@xmldom/xmldom';
import type {
  ReportedLevel,
  ReportedReason,
} from '../../../../workflows/commerce/payout/bank-file/bank-report.rules';
import { childOf, childrenOf, notReadable, ownText, reportIn, valueOf } from './report-xml';

/** A bank's report on a file (ISO 20022 pain.002). */
export interface StatusReport {
  /** The name of the file that it is about. */
  messageId: string;
  /** The words on all transfers: of their payment, if the report has it, and of the whole file. */
  ofAll: readonly ReportedLevel[];
  /** The words on single transfers, by their end-to-end reference. */
  ofTransfers: ReadonlyMap<string, ReportedTransfer>;
  /** The names of its payment that the report repeats. */
  paymentIds: readonly string[];
  /** The numbers of transfers that it repeats, of the file and of its payment. */
  counts: readonly string[];
  /** The sums that it repeats likewise. */
  sums: readonly string[];
}

/** The words on one transfer, and its amount where the report repeats it. */
export interface ReportedTransfer extends ReportedLevel {
  amount: { text: string; currency: string | null } | null;
}

/**
 * Reads a report. Refuses with INVALID_FILE_TYPE what is not UTF-8, not XML, or of another kind, and with VALIDATION_ERROR a
 * report without the name of its file, on several payments, or with a transfer that has no name or is named twice.
 */
export function readStatusReport(file: Buffer): StatusReport {
  const report = childOf(reportIn(file), 'CstmrPmtStsRpt');
  const group = report && childOf(report, 'OrgnlGrpInfAndSts');
  const messageId = group && valueOf(group, 'OrgnlMsgId');
  if (!report || !group || !messageId) throw notReadable('does not name the file that it is about');
  const payments = childrenOf(report, 'OrgnlPmtInfAndSts');
  if (payments.length > 1) throw notReadable('is about several payments, and our files have one');
  const [payment] = payments;
  const parts = payment ? [payment, group] : [group];
  const repeated = (name: string): string[] => parts.flatMap((part) => valueOf(part, name) ?? []);
  return {
    messageId,
    ofAll: [...(payment ? [levelOf(payment, 'PmtInfSts')] : []), levelOf(group, 'GrpSts')],
    ofTransfers: transfersOf(payment ? childrenOf(payment, 'TxInfAndSts') : []),
    paymentIds: repeated('OrgnlPmtInfId'),
    counts: repeated('OrgnlNbOfTxs'),
    sums: repeated('OrgnlCtrlSum'),
  };
}

function transfersOf(entries: readonly Element[]): Map<string, ReportedTransfer> {
  const transfers = new Map<string, ReportedTransfer>();
  for (const entry of entries) {
    const name = valueOf(entry, 'OrgnlEndToEndId');
    if (name === null) throw notReadable('has a transfer without its end-to-end reference');
    if (transfers.has(name)) throw notReadable('names a transfer twice');
    transfers.set(name, { ...levelOf(entry, 'TxSts'), amount: amountOf(entry) });
  }
  return transfers;
}

/** The status of a level with everything that is said of its reasons. */
const levelOf = (parent: Element, name: string): ReportedLevel => ({
  status: valueOf(parent, name),
  reasons: childrenOf(parent, 'StsRsnInf').flatMap(reasonsOf),
});

function reasonsOf(information: Element): ReportedReason[] {
  const textsOf = (parents: readonly Element[], name: string): string[] =>
    parents.flatMap((parent) => childrenOf(parent, name)).flatMap((child) => ownText(child) ?? []);
  const reasons = childrenOf(information, 'Rsn');
  return [
    ...textsOf(reasons, 'Cd').map((text) => ({ kind: 'CODE', text }) as const),
    ...textsOf(reasons, 'Prtry').map((text) => ({ kind: 'OWN_CODE', text }) as const),
    ...textsOf([information], 'AddtlInf').map((text) => ({ kind: 'WORDS', text }) as const),
  ];
}

/** The instructed amount that an entry repeats; null when it repeats none. */
function amountOf(entry: Element): ReportedTransfer['amount'] {
  const original = childOf(entry, 'OrgnlTxRef');
  const amounts = original && childOf(original, 'Amt');
  const instructed = amounts && childOf(amounts, 'InstdAmt');
  const text = instructed && ownText(instructed);
  if (!text) return null;
  return { text, currency: instructed.getAttribute('Ccy') };
}
