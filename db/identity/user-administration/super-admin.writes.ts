import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';

/** An account as operators see it when they decide who rules. */
export interface Administrator {
  id: string;
  region: string;
  email: string;
  firstName: string;
  phone: string | null;
  status: string;
  roles: string[];
  lastLoginAt: Date | null;
  deletionDueAt: Date | null;
}

const COLUMNS = `id, region, email, first_name, phone, status, roles, last_login_at,
  deletion_due_at`;

/** Every account with ADMIN or SUPER_ADMIN, SUPER_ADMINs first. */
export const administrators = (db: Db): Promise<Administrator[]> =>
  rows<Administrator>(
    db,
    `SELECT ${COLUMNS} FROM users WHERE roles && '{ADMIN,SUPER_ADMIN}'
      ORDER BY 'SUPER_ADMIN' = ANY (roles) DESC, email, id`,
  );

/** The accounts of an e-mail address in every region, or the one of an id. */
export const accountsNamed = (db: Db, name: string): Promise<Administrator[]> =>
  rows<Administrator>(
    db,
    `SELECT ${COLUMNS} FROM users WHERE email = lower($1) OR id::text = lower($1) ORDER BY region, id`,
    [name],
  );

/**
 * Locks every SUPER_ADMIN, in the order of ids, and answers those who can sign in and stay: without one of them nobody
 * could appoint anybody. Two who take the role from each other, or leave, at once see each other here.
 */
export async function lockStayingSuperAdmins(tx: Tx): Promise<string[]> {
  const all = await rows<{ id: string; stays: boolean }>(
    tx,
    `SELECT id, status = 'ACTIVE' AND deletion_due_at IS NULL AS stays FROM users
      WHERE 'SUPER_ADMIN' = ANY (roles) ORDER BY id FOR UPDATE`,
  );
  return all.flatMap(({ id, stays }) => (stays ? [id] : []));
}

/** The account, locked; null when there is none. */
export const lockAdministrator = (tx: Tx, userId: string): Promise<Administrator | null> =>
  firstRow<Administrator>(tx, `SELECT ${COLUMNS} FROM users WHERE id = $1 FOR UPDATE`, [userId]);

/** Replaces the roles of a locked account. */
export async function setRoles(tx: Tx, userId: string, roles: readonly string[], at: Date): Promise<void> {
  await execute(tx, 'UPDATE users SET roles = $2, updated_at = $3 WHERE id = $1', [userId, roles, at]);
}
