import type { Request } from 'express';
import { refusal } from '../../../workflows/errors';
import { invalid } from '../validation/validation';
import { isUtf8 } from './charset';

/** The content type of forms, as browsers post them. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Largest form in bytes: browsers post a few short texts. */
export const MOST_FORM_BYTES = 64 * 1024;

/** The most fields of a form. */
const MOST_FIELDS = 100;

/** Parses a form; an empty body counts as one without fields. A repeated field is a list of its values. */
export function parseForm(req: Request, bytes: Buffer): Record<string, string | string[]> {
  if (bytes.length === 0) return {};
  if (!req.is(FORM_TYPE) || !isUtf8(req))
    throw refusal('UNSUPPORTED_MEDIA_TYPE', `The body must be a form in UTF-8 (Content-Type: ${FORM_TYPE}).`);
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of fieldsOf(textOf(bytes))) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Counts before it parses, since anybody can send a form. */
function fieldsOf(text: string): URLSearchParams {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw invalid({ body: ['has more than 100 fields'] }, 'The form has more than 100 fields.');
  return new URLSearchParams(text);
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid({ body: ['is not a valid form'] }, 'The body is not a valid form.');
  }
}
