import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { rows, type Db } from '../../sql/query';

/** The payout or the withdrawal that a transfer of a bank file is of. */
export interface TransferSubject {
  transferId: string;
  /** Of the payout or the withdrawal. */
  id: string;
  /** WITHDRAWAL: of a participation. */
  kind: PayoutKind | 'WITHDRAWAL';
  /** Its owner. */
  userId: string;
  /** Null of a payout. */
  participationId: string | null;
  amountMinor: number;
  currency: string;
  /** The administrator who has had it sent; null of a withdrawal, which nobody has. */
  processedBy: string | null;
  /** True while its process waits for the transfer. */
  isAwaited: boolean;
}

/** The subject of a transfer, as far as its process has to be told of the transfer. */
export type AwaitedSubject = Omit<TransferSubject, 'transferId' | 'processedBy'>;

/** The payout or the withdrawal of this id, whose process may wait for a provider; none: there is none. */
export const subjectAt = (db: Db, provider: string, id: string): Promise<AwaitedSubject[]> =>
  rows<AwaitedSubject>(
    db,
    `SELECT id, kind, user_id, NULL::uuid AS participation_id, amount_minor, currency,
       coalesce(status = 'PROCESSING' AND provider = $1, false) AS is_awaited
     FROM payouts WHERE id = $2
     UNION ALL
     SELECT id, 'WITHDRAWAL', user_id, participation_id, net_minor, currency,
       coalesce(status = 'PROCESSING' AND provider = $1, false)
     FROM investment_withdrawals WHERE id = $2`,
    [provider, id],
  );

/** The payouts and withdrawals of transfers, in the order of the transfers; one that is of none is left out. */
export const transferSubjects = (db: Db, transferIds: readonly string[]): Promise<TransferSubject[]> =>
  rows<TransferSubject>(
    db,
    `SELECT t.id AS transfer_id, p.id, p.kind, p.user_id, NULL::uuid AS participation_id, p.amount_minor, p.currency,
       p.processed_by, coalesce(p.status = 'PROCESSING' AND p.provider = 'bank-file', false) AS is_awaited
     FROM bank_file_transfers t JOIN payouts p ON p.id = t.subject_id WHERE t.id = ANY ($1::uuid[])
     UNION ALL
     SELECT t.id, w.id, 'WITHDRAWAL', w.user_id, w.participation_id, w.net_minor, w.currency,
       NULL, coalesce(w.status = 'PROCESSING' AND w.provider = 'bank-file', false)
     FROM bank_file_transfers t JOIN investment_withdrawals w ON w.id = t.subject_id WHERE t.id = ANY ($1::uuid[])
     ORDER BY transfer_id`,
    [transferIds],
  );
