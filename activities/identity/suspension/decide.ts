import type { AuditedAction } from '../../../db/administration/audit/audit-vocabulary';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import { lockUserForDecision, type UserUnderDecision } from '../../../db/identity/user/user-lock.writes';
import {
  keepStatusChange,
  rolesOf,
  statusChange,
  type StatusChange,
} from '../../../db/identity/user/user.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';
import {
  noSuchUser,
  type RoleHolder,
} from '../../../workflows/identity/user-administration/administrator-access';
import type {
  StatusChanged,
  StatusDecision,
} from '../../../workflows/identity/suspension/suspension.contract';
import { statusChangedLetter } from '../../../workflows/identity/suspension/suspension.letters';
import type { UserStatus } from '../../../workflows/identity/user/user.rules';

/** A decision on one user, at the process's time (ISO 8601). */
export type Decision = StatusDecision & { userId: string; at: string };

/** One way in which the status of a user changes. */
interface Move {
  decision: StatusChange['decision'];
  to: UserStatus;
  until: Date | null;
  /** Throws the refusal if this administrator may not move this user so. */
  allow: (user: UserUnderDecision, by: RoleHolder) => void;
  /** Moves the user; false if the user is not in a status where the move begins. */
  move: (tx: Tx, note: RequestNote) => Promise<boolean>;
}

/**
 * Carries a decision out, in one transaction: the move, the end of sessions, the mail and the audit record. Repeated, it
 * gives the first answer. Refuses with USER_NOT_FOUND and with what `allow` throws.
 */
export async function decide(
  db: Db,
  { userId, noteId, notifyUser, at }: Decision,
  move: Move,
): Promise<StatusChanged> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserForDecision(tx, userId);
    const done = await statusChange(tx, noteId);
    if (done) return answerOf(done);
    if (!user) throw noSuchUser();
    const note = await readNote(tx, noteId);
    move.allow(user, { id: note.actorId, roles: await rolesOf(tx, note.actorId) });
    if (!(await move.move(tx, note)))
      throw new Error(`User ${userId} was ${user.status} and could not be moved.`);
    const ends = move.to !== 'ACTIVE';
    const change: StatusChange = {
      id: noteId,
      userId,
      decision: move.decision,
      decidedBy: note.actorId,
      until: move.until,
      sessionsRevoked: ends ? await endOtherSessions(tx, userId, null, 'ADMIN') : 0,
      at: new Date(at),
    };
    await keepStatusChange(tx, change);
    if (notifyUser) {
      const content = letter(statusChangedLetter(change, user.firstName, note.text));
      await enqueueMail(tx, { reference: `user-standing:${noteId}`, to: user.email, ...content });
    }
    await auditMove(tx, user, change, move.to, note);
    return answerOf(change);
  });
}

const ACTIONS = {
  SUSPEND: 'user.suspend',
  ACTIVATE: 'user.activate',
  BAN: 'user.ban',
  UNBAN: 'user.unban',
} as const satisfies Record<StatusChange['decision'], AuditedAction>;

async function auditMove(
  tx: Tx,
  user: UserUnderDecision,
  { decision, until, at }: StatusChange,
  status: UserStatus,
  { actorId, clientAddress, text }: RequestNote,
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action: ACTIONS[decision],
    entityId: user.id,
    previous: auditedStatus(user),
    next: { status, ...(status === 'SUSPENDED' && { suspendedUntil: until }), reason: text },
    clientAddress,
    at,
  });
}

/** The status of a user as audit records hold it. */
export const auditedStatus = ({ status, suspendedUntil, suspensionReason }: UserUnderDecision): object =>
  status === 'SUSPENDED' ? { status, suspendedUntil, reason: suspensionReason } : { status };

/** The refusal of a decision that the user's status does not allow. */
export const wrongStatus = (status: UserStatus, message: string): Error =>
  businessRefusal('USER_STATUS_NOT_ALLOWED', `${message}; this one is ${status}.`);

const answerOf = ({
  at,
  until,
  sessionsRevoked,
}: Pick<StatusChange, 'at' | 'until' | 'sessionsRevoked'>): StatusChanged => ({
  at: at.toISOString(),
  until: until?.toISOString() ?? null,
  sessionsRevoked,
});
