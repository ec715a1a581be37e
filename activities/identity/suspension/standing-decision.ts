import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import type { UserStatus } from '../../../db/identity/user/user.reads';
import {
  keepStandingChange,
  lockUser,
  rolesOf,
  standingChange,
  type LockedUser,
  type StandingChange,
} from '../../../db/identity/user/user.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { RoleHolder } from '../../../workflows/identity/user-administration/administrator-access';
import type { StandingChanged } from '../../../workflows/identity/suspension/suspension.contract';
import { standingLetter } from './standing-letter';

/** Who is meant, and the note that says who decided and why. */
interface Decision {
  userId: string;
  noteId: string;
  notifyUser: boolean;
  at: string;
}

/** One way in which a person's standing changes. */
interface Move {
  decision: StandingChange['decision'];
  to: UserStatus;
  until: Date | null;
  /** Throws the refusal if this administrator may not move this person so. */
  allow: (user: LockedUser, by: RoleHolder) => void;
  /** Moves; false when the person is not where the move begins. */
  move: (tx: Tx, note: RequestNote) => Promise<boolean>;
}

/** Carries a decision out: the move, the sessions, the mail and the audit record together, or none of it. */
export async function decide(
  db: Db,
  { userId, noteId, notifyUser, at }: Decision,
  move: Move,
): Promise<StandingChanged> {
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    const done = await standingChange(tx, noteId);
    if (done) return answerOf(done);
    if (!user) throw refusal('USER_NOT_FOUND', 'There is no such user.');
    const note = await readNote(tx, noteId);
    move.allow(user, { id: note.actorId, roles: await rolesOf(tx, note.actorId) });
    if (!(await move.move(tx, note)))
      throw new Error(`User ${userId} was ${user.status} and could not be moved.`);
    const ends = move.to !== 'ACTIVE';
    const change: StandingChange = {
      id: noteId,
      userId,
      decision: move.decision,
      by: note.actorId,
      until: move.until,
      sessionsRevoked: ends ? await endOtherSessions(tx, userId, null, 'ADMIN') : 0,
      at: new Date(at),
    };
    await keepStandingChange(tx, change);
    if (notifyUser) {
      const content = standingLetter(change, user.firstName, note.text);
      await enqueueMail(tx, { reference: `user-standing:${noteId}`, to: user.email, ...content });
    }
    await auditMove(tx, user, change, move.to, note);
    return answerOf(change);
  });
}

async function auditMove(
  tx: Tx,
  user: LockedUser,
  { decision, until, at }: StandingChange,
  status: UserStatus,
  { actorId, clientAddress, text }: RequestNote,
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action: `user.${decision.toLowerCase()}`,
    entityType: 'user',
    entityId: user.id,
    previous: standingOf(user),
    next: { status, ...(status === 'SUSPENDED' && { suspendedUntil: until }), reason: text },
    clientAddress,
    at,
  });
}

/** How a person stands, for the audit trail. */
export const standingOf = ({ status, suspendedUntil, suspensionReason }: LockedUser): object =>
  status === 'SUSPENDED' ? { status, suspendedUntil, reason: suspensionReason } : { status };

const answerOf = ({ at, until, sessionsRevoked }: StandingChange): StandingChanged => ({
  at: at.toISOString(),
  until: until?.toISOString() ?? null,
  sessionsRevoked,
});
