import type { Request, Response } from 'express';
import { allowKeeping } from '../answer/caching';
import type { Endpoint } from '../endpoint';
import { pageLinks } from '../answer/paging';
import type { PreparedPage } from './page-store';

/** Sends a prepared page; 304 to who has it already. */
export function sendPage(req: Request, res: Response, endpoint: Endpoint, prepared: PreparedPage): void {
  const { bytes, etag, page } = prepared;
  res.status(200).type('json');
  if (page) res.set('Link', pageLinks(req.originalUrl, page, endpoint));
  allowKeeping(req, res, endpoint, () => etag);
  res.send(bytes);
}
