import { z } from 'zod';
import { isKnownReport } from '../../../workflows/commerce/payment/payment-report.rules';
import type { Intake } from '../../http/request/intake';
import { EventId, EventType, orInvalid, readJson } from './report';
import { isSigned } from './signature';

const Body = z.object({ type: EventType });

/** Standard Webhooks, for providers who have no form of their own: id, time and signature stand in headers. */
export const standardIntake = (secrets: readonly string[]): Intake => ({
  isSigned: ({ rawBody, header }, now) =>
    isSigned(
      rawBody,
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      },
      secrets,
      now,
    ),

  read({ rawBody, header }) {
    const externalEventId = orInvalid('webhook-id', EventId.safeParse(header('webhook-id')));
    const { value, ...report } = readJson(rawBody);
    const { type } = orInvalid('type', Body.safeParse(value));
    return { externalEventId, type, known: isKnownReport(type), ...report };
  },
});
