import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { payablePayment, sandboxPayments } from '../../db/commerce/sandbox/sandbox.reads';
import { type SandboxReport } from '../../db/commerce/sandbox/sandbox.writes';
import type { Db } from '../../db/sql/query';
import type { SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';
import { sandboxWebhookProcess } from '../../workflows/commerce/sandbox/sandbox-webhook.contract';
import type { Processes } from '../http/temporal/temporal';
import { enterSandboxPayments } from './enter-payments.command';
import { readSandboxLink } from './link';
import { OUTCOMES, SANDBOX_ACTIONS, settle, type Outcome, type SandboxAction } from './outcome';
import { closedPage, outcomePage, paymentPage, refusedPage, whyClosed } from './page';
import { setPageHeaders, signedQueryOf } from './page-headers';

export interface SandboxPagesDeps {
  db: Db;
  processes: Processes;
  log: Logger;
  /** `whsec_…`; a link signed with any of them is valid. */
  secrets: readonly string[];
  /** The address that the last page links to. */
  homeUrl: string;
  /** The fee that the sandbox keeps of each payment, in basis points; left out: none. */
  feeBp?: number;
}

/** The sandbox payment company's pages, for mounting at /sandbox. Plain forms; anyone with the signed link may act. */
export function sandboxPages(deps: SandboxPagesDeps): Router {
  const { secrets, homeUrl } = deps;
  const router = Router();

  /** Answers with a page for a signed link, and with 403 for any other. */
  const withLink =
    (answer: (link: SandboxLink, req: Request, res: Response) => Promise<void> | void) =>
    async (req: Request, res: Response): Promise<void> => {
      setPageHeaders(res);
      const link = readSandboxLink(req.params['key'], req.query, secrets);
      if (link) await answer(link, req, res);
      else res.status(403).send(refusedPage());
    };

  router.get(
    '/payments/:key',
    withLink(async (link, req, res) => {
      res.send(await pageOf(link, signedQueryOf(req), deps));
    }),
  );
  router.get(
    '/payments/:key/result',
    withLink((link, req, res) => {
      const outcome = OUTCOMES.find((known) => known === req.query['outcome']);
      if (outcome) res.send(outcomePage(outcome, link, homeUrl));
      else res.status(403).send(refusedPage());
    }),
  );
  for (const action of SANDBOX_ACTIONS) {
    router.post(
      `/payments/:key/${action}`,
      withLink(async (link, req, res) => {
        const outcome = await recordAction(action, link, deps);
        // Redirected to a GET: a page that is loaded again must not act again.
        res.redirect(303, `result?${signedQueryOf(req)}&outcome=${outcome}`);
      }),
    );
  }
  return router;
}

/** The page of a payment that is payable, paid or closed. */
async function pageOf(link: SandboxLink, query: string, { db, homeUrl }: SandboxPagesDeps): Promise<string> {
  const payments = await sandboxPayments(db, link.key);
  if (payments.some(({ status }) => status === 'PAID')) return outcomePage('ALREADY_PAID', link, homeUrl);
  const why = whyClosed(link, await payablePayment(db, link.key), new Date());
  return why === null ? paymentPage(link, query) : closedPage(why, link, homeUrl);
}

/** Records the outcome of the button, and starts the reports. */
async function recordAction(
  action: SandboxAction,
  link: SandboxLink,
  deps: SandboxPagesDeps,
): Promise<Outcome> {
  const at = new Date();
  let outcome: Outcome = 'ALREADY_PAID';
  const reports = await enterSandboxPayments(deps.db, { ...link, at, feeBp: deps.feeBp ?? 0 }, (recorded) => {
    const settlement = settle(action, link, recorded, at);
    outcome = settlement.outcome;
    return settlement.entries;
  });
  for (const report of reports) void startReport(report, deps);
  return outcome;
}

/** Starts a report's process. The payer does not wait for it, and the sweep starts it if this fails. */
async function startReport(report: SandboxReport, { processes, log }: SandboxPagesDeps): Promise<void> {
  try {
    await processes.start(sandboxWebhookProcess, report);
  } catch (error) {
    log.warn({ err: error, eventId: report.eventId }, 'a sandbox report waits for the sweep');
  }
}
