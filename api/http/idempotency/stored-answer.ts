import { z } from 'zod';
import type { RequestName } from '../../../db/administration/idempotency/idempotency.writes';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { sealPurposes } from '../../../db/sealing/purposes';

const Body = z.looseObject({});
const SealedBody = z.object({ sealed: z.base64() });

/** An answer as the text that is stored for repetitions of its request; sealed unless `keys` is null. */
export function storedText(keys: KeyRing | null, request: RequestName, body: object): string {
  const text = JSON.stringify(body);
  if (!keys) return text;
  const sealed = keys.seal(Buffer.from(text), sealPurposes.storedAnswer(request));
  return JSON.stringify({ sealed: sealed.toString('base64') });
}

/** The answer of which `storedText` made this text. Throws Unsealable. */
export function storedAnswer(
  keys: KeyRing | null,
  request: RequestName,
  text: string,
): z.output<typeof Body> {
  const stored: unknown = JSON.parse(text);
  if (!keys) return Body.parse(stored);
  const { sealed } = SealedBody.parse(stored);
  const opened = keys.open(Buffer.from(sealed, 'base64'), sealPurposes.storedAnswer(request));
  return Body.parse(JSON.parse(opened.toString()));
}
