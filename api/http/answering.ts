import type { Request, RequestHandler, Response } from 'express';
import type { Claim } from '../../db/administration/idempotency/idempotency.writes';
import type { Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { requireAccess, requireOwnPage } from './auth/access';
import { parseBody, readBody } from './body/body';
import { allowKeeping, etagOf } from './answer/caching';
import { contextOf, type Occasion } from './context';
import type { ServerDeps } from './deps';
import type { Asked, Context, Endpoint } from './endpoint';
import { failure, success, type Answer, type StreamedAnswer } from './answer/envelope';
import { explain } from './answer/errors';
import {
  claimOrAnswer,
  earlierAnswer,
  keyOf,
  settle,
  settleWithChange,
  wishOf,
} from './idempotency/idempotency';
import type { Limiter } from './limits/limiter';
import type { Origins } from './request/origins';
import { Busy } from './limits/gate';
import { idsOf } from './observe/log';
import { answerFromPages } from './page-cache/answer-from-pages';
import { pageLinks } from './answer/paging';
import { begun, Pieces, sendStream } from './answer/pieces';
import { holdLimit } from './limits/rate-limit';
import { noteReferral } from './request/referral';
import { listen, type Said } from './answer/reply';
import { signedReport, takesReports } from './request/signed-report';
import { OutcomeUnknown } from './temporal/temporal';
import { readUpload } from './body/upload';
import { checked } from './request/validation';
import { releasing, requestStateOf } from './observe/visit';

export type AnsweringDeps = ServerDeps & { limiter: Limiter; origins: Origins };

/**
 * Answers requests to one endpoint, in this order: access (401, 403); the answer of an earlier request under the same
 * key, which is not counted; the limit; the body; validation, before a key is claimed, so that a request can be put
 * right and sent again under its key.
 */
export function answering(endpoint: Endpoint, deps: AnsweringDeps): RequestHandler {
  return releasing(async (req, res) => {
    const visit = requestStateOf(req);
    visit.endpoint = endpoint;
    const originAllowed = deps.origins.admits(req);
    requireAccess(endpoint, visit.authenticated);
    requireOwnPage(endpoint.auth, req, visit.authenticated, originAllowed);

    if (takesReports(endpoint)) {
      const { asked, bytes } = await signedReport(req, res, deps, endpoint);
      await answer(req, res, deps, asked, { ...noWish, endpoint, bytes, originAllowed });
      return;
    }

    const key = keyOf(endpoint, req);
    const bytesOfKeyed = key === null ? null : await readBody(req, res, endpoint);
    const wish =
      key !== null && bytesOfKeyed ? wishOf(deps.identity.sealing, endpoint, req, key, bytesOfKeyed) : null;
    const before = wish && (await earlierAnswer(deps.db, wish));
    if (before) {
      replay(req, res, deps, before);
      return;
    }

    await holdLimit(deps.limiter, endpoint, req, res);
    const { bytes, file, body } = await contentOf(req, res, endpoint, bytesOfKeyed);
    const asked = checked(endpoint, { params: req.params, query: req.query, body });

    await noteReferral(req, res, endpoint, deps);

    const claim = wish && (await claimOrAnswer(deps.db, wish));
    if (claim && 'body' in claim) replay(req, res, deps, claim);
    else if (endpoint.cached && deps.pages)
      await answerFromPages(req, res, { ...deps, pages: deps.pages }, { endpoint, asked, originAllowed });
    else await answer(req, res, deps, asked, { endpoint, bytes, file, originAllowed, claim });
  });
}

const noWish = { file: Buffer.alloc(0), claim: null };

interface Content {
  bytes: Buffer;
  file: Buffer;
  body: unknown;
}

/** What came with the request, in the form that its contract takes. */
async function contentOf(
  req: Request,
  res: Response,
  endpoint: Endpoint,
  already: Buffer | null,
): Promise<Content> {
  if (endpoint.upload) return { bytes: Buffer.alloc(0), ...(await readUpload(req, res, endpoint.upload)) };
  const bytes = already ?? (await readBody(req, res, endpoint));
  return { bytes, file: Buffer.alloc(0), body: endpoint.raw ? {} : parseBody(req, bytes, endpoint) };
}

async function answer(
  req: Request,
  res: Response,
  deps: AnsweringDeps,
  asked: Asked,
  occasion: Omit<Occasion, 'reply' | 'conclude' | 'res'>,
): Promise<void> {
  const { endpoint, claim } = occasion;
  const { reply, said } = listen(endpoint, res);
  const kept = { withItsChange: false };
  const conclude = async (tx: Tx, data: unknown) => {
    if (!claim) return;
    await settleWithChange(tx, claim, success(said.status, endpoint.data.parse(data), said.page));
    kept.withItsChange = true;
  };
  const context = contextOf(req, deps, { ...occasion, reply, conclude, res });
  const given = await answerOf(req, endpoint, asked, context, said);
  if (claim && !(kept.withItsChange && given.status < 400)) await settled(deps, claim, given, context);
  if (occasion.endpoint.method !== 'get') deps.pages?.doubt();
  if (said.page && given.status < 300)
    res.set('Link', pageLinks(req.originalUrl, said.page, occasion.endpoint));
  if (given.status >= 400) res.removeHeader('Content-Disposition');
  if (given.pieces) await pour(req, res, given, given.pieces);
  else send(req, res, given);
}

/** Once an answer has begun, nothing can be said of what becomes of it but in the log. */
async function pour(req: Request, res: Response, { status }: Answer, { type, text }: StreamedAnswer) {
  try {
    await sendStream(res, { status, type, pieces: text });
  } catch (error) {
    req.log.warn({ err: error, ...idsOf(req) }, 'an answer broke off');
  }
}

async function answerOf(
  req: Request,
  endpoint: Endpoint,
  asked: Asked,
  context: Context,
  said: Said,
): Promise<Answer> {
  try {
    const data = await (endpoint.atomic ? inOneTransaction : endpoint.answer)(asked, context, endpoint);
    if (endpoint.produces)
      return { status: said.status, body: {}, pieces: await beginning(endpoint.produces, data) };
    return success(said.status, data, said.page);
  } catch (error) {
    return { ...failed(error, req), spent: error instanceof OutcomeUnknown };
  }
}

/** The handler's work and the answer to it: both are there, or neither. */
const inOneTransaction = (asked: Asked, context: Context, { answer }: Endpoint): Promise<unknown> =>
  inTransaction(context.db, async (tx) => {
    const data = await answer(asked, { ...context, db: tx });
    await context.conclude(tx, data);
    return data;
  });

const beginning = async (type: StreamedAnswer['type'], data: unknown): Promise<StreamedAnswer> => ({
  type,
  text: await begun(Pieces.parse(data)),
});

/** The answer to a request that failed. What is our fault or a neighbour's is logged; refusals are everyday life. */
export function failed(error: unknown, req: Request): Answer {
  const why = explain(error, requestStateOf(req).endpoint);
  // What is shed comes in floods; each has its line of the request already.
  if (why.status >= 500 && !(error instanceof Busy))
    req.log.error({ err: error, code: why.code, ...idsOf(req) }, 'a request failed');
  return failure(why);
}

/** The work is done and its answer is true, so it is given even if it cannot be kept; the next try finds the work. */
async function settled(deps: AnsweringDeps, claim: Claim, given: Answer, context: Context): Promise<void> {
  try {
    await settle(deps.db, claim, given);
  } catch (error) {
    context.log.error({ err: error }, 'an answer could not be kept for its idempotency key');
  }
}

function replay(req: Request, res: Response, { pages }: AnsweringDeps, before: Answer): void {
  pages?.doubt();
  res.set('Idempotent-Replayed', 'true');
  send(req, res, before);
}

/** Sends an answer, with what its status calls for. */
export function send(req: Request, res: Response, { status, body, retryAfterSeconds }: Answer): void {
  const { endpoint } = requestStateOf(req);
  const bytes = JSON.stringify(body);
  res.status(status).type('json');
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  if (status === 401) res.set('WWW-Authenticate', 'Bearer');
  if (endpoint) allowKeeping(req, res, endpoint, () => etagOf(bytes));
  res.send(bytes);
}
