import type { Failure } from './errors';
import type { FileType } from './files/file-types';
import type { Page } from './reply';

/** An answer that is ready to be sent, or stored for its idempotency key and sent again. */
export interface Answer {
  status: number;
  body: object;
  retryAfterSeconds?: number;
  /** The process has no usable answer under this request's update id; a repetition needs a new update id. */
  spent?: boolean;
  /** Sent instead of the body; such an answer cannot be stored. */
  stream?: StreamedAnswer;
}

export interface StreamedAnswer {
  type: 'text/csv' | FileType;
  chunks: Iterable<Uint8Array> | AsyncIterable<string>;
  /** Of this file, besides its type. */
  headers?: Readonly<Record<string, string>>;
  /** The time after which an answer is cut whose caller still reads; left out, as long as for the largest files. */
  longestMs?: number;
}

/** The `meta.pagination` of a list. */
export function paginationOf({ total, page, pageSize }: Page) {
  const totalPages = Math.ceil(total / pageSize);
  return { total, page, pageSize, totalPages, hasNext: page < totalPages, hasPrevious: page > 1 };
}

/** A success; `ignored` names what the caller sent in vain. */
export function success(
  status: number,
  data: unknown,
  page: Page | null,
  ignored: readonly string[] = [],
): Answer {
  const meta = {
    ...(page && { pagination: paginationOf(page) }),
    ...(ignored.length > 0 && { ignored }),
  };
  return { status, body: { success: true, data, ...(Object.keys(meta).length > 0 && { meta }) } };
}

/** Adds `ignored` to the text of a success without it, without parsing: `meta` is its last field. */
export function withIgnored(text: string, page: Page | null, ignored: readonly string[]): string {
  const names = JSON.stringify(ignored);
  return page
    ? `${text.slice(0, -2)},"ignored":${names}}}`
    : `${text.slice(0, -1)},"meta":{"ignored":${names}}}`;
}

/** The body of a refused request. The contract describes 429 in two ways; its body satisfies both. */
export function failure({ status, code, message, details, reason, retryAfterSeconds }: Failure): Answer {
  const error = { code, message, ...(reason && { reason }), ...(details && { details }) };
  const plain =
    status === 429 ? { statusCode: 429, message: 'Too Many Requests', retryAfter: retryAfterSeconds } : {};
  return {
    status,
    body: { success: false, error, ...plain },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
