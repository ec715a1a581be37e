import { z } from 'zod';
import { isSigned } from '../../activities/providers/payments/sandbox/webhook';
import type { Intake } from '../http/request/intake';
import { EventId, EventType, orInvalid, readJson } from './report';

const Body = z.object({ type: EventType });

interface Reading {
  /** True for a type of report that is applied. */
  isKnown: (type: string) => boolean;
  /** The sender's id of what a report is about. */
  subjectOf: (type: string, value: unknown) => string | null;
}

/** Standard Webhooks, for providers without a form of their own: id, time and signature are in headers. */
export const standardIntake = (secrets: readonly string[], { isKnown, subjectOf }: Reading): Intake => ({
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
    return { externalEventId, type, subject: subjectOf(type, value), known: isKnown(type), ...report };
  },
});
