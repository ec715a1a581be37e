import type { Request } from 'express';
import { v7 } from 'uuid';
import type { Claim } from '../../db/administration/idempotency.writes';
import { cookieOf } from './cookies';
import type { ServerDeps } from './deps';
import type { Context, Endpoint, Reply } from './endpoint';
import { nowhere } from './geo/geo';
import { mintUnder, wishId, type Wish } from './idempotency';
import { idsOf } from './log';
import { visitOf } from './visit';

/** What belongs to one request and not to the server. */
export interface Occasion {
  endpoint: Endpoint;
  bytes: Buffer;
  file: Buffer;
  originAllowed: boolean;
  wish: Wish | null;
  claim: Claim | null;
  reply: Reply;
}

/** What the handler of one request may use. */
export function contextOf(
  req: Request,
  { blobs, config, db, geo = nowhere, identity, processes }: ServerDeps,
  occasion: Occasion,
): Context {
  const visit = visitOf(req);
  const { endpoint, bytes, file, originAllowed, wish, claim, reply } = occasion;
  return {
    caller: endpoint.auth === 'public' ? null : (visit.authenticated?.caller ?? null),
    db,
    processes: processes.forRequest(visit.requestId, (workflowId) => visit.workflowIds.add(workflowId)),
    blobs,
    identity,
    geo,
    paymentSecrets: (provider) => (provider === 'sandbox' ? config.SANDBOX_SECRET : null),
    log: logOf(req),
    request: {
      id: visit.requestId,
      clientAddress: visit.clientAddress,
      userAgent: req.get('user-agent') ?? null,
      header: (name) => req.get(name),
      cookie: (name) => cookieOf(req, name),
      rawBody: bytes,
      file,
      originAllowed,
      // Chosen: not the request id, which callers may choose and use for several wishes.
      wishId: wish ? wishId(wish) : v7(),
    },
    mint: minting(db, claim),
    reply,
  };
}

/** A logger costs something to make, and most requests have nothing more to be found by than their id. */
function logOf(req: Request): Context['log'] {
  const ids = idsOf(req);
  return Object.keys(ids).length > 0 ? req.log.child(ids) : req.log;
}

/** With a claim, ids are kept with it before anyone sees them; without one, for this request only. */
function minting(db: ServerDeps['db'], claim: Claim | null): Context['mint'] {
  const minted = new Map<string, Promise<string>>();
  return (name) => {
    const known = minted.get(name) ?? (claim ? mintUnder(db, claim, name, v7()) : Promise.resolve(v7()));
    minted.set(name, known);
    return known;
  };
}
