import type { LockedEvent } from '../../../../db/administration/webhook/webhook-event.transitions';
import { isKnownEvent } from '../../../../workflows/investment/provider-event/provider-event.rules';
import { readEvent, type ProviderEvent } from '../event-forms';
import { Inapplicable } from '../../report/inapplicable';

/** The content of a stored report; null where reports of its type change nothing. Throws Inapplicable. */
export function eventIn(id: string, { provider, type, body, receivedAt }: LockedEvent): ProviderEvent | null {
  if (!isKnownEvent(type)) return null;
  if (body === null) throw new Inapplicable('It was dealt with so long ago that its text was deleted.');
  return readEvent({ id, provider, type }, body, receivedAt);
}

/** When what a stored report says has happened; for one that cannot be read, when it came. */
export function timeOf(id: string, stored: LockedEvent): Date {
  try {
    return eventIn(id, stored)?.occurredAt ?? stored.receivedAt;
  } catch (error) {
    if (error instanceof Inapplicable) return stored.receivedAt;
    throw error;
  }
}

/** The provider's id of the investment that a report is about; null for one about a person. */
export function investmentOf({ data }: ProviderEvent): string | null {
  if ('investmentExternalId' in data) return data.investmentExternalId;
  return 'externalId' in data ? data.externalId : null;
}
