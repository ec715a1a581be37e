import { randomInt } from 'node:crypto';
import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { memberAddressee } from '../../../db/partners/membership/membership-letter.reads';
import { insertPartner } from '../../../db/partners/membership/membership.writes';
import type { Tx } from '../../../db/sql/query';
import { joinedLetter } from '../../../workflows/partners/membership/membership.letters';
import { referralCodeOf } from '../../../workflows/partners/membership/membership.rules';

/** With a billion partners about one code in a hundred is taken. */
const MOST_TRIES = 20;

/**
 * Makes a user a partner, in the caller's transaction: gives them a referral code, announces and mails it. The caller holds a
 * lock under which the user is known to be none.
 */
export async function becomePartner(
  tx: Tx,
  { partnerId, userId, at }: { partnerId: string; userId: string; at: string },
): Promise<void> {
  const referralCode = await insertWithFreeCode(tx, { id: partnerId, userId, at: new Date(at) });
  await announce(tx, { type: 'partner.joined', partnerId, userId }, at);
  const addressee = await memberAddressee(tx, userId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: `partner:${partnerId}:joined`,
    to: addressee.email,
    ...letter(joinedLetter({ ...addressee, referralCode })),
  });
}

async function insertWithFreeCode(
  tx: Tx,
  partner: { id: string; userId: string; at: Date },
): Promise<string> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const referralCode = referralCodeOf((below) => randomInt(below));
    if (await insertPartner(tx, { ...partner, referralCode })) return referralCode;
  }
  throw new Error(`${MOST_TRIES} referral codes in a row were taken.`);
}
