import type { Request, Response } from 'express';
import type { ErrorCode } from '../../../workflows/errors';
import { requestStateOf } from './request-state';

/** Callers may invent methods, which must not become labels. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The codes of failures that are answered without the envelope, such as the pages of the sandbox and probes. */
const CODES_OF_PAGES: Readonly<Record<number, ErrorCode>> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  503: 'SERVICE_UNAVAILABLE',
};

/** The method of the endpoint, so that HEAD counts as its GET; without one that of the request, if it is a known one. */
export function methodLabel(req: Request): string {
  const { endpoint } = requestStateOf(req);
  if (endpoint) return endpoint.method.toUpperCase();
  return METHODS.has(req.method) ? req.method : 'other';
}

/**
 * The template of the path. Real paths hold ids, and each would become a series of its own, so a request without an
 * endpoint has the path of its pages (`/api/docs`), `unmatched`, or `unrouted` when it was refused before routing.
 */
export function routeLabel(req: Request): string {
  const { endpoint, place } = requestStateOf(req);
  return endpoint?.path ?? place;
}

/** The error code of an answer; null for success. Always one of a fixed list. */
export function errorCodeOf(req: Request, { statusCode }: Pick<Response, 'statusCode'>): string | null {
  if (statusCode < 400) return null;
  return requestStateOf(req).code ?? CODES_OF_PAGES[statusCode] ?? 'OTHER';
}
