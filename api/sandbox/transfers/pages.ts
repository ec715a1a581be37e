import { Router, type RequestHandler } from 'express';
import { newestSandboxTransfers } from '../../../db/commerce/sandbox/sandbox-transfer.reads';
import type { Logger } from 'pino';
import { subjectAt } from '../../../db/commerce/bank-file/transfer-subject.reads';
import type { Db } from '../../../db/sql/query';
import { idInKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import { wakeProcesses } from '../../admin/bank-files/ending/wake-processes';
import type { Processes } from '../../http/temporal/temporal';
import { setPageHeaders, signedQueryOf } from '../page-headers';
import { isTransfersAddress } from './address';
import { MOST_TRANSFERS, refusedTransfersPage, transfersPage } from './page';
import {
  actOnTransfer,
  TRANSFER_OUTCOMES,
  TRANSFER_ACTIONS,
  type TransferOutcome,
} from './act-on-transfer.command';

export interface TransferPagesDeps {
  db: Db;
  processes: Processes;
  log: Logger;
  /** `whsec_…`; an address signed with any of them is valid. */
  secrets: readonly string[];
}

/** The outcomes by which a transfer has ended now. */
const ENDINGS: readonly TransferOutcome[] = ['SETTLED', 'REFUSED', 'SETTLED_TWICE'];

/** The form of every key. */
const KEY = /^[\w:-]{1,100}$/;

/**
 * The page of the sandbox's transfers, for mounting at /sandbox/transfers. Plain forms; anyone with its signed address, which
 * operators have, may act.
 */
export function transferPages({ db, processes, log, secrets }: TransferPagesDeps): Router {
  const router = Router();

  /** Sets the headers of a page, and refuses with 403 an address that is not signed. */
  const requireSigned: RequestHandler = (req, res, next) => {
    setPageHeaders(res);
    if (isTransfersAddress(req.query['signature'], secrets)) next();
    else res.status(403).send(refusedTransfersPage());
  };

  router.get('/', requireSigned, async (req, res) => {
    const outcome = TRANSFER_OUTCOMES.find((known) => known === req.query['outcome']) ?? null;
    res.send(transfersPage(await newestSandboxTransfers(db, MOST_TRANSFERS), signedQueryOf(req), outcome));
  });
  for (const action of TRANSFER_ACTIONS) {
    router.post(`/:key/${action}`, requireSigned, async (req, res) => {
      const key = String(req.params['key']);
      const outcome = KEY.test(key) ? await actOnTransfer(db, key, action) : 'UNKNOWN';
      const id = idInKey(key);
      // A bank would report it: the process looks at once.
      if (id !== null && ENDINGS.includes(outcome))
        await wakeProcesses({ processes, log }, await subjectAt(db, 'sandbox', id));
      // Redirected to a GET: a page that is loaded again must not act again.
      res.redirect(303, `../../transfers?${signedQueryOf(req)}&outcome=${outcome}`);
    });
  }
  return router;
}
