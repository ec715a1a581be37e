import type { Attributes } from 'sequelize';
import { rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../user/user.model';

/** An account as operators see it when they grant or remove roles. */
export type Administrator = Pick<
  Attributes<User>,
  'id' | 'region' | 'email' | 'firstName' | 'phone' | 'status' | 'roles' | 'lastLoginAt' | 'deletionDueAt'
>;

const COLUMNS = 'id, region, email, first_name, phone, status, roles, last_login_at, deletion_due_at';

/** Every account with ADMIN or SUPER_ADMIN, SUPER_ADMINs first. */
export const administrators = (db: Db): Promise<Administrator[]> =>
  rows<Administrator>(
    db,
    `SELECT ${COLUMNS} FROM users WHERE roles && '{ADMIN,SUPER_ADMIN}'
      ORDER BY 'SUPER_ADMIN' = ANY (roles) DESC, email, id`,
  );

/** The accounts of an e-mail address in every region, or the account of an id. */
export const accountsNamed = (db: Db, name: string): Promise<Administrator[]> =>
  rows<Administrator>(
    db,
    `SELECT ${COLUMNS} FROM users WHERE email = lower($1) OR id::text = lower($1) ORDER BY region, id`,
    [name],
  );

/**
 * Locks every SUPER_ADMIN, in the order of ids, and returns those who are active and stay. Two who remove each other's
 * role, or leave, at the same time see each other here, so that one remains.
 */
export async function lockStayingSuperAdmins(tx: Tx): Promise<string[]> {
  const all = await rows<{ id: string; stays: boolean }>(
    tx,
    `SELECT id, status = 'ACTIVE' AND deletion_due_at IS NULL AS stays FROM users
      WHERE 'SUPER_ADMIN' = ANY (roles) ORDER BY id FOR UPDATE`,
  );
  return all.flatMap(({ id, stays }) => (stays ? [id] : []));
}

/** The account, locked; null if there is none. */
export const lockAdministrator = (tx: Tx, userId: string): Promise<Administrator | null> =>
  table(tx, User).one(
    ['id', 'region', 'email', 'firstName', 'phone', 'status', 'roles', 'lastLoginAt', 'deletionDueAt'],
    { id: userId },
    { lock: 'UPDATE' },
  );

/** Replaces the roles of a locked account. */
export async function setRoles(tx: Tx, userId: string, roles: readonly string[], at: Date): Promise<void> {
  await table(tx, User).update({ roles: [...roles], updatedAt: at }, { id: userId });
}
