import { createHash } from 'node:crypto';
import { audited } from '../../../db/administration/audit/audit.writes';
import {
  endTransfers,
  lockTransfersOf,
  type BankFileTransferEnd,
  type TransferInFile,
} from '../../../db/commerce/bank-file/bank-file-transfer.writes';
import { lockBankFile, markReported } from '../../../db/commerce/bank-file/bank-file.writes';
import { recordContradictions } from '../../../db/commerce/bank-file/contradiction.writes';
import type { TransferSubject } from '../../../db/commerce/bank-file/transfer-subject.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { bankName } from '../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { meaningOf } from '../../../workflows/commerce/payout/bank-file/bank-report.rules';
import type { Actor } from '../actor';
import { noSuchBankFile } from './bank-file.view';
import { requireMayEnd } from './ending/may-end';
import { requireOfFile } from './report/report-of-file';
import { readStatusReport, type StatusReport } from './report/status-report';

/** A transfer that has ended, and of which the bank now reports another end. */
export interface Contradiction {
  transfer: string;
  status: TransferInFile['status'];
  reported: 'ARRIVED' | 'REFUSED';
}

export interface EnteredReport {
  arrived: number;
  refused: number;
  contradictions: Contradiction[];
  /** The payouts and withdrawals of the transfers that it has ended. */
  subjects: TransferSubject[];
}

/**
 * Ends the transfers of a file as a report of the bank says. What has ended stays as it ended; where the bank now says
 * otherwise, it is named and stored as a difference. Entered again, a report changes nothing. Refuses with BANK_FILE_NOT_FOUND,
 * with INVALID_FILE_TYPE what is no report, with VALIDATION_ERROR one that is about another file, other transfers or other
 * amounts, and with FORBIDDEN one that ends what its administrator must not end: then nothing of it is applied.
 */
export function enterReport(
  { db, policy }: { db: Db; policy: Pick<Policy, 'payoutFourEyes'> },
  id: string,
  bytes: Buffer,
  by: Actor,
): Promise<EnteredReport> {
  const report = readStatusReport(bytes);
  return inTransaction(db, async (tx) => {
    const file = await lockBankFile(tx, id);
    if (!file) throw noSuchBankFile();
    const transfers = await lockTransfersOf(tx, id);
    requireOfFile(report, file, transfers);
    const reported = transfers.flatMap((transfer) => endOf(transfer, report) ?? []);
    const ends = reported.filter(({ before }) => before === 'IN_FILE').map(({ end }) => end);
    const subjects = await requireMayEnd(tx, ends, by, policy);
    const at = new Date();
    const ended = await endTransfers(tx, ends, at);
    if (ended !== ends.length) throw new Error(`A report ends ${ends.length} transfers and ended ${ended}.`);
    await markReported(tx, id, at);
    const contradicting = reported.filter(isContradiction);
    await recordContradictions(
      tx,
      contradicting.map(({ end }) => ({ id: end.id, reported: end.status })),
      at,
    );
    const outcome = {
      arrived: ends.filter(({ status }) => status === 'ARRIVED').length,
      refused: ends.filter(({ status }) => status === 'REFUSED').length,
      contradictions: contradicting.map(contradictionOf),
    };
    await audited(
      tx,
      { ...by, at },
      'bank-file.report',
      id,
      { underWay: transfers.filter(({ status }) => status === 'IN_FILE').length },
      {
        ...outcome,
        contradictions: outcome.contradictions.length,
        digest: createHash('sha256').update(bytes).digest('hex'),
      },
    );
    return { ...outcome, subjects };
  });
}

interface ReportedEnd {
  before: TransferInFile['status'];
  end: BankFileTransferEnd;
}

/** The end of a transfer by a report; null when the report does not end it. */
function endOf(
  { id, status: before }: TransferInFile,
  { ofAll, ofTransfers }: StatusReport,
): ReportedEnd | null {
  const meaning = meaningOf(ofTransfers.get(bankName(id)) ?? null, ofAll);
  if (meaning.status === 'UNDER_WAY') return null;
  const refusedBecause =
    meaning.status === 'REFUSED' ? `The bank refused it: ${meaning.code ?? 'no reason given'}.` : null;
  return { before, end: { id, status: meaning.status, refusedBecause } };
}

const isContradiction = ({ before, end: { status } }: ReportedEnd): boolean =>
  before !== 'IN_FILE' && before !== status;

const contradictionOf = ({ before, end: { id, status } }: ReportedEnd): Contradiction => ({
  ...{ transfer: bankName(id), status: before, reported: status },
});
