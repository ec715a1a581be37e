import { createHash } from 'node:crypto';
import { z } from 'zod';
import { paymentOutcome } from '../../../workflows/commerce/payment-report.rules';
import { invalid } from '../../http/validation';

/** As much of a report as is needed to keep it; what it says is judged by the process that applies it. */
export interface SignedReport {
  externalEventId: string;
  type: string;
  /** Whether we know what to do with this type. */
  known: boolean;
  body: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  bodyHash: string;
}

/** The id names a row and a workflow, so it is held to what both can carry. */
const EventId = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable characters');
const Body = z.object({
  type: z.string().regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -'),
});

/** Reads a report whose signature was good. Refuses with VALIDATION_ERROR what is not JSON or names no type. */
export function readReport(bytes: Buffer, id: string | undefined): SignedReport {
  const externalEventId = EventId.safeParse(id);
  if (!externalEventId.success) throw invalid({ 'webhook-id': messages(externalEventId.error) });
  const body = text(bytes);
  const report = Body.safeParse(json(body));
  if (!report.success) throw invalid({ type: messages(report.error) });
  const { type } = report.data;
  return {
    externalEventId: externalEventId.data,
    type,
    known: paymentOutcome(type) !== null,
    body,
    bodyHash: createHash('sha256').update(bytes).digest('hex'),
  };
}

const messages = (error: z.ZodError): string[] => error.issues.map((issue) => issue.message);

const notJson = () => invalid({ body: ['is not valid JSON'] }, 'The body is not valid JSON.');

/** Exactly the bytes that were signed: a mark at their start stays, and then is not JSON. */
function text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notJson();
  }
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw notJson();
  }
}
