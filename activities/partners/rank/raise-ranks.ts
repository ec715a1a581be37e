import { changeStandings, earnedBy } from '../../../db/partners/membership/standing.transitions';
import type { PlacedUpline } from '../../../db/partners/network/upline.reads';
import type { Programme } from '../../../db/partners/programme/programme.reads';
import { rankCandidates, writeRises } from '../../../db/partners/rank/rank-rise.transitions';
import type { Tx } from '../../../db/sql/query';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import {
  wholeWeight,
  netOf,
  type EarnedCommission,
} from '../../../workflows/partners/commission/earning.rules';
import { rankRises } from '../../../workflows/partners/rank/rank-rise.rules';
import { addCommissions, earnedByPartner, type AddedCommission, type Counting } from '../counting/counting';

/** The cause to look at ranks. `eventId`: null if no event did. */
interface Cause {
  eventId: string | null;
  occurredAt: Date;
  programme: Programme;
}

/**
 * Raises the ranks along a way up, which begins with the lowest partner and whose standings are locked: history, bonuses,
 * and the networks' ranks. Returns the bonuses, which the caller books.
 */
export async function raiseRanks(
  tx: Tx,
  uplines: readonly PlacedUpline[],
  { eventId, occurredAt, programme }: Cause,
  counting: Counting,
): Promise<AddedCommission[]> {
  const candidates = await rankCandidates(
    tx,
    uplines.map(({ partnerId }) => partnerId),
    programme.version,
  );
  const rises = rankRises(candidates, programme.ranks);
  if (rises.length === 0) return [];
  await writeRises(tx, rises, { programmeVersion: programme.version, at: counting.at });
  const bonuses: AddedCommission[] = [];
  for (const { partnerId, reached } of rises) {
    const earned = reached.flatMap((level) => bonusOf(programme, partnerId, level));
    for (const { baseMinor, ...bonus } of earned)
      bonuses.push(
        ...(await addCommissions(
          tx,
          [bonus],
          { programme, uplines },
          {
            ...{ eventId, occurredAt, sourceId: partnerId, buyerId: null, sourcePartnerId: null },
            ...{
              baseMinor,
              commissionWeight: wholeWeight(baseMinor),
              points: 0,
              currency: PLATFORM_CURRENCY,
            },
          },
          counting,
        )),
      );
  }
  const sums = earnedByPartner(bonuses);
  await changeStandings(
    tx,
    [...sums].map(([partnerId, netMinor]) => earnedBy(partnerId, netMinor)),
  );
  return bonuses;
}

/** The bonus of a rank, if it has one. */
function bonusOf(
  { ranks, withholdingBp }: Programme,
  partnerId: string,
  level: number,
): (EarnedCommission & { baseMinor: number })[] {
  const bonusMinor = ranks.find((rank) => rank.level === level)?.bonusMinor ?? 0;
  if (bonusMinor === 0) return [];
  return [
    {
      ...{ partnerId, type: 8, sourceType: 'RANK_BONUS', level, rankLevel: level, rateBp: 10_000 },
      ...{ metRateBp: null, baseMinor: bonusMinor, grossMinor: bonusMinor },
      netMinor: netOf(bonusMinor, withholdingBp),
    },
  ];
}
