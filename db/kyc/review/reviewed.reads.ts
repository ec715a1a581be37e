import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { User } from '../../identity/user/user.model';
import { VERIFICATION_COLUMNS, type Verification } from '../verification/verification.reads';

/** A verification as reviewers see it: with its user, and the names behind the ids. */
export type ReviewedVerification = Verification & {
  user: Pick<Attributes<User>, 'id' | 'email' | 'phone' | 'region' | 'status'> & {
    name: string;
    createdAt: string;
  };
  assignedEmail: string | null;
  decidedEmail: string | null;
};

/** One verification with its user and reviewers, in one statement; null if there is none. */
export const reviewedVerification = (db: Db, id: string): Promise<ReviewedVerification | null> =>
  firstRow(
    db,
    `SELECT ${VERIFICATION_COLUMNS.map((column) => `v.${columnOf(column)}`).join(', ')},
            a.email AS assigned_email, d.email AS decided_email,
            jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'region', u.region,
              'status', u.status, 'name', u.first_name || ' ' || u.last_name, 'createdAt', u.created_at) AS user
       FROM kyc_verifications v JOIN users u ON u.id = v.user_id
       LEFT JOIN users a ON a.id = v.assigned_to LEFT JOIN users d ON d.id = v.decided_by
      WHERE v.id = $1`,
    [id],
  );

const columnOf = (attribute: string): string =>
  attribute.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The email addresses of the reviewers who hold a verification and decided on it; null if there is no such verification. */
export const reviewersOf = (
  db: Db,
  id: string,
): Promise<Pick<ReviewedVerification, 'assignedEmail' | 'decidedEmail'> | null> =>
  firstRow(
    db,
    `SELECT a.email AS assigned_email, d.email AS decided_email FROM kyc_verifications v
       LEFT JOIN users a ON a.id = v.assigned_to LEFT JOIN users d ON d.id = v.decided_by WHERE v.id = $1`,
    [id],
  );
