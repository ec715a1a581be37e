import { v7 } from 'uuid';
import { audited } from '../../../db/administration/audit/audit.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail, enqueueSms } from '../../../db/administration/outbox/outbox.writes';
import { supersedeAllTokens } from '../../../db/identity/mailed-token/mailed-token.writes';
import { supersedeCodes } from '../../../db/identity/second-factor/sent-code.writes';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import { isPhoneProvenByAnother, lockPhoneFor } from '../../../db/identity/user/phone.writes';
import {
  lockUsersToAdminister,
  namesOf,
  updateUser,
  type AdministeredUser,
  type UserChanges,
} from '../../../db/identity/user-administration/user-administration.writes';
import { addUserNote } from '../../../db/identity/user-administration/user-note.writes';
import { violates } from '../../../db/sql/errors';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../workflows/errors';
import {
  noSuchUser,
  requireMayAdminister,
} from '../../../workflows/identity/user-administration/administrator-access';
import { userChangeMessages } from '../../../workflows/identity/user-administration/user-change.letters';

/** An account after the change, with the names of the fields that changed. */
interface ChangedUser extends AdministeredUser {
  changedFields: readonly (keyof UserChanges)[];
}

interface ChangeUser {
  userId: string;
  changes: UserChanges;
  /** The text of a note about the user, if one is added. */
  note: string | null;
  by: { id: string; clientAddress: string };
}

/**
 * Changes a user for an administrator, with the note, the messages to the owner and the audit record. Refuses with
 * USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN, EMAIL_ALREADY_EXISTS and VALIDATION_ERROR, in this order. A
 * change of e-mail address or telephone number ends sessions and voids sent codes.
 */
export async function changeUser(db: Db, command: ChangeUser): Promise<ChangedUser> {
  try {
    return await inTransaction(db, (tx) => changeIn(tx, command));
  } catch (error) {
    if (violates(error, 'users_region_email_key')) throw refusal('EMAIL_ALREADY_EXISTS');
    throw error;
  }
}

async function changeIn(tx: Tx, { userId, changes, note, by }: ChangeUser): Promise<ChangedUser> {
  if (changes.phone) await lockPhoneFor(tx, userId, changes.phone);
  const before = await lockAdministered(tx, userId, by.id, changes);
  const differing = differences(before, changes);
  // Chosen: a number that others only named may be set, as its owner may prove it. Document 3 names no code for it.
  if (differing.phone && (await isPhoneProvenByAnother(tx, userId, differing.phone)))
    throw businessRefusal(
      'PHONE_BELONGS_TO_ANOTHER_ACCOUNT',
      'An account with this phone number already exists.',
      {
        phone: ['belongs to another account'],
      },
    );
  const names = namesOf(differing);
  if (names.length === 0 && note === null) return { ...before, changedFields: [] };

  const at = new Date();
  const noteId = note === null ? null : v7();
  if (note !== null && noteId !== null)
    await addUserNote(tx, { id: noteId, content: note, userId, createdBy: by.id, createdAt: at });
  const user = names.length > 0 ? await applyChanges(tx, before, differing, at) : before;
  await audited(
    tx,
    { actorId: by.id, clientAddress: by.clientAddress, at },
    'user.update',
    userId,
    Object.fromEntries(names.map((name) => [name, before[name]])),
    { ...differing, ...(noteId !== null && { noteId }) },
  );
  return { ...user, changedFields: names };
}

/** The account, locked, if both accounts' current roles let the administrator make these changes. Else refuses. */
async function lockAdministered(
  tx: Tx,
  userId: string,
  actorId: string,
  changes: UserChanges,
): Promise<AdministeredUser> {
  const locked = await lockUsersToAdminister(tx, [userId, actorId]);
  const user = locked.find(({ id }) => id === userId);
  if (!user) throw noSuchUser();
  const by = { id: actorId, roles: locked.find(({ id }) => id === actorId)?.roles ?? [] };
  requireMayAdminister(by, user);
  if (differences(user, changes).roles && !by.roles.includes('SUPER_ADMIN'))
    throw refusal('FORBIDDEN', 'Only a SUPER_ADMIN can set roles.');
  if (user.erasedAt !== null) throw businessRefusal('ACCOUNT_ERASED', 'An erased account cannot be changed.');
  return user;
}

/** The changes that differ from the account. */
function differences(before: AdministeredUser, changes: UserChanges): UserChanges {
  const differs = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(before[name as keyof UserChanges]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(changes).filter(differs));
}

/**
 * Chosen: an administrator vouches for an address that they set; a telephone number is verified only by the code sent to
 * it. Tokens and codes sent before a change of either are void.
 */
async function applyChanges(
  tx: Tx,
  before: AdministeredUser,
  changes: UserChanges,
  at: Date,
): Promise<AdministeredUser> {
  const names = namesOf(changes);
  const user = await updateUser(tx, before.id, changes, at);
  if (names.includes('email')) await supersedeAllTokens(tx, user.id, at);
  if (names.includes('email') || names.includes('phone')) {
    await supersedeCodes(tx, user.id, at);
    await endOtherSessions(tx, user.id, null, 'ADMIN');
  }
  await queueMessages(tx, before, user);
  return user;
}

async function queueMessages(tx: Tx, before: AdministeredUser, after: AdministeredUser): Promise<void> {
  const event = `user-change:${v7()}`;
  const { mails, sms } = userChangeMessages(before, after);
  for (const { name, to, content } of mails)
    await enqueueMail(tx, { reference: `${event}:${name}`, to, ...letter(content) });
  if (sms) await enqueueSms(tx, { reference: `${event}:old-phone`, ...sms });
}
