import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import {
  changeLevels,
  countInNetworks,
  uncountedOf,
  type LevelChange,
  type NetworkGain,
} from '../../../db/partners/membership/standing.transitions';
import { lockUplines } from '../../../db/partners/network/upline.transitions';
import { programmeAt } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import type { EventRow } from '../commission/count-event';
import type { Counting } from '../counting/counting';
import { raiseRanks } from '../rank/raise-ranks';

/**
 * Counts a partner who joined in the networks of all above. Those above who are not counted yet are counted first, so that
 * the levels of a network never have a gap; their own events find nothing left to do. A repeat changes nothing.
 */
export async function countPartner(
  tx: Tx,
  { eventId, occurredAt, partnerId }: EventRow & { partnerId: string },
  counting: Counting,
): Promise<void> {
  const uplines = await lockUplines(tx, partnerId);
  const path = uplines.map((upline) => upline.partnerId);
  const uncounted = await uncountedOf(tx, path);
  if (!uncounted.has(partnerId)) return;
  const { gains, levels } = gainsOf(path, uncounted);
  await countInNetworks(tx, gains, [...uncounted], counting.at);
  await changeLevels(tx, levels);
  const programme = await programmeAt(tx, occurredAt);
  const bonuses = await raiseRanks(tx, uplines, { eventId, occurredAt, programme }, counting);
  await bookCommissions(tx, { added: bonuses }, counting.at);
}

/** The gains of each partner of a path, from the lowest, by those below that are not counted. */
function gainsOf(
  path: readonly string[],
  uncounted: ReadonlySet<string>,
): { gains: NetworkGain[]; levels: LevelChange[] } {
  const levels = path.flatMap((partnerId, place) =>
    path
      .slice(0, place)
      .flatMap((below, index) =>
        uncounted.has(below) ? [{ partnerId, level: place - index, partners: 1, volumeMinor: 0 }] : [],
      ),
  );
  const gains = path.map((partnerId) => {
    const own = levels.filter((level) => level.partnerId === partnerId);
    return { partnerId, size: own.length, depth: Math.max(0, ...own.map(({ level }) => level)) };
  });
  return { gains, levels };
}
