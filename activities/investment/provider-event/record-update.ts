import {
  changeParticipation,
  keepReportedValue,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import type { Tx } from '../../../db/sql/query';
import { participationMaturityMovedLetter } from '../../../workflows/investment/provider-event/provider-event.letters';
import { termFrom } from '../../../workflows/investment/participation/report-bounds.rules';
import { queueDailyMail } from '../participation/queue-participation-mail';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { isIncludedInEnd, lockReported, NOTHING, unknownParticipation, type Effect } from './effect';
import { minorOf, type ProviderEvent } from './event-forms';
import { Inapplicable } from '../report/inapplicable';
import { requireMaturityWithin, requireValueWithin, type Applying } from './payout/bounds';
import { dayOf } from './reported-term';

type Update = ProviderEvent<'investment.updated'>;

const MOST_DAYS_MS = 36_500 * DAY_MS;

/** Takes over what a provider says of a participation now. Each value keeps the time of its report: an older one is late. */
export async function recordUpdate(
  tx: Tx,
  { provider, data, occurredAt }: Update,
  applying: Applying,
): Promise<Effect> {
  const participation = await lockReported(tx, provider, data.investmentExternalId);
  if (!participation) return unknownParticipation(data.investmentExternalId);
  refuseCancelling(participation, data.status);
  const valued = await changeValue(tx, participation, {
    ...{ ...applying, currentValue: data.currentValue, occurredAt },
  });
  const maturityDate = data.maturityDate ?? (data.status === 'MATURED' ? occurredAt : undefined);
  const moved =
    maturityDate !== undefined &&
    (await moveMaturity(tx, participation, { ...applying, maturityDate, occurredAt }));
  if (!valued && !moved) return NOTHING;
  return { outcome: 'APPLIED', moved: moved && participation.status === 'ACTIVE' ? participation : null };
}

/** Chosen: a provider that cancels running money without saying what it pays back needs a person. */
function refuseCancelling({ status, externalId }: LockedParticipation, reported: string | undefined): void {
  if (reported === 'CANCELLED' && status === 'ACTIVE')
    throw new Inapplicable(
      `Its provider cancels the investment ${externalId}, which runs, and says of no money that it pays out.`,
    );
}

interface At extends Applying {
  occurredAt: Date;
}

async function changeValue(
  tx: Tx,
  participation: LockedParticipation,
  { currentValue, occurredAt, ...applying }: At & { currentValue: number | undefined },
): Promise<boolean> {
  if (currentValue === undefined) return false;
  const { id, currency, valueReportedAt } = participation;
  const { at } = applying;
  const valueMinor = minorOf('currentValue', currentValue, currency);
  requireValueWithin(participation, valueMinor, applying);
  await keepReportedValue(tx, { participationId: id, reportedAt: occurredAt, valueMinor });
  if (valueReportedAt !== null && valueReportedAt >= occurredAt) return false;
  await changeParticipation(tx, id, { reportedValueMinor: valueMinor, valueReportedAt: occurredAt }, at);
  return true;
}

/**
 * Moves the maturity of a participation that runs. One that its provider has ended since takes the date too, so that the
 * order in which reports come makes no difference; nothing follows from it.
 */
async function moveMaturity(
  tx: Tx,
  participation: LockedParticipation,
  { maturityDate, occurredAt, ...applying }: At & { maturityDate: Date },
): Promise<boolean> {
  const { id, status, startedAt, maturityReportedAt } = participation;
  if (startedAt === null || (status !== 'ACTIVE' && !isIncludedInEnd(participation, occurredAt)))
    return false;
  if (maturityReportedAt !== null && maturityReportedAt >= occurredAt) return false;
  if (maturityDate.getTime() - startedAt.getTime() > MOST_DAYS_MS)
    throw new Inapplicable(
      `Its maturityDate ${dayOf(maturityDate)} is more than a hundred years after the start, ${dayOf(startedAt)}.`,
    );
  const { at } = applying;
  const maturesAt = movedTo(participation, maturityDate, applying);
  await changeParticipation(tx, id, { maturesAt, maturityReportedAt: occurredAt }, at);
  await queueMaturityMail(tx, participation, { maturesAt, at });
  return true;
}

/**
 * Queues the mail about a maturity that was moved, by at least a day, of a participation as it was before. One that has
 * matured by this has the mail about that instead.
 */
export async function queueMaturityMail(
  tx: Tx,
  { id, status, maturesAt: before }: LockedParticipation,
  { maturesAt, at }: { maturesAt: Date; at: Date },
): Promise<void> {
  if (status !== 'ACTIVE' || before === null || maturesAt <= at) return;
  if (Math.abs(maturesAt.getTime() - before.getTime()) < DAY_MS) return;
  await queueDailyMail(tx, id, { event: 'maturity-moved', at }, (data) =>
    participationMaturityMovedLetter(data, { maturesAt, before }),
  );
}

/** The maturity that a provider reports, or the start where that is later. Throws Inapplicable where it moves too far. */
export function movedTo(
  { startedAt, paidAt, createdAt, durationDays }: LockedParticipation,
  date: Date,
  applying: Applying,
): Date {
  if (startedAt === null) return date;
  requireMaturityWithin(termFrom({ startedAt, paidAt, createdAt }, durationDays), date, applying);
  return date < startedAt ? startedAt : date;
}
