import type { Request, Response } from 'express';
import getRawBody from 'raw-body';
import { refusal } from '../../../workflows/errors';
import { announcedBytes, BodyMemory } from './body-memory';
import { isUtf8 } from './charset';
import type { Endpoint } from '../endpoint';
import { MOST_FORM_BYTES, parseForm } from './form-fields';
import { holdsMoreValues } from './json-values';
import { DecompressionFailed, decompress } from './decompression';
import { invalid } from '../validation/validation';

/** Largest body in bytes, also after decompression. */
export const MOST_BODY_BYTES = 1024 * 1024;

/** Larger bodies are rare, so memory for them is limited. */
const SMALL_BYTES = 64 * 1024;

/** True if the headers allow a body larger than `SMALL_BYTES`. */
export const isLarge = (req: Request): boolean => announcedBytes(req) > SMALL_BYTES;

const memory = new BodyMemory({ bytes: 32 * MOST_BODY_BYTES, perClientBytes: 8 * MOST_BODY_BYTES });

/** Most values in a JSON body, unless the contract sets `mostValues`; keeps validation fast. */
export const MOST_VALUES = 10_000;

export const takesBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'get';

/** The most bytes of the endpoint's bodies, also after decompression. */
const mostBytesOf = ({ form }: Pick<Endpoint, 'form'>): number => (form ? MOST_FORM_BYTES : MOST_BODY_BYTES);

/** Reads and decompresses the body within its size limit; empty for methods without a body. */
export async function readBody(req: Request, res: Response, endpoint: Endpoint): Promise<Buffer> {
  if (!takesBody(endpoint)) return Buffer.alloc(0);
  if (isLarge(req)) memory.reserve(req, res, MOST_BODY_BYTES);
  const encoding = encodingOf(req);
  const limit = mostBytesOf(endpoint);
  // Signatures cover the bytes as they were sent.
  if (endpoint.raw && encoding !== 'identity') throw notSupported();
  try {
    const length = req.get('content-length');
    const sent = await getRawBody(req, { limit, ...(length !== undefined && { length }) });
    return await decompress(sent, encoding, limit);
  } catch (error) {
    req.resume(); // Discards the rest, so that the client can read the answer.
    throw explained(error, limit);
  }
}

const encodingOf = (req: Request): string => req.get('content-encoding')?.toLowerCase() ?? 'identity';

/** Parses a JSON object, or a form where the contract takes one; an empty body counts as `{}`. */
export function parseBody(
  req: Request,
  bytes: Buffer,
  { form, mostValues = MOST_VALUES }: Pick<Endpoint, 'form' | 'mostValues'>,
): unknown {
  if (form) return parseForm(req, bytes);
  if (bytes.length === 0) return {};
  if (!req.is(['json', '+json']) || !isUtf8(req))
    throw refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8 (Content-Type: application/json).',
    );
  if (holdsMoreValues(bytes, mostValues))
    throw refusal('PAYLOAD_TOO_LARGE', `The body can have at most ${mostValues} values.`);
  const value = parsed(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ body: ['must be an object'] });
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid({ body: ['is not valid JSON'] }, 'The body is not valid JSON.');
  }
}

const notSupported = (): Error =>
  refusal(
    'UNSUPPORTED_MEDIA_TYPE',
    'This Content-Encoding is not supported; use gzip, deflate or br, or none.',
  );

/** Maps a read error to a refusal; an error that the caller did not cause stays as it is. */
function explained(error: unknown, mostBytes: number): Error {
  if (error instanceof DecompressionFailed && error.why === 'unknown encoding') return notSupported();
  if (error instanceof DecompressionFailed && error.why === 'ratio')
    return refusal('PAYLOAD_TOO_LARGE', 'The body is compressed too much. Send it uncompressed.');
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (status === 413 || (error instanceof DecompressionFailed && error.why === 'size'))
    return refusal('PAYLOAD_TOO_LARGE', `The body can have at most ${mostBytes} bytes.`);
  if (error instanceof DecompressionFailed || typeof type === 'string' || status === 400)
    return invalid({ body: ['is incomplete or wrongly encoded'] });
  return error instanceof Error ? error : new Error(String(error));
}
