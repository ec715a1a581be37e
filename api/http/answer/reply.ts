import type { Response } from 'express';
import { clearCookie, setCookie } from './cookies';
import type { Endpoint } from '../endpoint';
import type { Page, Reply, SuccessStatus } from './replies';

/** What a handler said about its answer beside the data. */
export interface Said {
  status: SuccessStatus;
  page: Page | null;
  dependsOn: readonly string[];
}

/** The `Reply` a handler speaks to, and what it will have said. Cookies go straight to the response. */
export function listen(endpoint: Endpoint, res: Response): { reply: Reply; said: Said } {
  const said: Said = { status: endpoint.success[0], page: null, dependsOn: [] };
  const reply: Reply = {
    status(status) {
      if (!endpoint.success.includes(status)) throw new Error(`${endpoint.path} does not declare ${status}.`);
      said.status = status;
    },
    page(page) {
      said.page = page;
    },
    redirect: (url) => void res.location(url),
    dependsOn(...tags) {
      said.dependsOn = tags;
    },
    download: (fileName) => void res.attachment(fileName),
    setCookie: (name, value, options) => setCookie(res, name, value, options),
    clearCookie: (name, options) => clearCookie(res, name, options),
  };
  return { reply, said };
}
