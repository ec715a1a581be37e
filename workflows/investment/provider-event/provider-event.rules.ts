import { PLATFORM_CURRENCY, toMinor } from '../../commerce/money.rules';
import { idAt, valueAt, type ReportFacts } from '../../commerce/webhook/report-subject.rules';

/** The types of reports of investment providers. Other types are stored and change nothing. */
export const PROVIDER_EVENT_TYPES = [
  'investment.created',
  'investment.updated',
  'investment.withdrawn',
  'kyc.synced',
  'profit.distributed',
] as const;
export type ProviderEventType = (typeof PROVIDER_EVENT_TYPES)[number];

/** True for a type of report that is applied. */
export const isKnownEvent = (type: string): type is ProviderEventType =>
  (PROVIDER_EVENT_TYPES as readonly string[]).includes(type);

/** The provider's id of the investment that a report is about, or the user of one about a person; null where it names none. */
export function subjectOfEvent(type: string, value: unknown): string | null {
  const names = { 'kyc.synced': 'userId', 'investment.created': 'externalId' } as Record<string, string>;
  return idAt(value, ['data', names[type] ?? 'investmentExternalId']);
}

/** The types of reports that say that money has moved. */
const MOVES: readonly string[] = [
  'investment.created',
  'investment.withdrawn',
  'profit.distributed',
] satisfies ProviderEventType[];

/** The facts of a report. Of one that moves no money only its subject is stored: its text may be about a person, and ends. */
export const factsOfEvent = (type: string, value: unknown): ReportFacts => {
  const moves = MOVES.includes(type);
  return {
    subject: subjectOfEvent(type, value),
    movement: moves ? idAt(value, ['data', 'externalId']) : null,
    outcome: null,
    amountMinor: moves ? amountOf(type, value) : null,
  };
};

/** Only a payout has a penalty, the part of it that its provider keeps. */
function amountOf(type: string, value: unknown): number | null {
  const amount = valueAt(value, ['data', 'amount']);
  const penalty = (type === 'investment.withdrawn' ? valueAt(value, ['data', 'penalty']) : null) ?? 0;
  if (typeof amount !== 'number' || typeof penalty !== 'number') return null;
  try {
    return toMinor(amount, PLATFORM_CURRENCY) - toMinor(penalty, PLATFORM_CURRENCY);
  } catch {
    return null;
  }
}
