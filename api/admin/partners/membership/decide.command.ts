import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { letter, type LetterContent } from '../../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../../db/administration/outbox/outbox.writes';
import {
  memberAddressee,
  type MemberAddressee,
} from '../../../../db/partners/membership/membership-letter.reads';
import {
  lockPartner,
  movePartner,
  type LockedPartner,
} from '../../../../db/partners/membership/membership.writes';
import { earnsBy, takesPartInPools } from '../../../../db/partners/membership/own-partner.reads';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../../workflows/errors';
import {
  partnerActivatedLetter,
  partnerSuspendedLetter,
  partnerTerminatedLetter,
} from '../../../../workflows/partners/membership/membership.letters';
import type { PartnerStatus } from '../../../../workflows/partners/membership/partner.states';
import type { Actor } from '../../actor';

/** A decision of an administrator on a membership. `text`: the reason, or the note; mailed with `notifyUser`. */
export type Decision = { partnerId: string; notifyUser: boolean; by: Actor; at: Date } & (
  { to: 'SUSPENDED' | 'TERMINATED'; text: string } | { to: 'ACTIVE'; text: string | null }
);

const ACTIONS = {
  ACTIVE: 'partner.activate',
  SUSPENDED: 'partner.suspend',
  TERMINATED: 'partner.terminate',
} as const satisfies Record<PartnerStatus, string>;

/**
 * Moves a membership, audits it and mails the partner if asked to. Refused: PARTNER_NOT_FOUND, FORBIDDEN for one's own,
 * for one of one's own network and to who takes part in the pools, ALREADY_SUSPENDED, NOT_SUSPENDED, VALIDATION_ERROR for one that has ended.
 */
export const decideOnPartner = (db: Db, decision: Decision): Promise<LockedPartner> =>
  inTransaction(db, async (tx) => {
    const { to, text, by, at } = decision;
    const partner = await partnerToDecide(tx, decision.partnerId, by);
    const { id, status } = partner;
    if (to === 'SUSPENDED' && status === 'SUSPENDED')
      throw refusal('ALREADY_SUSPENDED', 'This partner is suspended already.');
    if (to === 'ACTIVE' && status !== 'SUSPENDED')
      throw refusal('NOT_SUSPENDED', 'This partner is not suspended.');
    await movePartner(tx, partner, to, at);
    await audited(
      tx,
      { ...by, at },
      ACTIONS[to],
      id,
      { status },
      { status: to, ...(to === 'ACTIVE' ? { note: text } : { reason: text }) },
    );
    // The commission engine then raises the ranks that points have reached meanwhile.
    if (to === 'ACTIVE')
      await announce(
        tx,
        { type: 'partner.activated', partnerId: id, userId: partner.userId, activationId: v7() },
        at.toISOString(),
      );
    if (decision.notifyUser) await mail(tx, partner, decision);
    return partner;
  });

/** Locks a partner on whose membership the administrator may decide, whose own earnings do not depend on it. */
export async function partnerToDecide(tx: Tx, partnerId: string, by: Actor): Promise<LockedPartner> {
  const partner = await lockPartner(tx, partnerId);
  if (!partner) throw refusal('PARTNER_NOT_FOUND');
  if (by.actorId !== null && (await earnsBy(tx, by.actorId, partner.id)))
    throw refusal('FORBIDDEN', 'You cannot decide on your own membership, nor on one of your network.');
  if (by.actorId !== null && (await takesPartInPools(tx, by.actorId)))
    throw refusal(
      'FORBIDDEN',
      'You take part in the leadership pools, so you cannot decide on who shares them.',
    );
  if (partner.status === 'TERMINATED')
    throw businessRefusal('PARTNER_STATUS', 'This membership has ended for good.');
  return partner;
}

async function mail(tx: Tx, { id, userId }: LockedPartner, decision: Decision): Promise<void> {
  const addressee = await memberAddressee(tx, userId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: `partner:${id}:${decision.to.toLowerCase()}:${decision.at.toISOString()}`,
    to: addressee.email,
    ...letter(contentOf(decision, addressee)),
  });
}

function contentOf(decision: Decision, addressee: MemberAddressee): LetterContent {
  if (decision.to === 'ACTIVE') return partnerActivatedLetter(addressee);
  const data = { ...addressee, reason: decision.text };
  return decision.to === 'SUSPENDED' ? partnerSuspendedLetter(data) : partnerTerminatedLetter(data);
}
