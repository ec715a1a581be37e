import { recordAudit } from '../administration/audit.writes';
import { violates } from '../errors';
import { execute, firstRow, rows, type Db, type Tx } from '../sql';
import { inTransaction } from '../transaction';
import { supersedeTokens } from './mailed-token.writes';
import { addUserNote } from './user-note.writes';
import type { UserStatus } from './user.reads';

/** Any number, as long as nothing else takes an advisory lock of it: whoever changes roles waits for the last to be done. */
const ROLES_LOCK = 7_310_216;

/** What an administrator may set of a person; what is left out stays. */
export interface UserChanges {
  email?: string | undefined;
  phone?: string | null | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  middleName?: string | null | undefined;
  /** YYYY-MM-DD. */
  dateOfBirth?: string | undefined;
  language?: string | undefined;
  timezone?: string | undefined;
  roles?: readonly string[] | undefined;
}

export interface AdministeredUser {
  id: string;
  email: string;
  phone: string | null;
  status: UserStatus;
  firstName: string;
  lastName: string;
  middleName: string | null;
  dateOfBirth: string | null;
  language: string | null;
  timezone: string | null;
  roles: string[];
  updatedAt: Date;
}

export interface AdministratorsChange {
  userId: string;
  changes: UserChanges;
  note: { id: string; content: string } | null;
  by: { id: string; roles: readonly string[]; clientAddress: string };
}

export type AdministeredOutcome =
  | { outcome: 'done'; user: AdministeredUser }
  | { outcome: 'unknown user' | 'a super admin' | 'the last super admin' | 'email taken' | 'phone taken' };

const COLUMNS: Record<keyof UserChanges, string> = {
  email: 'email',
  phone: 'phone',
  firstName: 'first_name',
  lastName: 'last_name',
  middleName: 'middle_name',
  dateOfBirth: 'date_of_birth',
  language: 'language',
  timezone: 'timezone',
  roles: 'roles',
};

/** Changes a person as an administrator wishes, with its note and its audit record; refused, nothing is changed. */
export async function changeUser(db: Db, change: AdministratorsChange): Promise<AdministeredOutcome> {
  try {
    return await inTransaction(db, (tx) => changeIn(tx, change));
  } catch (error) {
    if (violates(error, 'users_region_email_key')) return { outcome: 'email taken' };
    if (violates(error, 'users_region_phone_key')) return { outcome: 'phone taken' };
    throw error;
  }
}

async function changeIn(
  tx: Tx,
  { userId, changes, note, by }: AdministratorsChange,
): Promise<AdministeredOutcome> {
  if (changes.roles) await execute(tx, `SELECT pg_advisory_xact_lock(${ROLES_LOCK})`);
  const before = await lockedUser(tx, userId);
  if (!before) return { outcome: 'unknown user' };
  if (before.roles.includes('SUPER_ADMIN') && !by.roles.includes('SUPER_ADMIN'))
    return { outcome: 'a super admin' };
  const differing = differences(before, changes);
  if (await leavesNobody(tx, before, differing.roles)) return { outcome: 'the last super admin' };
  const names = changedNames(differing);
  if (names.length === 0 && !note) return { outcome: 'done', user: before };

  const at = new Date();
  if (note) await addUserNote(tx, { ...note, userId, createdBy: by.id, at });
  if (names.length > 0) await write(tx, userId, differing, at);
  const user = names.length > 0 ? await lockedUser(tx, userId) : before;
  if (!user) throw new Error(`User ${userId} is locked and gone.`);
  await recordAudit(tx, {
    actorId: by.id,
    action: 'user.update',
    entityType: 'user',
    entityId: userId,
    previous: Object.fromEntries(names.map((name) => [name, before[name]])),
    next: { ...differing, ...(note && { noteId: note.id }) },
    clientAddress: by.clientAddress,
    at,
  });
  return { outcome: 'done', user };
}

const lockedUser = (tx: Tx, userId: string): Promise<AdministeredUser | null> =>
  firstRow<AdministeredUser>(
    tx,
    `SELECT id, email, phone, status, first_name AS "firstName", last_name AS "lastName",
            middle_name AS "middleName", date_of_birth::text AS "dateOfBirth", language, timezone, roles,
            updated_at AS "updatedAt"
       FROM users WHERE id = $1 FOR UPDATE`,
    [userId],
  );

const changedNames = (changes: UserChanges): (keyof UserChanges)[] =>
  Object.keys(COLUMNS).filter((name): name is keyof UserChanges => name in changes);

/** What would really change. */
function differences(before: AdministeredUser, changes: UserChanges): UserChanges {
  const differs = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(before[name as keyof UserChanges]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(changes).filter(differs));
}

/** Whether taking this role away leaves nobody who could give it to anyone. Only those who can sign in and stay count. */
async function leavesNobody(
  tx: Tx,
  { id, roles }: AdministeredUser,
  next: UserChanges['roles'],
): Promise<boolean> {
  if (!next || next.includes('SUPER_ADMIN') || !roles.includes('SUPER_ADMIN')) return false;
  const others = await rows(
    tx,
    `SELECT 1 FROM users WHERE 'SUPER_ADMIN' = ANY (roles) AND status = 'ACTIVE' AND deletion_due_at IS NULL
        AND id <> $1 LIMIT 1`,
    [id],
  );
  return others.length === 0;
}

/**
 * Chosen: an administrator vouches for an address that they set, so it counts as verified if the one before did; a
 * telephone number is verified only by the code that it receives. What was mailed to the old address opens nothing now.
 */
async function write(tx: Tx, userId: string, changes: UserChanges, at: Date): Promise<void> {
  const names = changedNames(changes);
  const assignments = names.map((name, i) => `${COLUMNS[name]} = $${i + 3}`);
  if (names.includes('phone')) assignments.push('phone_verified_at = NULL');
  if (names.includes('email'))
    assignments.push('email_verified_at = CASE WHEN email_verified_at IS NOT NULL THEN $2::timestamptz END');
  await execute(tx, `UPDATE users SET ${[...assignments, 'updated_at = $2'].join(', ')} WHERE id = $1`, [
    userId,
    at,
    ...names.map((name) => changes[name]),
  ]);
  if (!names.includes('email')) return;
  for (const purpose of ['VERIFY_EMAIL', 'RESET_PASSWORD'] as const)
    await supersedeTokens(tx, userId, purpose, at);
}
