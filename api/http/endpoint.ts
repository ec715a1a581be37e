import type { Logger } from 'pino';
import { z } from 'zod';
import type { BlobStore } from '../../db/blobs/port';
import type { Policy } from '../../db/policy/config';
import type { Db } from '../../db/sql';
import type { ErrorCode } from '../../workflows/errors';
import type { Intake } from '../payments/webhooks/intake';
import type { Pictures } from '../media/pictures';
import type { Identity } from './auth/identity';
import type { Geo } from './geo/geo';
import type { Limit } from './limits';
import type { RecordSecurityEvent } from './security-events';
import type { Processes } from './temporal';

/** Who is asking, as read with the session on this very request. */
export interface Caller {
  id: string;
  sessionId: string;
  roles: readonly string[];
  email: string;
}

export type Auth = 'public' | 'optional' | 'user' | 'admin' | 'super-admin';
type CallerOf<A extends Auth> = A extends 'public' ? null : A extends 'optional' ? Caller | null : Caller;

/** What a handler may use beside what it was asked. */
export interface Context<A extends Auth = Auth> {
  caller: CallerOf<A>;
  db: Db;
  processes: Processes;
  /** Bytes at rest: pictures, documents. */
  blobs: BlobStore;
  pictures: Pictures;
  /** Passwords, tokens and what is set for sessions; from `createAuthentication`. */
  identity: Identity;
  /** Windows, thresholds and counts of the business. */
  policy: Policy;
  /** Guesses where addresses are; nothing may be allowed or refused by it. */
  geo: Geo;
  /** How a payment provider's reports are taken; null for a code that is no provider's. */
  paymentIntake: (provider: string) => Intake | null;
  log: Logger;
  recordSecurityEvent: RecordSecurityEvent;
  request: {
    id: string;
    /** The caller's address as far as trusted proxies tell it. */
    clientAddress: string;
    userAgent: string | null;
    /** One header by lower-case name. */
    header: (name: string) => string | undefined;
    cookie: (name: string) => string | undefined;
    /** The body's bytes as they came, for signatures. */
    rawBody: Buffer;
    /** The bytes of the file that came with an upload; empty where the contract takes none. */
    file: Buffer;
    /** Fires when the client hangs up before it has its whole answer. */
    clientGone: AbortSignal;
    /** Whether a browser page that may use this API sent the request (`Origin`); false when none is named. */
    originAllowed: boolean;
    /** Names the wish itself: the same for the same Idempotency-Key, else new with every request. */
    wishId: string;
  };
  /**
   * Ids for what this request creates, by name. The same wish sent again under its Idempotency-Key gets the same ids,
   * so that what was begun is found and not begun twice. Await them before anything is done under them, and ask for all
   * at once: each time is a commit.
   */
  mint: <Name extends string>(...names: Name[]) => Promise<Record<Name, string>>;
  reply: Reply;
}

/** What an answer carries beside its data. */
export interface Reply {
  /** Answers with this status instead of the contract's first; it must be one that the contract lists. */
  status: (status: SuccessStatus) => void;
  page: (page: Page) => void;
  /** Browsers save the answer under this name instead of showing it. */
  download: (fileName: string) => void;
  /** Where the caller is to go on, for an endpoint whose success is 302. */
  redirect: (url: string) => void;
  /** Of a cached endpoint: what of the catalogue the answer shows beside prices and texts (`catalogueTags`). */
  dependsOn: (...tags: string[]) => void;
  setCookie: (name: string, value: string, options: { path: string; maxAgeSeconds: number }) => void;
  clearCookie: (name: string, options: { path: string }) => void;
}

/** Where a list stands in the whole: total rows, the page asked for (from 1), and its size. */
export interface Page {
  total: number;
  page: number;
  pageSize: number;
}

export type SuccessStatus = 200 | 201 | 202 | 302;
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 503;

/** The one file that an endpoint takes, as a part of multipart/form-data. */
export interface Upload {
  /** The part's name. */
  field: string;
  maxBytes: number;
}

/** Everything a caller may know about one endpoint, and the function that answers it. */
export interface Contract<A extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D> {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Under /api/v1, Express style: `/orders/:id`. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  auth: A;
  limit: Limit;
  params: P;
  query: Q;
  body: B;
  /** The status of success; where there are several, the first is the usual one. */
  success: SuccessStatus | readonly [SuccessStatus, ...SuccessStatus[]];
  data: z.ZodType<D>;
  /** Each refusal with its status. What every endpoint of its kind can answer (401, 429, …) is added by the kit. */
  errors: Partial<Record<ErrorCode, RefusalStatus>>;
  /** Whether the answer is a list with `meta.pagination`; the handler then calls `reply.page`. */
  paginated?: boolean;
  /**
   * The answer follows from params, query and catalogue alone, whoever asks: it is prepared once and kept as bytes
   * until a change of the catalogue is committed. The handler then looks at nothing else of its context.
   */
  cached?: true;
  /**
   * POSTs that create or move something take an Idempotency-Key; false for those that must not (login, webhooks), and
   * for those that set cookies, for only status and body are kept for a repetition.
   */
  idempotent?: boolean;
  /** The body is not JSON for us: it is kept as bytes (`request.rawBody`), whatever its content type. */
  raw?: boolean;
  /**
   * The body is multipart/form-data with one file (`request.file`), read once it is clear who asks and that they may;
   * `body` describes the other fields, all texts. No Idempotency-Key: the same form sent again has other bytes.
   */
  upload?: Upload;
  /**
   * Success is a file of this type, not the envelope; `data` is then `Pieces`, `reply.download` names it. Refusals are JSON.
   */
  produces?: 'text/csv';
  handle: (
    asked: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: Context<A>,
  ) => Promise<D>;
}

/** An endpoint as the server, the document and the tests see it: same facts, types no longer of interest. */
export interface Endpoint extends Omit<
  Contract<Auth, z.ZodType, z.ZodType, z.ZodType, unknown>,
  'handle' | 'success'
> {
  success: readonly [SuccessStatus, ...SuccessStatus[]];
  /** Checks what was asked; answers it as the handler wants it. Throws ZodError, its paths beginning with the part. */
  check: (asked: Asked) => Asked;
  /** Handles what `check` let pass, and holds the answer against the contract. */
  answer: (checked: Asked, context: Context) => Promise<unknown>;
}

export interface Asked {
  params: unknown;
  query: unknown;
  body: unknown;
}

const nothing = z.object({});

/** Seals a contract into an endpoint. Parts that are left out accept nothing: unknown fields are dropped. */
export function endpoint<
  A extends Auth,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
  D = unknown,
>(
  contract: Omit<Contract<A, P, Q, B, D>, 'params' | 'query' | 'body'> & { params?: P; query?: Q; body?: B },
): Endpoint {
  const { handle, ...facts } = contract;
  if (contract.cached && (contract.method !== 'get' || !['public', 'optional'].includes(contract.auth)))
    throw new Error(`${contract.path} is not the same for everyone, so it cannot be cached.`);
  if (contract.upload && contract.idempotent !== false)
    throw new Error(`${contract.path} takes a file, so it cannot heed an Idempotency-Key.`);
  const params: z.ZodType = contract.params ?? nothing;
  const query: z.ZodType = contract.query ?? nothing;
  const body: z.ZodType = contract.body ?? nothing;
  const request = z.object({ params, query, body });
  return {
    ...facts,
    success: typeof contract.success === 'number' ? [contract.success] : contract.success,
    params,
    query,
    body,
    check: (asked) => request.parse(asked),
    async answer(checked, context) {
      const asked = checked as Parameters<typeof handle>[0];
      return contract.data.parse(await handle(asked, context));
    },
  };
}
