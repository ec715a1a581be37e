import { v7 } from 'uuid';
import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import {
  bookFromProvider,
  bookReturn,
} from '../../../db/investment/participation/participation-ledger.transitions';
import {
  changeParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import type { Tx } from '../../../db/sql/query';
import { participationLateProfitLetter } from '../../../workflows/investment/provider-event/provider-event.letters';
import { queueDailyMail } from '../participation/queue-participation-mail';
import {
  isIncludedInEnd,
  isRecorded,
  lockWithOwner,
  NOTHING,
  recordMovement,
  unknownParticipation,
  type Effect,
} from './effect';
import { minorOf, type ProviderEvent } from './event-forms';
import { Inapplicable, inWords } from '../report/inapplicable';
import { requireCreditable, requireFewMovements, requireProfitWithin, type Applying } from './payout/bounds';
import { unpaidByEnd } from './payout/left-unpaid';
import { endIfNothingLeft } from './payout/nothing-left';

/**
 * Records a profit, or a loss, of a participation. After the end it goes to the wallet at once, unless its provider has
 * ended the participation later than it made the profit: then the payout should have contained it, and where it did not a
 * person is asked, as where the profit comes first. Its owner gets a mail about one that goes to the wallet. The usual profits of a participation that runs have none: there are thousands
 * of them, and the portfolio shows them.
 */
export async function recordProfit(
  tx: Tx,
  { id: webhookEventId, provider, data, occurredAt }: ProviderEvent<'profit.distributed'>,
  applying: Applying,
): Promise<Effect> {
  const { at } = applying;
  const { externalId, investmentExternalId, period = null } = data;
  const participation = await lockWithOwner(tx, provider, investmentExternalId);
  if (!participation) return unknownParticipation(investmentExternalId);
  const { id: participationId, userId, currency, providerCode, status } = participation;
  const amountMinor = minorOf('amount', data.amount, currency);
  if (amountMinor === 0) return NOTHING;
  if (await isRecorded(tx, participation, { type: 'PROFIT', externalId, amountMinor })) return NOTHING;
  const isPaidHere = status !== 'ACTIVE' && !isIncludedInEnd(participation, occurredAt);
  if (isPaidHere && amountMinor < 0)
    throw new Inapplicable(
      `It is a loss of ${inWords(-amountMinor, currency)} of the investment ${investmentExternalId}, which was paid out already.`,
    );
  requireProfitWithin(participation, amountMinor, applying);
  await requireFewMovements(tx, participation, occurredAt, applying);
  await requireCreditable(tx, participation, amountMinor, applying);

  const transactionId = v7();
  const profit = { participationId, userId, amountMinor, currency };
  await recordMovement(
    tx,
    {
      ...{ id: transactionId, type: 'PROFIT', providerCode, externalId, webhookEventId, period, occurredAt },
      ...profit,
    },
    isPaidHere ? afterEnd(participation, at) : at,
  );
  const earnedMinor = participation.earnedMinor + amountMinor;
  await changeParticipation(tx, participationId, { earnedMinor }, at);
  const booking = { reference: { kind: 'profit', subjectId: transactionId }, amountMinor, at } as const;
  if (status === 'ACTIVE') await bookReturn(tx, participation, booking);
  if (isPaidHere) {
    await bookFromProvider(tx, participation, booking);
    await queueDailyMail(tx, participationId, { event: 'late-profit', at }, (data) =>
      participationLateProfitLetter(data, { profitMinor: amountMinor }),
    );
  }
  if (amountMinor > 0)
    await announce(tx, { type: 'profit.distributed', transactionId, ...profit }, at.toISOString());
  const after = { ...participation, earnedMinor };
  const isOver = amountMinor < 0 && (await endIfNothingLeft(tx, after, { lostAt: occurredAt, at }));
  const isIncluded = status !== 'ACTIVE' && !isPaidHere && amountMinor > 0;
  const toDecide = isIncluded ? await unpaidByEnd(tx, after, applying) : null;
  return { outcome: 'APPLIED', moved: isOver ? participation : null, toDecide };
}

/**
 * The time at which a profit is recorded that the end did not include. It is later than the end even where both are
 * applied in one step, after they had waited for the same report: the figures tell them apart by it.
 */
const afterEnd = ({ endedAt }: Pick<LockedParticipation, 'endedAt'>, at: Date): Date =>
  endedAt !== null && at <= endedAt ? new Date(endedAt.getTime() + 1) : at;
