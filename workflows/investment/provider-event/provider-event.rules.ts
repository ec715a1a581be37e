import { idAt } from '../../commerce/webhook/report-subject.rules';

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
