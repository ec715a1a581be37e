import type { Request, Response } from 'express';
import { catalogueTags } from '../../../db/catalog/catalogue-change/catalogue-channel';
import { etagOf } from '../answer/caching';
import { contextOf } from '../context';
import type { ServerDeps } from '../deps';
import type { Asked, Endpoint } from '../endpoint';
import { success } from '../answer/envelope';
import { bringsReferral } from '../request/referral';
import { listen } from '../answer/reply';
import type { CataloguePages } from './catalogue-pages';
import type { PreparedPage } from './page-store';
import { sendPage } from './send-page';

/** Answers a valid request for a page, kept or prepared now. Refusals are thrown, and never kept. */
export async function answerFromPages(
  req: Request,
  res: Response,
  deps: ServerDeps & { pages: CataloguePages },
  { endpoint, asked, originAllowed }: { endpoint: Endpoint; asked: Asked; originAllowed: boolean },
): Promise<void> {
  const prepare = async (): Promise<PreparedPage> => {
    const { reply, said } = listen(endpoint, res);
    const bytes = Buffer.alloc(0);
    const conclude = () => Promise.resolve(); // Nothing keyed is ever kept.
    const occasion = { endpoint, bytes, file: bytes, originAllowed, claim: null, reply, conclude, res };
    const context = contextOf(req, deps, occasion);
    const data = await endpoint.answer(asked, context);
    const text = JSON.stringify(success(said.status, data, said.page).body);
    return {
      bytes: Buffer.from(text),
      etag: etagOf(text),
      page: said.page,
      tags: [catalogueTags.all, ...said.dependsOn],
    };
  };
  // An address that is known is answered before anyone looks at what else it says.
  const address = bringsReferral(req) ? null : req.originalUrl;
  const page = await deps.pages.pageOf({ endpoint, asked, address }, prepare);
  sendPage(req, res, endpoint, page);
}
