import type { Response } from 'express';
import { clearCookie, setCookie } from '../request/cookies';
import type { Endpoint } from '../endpoint';
import type { Page, Reply, SuccessStatus } from './reply';

/** The values that a handler has set through its `Reply`. */
export interface ReplyState {
  status: SuccessStatus;
  page: Page | null;
  dependsOn: readonly string[];
}

/** Creates the `Reply` for a handler and the state that it fills. Cookies and headers go straight to the response. */
export function createReply(endpoint: Endpoint, res: Response): { reply: Reply; replyState: ReplyState } {
  const replyState: ReplyState = { status: endpoint.success[0], page: null, dependsOn: [] };
  const reply: Reply = {
    status(status) {
      if (!endpoint.success.includes(status)) throw new Error(`${endpoint.path} does not declare ${status}.`);
      replyState.status = status;
    },
    page(page) {
      replyState.page = page;
    },
    redirect: (url) => void res.location(url),
    dependsOn(...tags) {
      replyState.dependsOn = tags;
    },
    download: (fileName) => void res.attachment(fileName),
    setCookie: (name, value, options) => setCookie(res, name, value, options),
    clearCookie: (name, options) => clearCookie(res, name, options),
  };
  return { reply, replyState };
}
