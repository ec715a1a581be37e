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
