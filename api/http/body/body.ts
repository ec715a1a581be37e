import type { Request, Response } from 'express';
import getRawBody from 'raw-body';
import { refusal } from '../../../workflows/errors';
import { announced, BodyRoom } from './body-room';
import type { Endpoint } from '../endpoint';
import { holdsMoreValues } from './json-values';
import { UnpackFailed, unpacked } from './unpacking';
import { invalid } from '../request/validation';

/** Most bytes a body may have, also after it is unpacked. */
export const MOST_BODY_BYTES = 1024 * 1024;

/** Bodies above this size are few, so there is room for few of them. */
const SMALL_BYTES = 64 * 1024;

/** Whether a body may be larger than most are, by its headers. */
export const isLarge = (req: Request): boolean => announced(req) > SMALL_BYTES;

const room = new BodyRoom({ bytes: 32 * MOST_BODY_BYTES, perClientBytes: 8 * MOST_BODY_BYTES });

/** Most values a JSON body may hold, where the contract does not say otherwise: what walks through it stays short. */
export const MOST_VALUES = 10_000;

export const takesBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'get';

/** The body's bytes, counted while they arrive and again while they are unpacked; none for methods without a body. */
export async function readBody(req: Request, res: Response, endpoint: Endpoint): Promise<Buffer> {
  if (!takesBody(endpoint)) return Buffer.alloc(0);
  if (isLarge(req)) room.take(req, res, MOST_BODY_BYTES);
  const packing = packingOf(req);
  // Signatures are over the bytes as they were sent, so there is nothing to unpack.
  if (endpoint.raw && packing !== 'identity') throw notSupported();
  try {
    const length = req.get('content-length');
    const sent = await getRawBody(req, { limit: MOST_BODY_BYTES, ...(length !== undefined && { length }) });
    return await unpacked(sent, packing, MOST_BODY_BYTES);
  } catch (error) {
    req.resume(); // What still comes is let pass, so that the answer can be read.
    throw explained(error);
  }
}

const packingOf = (req: Request): string => req.get('content-encoding')?.toLowerCase() ?? 'identity';

/** The object in a body of JSON; no body at all counts as an empty object. */
export function parseBody(req: Request, bytes: Buffer, { mostValues = MOST_VALUES }: Endpoint): unknown {
  if (bytes.length === 0) return {};
  if (!req.is(['json', '+json']) || !isUtf8(req))
    throw refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8: Content-Type: application/json.',
    );
  if (holdsMoreValues(bytes, mostValues))
    throw refusal('PAYLOAD_TOO_LARGE', `The body may hold at most ${mostValues} values.`);
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

function isUtf8(req: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.get('content-type') ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

const notSupported = (): Error =>
  refusal('UNSUPPORTED_MEDIA_TYPE', 'The body is packed in a way that is not supported.');

/** What the reader found wrong, as a refusal; what is not the caller's doing stays as it is. */
function explained(error: unknown): Error {
  if (error instanceof UnpackFailed && error.why === 'unknown packing') return notSupported();
  if (error instanceof UnpackFailed && error.why === 'ratio')
    return refusal('PAYLOAD_TOO_LARGE', 'The body is packed smaller than any request is; send it unpacked.');
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (status === 413 || (error instanceof UnpackFailed && error.why === 'size'))
    return refusal('PAYLOAD_TOO_LARGE', `The body may have at most ${MOST_BODY_BYTES} bytes.`);
  if (error instanceof UnpackFailed || typeof type === 'string' || status === 400)
    return invalid({ body: ['did not arrive as announced'] });
  return error instanceof Error ? error : new Error(String(error));
}
