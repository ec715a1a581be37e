import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { sandboxPayments } from '../../db/commerce/sandbox/sandbox.reads';
import { type SandboxReport } from '../../db/commerce/sandbox/sandbox.writes';
import type { Db } from '../../db/sql/query';
import type { SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';
import { sandboxWebhookProcess } from '../../workflows/commerce/sandbox/sandbox-webhook.contract';
import type { Processes } from '../http/temporal/temporal';
import { enterSandboxPayments } from './enter-payments.command';
import { PAGE_POLICY } from './html';
import { readSandboxLink } from './link';
import { OUTCOMES, PRESSES, settle, type Outcome, type Press } from './outcome';
import { outcomePage, paymentPage, refusedPage } from './page';

export interface SandboxPagesDeps {
  db: Db;
  processes: Processes;
  log: Logger;
  /** `whsec_…`; a link signed with any of them is good. */
  secrets: readonly string[];
  /** Where the last page leads back to. */
  homeUrl: string;
}

/** The sandbox payment company's pages, for mounting at /sandbox. Plain forms; who has the signed link may press. */
export function sandboxPages(deps: SandboxPagesDeps): Router {
  const { db, secrets, homeUrl } = deps;
  const router = Router();

  /** Answers with a page for a link that is vouched for, and with 403 for any other. */
  const withLink =
    (answer: (link: SandboxLink, req: Request, res: Response) => Promise<void> | void) =>
    async (req: Request, res: Response): Promise<void> => {
      dress(res);
      const link = readSandboxLink(req.params['key'], req.query, secrets);
      if (link) await answer(link, req, res);
      else res.status(403).send(refusedPage());
    };

  router.get(
    '/payments/:key',
    withLink(async (link, req, res) => {
      const paid = (await sandboxPayments(db, link.key)).some(({ status }) => status === 'PAID');
      res.send(paid ? outcomePage('ALREADY_PAID', link, homeUrl) : paymentPage(link, queryOf(req)));
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
  for (const press of PRESSES) {
    router.post(
      `/payments/:key/${press}`,
      withLink(async (link, req, res) => {
        const outcome = await pressed(press, link, deps);
        // Elsewhere, and by GET: a page that is loaded again must not press again.
        res.redirect(303, `result?${queryOf(req)}&outcome=${outcome}`);
      }),
    );
  }
  return router;
}

/** Enters what the press came to, and sends the reports on their way. */
async function pressed(press: Press, link: SandboxLink, deps: SandboxPagesDeps): Promise<Outcome> {
  const at = new Date();
  let outcome: Outcome = 'ALREADY_PAID';
  const reports = await enterSandboxPayments(deps.db, { ...link, at }, (standing) => {
    const settlement = settle(press, link, standing, at);
    outcome = settlement.outcome;
    return settlement.entries;
  });
  for (const report of reports) void send(report, deps);
  return outcome;
}

/** The payer does not wait for this: what is in the books and cannot be sent now is sent by the sweep. */
async function send(report: SandboxReport, { processes, log }: SandboxPagesDeps): Promise<void> {
  try {
    await processes.start(sandboxWebhookProcess, report);
  } catch (error) {
    log.warn({ err: error, eventId: report.eventId }, 'a sandbox report waits for the sweep');
  }
}

function dress(res: Response): void {
  res.set('Content-Security-Policy', PAGE_POLICY);
  res.set('Cache-Control', 'no-store');
  // The address is the permission to press; other sites must not learn it from a link.
  res.set('Referrer-Policy', 'same-origin');
  res.set('X-Content-Type-Options', 'nosniff');
  res.type('html');
}

/** The signed part of the address, to be handed on as it came. */
function queryOf(req: Request): string {
  const { searchParams } = new URL(req.originalUrl, 'http://sandbox');
  searchParams.delete('outcome');
  return searchParams.toString();
}
