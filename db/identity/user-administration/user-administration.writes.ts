import { refusal } from '../../../workflows/errors';
import { requireMayAdminister } from '../../../workflows/identity/user-administration/administrator-access';
import { recordAudit } from '../../administration/audit/audit.writes';
import { violates } from '../../sql/errors';
import { rows, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { supersedeAllTokens } from '../mailed-token/mailed-token.writes';
import { supersedeCodes } from '../second-factor/sent-code.writes';
import { isPhoneProvenByAnother, lockPhoneFor } from '../user/phone.writes';
import { endOtherSessions } from '../session/session.writes';
import { queueUserChangeMessages } from './user-change-letter.writes';
import { addUserNote } from './user-note.writes';
import type { UserStatus } from '../user/user.reads';

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
  erasedAt: Date | null;
}

/** The account as it stands after the change, with the names of what really changed. */
interface ChangedUser extends AdministeredUser {
  changedFields: readonly (keyof UserChanges)[];
}

export interface AdministratorsChange {
  userId: string;
  changes: UserChanges;
  note: { id: string; content: string } | null;
  by: { id: string; clientAddress: string };
}

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

/**
 * Changes a person for an administrator, with the note, the messages to the owner and the audit record; refused,
 * nothing is changed. Refuses with USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN, EMAIL_ALREADY_EXISTS and
 * VALIDATION_ERROR, in this order. A change of e-mail address or telephone number ends sessions and what was sent.
 */
export async function changeUser(db: Db, change: AdministratorsChange): Promise<ChangedUser> {
  try {
    return await inTransaction(db, (tx) => changeIn(tx, change));
  } catch (error) {
    if (violates(error, 'users_region_email_key'))
      throw refusal('EMAIL_ALREADY_EXISTS', 'Another account of this region has this e-mail address.');
    throw error;
  }
}

async function changeIn(tx: Tx, { userId, changes, note, by }: AdministratorsChange): Promise<ChangedUser> {
  if (changes.phone) await lockPhoneFor(tx, userId, changes.phone);
  const before = await administeredUser(tx, userId, by.id, changes);
  const differing = differences(before, changes);
  // Chosen: a number that others only named may be set, as its owner may prove it. Document 3 names no code for it.
  if (differing.phone && (await isPhoneProvenByAnother(tx, userId, differing.phone)))
    throw refusal('VALIDATION_ERROR', 'The request is not valid.', {
      phone: ['belongs to another account of this region'],
    });
  const names = changedNames(differing);
  if (names.length === 0 && !note) return { ...before, changedFields: [] };

  const at = new Date();
  if (note) await addUserNote(tx, { ...note, userId, createdBy: by.id, at });
  const user = names.length > 0 ? await write(tx, before, differing, at) : before;
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
  return { ...user, changedFields: names };
}

/** The account, locked, if the administrator may make these changes as both stand now. Else refuses. */
async function administeredUser(
  tx: Tx,
  userId: string,
  actorId: string,
  changes: UserChanges,
): Promise<AdministeredUser> {
  const locked = await lockUsers(tx, [userId, actorId]);
  const user = locked.find(({ id }) => id === userId);
  if (!user) throw refusal('USER_NOT_FOUND', 'There is no such user.');
  const by = { id: actorId, roles: locked.find(({ id }) => id === actorId)?.roles ?? [] };
  requireMayAdminister(by, user);
  if (changes.roles && !by.roles.includes('SUPER_ADMIN'))
    throw refusal('FORBIDDEN', 'Only a SUPER_ADMIN sets roles.');
  if (user.erasedAt !== null)
    throw refusal('VALIDATION_ERROR', 'An erased account is not changed.', {
      id: ['names an account that was erased'],
    });
  return user;
}

const COLUMN_LIST = `id, email, phone, status, first_name, last_name,
  middle_name, date_of_birth::text AS date_of_birth, language, timezone, roles,
  updated_at, erased_at`;

/** In the order of their ids, so that two administrators who change each other do not deadlock. */
const lockUsers = (tx: Tx, ids: readonly string[]): Promise<AdministeredUser[]> =>
  rows<AdministeredUser>(
    tx,
    `SELECT ${COLUMN_LIST} FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );

const changedNames = (changes: UserChanges): (keyof UserChanges)[] =>
  Object.keys(COLUMNS).filter((name): name is keyof UserChanges => name in changes);

/** What would really change. */
function differences(before: AdministeredUser, changes: UserChanges): UserChanges {
  const differs = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(before[name as keyof UserChanges]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(changes).filter(differs));
}

/**
 * Chosen: an administrator vouches for an address that they set, so it counts as verified if the one before did; a
 * telephone number is verified only by the code that it receives. What was sent before a change of either is void.
 */
async function write(
  tx: Tx,
  before: AdministeredUser,
  changes: UserChanges,
  at: Date,
): Promise<AdministeredUser> {
  const names = changedNames(changes);
  const assignments = names.map((name, i) => `${COLUMNS[name]} = $${i + 3}`);
  if (names.includes('phone')) assignments.push('phone_verified_at = NULL');
  if (names.includes('email'))
    assignments.push('email_verified_at = CASE WHEN email_verified_at IS NOT NULL THEN $2::timestamptz END');
  const [user] = await rows<AdministeredUser>(
    tx,
    `UPDATE users SET ${[...assignments, 'updated_at = $2'].join(', ')} WHERE id = $1 RETURNING ${COLUMN_LIST}`,
    [before.id, at, ...names.map((name) => changes[name])],
  );
  if (!user) throw new Error(`User ${before.id} is locked and gone.`);
  if (names.includes('email')) await supersedeAllTokens(tx, user.id, at);
  if (names.includes('email') || names.includes('phone')) {
    await supersedeCodes(tx, user.id, at);
    await endOtherSessions(tx, user.id, null, 'ADMIN');
  }
  await queueUserChangeMessages(tx, before, user);
  return user;
}
