import { rows, type Db } from '../../sql/query';

/** A verification that is due, and its user. */
export interface DueVerification {
  kycId: string;
  userId: string;
}

/** The verifications behind this one in the order of their expiry. */
interface Batch {
  /** Null: from the beginning. */
  after: string | null;
  limit: number;
}

/** `expires_at` has more digits than a `Date`, so the position is read from the row. */
const BEHIND = `($2::uuid IS NULL
  OR (v.expires_at, v.id) > (SELECT l.expires_at, l.id FROM kyc_verifications l WHERE l.id = $2))
  ORDER BY v.expires_at, v.id LIMIT $3`;

/** Approvals whose time is over at `at`. */
export const overdueApprovals = (db: Db, at: Date, { after, limit }: Batch): Promise<DueVerification[]> =>
  rows(
    db,
    `SELECT v.id AS kyc_id, v.user_id FROM kyc_verifications v
      WHERE v.status = 'APPROVED' AND v.expires_at <= $1 AND ${BEHIND}`,
    [at, after, limit],
  );

/** Approvals that end between `at` and `until` and whose users were not told; those of banned accounts are left out. */
export const approvalsToTellOf = (
  db: Db,
  { at, until }: { at: Date; until: Date },
  { after, limit }: Batch,
): Promise<DueVerification[]> =>
  rows(
    db,
    `SELECT v.id AS kyc_id, v.user_id FROM kyc_verifications v JOIN users u ON u.id = v.user_id
      WHERE v.status = 'APPROVED' AND v.expires_at <= $1 AND v.expires_at > $4 AND v.notice_sent_at IS NULL
        AND u.status <> 'BANNED' AND ${BEHIND}`,
    [until, after, limit, at],
  );
