import { z } from 'zod';
import { standardForm, type ReportForm } from '../../activities/providers/webhook';
import type { Intake } from '../http/request/intake';
import { EventId, EventType, orInvalid, readJson } from './report';

const Body = z.object({ type: EventType });

/** Verifies and reads reports of a form. Refuses with VALIDATION_ERROR one that is not of it. */
export const intakeBy = ({ isSigned, idOf, isKnown, factsOf }: ReportForm): Intake => ({
  isSigned,

  read({ rawBody, header }) {
    const { value, ...report } = readJson(rawBody);
    const { name, id } = idOf(header, value);
    const externalEventId = orInvalid(name, EventId.safeParse(id));
    const { type } = orInvalid('type', Body.safeParse(value));
    return { externalEventId, type, ...factsOf(type, value), known: isKnown(type, value), ...report };
  },
});

/** Standard Webhooks, for providers without a form of their own: id, time and signature are in headers. */
export const standardIntake = (...form: Parameters<typeof standardForm>): Intake =>
  intakeBy(standardForm(...form));
