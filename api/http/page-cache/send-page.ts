import type { Request, Response } from 'express';
import { allowCaching } from '../answer/caching';
import type { Endpoint } from '../endpoint';
import { pageLinks } from '../answer/paging';
import type { PreparedPage } from './page-store';

/** Sends a prepared page, or 304 to a caller that has this version already. */
export function sendPage(req: Request, res: Response, endpoint: Endpoint, prepared: PreparedPage): void {
  const { bytes, etag, page } = prepared;
  res.status(200).type('json');
  if (page) res.set('Link', pageLinks(req.originalUrl, page, endpoint));
  allowCaching(req, res, endpoint, () => etag);
  res.send(bytes);
}
