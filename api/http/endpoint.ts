import type { Logger } from 'pino';
import { z } from 'zod';
import type { BlobStore } from '../../db/blobs/port';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql/query';
import type { ErrorCode } from '../../workflows/errors';
import { requestParsing } from './request/validation/field-messages';
import type { Intake } from './request/intake';
import { resolvingReferences } from './request/references';
import type { Identity } from './auth/identity';
import type { Geo } from './geo/geo';
import type { Limit } from './limits/limits';
import type { Reply, SuccessStatus } from './answer/reply';
import type { RequestFacts } from './observe/request-facts';
import type { PictureDrawer } from './body/picture-drawer';
import type { Sender } from './body/sender';
import type { RecordSecurityEvent } from './observe/security-events';
import type { Processes } from './temporal/temporal';

/** The signed-in user, read with the session for this very request. */
export interface Caller {
  id: string;
  sessionId: string;
  roles: readonly string[];
  email: string;
}

export type Auth = 'public' | 'optional' | 'user' | 'admin' | 'super-admin';
type CallerOf<A extends Auth> = A extends 'public' ? null : A extends 'optional' ? Caller | null : Caller;

/** Everything that a handler may use besides its input. */
export interface Context<A extends Auth = Auth> {
  caller: CallerOf<A>;
  db: Db;
  processes: Processes;
  /** Stored files: pictures, documents. */
  blobs: BlobStore;
  pictures: PictureDrawer;
  /** Passwords, tokens and session settings; from `createAuthentication`. */
  identity: Identity;
  /** The business rules in numbers: windows, thresholds, counts. */
  policy: Policy;
  /** Guesses the location of an IP address; nothing may be allowed or refused because of it. */
  geo: Geo;
  /** Verifies and reads the reports of a payment provider; null for an unknown provider. */
  paymentIntake: (provider: string) => Intake | null;
  log: Logger;
  recordSecurityEvent: RecordSecurityEvent;
  request: RequestFacts;
  /**
   * Ids for what this request creates, by name. A repetition under the same Idempotency-Key gets the same ids, so that
   * it finds what the first try began. Await them before using them, and ask for all of them in one call: each call is
   * a commit.
   */
  mint: <Name extends string>(...names: Name[]) => Promise<Record<Name, string>>;
  reply: Reply;
  /** Stores the answer to a keyed request in the transaction of its change, for handlers that cannot be `atomic`. */
  conclude: (tx: Tx, data: unknown) => Promise<void>;
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 414 | 415 | 422 | 503;

/** The file that an endpoint takes, as a part of multipart/form-data. */
export interface Upload {
  /** The part's name. */
  field: string;
  maxBytes: number;
}

/** An endpoint as its author writes it: everything that callers may know about it, and its handler. */
export interface Contract<A extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D> {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Below /api/v1, in Express style: `/orders/:id`. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  auth: A;
  limit: Limit;
  params: P;
  query: Q;
  body: B;
  /** The status of success. Of several, the first applies unless the handler calls `reply.status`. */
  success: SuccessStatus | readonly [SuccessStatus, ...SuccessStatus[]];
  data: z.ZodType<D>;
  /** Each refusal with its status. The kit adds those that every endpoint of its kind shares (401, 429, …). */
  errors: Partial<Record<ErrorCode, RefusalStatus>>;
  /**
   * Counts its own refusals (`errors`) by code in this metric of the process. The stored answer of a repetition under an
   * Idempotency-Key is not counted again.
   */
  refusalCounter?: { name: `platform_${string}_total`; help: string };
  /** True if the answer is a list with `meta.pagination`; the handler then calls `reply.page`. */
  paginated?: boolean;
  /**
   * The answer depends on params, query and catalogue only, and is the same for every caller. It is cached as bytes
   * until a change of the catalogue is committed; the handler must use nothing else of its context.
   */
  cached?: true;
  /**
   * Every POST supports an Idempotency-Key unless this is false: for login and webhooks, and for endpoints that set
   * cookies, because only status and body are stored for a repetition.
   */
  idempotent?: boolean;
  /**
   * The handler runs in one transaction (`context.db`), which also stores the answer of a keyed request, so that
   * neither exists without the other. Such a handler calls no process; a refusal rolls back everything it did.
   */
  atomic?: true;
  /** The body is not parsed: the handler gets its bytes (`request.rawBody`), whatever its content type. */
  raw?: boolean;
  /**
   * For reports that another company signs (`limit` is then `webhookLimit`, and `raw` is set): finds the sender that
   * the path names and refuses an unknown one, before anything is read or counted. The kit then verifies the signature
   * (INVALID_SIGNATURE) and counts the report; the handler gets only signed reports.
   */
  sender?: (params: z.output<P>, context: Pick<Context, 'db' | 'paymentIntake'>) => Sender | Promise<Sender>;
  /** Most values (numbers, texts, lists, …) in a JSON body; set it where long lists need more than `MOST_VALUES`. */
  mostValues?: number;
  /**
   * The body is multipart/form-data with one file (`request.file`), read only after access is granted; `body` describes
   * the other fields, all of them texts. No Idempotency-Key: the same form sent again has different bytes.
   */
  upload?: Upload;
  /**
   * Success is a file of this type instead of the envelope: `data` is `TextChunks`, `reply.download` names the file.
   * Unknown query parameters are refused, since a file has no `meta.ignored`; HEAD consumes no chunk.
   */
  produces?: 'text/csv';
  handle: (
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: Context<A>,
  ) => Promise<D>;
}

/**
 * A contract without its type parameters, so that endpoints form one list for the server, the document and the tests.
 */
export interface Endpoint extends Omit<
  Contract<Auth, z.ZodType, z.ZodType, z.ZodType, unknown>,
  'handle' | 'success' | 'sender'
> {
  success: readonly [SuccessStatus, ...SuccessStatus[]];
  sender?: (params: unknown, context: Pick<Context, 'db' | 'paymentIntake'>) => Sender | Promise<Sender>;
  /** Validates the input and answers it parsed. Throws a ZodError whose paths begin with params, query or body. */
  check: (input: RequestInput) => RequestInput;
  /** Runs the handler on input from `check` and validates its answer against the contract. */
  answer: (checked: RequestInput, context: Context) => Promise<unknown>;
}

/** The three parts of a request that a contract describes. */
export interface RequestInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

const nothing = z.object({});

/** Turns a contract into an endpoint. Parts that are left out accept nothing; unknown fields are dropped. */
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
    throw new Error(`${contract.path} takes a file, so it cannot support an Idempotency-Key.`);
  if ((sender !== undefined) !== (contract.limit.perSender === true) || (sender && !contract.raw))
    throw new Error(
      `${contract.path} must have a sender, a limit per sender and raw bodies, or none of them.`,
    );
  const params: z.ZodType = contract.params ?? nothing;
  const query: z.ZodType = contract.query ?? nothing;
  const body: z.ZodType = contract.body ?? nothing;
  const request = z.object({ params, query, body });
  const resolve = resolvingReferences(params);
  return {
    ...facts,
    success: typeof contract.success === 'number' ? [contract.success] : contract.success,
    params,
    query,
    body,
    ...(sender && { sender: (parsed, context) => sender(parsed as z.output<P>, context) }),
    check: (input) => request.parse(input, requestParsing),
    async answer(checked, context) {
      const resolved = { ...checked, params: await resolve(checked.params, context.db) };
      const input = resolved as Parameters<typeof handle>[0];
      return contract.data.parse(await handle(input, context));
    },
  };
}
