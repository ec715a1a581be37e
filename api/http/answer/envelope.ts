import type { Failure } from './errors';
import type { Page } from './replies';

/** An answer ready to be sent, or to be kept and sent again. */
export interface Answer {
  status: number;
  body: object;
  retryAfterSeconds?: number;
  /** A process gave this request an outcome that is no answer; under the same key it has to be asked anew. */
  spent?: boolean;
  /** What is sent in place of the body; such an answer cannot be kept. */
  pieces?: StreamedAnswer;
}

export interface StreamedAnswer {
  type: 'text/csv';
  text: AsyncIterable<string>;
}

/** Where a list stands, as every paginated endpoint tells it. */
export function paginationOf({ total, page, pageSize }: Page) {
  const totalPages = Math.ceil(total / pageSize);
  return { total, page, pageSize, totalPages, hasNext: page < totalPages, hasPrevious: page > 1 };
}

export function success(status: number, data: unknown, page: Page | null): Answer {
  const meta = page ? { meta: { pagination: paginationOf(page) } } : {};
  return { status, body: { success: true, data, ...meta } };
}

/** A refused limit is described twice by the contract; its body satisfies both descriptions. */
export function failure({ status, code, message, details, retryAfterSeconds }: Failure): Answer {
  const error = { code, message, ...(details && { details }) };
  const plain =
    status === 429 ? { statusCode: 429, message: 'Too Many Requests', retryAfter: retryAfterSeconds } : {};
  return {
    status,
    body: { success: false, error, ...plain },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
