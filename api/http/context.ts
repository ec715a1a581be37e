import type { Request, Response } from 'express';
import { v7 } from 'uuid';
import { mintForRequest, type Claim } from '../../db/administration/idempotency/idempotency.writes';
import { cookieOf } from './answer/cookies';
import type { ServerDeps } from './deps';
import type { Context, Endpoint } from './endpoint';
import { nowhere } from './geo/geo';
import { idempotencyId } from './idempotency/idempotency';
import { idsOf } from './observe/log';
import type { Reply } from './answer/replies';
import { recordSecurityEvent } from './observe/security-events';
import { requestStateOf } from './observe/visit';

/** What belongs to one request and not to the server. */
export interface Occasion {
  endpoint: Endpoint;
  bytes: Buffer;
  file: Buffer;
  originAllowed: boolean;
  claim: Claim | null;
  reply: Reply;
  conclude: Context['conclude'];
  res: Response;
}

/** What the handler of one request may use. */
export function contextOf(req: Request, deps: ServerDeps, occasion: Occasion): Context {
  const { blobs, db, geo = nowhere, identity, paymentIntake, pictures, policy, processes } = deps;
  const visit = requestStateOf(req);
  const { endpoint, bytes, file, originAllowed, claim, reply, conclude, res } = occasion;
  const clientGone = goneSignal(res);
  return {
    caller: endpoint.auth === 'public' ? null : (visit.authenticated?.caller ?? null),
    db,
    processes: processes.forRequest(visit.requestId, (workflowId) => visit.workflowIds.add(workflowId)),
    blobs,
    pictures,
    // Made when it is asked for: most requests have nothing to do with passwords.
    get identity() {
      return { ...identity, passwords: identity.passwords.forRequest(clientGone()) };
    },
    policy,
    geo,
    paymentIntake,
    log: logOf(req),
    recordSecurityEvent: (event) => {
      const { sealing } = identity;
      const { clientAddress } = visit;
      recordSecurityEvent({ sealing, log: req.log, clientAddress, count: deps.countSecurityEvent }, event);
    },
    request: {
      id: visit.requestId,
      clientAddress: visit.clientAddress,
      userAgent: req.get('user-agent') ?? null,
      header: (name) => req.get(name),
      cookie: (name) => cookieOf(req, name),
      rawBody: bytes,
      file,
      originAllowed,
      get clientGone() {
        return clientGone();
      },
      // Chosen: not the request id, which callers may choose and use for several wishes.
      idempotencyId: claim ? idempotencyId(claim) : v7(),
    },
    // What is done in one transaction with its answer leaves nothing to be found again.
    mint: minting(db, endpoint.atomic ? null : claim),
    reply,
    conclude,
  };
}

/** A signal that fires when the client hangs up before it has its whole answer; made once, when it is asked for. */
function goneSignal(res: Response): () => AbortSignal {
  let gone: AbortController | undefined;
  return () => {
    if (gone) return gone.signal;
    const made = (gone = new AbortController());
    if (res.closed) made.abort();
    else res.once('close', () => res.writableFinished || made.abort());
    return made.signal;
  };
}

/** A logger costs something to make, and most requests have nothing more to be found by than their id. */
function logOf(req: Request): Context['log'] {
  const ids = idsOf(req);
  return Object.keys(ids).length > 0 ? req.log.child(ids) : req.log;
}

/** With a claim, ids are kept with it before anyone sees them; without one, for this request only. */
function minting(db: ServerDeps['db'], claim: Claim | null): Context['mint'] {
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
