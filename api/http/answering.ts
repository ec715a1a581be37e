import type { Request, RequestHandler, Response } from 'express';
import type { Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { requireAccess, requireOwnPage } from './auth/access';
import { parseBody, readBody } from './body/body';
import { contextOf, type RequestScope } from './context';
import type { ServerDeps } from './deps';
import type { Endpoint, RequestInput } from './endpoint';
import type { Context } from './handler-context';
import { startFile } from './answer/files/file';
import { success, type Answer, type StreamedAnswer } from './answer/envelope';
import {
  claimOrAnswer,
  concludeOrReopen,
  concludeWithChange,
  earlierAnswer,
  idempotencyKeyOf,
  keyedRequestOf,
  type KeyedClaim,
} from './idempotency/idempotency';
import type { Limiter } from './limits/limiter';
import type { Origins } from './request/origins';
import { idsOf } from './observe/log';
import { answerFromCache } from './page-cache/answer-from-cache';
import { pageLinks } from './answer/paging';
import { failed, send } from './answer/send';
import { sendStream, startStream } from './answer/files/text-stream';
import { enforceLimit } from './limits/rate-limit';
import { ignoredFields } from './request/ignored-fields';
import { recordReferral } from './request/referral';
import { createReply, type ReplyState } from './answer/create-reply';
import { signedReport, takesReports } from './request/signed-report';
import { OutcomeUnknown } from './temporal/temporal';
import { formBytes, readUpload } from './body/upload';
import { requireAllKnown, validated } from './validation/validation';
import { releasing, requestStateOf } from './observe/request-state';

export type AnsweringDeps = ServerDeps & { limiter: Limiter; origins: Origins };

/**
 * Answers requests to one endpoint, in this order: access (401, 403); the stored answer of an earlier request under
 * the same idempotency key, which is not counted; the rate limit; the body; validation; and only then the key is
 * claimed, so that a request that failed validation can be corrected and sent again under its key.
 */
export function answering(endpoint: Endpoint, deps: AnsweringDeps): RequestHandler {
  return releasing(async (req, res) => {
    const requestState = requestStateOf(req);
    requestState.endpoint = endpoint;
    const originAllowed = deps.origins.admits(req);
    requireAccess(endpoint, requestState.authenticated);
    requireOwnPage(endpoint.auth, req, requestState.authenticated, originAllowed);

    if (takesReports(endpoint)) {
      const { input, bytes } = await signedReport(req, res, deps, endpoint);
      await handle(req, res, deps, input, { ...unkeyed, endpoint, bytes, originAllowed });
      return;
    }

    const key = idempotencyKeyOf(endpoint, req);
    const keyedBytes = key === null || endpoint.upload ? null : await readBody(req, res, endpoint);
    const keyedBy = (sent: Buffer | null) =>
      key !== null && sent ? keyedRequestOf(deps.identity.sealing, endpoint, req, key, sent) : null;
    let keyed = keyedBy(keyedBytes);
    const earlier = keyed && (await earlierAnswer(deps.db, keyed));
    if (earlier) {
      replay(req, res, deps, earlier);
      return;
    }

    await enforceLimit(deps.limiter, endpoint, req, res);
    const { bytes, file, fileName, body } = await contentOf(req, res, endpoint, keyedBytes);
    const sent = { params: req.params, query: req.query, body };
    const input = validated(endpoint, sent);
    requestState.ignored = ignoredFields(endpoint, sent);
    // A file cannot name what was ignored, and a misspelled filter would export everything.
    if (endpoint.produces) requireAllKnown(requestState.ignored);

    await recordReferral(req, res, endpoint, deps);

    if (endpoint.upload && key !== null) keyed = keyedBy(formBytes({ file, fileName, body }));
    const claim = keyed && (await claimOrAnswer(deps.db, keyed));
    if (claim && 'body' in claim) replay(req, res, deps, claim);
    else if (endpoint.cached && deps.cache)
      await answerFromCache(req, res, { ...deps, cache: deps.cache }, { endpoint, input, originAllowed });
    else await handle(req, res, deps, input, { endpoint, bytes, file, fileName, originAllowed, claim });
  });
}

const unkeyed = { file: Buffer.alloc(0), fileName: '', claim: null };

interface Content {
  bytes: Buffer;
  file: Buffer;
  fileName: string;
  body: unknown;
}

/** The content of the request in the form that the contract takes: JSON, raw bytes or a file. */
async function contentOf(
  req: Request,
  res: Response,
  endpoint: Endpoint,
  bytesRead: Buffer | null,
): Promise<Content> {
  if (endpoint.upload) return { bytes: Buffer.alloc(0), ...(await readUpload(req, res, endpoint.upload)) };
  const bytes = bytesRead ?? (await readBody(req, res, endpoint));
  return { ...unkeyed, bytes, body: endpoint.raw ? {} : parseBody(req, bytes, endpoint) };
}

/** Calls the handler, stores the answer for the idempotency key if there is one, and sends it. */
async function handle(
  req: Request,
  res: Response,
  deps: AnsweringDeps,
  input: RequestInput,
  scope: Omit<RequestScope, 'reply' | 'conclude' | 'res'>,
): Promise<void> {
  const { endpoint, claim } = scope;
  const { reply, replyState } = createReply(endpoint, res);
  const stored = { withItsChange: false };
  const conclude = async (tx: Tx, data: unknown) => {
    if (!claim) return;
    await concludeWithChange(
      tx,
      claim,
      success(replyState.status, endpoint.data.parse(data), replyState.page, requestStateOf(req).ignored),
    );
    stored.withItsChange = true;
  };
  const context = contextOf(req, deps, { ...scope, reply, conclude, res });
  const answer = await answerOf(req, endpoint, input, context, replyState);
  if (claim && !(stored.withItsChange && answer.status < 400)) await store(deps, claim, answer, context);
  if (endpoint.method !== 'get') deps.cache?.markStale();
  if (replyState.page && answer.status < 300)
    res.set('Link', pageLinks(req.originalUrl, replyState.page, endpoint));
  if (answer.status >= 400) res.removeHeader('Content-Disposition');
  if (answer.stream) await sendStreamed(req, res, answer, answer.stream);
  else send(req, res, answer);
}

/** Sends a streamed answer. After its first byte a failure can no longer be answered, so it is only logged. */
async function sendStreamed(req: Request, res: Response, { status }: Answer, stream: StreamedAnswer) {
  try {
    await sendStream(res, { status, ...stream });
  } catch (error) {
    req.log.warn({ err: error, ...idsOf(req) }, 'an answer broke off');
  }
}

async function answerOf(
  req: Request,
  endpoint: Endpoint,
  input: RequestInput,
  context: Context,
  replyState: ReplyState,
): Promise<Answer> {
  try {
    const data = await (endpoint.atomic ? answerInOneTransaction : endpoint.answer)(input, context, endpoint);
    if (endpoint.produces)
      return {
        status: replyState.status,
        body: {},
        stream: await (endpoint.produces === 'text/csv'
          ? startStream(req, data)
          : startFile(req, endpoint.produces, data)),
      };
    return success(replyState.status, data, replyState.page, requestStateOf(req).ignored);
  } catch (error) {
    return { ...failed(error, req), spent: error instanceof OutcomeUnknown };
  }
}

/** Commits the change of an atomic handler and the stored answer together. */
const answerInOneTransaction = (
  input: RequestInput,
  context: Context,
  { answer }: Endpoint,
): Promise<unknown> =>
  inTransaction(context.db, async (tx) => {
    const data = await answer(input, { ...context, db: tx });
    await context.conclude(tx, data);
    return data;
  });

/** Stores an answer. The work is done, so the answer is sent even if storing fails; a repetition finds the work. */
async function store({ db }: AnsweringDeps, claim: KeyedClaim, answer: Answer, { log }: Context) {
  try {
    await concludeOrReopen(db, claim, answer);
  } catch (error) {
    log.error({ err: error }, 'an answer could not be stored for its idempotency key');
  }
}

/** Sends the stored answer. Another API process may have made the change, so the cache has to look for it. */
function replay(req: Request, res: Response, { cache }: AnsweringDeps, earlier: Answer): void {
  cache?.markStale();
  requestStateOf(req).replayed = true;
  res.set('Idempotent-Replayed', 'true');
  send(req, res, earlier);
}
