import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycHistory } from './kyc-history.model';

/** An event in the history of a verification, with the address of its author. */
export type KycEvent = Pick<Attributes<KycHistory>, 'id' | 'action' | 'performedBy' | 'note' | 'at'> & {
  performedEmail: string | null;
};

/**
 * The newest events of a verification by its user, and the newest by others, oldest first: what a user repeats pushes
 * nothing of the reviewers out of sight.
 */
export const kycHistory = (db: Db, kycId: string, limit: number): Promise<KycEvent[]> =>
  rows(
    db,
    `SELECT * FROM (
       SELECT h.id, h.action, h.performed_by, h.note, h.at, u.email AS performed_email,
              row_number() OVER (PARTITION BY h.performed_by IS NOT DISTINCT FROM v.user_id
                                 ORDER BY h.at DESC, h.id DESC) AS place
         FROM kyc_history h JOIN kyc_verifications v ON v.id = h.kyc_id LEFT JOIN users u ON u.id = h.performed_by
        WHERE h.kyc_id = $1
     ) AS newest WHERE place <= $2 ORDER BY at, id`,
    [kycId, limit],
  );

/** The last thing that happened to a verification; null if nothing has. */
export const lastKycAction = async (db: Db, kycId: string): Promise<KycEvent['action'] | null> =>
  (
    await firstRow<Pick<KycEvent, 'action'>>(
      db,
      'SELECT action FROM kyc_history WHERE kyc_id = $1 ORDER BY at DESC, id DESC LIMIT 1',
      [kycId],
    )
  )?.action ?? null;

/** The time of a reviewer's last request for more; null if there was none. */
export const informationAskedAt = async (db: Db, kycId: string): Promise<Date | null> =>
  (
    await firstRow<Pick<KycEvent, 'at'>>(
      db,
      `SELECT at FROM kyc_history WHERE kyc_id = $1 AND action = 'INFO_REQUESTED' ORDER BY at DESC, id DESC LIMIT 1`,
      [kycId],
    )
  )?.at ?? null;

/** Tells whether the history of a verification has this event. */
export const hasKycEvent = async (db: Db, { id, kycId }: { id: string; kycId: string }): Promise<boolean> =>
  (await table(db, KycHistory).one(['id'], { id, kycId })) !== null;
