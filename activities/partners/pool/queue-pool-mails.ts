import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import type { PaidShare, PayingRun } from '../../../db/partners/pool/pool-pay.transitions';
import { mailedPartners } from '../../../db/partners/pool/pool-mail.reads';
import type { Tx } from '../../../db/sql/query';
import { poolShareLetter } from '../../../workflows/partners/pool/pool.letters';

/** Queues a mail to each partner who was paid a share; an erased account gets none. */
export async function queuePoolMails(
  tx: Tx,
  { kind, period, currency }: PayingRun,
  shares: readonly PaidShare[],
): Promise<void> {
  const people = await mailedPartners(
    tx,
    shares.map(({ userId }) => userId),
  );
  for (const { commissionId, userId, netMinor: amountMinor } of shares) {
    const person = people.get(userId);
    if (!person) continue;
    const { firstName, email: to } = person;
    const content = poolShareLetter({ firstName, kind, period, amountMinor, currency });
    await enqueueQuietMail(tx, { reference: `pool-share:${commissionId}`, to, ...letter(content) });
  }
}
