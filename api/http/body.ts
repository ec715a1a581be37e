import express, { type Request, type RequestHandler, type Response } from 'express';
import { refusal } from '../../workflows/errors';
import { announced, BodyRoom } from './body-room';
import type { Endpoint } from './endpoint';
import { invalid } from './validation';

/** Most bytes a body may have, also after it is unpacked. */
export const MOST_BODY_BYTES = 1024 * 1024;

/** Bodies above this size are few, so there is room for few of them. */
const SMALL_BYTES = 64 * 1024;
const room = new BodyRoom({ bytes: 32 * MOST_BODY_BYTES, perClientBytes: 8 * MOST_BODY_BYTES });

const read = { type: () => true, limit: MOST_BODY_BYTES };
const readUnpacked: RequestHandler = express.raw({ ...read, inflate: true });
/** Signatures are over the bytes as they were sent, so there is nothing to unpack. */
const readAsSent: RequestHandler = express.raw({ ...read, inflate: false });

export const takesBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'get';

/** The body's bytes, counted while they arrive; none for methods without a body. */
export async function readBody(req: Request, res: Response, endpoint: Endpoint): Promise<Buffer> {
  if (!takesBody(endpoint)) return Buffer.alloc(0);
  if (announced(req) > SMALL_BYTES) room.take(req, res, MOST_BODY_BYTES);
  const reader = endpoint.raw ? readAsSent : readUnpacked;
  await new Promise<void>((resolve, reject) => {
    reader(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(explained(error));
    });
  });
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The object in a body of JSON; no body at all counts as an empty object. */
export function parseBody(req: Request, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!req.is(['json', '+json']) || !isUtf8(req))
    throw refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8: Content-Type: application/json.',
    );
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

/** What the reader found wrong, as a refusal; what is not the caller's doing stays as it is. */
function explained(error: unknown): Error {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (status === 413)
    return refusal('PAYLOAD_TOO_LARGE', `The body may have at most ${MOST_BODY_BYTES} bytes.`);
  if (status === 415)
    return refusal('UNSUPPORTED_MEDIA_TYPE', 'The body is packed in a way that is not supported.');
  if (typeof type === 'string' || status === 400) return invalid({ body: ['did not arrive as announced'] });
  return error instanceof Error ? error : new Error(String(error));
}
