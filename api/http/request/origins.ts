import cors from 'cors';
import type { Request, RequestHandler } from 'express';

/** Pages of these origins may use the API: those listed, and those that we serve ourselves. */
export class Origins {
  private readonly allowed: ReadonlySet<string>;

  constructor({ CORS_ORIGINS, PUBLIC_URL }: { CORS_ORIGINS: readonly string[]; PUBLIC_URL: string }) {
    this.allowed = new Set([...CORS_ORIGINS, new URL(PUBLIC_URL).origin]);
  }

  /** Whether the browser says that one of these pages sent the request. */
  admits(req: Request): boolean {
    const { origin } = req.headers;
    return origin !== undefined && this.allowed.has(origin);
  }

  /** Tells browsers which pages may read our answers. */
  headers(): RequestHandler {
    return cors({
      origin: [...this.allowed],
      credentials: true,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
      exposedHeaders: [
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
