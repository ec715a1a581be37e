import { lockEvent } from '../../../../db/administration/webhook/webhook-event.transitions';
import type { Tx } from '../../../../db/sql/query';
import type { AppliedProviderEvent } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { timeOf } from './stored-event';

/**
 * Applies the reports that waited for an investment in the same transaction, in the order of what they report: before its
 * process can act on a state that is out of date, such as a maturity that has passed of one that was paid out since. Each
 * is tried again only while others were applied: a payout may wait for a loss that is reported later than it. Returns the
 * ids of those that still wait.
 */
export async function applyWaiting(
  tx: Tx,
  waiting: readonly string[],
  apply: (webhookEventId: string) => Promise<AppliedProviderEvent>,
): Promise<ReadonlySet<string>> {
  let open: { webhookEventId: string; occurredAt: Date }[] = [];
  for (const webhookEventId of waiting) {
    const stored = await lockEvent(tx, webhookEventId);
    open.push({ webhookEventId, occurredAt: timeOf(webhookEventId, stored) });
  }
  open.sort((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
  for (let count = Infinity; open.length > 0 && open.length < count;) {
    count = open.length;
    const still: typeof open = [];
    for (const tried of open)
      if ((await apply(tried.webhookEventId)).outcome === 'WAITING') still.push(tried);
    open = still;
  }
  return new Set(open.map(({ webhookEventId }) => webhookEventId));
}
