import type { Logger } from 'pino';
import { z } from 'zod';
import type { BlobStore } from '../../db/blobs/port';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql/query';
import type { ErrorCode } from '../../workflows/errors';
import type { Intake } from './request/intake';
import type { Identity } from './auth/identity';
import type { Geo } from './geo/geo';
import type { Limit } from './limits/limits';
import type { Reply, SuccessStatus } from './answer/replies';
import type { RequestFacts } from './observe/request-facts';
import type { PictureDrawer } from './body/picture-drawer';
import type { Sender } from './body/sender';
import type { RecordSecurityEvent } from './observe/security-events';
import type { Processes } from './temporal/temporal';

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
  pictures: PictureDrawer;
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
  request: RequestFacts;
  /**
   * Ids for what this request creates, by name. The same wish sent again under its Idempotency-Key gets the same ids,
   * so that what was begun is found and not begun twice. Await them before anything is done under them, and ask for all
   * at once: each time is a commit.
   */
  mint: <Name extends string>(...names: Name[]) => Promise<Record<Name, string>>;
  reply: Reply;
  /** Keeps what is then answered to a keyed request in the transaction of its change, where `atomic` will not do. */
  conclude: (tx: Tx, data: unknown) => Promise<void>;
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 414 | 415 | 422 | 503;

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
  /**
   * HTTP alone carries it out: the handler is one transaction (`db`), which keeps the answer of a keyed request, too, so
   * that the one is never there without the other. Such a handler asks no process, and a refusal undoes all it did.
   */
  atomic?: true;
  /** The body is not JSON for us: it is kept as bytes (`request.rawBody`), whatever its content type. */
  raw?: boolean;
  /**
   * For reports that another company signs (`limit` is then `webhookLimit`, and `raw` is set): finds out who the path
   * says has sent it, and refuses a path that names nobody, before anything is read or counted. The kit then verifies
   * the signature, counts, and refuses with INVALID_SIGNATURE; the handler gets what was signed.
   */
  sender?: (params: z.output<P>, context: Pick<Context, 'db' | 'paymentIntake'>) => Sender | Promise<Sender>;
  /** Most values (numbers, texts, lists, …) that a JSON body may hold, where lists need more than all others. */
  mostValues?: number;
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
  'handle' | 'success' | 'sender'
> {
  success: readonly [SuccessStatus, ...SuccessStatus[]];
  sender?: (params: unknown, context: Pick<Context, 'db' | 'paymentIntake'>) => Sender | Promise<Sender>;
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
  const { handle, sender, ...facts } = contract;
  if (contract.cached && (contract.method !== 'get' || !['public', 'optional'].includes(contract.auth)))
    throw new Error(`${contract.path} is not the same for everyone, so it cannot be cached.`);
  if (contract.upload && contract.idempotent !== false)
    throw new Error(`${contract.path} takes a file, so it cannot heed an Idempotency-Key.`);
  if ((sender !== undefined) !== (contract.limit.perSender === true) || (sender && !contract.raw))
    throw new Error(
      `${contract.path} must have a sender, a limit per sender and raw bodies, or none of them.`,
    );
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
    ...(sender && { sender: (named, context) => sender(named as z.output<P>, context) }),
    check: (asked) => request.parse(asked),
    async answer(checked, context) {
      const asked = checked as Parameters<typeof handle>[0];
      return contract.data.parse(await handle(asked, context));
    },
  };
}
