import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  claimRequest,
  concludeClaim,
  earlierRequest,
  forgetSurplusKeys,
  reopenClaim,
  type Claim,
  type EarlierRequest,
  type RequestName,
} from '../../../db/administration/idempotency/idempotency.writes';
import type { KeyRing } from '../../../db/sealing/key-ring';
import type { Db, Tx } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import type { Endpoint } from '../endpoint';
import type { Answer } from '../answer/envelope';
import { takesKey } from '../answer/errors';
import { clientOf, isNetwork } from '../limits/rate-limit';
import { invalid } from '../request/validation';
import { requestStateOf } from '../observe/visit';

const HEADER = 'Idempotency-Key';
/** Printable ASCII, which is what a header can carry unharmed. */
const SANE_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Keys of callers without an account, whom nothing but their network tells apart: so many of the newest are kept.
 * Chosen: such requests (registering, verifying an address, …) need their keys as much as any, but anybody can send
 * them by the thousand with ever new keys.
 */
const MOST_KEYS_OF_NETWORK = 500;

const StoredBody = z.looseObject({});

/** A wish under its key, and what tells it from another wish under the same key. */
export interface Wish {
  name: RequestName;
  bodyHash: string;
}

/** The key a request brings to an endpoint that heeds it, or null. Refuses one that is empty or too long. */
export function keyOf(endpoint: Endpoint, req: Request): string | null {
  const key = takesKey(endpoint) ? req.get(HEADER) : undefined;
  if (key === undefined) return null;
  if (!SANE_KEY.test(key)) throw invalid({ [HEADER]: ['must be 1 to 255 printable ASCII characters'] });
  return key;
}

/**
 * The same key for another order or with another query is as much another wish as with another body. Bodies may hold a
 * password, so what is kept of them is a fingerprint under a key of ours.
 */
export function wishOf(sealing: KeyRing, endpoint: Endpoint, req: Request, key: string, body: Buffer): Wish {
  const name = { owner: clientOf(requestStateOf(req)), route: `${endpoint.method} ${endpoint.path}`, key };
  const asked = Buffer.concat([Buffer.from(`${req.originalUrl}\n`), body]);
  return { name, bodyHash: sealing.fingerprint(asked, 'idempotency') };
}

/**
 * A name for the request that may be shown to other systems, shorter than 80 characters. A key that is used anew after
 * its day names another request; and so does each try after one whose outcome is spent, for the server answers the
 * same name with that outcome for ever.
 */
export function idempotencyId({ owner, route, key, createdAt, tries }: Claim): string {
  const id = createHash('sha256')
    .update(JSON.stringify([owner, route, key, createdAt.getTime()]))
    .digest('hex');
  return tries === 1 ? id : `${id}.${tries}`;
}

/** The answer given to this wish before, or null if it is still to be answered. Refuses what cannot be either. */
export async function earlierAnswer(db: Db, wish: Wish): Promise<Answer | null> {
  return answerIn(await earlierRequest(db, wish.name, wish.bodyHash));
}

/** Takes the wish in hand, or gives the answer that someone else has just given to it. */
export async function claimOrAnswer(db: Db, wish: Wish): Promise<Claim | Answer> {
  const claim = await claimRequest(db, wish.name, wish.bodyHash);
  if (claim && isNetwork(wish.name.owner)) await forgetSurplusKeys(db, wish.name.owner, MOST_KEYS_OF_NETWORK);
  return claim ?? (await earlierAnswer(db, wish)) ?? inProgress();
}

/** Keeps the answer, or, when it says no more than that something broke, leaves the wish open for another try. */
export async function settle(db: Db, claim: Claim, { status, body, spent = false }: Answer): Promise<void> {
  await (status >= 500
    ? reopenClaim(db, claim, { spent })
    : concludeClaim(db, claim, status, JSON.stringify(body)));
}

/** Keeps the answer with the change that it tells of. Refuses when the same request is in other hands by now. */
export async function settleWithChange(tx: Tx, claim: Claim, { status, body }: Answer): Promise<void> {
  if (!(await concludeClaim(tx, claim, status, JSON.stringify(body)))) inProgress();
}

function answerIn(earlier: EarlierRequest | null): Answer | null {
  switch (earlier?.state) {
    case 'another body':
      throw refusal('IDEMPOTENCY_KEY_REUSED', `This ${HEADER} was used for another request.`);
    case 'in progress':
      return inProgress();
    case 'done':
      return { status: earlier.status, body: StoredBody.parse(JSON.parse(earlier.body)) };
    case 'open':
    case undefined:
      return null;
  }
}

function inProgress(): never {
  throw refusal(
    'IDEMPOTENCY_IN_PROGRESS',
    'The same request is being answered right now; ask again in a moment.',
  );
}
