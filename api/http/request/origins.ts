import cors from 'cors';
import type { Request, RequestHandler } from 'express';

/** Headers that the tracing libraries of browsers add to every request; `traceparent` is continued. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage', 'sentry-trace'];

/** The origins whose pages may use the API: those listed, and our own. */
export class Origins {
  private readonly allowed: ReadonlySet<string>;

  constructor({ CORS_ORIGINS, PUBLIC_URL }: { CORS_ORIGINS: readonly string[]; PUBLIC_URL: string }) {
    this.allowed = new Set([...CORS_ORIGINS, new URL(PUBLIC_URL).origin]);
  }

  /** True if the `Origin` header names one of them. */
  admits(req: Request): boolean {
    const { origin } = req.headers;
    return origin !== undefined && this.allowed.has(origin);
  }

  /** The CORS headers, by which browsers know which pages may read our answers. */
  headers(): RequestHandler {
    return cors({
      origin: [...this.allowed],
      credentials: true,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-None-Match',
        'X-Request-Id',
        ...TRACE_HEADERS,
      ],
      exposedHeaders: [
        'Content-Disposition',
        'ETag',
        'Idempotent-Replayed',
        'Link',
        'Retry-After',
        'X-RateLimit-Limit',
        'X-RateLimit-Policy',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-Request-Id',
      ],
      maxAge: 600,
    });
  }
}
