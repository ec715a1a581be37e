import { randomInt, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import { letter } from '../../../../db/administration/outbox/letter';
import { enqueueMail, enqueueSms } from '../../../../db/administration/outbox/outbox.writes';
import {
  codesSentTo,
  codesSentToDestination,
  recordSentCode,
  type CodeChannel,
  type CodeName,
  type CodePurpose,
  type Sent,
} from '../../../../db/identity/second-factor/sent-code.writes';
import type { LockedUser } from '../../../../db/identity/user/user-lock.writes';
import { sealPurposes } from '../../../../db/sealing/purposes';
import type { Tx } from '../../../../db/sql/query';
import { codeLetter, codeText } from '../../../../workflows/identity/second-factor/second-factor.letters';
import type { Identity } from '../../../http/auth/identity';
import { TooManyRequests } from '../../../http/limits/rate-limit';

const LIFETIME_SECONDS = 10 * 60;

/**
 * Chosen, since messages cost money and can be a nuisance: one account causes at most ten codes an hour, three of them to
 * numbers that it has not proven to be its own; such a number gets at most six an hour from all accounts together.
 */
const MOST_CODES = 10;
const MOST_TO_NEW_NUMBERS = 3;
const MOST_TO_ONE_NUMBER = 6;

type Deps = Pick<Identity, 'sealing' | 'settings'>;

export interface Sending {
  purpose: CodePurpose;
  channel: CodeChannel;
  /** An E.164 number or an e-mail address. */
  destination: string;
  boundTo?: string;
}

const USES: Readonly<Record<CodePurpose, string>> = {
  LOGIN: 'signing in',
  SETUP: 'turning on two-factor sign-in',
  DISABLE: 'turning off two-factor sign-in',
  PHONE: 'confirming your phone number',
  CONFIRM: 'confirming that it is you',
};

/**
 * Sends a code of six digits, good for ten minutes and one use, which replaces the previous one. Throws TooManyRequests,
 * with nothing sent, after too many in the last hour.
 */
export async function sendCode(
  tx: Tx,
  deps: Deps,
  user: LockedUser,
  { purpose, channel, destination, boundTo }: Sending,
): Promise<void> {
  await requireWithinLimits(tx, deps, user.id, purpose, destination);
  const id = v7();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await recordSentCode(tx, {
    id,
    userId: user.id,
    purpose,
    channel,
    destination,
    codeSealed: deps.sealing.seal(Buffer.from(code), sealPurposes.sentCode(id)),
    boundTo: boundTo ?? null,
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  const reference = `code:${id}`;
  const use = USES[purpose];
  if (channel === 'SMS')
    await enqueueSms(tx, { reference, to: destination, text: codeText(code, use), code });
  else
    await enqueueMail(tx, {
      reference,
      to: destination,
      ...letter(codeLetter(user.firstName, code, use)),
      code,
    });
}

/** Compares a guess with the sent code, for `guessSentCode`. */
export const isCode =
  ({ sealing }: Pick<Identity, 'sealing'>, guess: string) =>
  ({ id, codeSealed }: { id: string; codeSealed: Buffer }): boolean => {
    const code = sealing.open(codeSealed, sealPurposes.sentCode(id));
    const guessed = Buffer.from(guess);
    return guessed.length === code.length && timingSafeEqual(guessed, code);
  };

/** The name of a code for anything but signing in. */
export const codeFor = (purpose: Exclude<CodePurpose, 'LOGIN'>, userId: string): CodeName => ({
  userId,
  purpose,
  boundTo: null,
});

async function requireWithinLimits(
  tx: Tx,
  { settings }: Deps,
  userId: string,
  purpose: CodePurpose,
  destination: string,
): Promise<void> {
  const requireAtMost = ({ count, secondsUntilOldestPasses }: Sent, most: number) => {
    if (count >= Math.max(1, Math.floor(most * settings.RATE_LIMIT_SCALE)))
      throw new TooManyRequests(Math.max(1, secondsUntilOldestPasses));
  };
  requireAtMost(await codesSentTo(tx, userId, null), MOST_CODES);
  if (purpose !== 'PHONE') return;
  requireAtMost(await codesSentTo(tx, userId, purpose), MOST_TO_NEW_NUMBERS);
  requireAtMost(await codesSentToDestination(tx, destination, purpose), MOST_TO_ONE_NUMBER);
}
