import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import { lockUplines } from '../../../db/partners/network/upline.transitions';
import { programmeAt } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import type { EventRow } from '../commission/count-event';
import type { Counting } from '../counting/counting';
import { raiseRanks } from '../rank/raise-ranks';

/**
 * Raises a partner to the ranks that its points have reached, and those above whose legs that completes: after the end of a
 * suspension, and after an administrator has raised its rank or ended its limit. One who is suspended again stays as it is.
 */
export async function raiseFrom(
  tx: Tx,
  { eventId, occurredAt, partnerId }: EventRow & { partnerId: string },
  counting: Counting,
): Promise<void> {
  const uplines = await lockUplines(tx, partnerId);
  const programme = await programmeAt(tx, occurredAt);
  const bonuses = await raiseRanks(tx, uplines, { eventId, occurredAt, programme }, counting);
  await bookCommissions(tx, { added: bonuses }, counting.at);
}
