import type { Request, Response } from 'express';
import { catalogueTags } from '../../../db/catalog/catalogue-change/catalogue-channel';
import { etagOf } from '../answer/caching';
import { contextOf } from '../context';
import type { ServerDeps } from '../deps';
import type { Endpoint, RequestInput } from '../endpoint';
import { success, withIgnored } from '../answer/envelope';
import { bringsReferral } from '../request/referral';
import { createReply } from '../answer/create-reply';
import { requestStateOf } from '../observe/request-state';
import type { CatalogueCache } from './catalogue-cache';
import type { PreparedPage } from './page-store';
import { sendPage } from './send-page';

/** Answers a validated request with the cached page, or prepares and caches it. Refusals are thrown, never cached. */
export async function answerFromCache(
  req: Request,
  res: Response,
  deps: ServerDeps & { cache: CatalogueCache },
  { endpoint, input, originAllowed }: { endpoint: Endpoint; input: RequestInput; originAllowed: boolean },
): Promise<void> {
  const prepare = async (): Promise<PreparedPage> => {
    const { reply, replyState } = createReply(endpoint, res);
    const bytes = Buffer.alloc(0);
    const conclude = () => Promise.resolve(); // A cached endpoint is a GET, so it has no idempotency key.
    const scope = {
      endpoint,
      bytes,
      file: bytes,
      fileName: '',
      originAllowed,
      claim: null,
      reply,
      conclude,
      res,
    };
    const context = contextOf(req, deps, scope);
    const data = await endpoint.answer(input, context);
    const text = JSON.stringify(success(replyState.status, data, replyState.page).body);
    return {
      bytes: Buffer.from(text),
      etag: etagOf(text),
      page: replyState.page,
      tags: [catalogueTags.all, ...replyState.dependsOn],
    };
  };
  const { ignored } = requestStateOf(req);
  // A known URL is answered without looking at the query, so one with a referral must not become known.
  const url = bringsReferral(req) || ignored.length > 0 ? null : req.originalUrl;
  const page = await deps.cache.pageOf({ endpoint, input, url }, prepare);
  sendPage(req, res, endpoint, ignored.length > 0 ? naming(ignored, page) : page);
}

/** The page with the names of what this caller sent in vain. */
function naming(ignored: readonly string[], page: PreparedPage): PreparedPage {
  const text = withIgnored(page.bytes.toString(), page.page, ignored);
  return { ...page, bytes: Buffer.from(text), etag: etagOf(text) };
}
