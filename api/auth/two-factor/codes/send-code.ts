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
import type { Tx } from '../../../../db/sql/query';
import type { Identity } from '../../../http/auth/identity';
import { TooManyRequests } from '../../../http/limits/rate-limit';

const LIFETIME_SECONDS = 10 * 60;

/**
 * Chosen: messages cost money and can pester people. In an hour one account causes at most ten codes, of which three
 * go to numbers that it has yet to show to be its own; and such a number gets at most six, whoever asks for them.
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

const PURPOSES: Readonly<Record<CodePurpose, string>> = {
  LOGIN: 'signing in',
  SETUP: 'turning on two-factor sign-in',
  DISABLE: 'turning off two-factor sign-in',
  PHONE: 'confirming your telephone number',
  CONFIRM: 'confirming that it is you',
};

/**
 * Sends a code of six digits, good for ten minutes and one use, in the place of the one before. Throws TooManyRequests,
 * with nothing sent, when too many were sent in the last hour.
 */
export async function sendCode(
  tx: Tx,
  deps: Deps,
  user: LockedUser,
  { purpose, channel, destination, boundTo }: Sending,
): Promise<void> {
  await holdToLimits(tx, deps, user.id, purpose, destination);
  const id = v7();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await recordSentCode(tx, {
    id,
    userId: user.id,
    purpose,
    channel,
    destination,
    codeSealed: deps.sealing.seal(Buffer.from(code), sealOf(id)),
    boundTo: boundTo ?? null,
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  const reference = `code:${id}`;
  const use = `It is for ${PURPOSES[purpose]}, and good for 10 minutes. Nobody of ours will ever ask you for it.`;
  if (channel === 'SMS')
    await enqueueSms(tx, { reference, to: destination, text: `${code} is your code. ${use}`, code });
  else {
    const content = letter({
      subject: 'Your code',
      greeting: `Hello ${user.firstName},`,
      paragraphs: [`here is your code. ${use}`],
      code,
    });
    await enqueueMail(tx, { reference, to: destination, ...content, code });
  }
}

/** Whether a guess is the code that was sent, for `guessSentCode`. */
export const isCode =
  ({ sealing }: Pick<Identity, 'sealing'>, guess: string) =>
  ({ id, codeSealed }: { id: string; codeSealed: Buffer }): boolean => {
    const code = sealing.open(codeSealed, sealOf(id));
    const guessed = Buffer.from(guess);
    return guessed.length === code.length && timingSafeEqual(guessed, code);
  };

/** The code that waits for a user who does something else than sign in. */
export const codeFor = (purpose: Exclude<CodePurpose, 'LOGIN'>, userId: string): CodeName => ({
  userId,
  purpose,
  boundTo: null,
});

const sealOf = (id: string): string => `code:${id}`;

async function holdToLimits(
  tx: Tx,
  { settings }: Deps,
  userId: string,
  purpose: CodePurpose,
  destination: string,
): Promise<void> {
  const hold = ({ count, secondsUntilOldestPasses }: Sent, most: number) => {
    if (count >= Math.max(1, Math.floor(most * settings.RATE_LIMIT_SCALE)))
      throw new TooManyRequests(Math.max(1, secondsUntilOldestPasses));
  };
  hold(await codesSentTo(tx, userId, null), MOST_CODES);
  if (purpose !== 'PHONE') return;
  hold(await codesSentTo(tx, userId, purpose), MOST_TO_NEW_NUMBERS);
  hold(await codesSentToDestination(tx, destination, purpose), MOST_TO_ONE_NUMBER);
}
