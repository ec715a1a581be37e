import { v7 } from 'uuid';
import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { StoredSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import type { LockedUser } from '../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../db/sql/query';
import {
  twoFactorChangedLetter,
  twoFactorOffLetter,
  twoFactorOnLetter,
  type TwoFactorChange,
} from '../../../workflows/identity/second-factor/second-factor.letters';
import type { Context } from '../../http/handler-context';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { requiresTotp } from './requires-totp';
import { sealKept } from './undo/stored-factor';

type Deps = Pick<Context, 'identity' | 'policy'>;

/**
 * Reports that a second factor is on, with a code that takes it off until it has signed its owner in. An administrator
 * who needs a second factor gets no such code.
 */
export async function queueTwoFactorOnMail(
  tx: Tx,
  { identity, policy }: Deps,
  user: LockedUser,
): Promise<void> {
  if (requiresTotp(identity, user)) return queueMail(tx, user, twoFactorOnLetter(user.firstName, null));
  const days = policy.undoDays;
  const token = await issueToken(tx, {
    ...{ id: v7(), userId: user.id, lifetimeMs: days * DAY_MS, at: new Date() },
    purpose: 'UNDO_TWO_FACTOR_ON',
  });
  await queueMail(tx, user, twoFactorOnLetter(user.firstName, { code: token, days }), token);
}

/** Reports that a second factor is off, with a code that brings it back. */
export async function queueTwoFactorOffMail(
  tx: Tx,
  { identity, policy }: Deps,
  user: LockedUser,
  factor: StoredSecondFactor,
): Promise<void> {
  const id = v7();
  const days = policy.undoDays;
  const token = await issueToken(tx, {
    ...{ id, userId: user.id, lifetimeMs: days * DAY_MS, at: new Date() },
    purpose: 'UNDO_TWO_FACTOR_OFF',
    undoSealed: sealKept(identity.sealing, id, factor),
  });
  await queueMail(tx, user, twoFactorOffLetter(user.firstName, { code: token, days }), token);
}

/** Reports a change made with the code of such a mail, or by an administrator. */
export async function queueTwoFactorMail(tx: Tx, user: LockedUser, change: TwoFactorChange): Promise<void> {
  await queueMail(tx, user, twoFactorChangedLetter(user.firstName, change));
}

async function queueMail(tx: Tx, user: LockedUser, content: LetterContent, token?: string): Promise<void> {
  const reference = `two-factor:${v7()}`;
  await enqueueMail(tx, {
    reference,
    to: user.email,
    ...(token !== undefined && { token }),
    ...letter(content),
  });
}
