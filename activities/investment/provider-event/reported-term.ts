import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import type { ProviderEvent } from './event-forms';
import { Inapplicable } from '../report/inapplicable';

export type Created = ProviderEvent<'investment.created'>;

/** The money that a provider reports, as we know it. */
export interface ReportedMoney {
  userId: string;
  strategyId: string;
  amountMinor: number;
}

const MOST_DAYS_MS = 36_500 * DAY_MS;

/** The day (UTC) of a time, as the reasons of reports have it. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Start and maturity as a report has them; `usual`: the maturity where it says of none. Throws Inapplicable. */
export function termOf(
  { data: { startDate, maturityDate }, occurredAt }: Created,
  usual: Date,
): { startedAt: Date; maturesAt: Date } {
  const maturesAt = maturityDate ?? usual;
  const days = maturesAt.getTime() - startDate.getTime();
  if (days < 0)
    throw new Inapplicable(
      `Its maturityDate ${dayOf(maturesAt)} is earlier than its startDate ${dayOf(startDate)}.`,
    );
  if (days > MOST_DAYS_MS || Math.abs(startDate.getTime() - occurredAt.getTime()) > MOST_DAYS_MS)
    throw new Inapplicable(
      `Its dates, ${dayOf(startDate)} to ${dayOf(maturesAt)}, are more than a hundred years away.`,
    );
  return { startedAt: startDate, maturesAt };
}
