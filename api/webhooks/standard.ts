import { z } from 'zod';
import { isSigned } from '../../activities/providers/payments/sandbox/webhook';
import type { ReportFacts } from '../../workflows/commerce/webhook/report-subject.rules';
import type { Intake } from '../http/request/intake';
import { EventId, EventType, orInvalid, readJson } from './report';

const Body = z.object({ type: EventType });

interface Reading {
  /** True for a type of report that is applied. */
  isKnown: (type: string) => boolean;
  factsOf: (type: string, value: unknown) => ReportFacts;
}

/** Standard Webhooks, for providers without a form of their own: id, time and signature are in headers. */
export const standardIntake = (secrets: readonly string[], { isKnown, factsOf }: Reading): Intake => ({
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
    return { externalEventId, type, ...factsOf(type, value), known: isKnown(type), ...report };
  },
});
