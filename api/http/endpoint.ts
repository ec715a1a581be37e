import { z } from 'zod';
import type { ErrorCode } from '../../workflows/errors';
import { requestParsing } from './validation/field-messages';
import { resolvingReferences } from './request/ids/references';
import type { Limit } from './limits/limits';
import type { SuccessStatus } from './answer/reply';
import type { FileType } from './answer/files/file-types';
import type { ReportSender } from './body/sender';
import type { Upload } from './body/taken-file';
import type { Auth, Context } from './handler-context';

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 414 | 415 | 422 | 503;

/** An endpoint as its author writes it: everything that callers may know about it, and its handler. */
export interface Contract<A extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D> {
  /** The operation id: the function name of generated clients, which also name schemas after it. It never changes. */
  id: string;
  /** The description of success, or one for each of its statuses. */
  returns: string | Readonly<Partial<Record<SuccessStatus, string>>>;
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
  /** Fields of the body's example that are not those of its schema; undefined leaves a field out. */
  example?: Readonly<Record<string, unknown>>;
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
  /** Every POST supports an Idempotency-Key unless this is false: login, webhooks, what sets cookies. One that takes a file says which. `sealed`: its stored answer is sealed. */
  idempotent?: boolean | 'sealed';
  /**
   * The handler runs in one transaction (`context.db`), which also stores the answer of a keyed request, so that
   * neither exists without the other. Such a handler calls no process; a refusal rolls back everything it did.
   */
  atomic?: true;
  /**
   * The body is a form as browsers post it (application/x-www-form-urlencoded) instead of JSON; its fields are texts. Any page can
   * make a browser post one, so only public endpoints take forms.
   */
  form?: true;
  /** The body is not parsed: the handler gets its bytes (`request.rawBody`), whatever its content type. */
  raw?: boolean;
  /**
   * For reports that another company signs (with `webhookLimit` and `raw`): finds the sender that the path names and
   * refuses an unknown one, before anything is read or counted. The handler gets only signed and counted reports.
   */
  sender?: (params: z.output<P>, context: SenderContext) => ReportSender | Promise<ReportSender>;
  /** Most values (numbers, texts, lists, …) in a JSON body; set it where long lists need more than `MOST_VALUES`. */
  mostValues?: number;
  /**
   * The body is multipart/form-data with one file (`request.file`), read only after access is granted; `body` describes
   * the other fields, all of them texts. No Idempotency-Key: the same form sent again has different bytes.
   */
  upload?: Upload;
  /**
   * Success is a file, not the envelope. Of text/csv `data` is `TextChunks`, and `reply.download` names it; of a list of types
   * it is `FileBytes` of one. Unknown query parameters are refused: a file has no `meta.ignored`. HEAD consumes no chunk.
   */
  produces?: 'text/csv' | readonly FileType[];
  handle: (
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: Context<A>,
  ) => Promise<D>;
}

type SenderContext = Pick<Context, 'db' | 'paymentIntake' | 'providerIntake'>;

/** A contract without its type parameters, so that endpoints form one list for server, document and tests. */
export interface Endpoint extends Omit<
  Contract<Auth, z.ZodType, z.ZodType, z.ZodType, unknown>,
  'handle' | 'success' | 'sender'
> {
  success: readonly [SuccessStatus, ...SuccessStatus[]];
  sender?: (params: unknown, context: SenderContext) => ReportSender | Promise<ReportSender>;
  /** Validates the input and returns it parsed. Throws a ZodError whose paths begin with params, query or body. */
  check: (input: RequestInput) => RequestInput;
  /** Runs the handler on input from `check` and validates its answer against the contract. */
  answer: (checked: RequestInput, context: Context) => Promise<unknown>;
}

/** The names and the place of an endpoint. */
export type Route = Pick<Endpoint, 'id' | 'returns' | 'method' | 'path'>;

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
  if (contract.form && contract.auth !== 'public')
    throw new Error(`${contract.path} takes a form and must be public.`);
  if (contract.upload && contract.idempotent === undefined)
    throw new Error(`${contract.path} takes a file and must say whether it supports an Idempotency-Key.`);
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
