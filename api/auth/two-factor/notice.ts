import { v7 } from 'uuid';
import { counted, letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { KeptSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import type { LockedUser } from '../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../db/sql/query';
import type { Context } from '../../http/endpoint';
import { sealKept } from './kept-factor';
import { needsTotp } from './needs-totp';

type Deps = Pick<Context, 'identity' | 'policy'>;

const DAY_MS = 24 * 60 * 60_000;

/**
 * Tells people that a second factor is on, with a code that takes it off unless it has signed somebody in. An
 * administrator who needs one gets no such code.
 */
export async function queueTwoFactorOnMail(
  tx: Tx,
  { identity, policy }: Deps,
  user: LockedUser,
): Promise<void> {
  const isForGood = needsTotp(identity, user);
  const undo = { id: v7(), userId: user.id, lifetimeMs: policy.undoDays * DAY_MS, at: new Date() };
  await mail(tx, user, {
    subject: 'Two-factor sign-in is on',
    paragraphs: [
      'Two-factor sign-in was turned on for your account. All your other sessions have ended.',
      isForGood
        ? 'If that was not you, have a SUPER_ADMIN reset it and change your password at once.'
        : `If that was not you, take it off with the code below and change your password at once. The code is good for ${counted(policy.undoDays, 'day')}, until somebody first shows the second factor.`,
    ],
    token: isForGood ? null : await issueToken(tx, { ...undo, purpose: 'UNDO_TWO_FACTOR_ON' }),
  });
}

/** Tells people that their second factor is off, with a code that brings back the one that was. */
export async function queueTwoFactorOffMail(
  tx: Tx,
  { identity, policy }: Deps,
  user: LockedUser,
  factor: KeptSecondFactor,
): Promise<void> {
  const id = v7();
  const undo = { id, userId: user.id, lifetimeMs: policy.undoDays * DAY_MS, at: new Date() };
  const undoSealed = sealKept(identity.sealing, id, factor);
  await mail(tx, user, {
    subject: 'Two-factor sign-in is off',
    paragraphs: [
      'Two-factor sign-in was turned off for your account. All your other sessions have ended.',
      `If that was not you, turn it on again with the code below and change your password at once. The code is good for ${counted(policy.undoDays, 'day')}.`,
    ],
    token: await issueToken(tx, { ...undo, purpose: 'UNDO_TWO_FACTOR_OFF', undoSealed }),
  });
}

/** Tells people what somebody did with the code of such a mail, or an administrator without one. */
export async function queueTwoFactorMail(
  tx: Tx,
  user: LockedUser,
  done: 'undone on' | 'undone off' | 'reset',
): Promise<void> {
  await mail(tx, user, { ...DONE[done], token: null });
}

const CAREFUL = 'All sessions have ended. If that was not you, change your password at once and write to us.';

const DONE = {
  'undone on': {
    subject: 'Two-factor sign-in is off again',
    paragraphs: ['Two-factor sign-in was taken off with the code that we mailed to you.', CAREFUL],
  },
  'undone off': {
    subject: 'Two-factor sign-in is on again',
    paragraphs: ['Two-factor sign-in was turned on again with the code that we mailed to you.', CAREFUL],
  },
  reset: {
    subject: 'Two-factor sign-in was reset',
    paragraphs: [
      'An administrator took two-factor sign-in off your account, so your password is enough to sign in.',
      CAREFUL,
    ],
  },
} as const;

interface Notice {
  subject: string;
  paragraphs: readonly string[];
  token: string | null;
}

async function mail(tx: Tx, user: LockedUser, { subject, paragraphs, token }: Notice): Promise<void> {
  const carried = token === null ? {} : { token };
  const content = letter({
    subject,
    greeting: `Hello ${user.firstName},`,
    paragraphs,
    ...(token !== null && { code: token }),
  });
  await enqueueMail(tx, { reference: `two-factor:${v7()}`, to: user.email, ...carried, ...content });
}
