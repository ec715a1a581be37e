import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { letter } from '../../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../../db/administration/outbox/outbox.writes';
import { memberAddressee } from '../../../../db/partners/membership/membership-letter.reads';
import { ranksAt } from '../../../../db/partners/rank/rank-names.reads';
import { lockRanksAbove, recordRankChange, setRank } from '../../../../db/partners/rank/rank.writes';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import { partnerRankedLetter } from '../../../../workflows/partners/membership/membership.letters';
import { rankLimitAfter } from '../../../../workflows/partners/membership/membership.rules';
import type { Actor } from '../../actor';
import { partnerToDecide } from './decide.command';

interface SetRank {
  partnerId: string;
  rankCode: string;
  reason: string;
  by: Actor;
  at: Date;
}

interface RankName {
  code: string;
  name: string;
}

/**
 * Gives a partner a rank by hand, audits it and mails the partner, unless it is the rank that they have; no bonus is paid for it. A lower rank than before is a limit up to which points
 * raise, until a rank at or above it is set. The commission engine then raises those above by what a higher rank adds to their
 * legs, and the partner by the points that a limit held back. Refused: PARTNER_NOT_FOUND, FORBIDDEN for one's own, in one's own
 * network and to who takes part in pools, VALIDATION_ERROR for an
 * unknown rank and for a membership that has ended.
 */
export const setPartnerRank = (
  db: Db,
  { partnerId, rankCode, reason, by, at }: SetRank,
): Promise<{ previous: RankName; rank: RankName }> =>
  inTransaction(db, async (tx) => {
    const { userId } = await partnerToDecide(tx, partnerId, by);
    const ranks = await ranksAt(tx, at);
    const rank = ranks.find(({ code }) => code === rankCode);
    if (!rank)
      throw refusal('VALIDATION_ERROR', 'No such rank.', {
        rankCode: [`must be one of ${ranks.map(({ code }) => code).join(', ')}`],
      });
    const above = await lockRanksAbove(tx, partnerId);
    const { rankLevel = 1, rankLimit = null } = above[0] ?? {};
    const limit = rankLimitAfter({ level: rank.level, rankLevel, rankLimit });
    await setRank(tx, above, { level: rank.level, limit, at });
    // A rank of an earlier version of the programme may have no name in this one.
    const previous = ranks.findLast(({ level }) => level <= rankLevel) ?? rank;
    if (rank.level !== rankLevel)
      await recordRankChange(tx, {
        ...{ partnerId, programmeVersion: rank.programmeVersion, reason },
        ...{ fromLevel: rankLevel, toLevel: rank.level, changedBy: by.actorId, changedAt: at },
      });
    if (rank.level !== rankLevel) await mail(tx, { userId, partnerId, previous, rank, reason, at });
    if (rank.level > rankLevel || (rank.level === rankLevel && limit !== rankLimit))
      await announce(tx, { type: 'partner.ranked', partnerId, userId, rankingId: v7() }, at.toISOString());
    await audited(
      tx,
      { ...by, at },
      'partner.set-rank',
      partnerId,
      { rank: previous.code, rankLimit },
      { rank: rank.code, rankLimit: limit, reason },
    );
    return { previous, rank };
  });

async function mail(
  tx: Tx,
  {
    userId,
    partnerId,
    previous,
    rank,
    reason,
    at,
  }: Pick<SetRank, 'partnerId' | 'reason' | 'at'> & { userId: string; previous: RankName; rank: RankName },
): Promise<void> {
  const addressee = await memberAddressee(tx, userId);
  if (!addressee) return;
  const content = { ...addressee, previousRank: previous.name, rank: rank.name, reason };
  await enqueueQuietMail(tx, {
    reference: `partner:${partnerId}:ranked:${at.toISOString()}`,
    to: addressee.email,
    ...letter(partnerRankedLetter(content)),
  });
}
