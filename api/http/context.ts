import type { Request, Response } from 'express';
import { v7 } from 'uuid';
import { mintForRequest } from '../../db/administration/idempotency/idempotency.writes';
import { cookieOf } from './request/cookies';
import { adminPathsOf } from './request/ids/admin-paths';
import type { ServerDeps } from './deps';
import type { Endpoint } from './endpoint';
import type { Context } from './handler-context';
import { nowhere } from './geo/geo';
import { idempotencyId, type KeyedClaim } from './idempotency/idempotency';
import { idsOf } from './observe/log';
import type { Reply } from './answer/reply';
import { clientOf } from './limits/rate-limit';
import { recordSecurityEvent } from './observe/security-events';
import { requestStateOf } from './observe/request-state';

/** The values of one request, as opposed to those of the server (`ServerDeps`). */
export interface RequestScope {
  endpoint: Endpoint;
  bytes: Buffer;
  file: Buffer;
  fileName: string;
  originAllowed: boolean;
  claim: KeyedClaim | null;
  reply: Reply;
  conclude: Context['conclude'];
  res: Response;
}

/** The account of security events about callers without one. */
const NOBODY = 'nobody';

/** Builds the context that the handler of one request works with. */
export function contextOf(req: Request, deps: ServerDeps, scope: RequestScope): Context {
  const { blobs, db, documents, geo = nowhere, identity, paymentIntake, pictures, policy, processes } = deps;
  const { providerIntake } = deps;
  const requestState = requestStateOf(req);
  const { endpoint, bytes, file, fileName, originAllowed, claim, reply, conclude, res } = scope;
  const clientGone = clientGoneSignal(res);
  const caller = endpoint.auth === 'public' ? null : (requestState.authenticated?.caller ?? null);
  const record: Context['recordSecurityEvent'] = (event) => {
    const { sealing } = identity;
    const { clientAddress } = requestState;
    recordSecurityEvent({ sealing, log: req.log, clientAddress, count: deps.countSecurityEvent }, event);
  };
  return {
    caller,
    db,
    processes: processes.forRequest(requestState.requestId, (workflowId) =>
      requestState.workflowIds.add(workflowId),
    ),
    blobs,
    documents: documents.forRequest(clientOf(requestState), (virus) => {
      req.log.warn({ virus }, 'an uploaded file contains a virus');
      record({ event: 'infected-file', outcome: 'failure', account: caller?.id ?? NOBODY });
    }),
    pictures,
    // A getter, because most requests do not use passwords.
    get identity() {
      return { ...identity, passwords: identity.passwords.forRequest(clientGone()) };
    },
    policy,
    geo,
    paymentIntake,
    providerIntake,
    providerAddresses: deps.providerAddresses,
    payoutProvider: deps.payoutProvider ?? null,
    bankFileDebtor: deps.bankFileDebtor ?? null,
    temporalUi: deps.temporalUi ?? null,
    adminPaths: adminPathsOf(deps.endpoints),
    log: logOf(req),
    recordSecurityEvent: record,
    request: {
      id: requestState.requestId,
      clientAddress: requestState.clientAddress,
      userAgent: req.get('user-agent') ?? null,
      header: (name) => req.get(name),
      cookie: (name) => cookieOf(req, name),
      rawBody: bytes,
      file,
      fileName,
      originAllowed,
      get clientGone() {
        return clientGone();
      },
      afterAnswer: (release) => void requestState.releases.push(release),
      // Chosen: not the request id, which callers may choose and use for several requests.
      idempotencyId: claim ? idempotencyId(claim) : v7(),
    },
    // An atomic handler leaves nothing behind when it fails, so its ids need not be stored for a repetition.
    mint: minting(db, endpoint.atomic ? null : claim),
    reply,
    conclude,
  };
}

/** A signal that fires when the client hangs up before it has the whole answer; created at the first use. */
function clientGoneSignal(res: Response): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const created = (controller = new AbortController());
    if (res.closed) created.abort();
    else res.once('close', () => res.writableFinished || created.abort());
    return created.signal;
  };
}

/** The request's logger. A child logger is expensive, so it is made only if there are more ids than the request's. */
function logOf(req: Request): Context['log'] {
  const ids = idsOf(req);
  return Object.keys(ids).length > 0 ? req.log.child(ids) : req.log;
}

/** With a claim, ids are stored with it before they are answered, so that a repetition gets the same ones. */
function minting(db: ServerDeps['db'], claim: KeyedClaim | null): Context['mint'] {
  const minted = new Map<string, string>();
  return async <Name extends string>(...names: Name[]) => {
    const fresh = names.filter((name) => !minted.has(name)).map((name) => [name, v7()] as const);
    if (fresh.length > 0) {
      const ids = Object.fromEntries(fresh);
      for (const [name, id] of Object.entries(claim ? await mintForRequest(db, claim, ids) : ids))
        minted.set(name, id);
    }
    return Object.fromEntries(names.map((name) => [name, minted.get(name)])) as Record<Name, string>;
  };
}
