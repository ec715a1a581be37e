import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../http/validation/validation';

/**
 * An event's id. With the code of its provider, of up to 40 characters, it names a workflow, and Temporal stores names of up to
 * 255 characters.
 */
export const EventId = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters');
export const EventType = z
  .string()
  .regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -');

/** The parsed value; refuses VALIDATION_ERROR, naming the field, for one that could not be parsed. */
export function orInvalid<Output>(field: string, parsed: z.ZodSafeParseResult<Output>): Output {
  if (!parsed.success) throw invalid({ [field]: parsed.error.issues.map((issue) => issue.message) });
  return parsed.data;
}

/** A report's bytes as text, with their SHA-256 and their JSON value. Refuses VALIDATION_ERROR if they are not JSON. */
export function readJson(bytes: Buffer): { body: string; bodyHash: string; value: unknown } {
  const body = text(bytes);
  const bodyHash = createHash('sha256').update(bytes).digest('hex');
  try {
    return { body, bodyHash, value: JSON.parse(body) as unknown };
  } catch {
    throw notJson();
  }
}

const notJson = () => invalid({ body: ['is not valid JSON'] }, 'The body is not valid JSON.');

/** Decodes exactly the bytes that were signed: a byte order mark stays, and is then refused as JSON. */
function text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notJson();
  }
}
