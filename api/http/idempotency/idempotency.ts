import type { Request } from 'express';
import { createHash } from 'node:crypto';
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
import { invalid } from '../validation/validation';
import { requestStateOf } from '../observe/request-state';
import { storedAnswer, storedText } from './stored-answer';

const HEADER = 'Idempotency-Key';
/** Printable ASCII, which every proxy passes on unchanged. */
const VALID_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Stored keys of one network, for callers without an account; the oldest ones are deleted.
 * Chosen: such requests (registering, verifying an address, …) need keys like any other, but anyone can send thousands
 * of them, each under another key.
 */
const MOST_KEYS_OF_NETWORK = 500;

/** A request with an idempotency key, and the hash that distinguishes it from another request under the same key. */
export interface KeyedRequest {
  name: RequestName;
  bodyHash: string;
  /** Seals the stored answer; null: it is stored as it is sent. */
  keys: KeyRing | null;
}

/** The claim of a keyed request. */
export type KeyedClaim = Claim & Pick<KeyedRequest, 'keys'>;

/** The idempotency key of a request to an endpoint that supports it, or null. Refuses an invalid key. */
export function idempotencyKeyOf(endpoint: Endpoint, req: Request): string | null {
  const key = takesKey(endpoint) ? req.get(HEADER) : undefined;
  if (key === undefined) return null;
  if (!VALID_KEY.test(key)) throw invalid({ [HEADER]: ['must be 1 to 255 printable ASCII characters'] });
  return key;
}

/**
 * The request under its key. Another path, query or body under the same key makes it another request. Bodies may hold a
 * password, so only a keyed fingerprint is stored.
 */
export function keyedRequestOf(
  sealing: KeyRing,
  endpoint: Endpoint,
  req: Request,
  key: string,
  body: Buffer,
): KeyedRequest {
  const name = { owner: clientOf(requestStateOf(req)), route: `${endpoint.method} ${endpoint.path}`, key };
  const content = Buffer.concat([Buffer.from(`${req.originalUrl}\n`), body]);
  const keys = endpoint.idempotent === 'sealed' ? sealing : null;
  return { name, bodyHash: sealing.fingerprint(content, 'idempotency'), keys };
}

/**
 * An id for the request that other systems may see, shorter than 80 characters. It changes when a key is used again
 * after its 24 hours, and with each try after one whose outcome was spent, because Temporal answers the same update id
 * with the same outcome for ever.
 */
export function idempotencyId({ owner, route, key, createdAt, tries }: Claim): string {
  const id = createHash('sha256')
    .update(JSON.stringify([owner, route, key, createdAt.getTime()]))
    .digest('hex');
  return tries === 1 ? id : `${id}.${tries}`;
}

/** The stored answer to this request, or null if it has none yet. Refuses a reused key and a request in progress. */
export async function earlierAnswer(db: Db, request: KeyedRequest): Promise<Answer | null> {
  return answerIn(await earlierRequest(db, request.name, request.bodyHash), request);
}

/** Claims the request, or returns what a concurrent repetition has just stored. Refuses a request in progress. */
export async function claimOrAnswer(db: Db, request: KeyedRequest): Promise<KeyedClaim | Answer> {
  const claim = await claimRequest(db, request.name, request.bodyHash);
  const { keys, name } = request;
  const { owner } = name;
  if (claim && isNetwork(owner)) await forgetSurplusKeys(db, owner, MOST_KEYS_OF_NETWORK);
  return claim ? { ...claim, keys } : ((await earlierAnswer(db, request)) ?? inProgress());
}

/** Stores the answer with the claim; after a failure of ours (5xx) it reopens the claim for another try instead. */
export async function concludeOrReopen(
  db: Db,
  claim: KeyedClaim,
  { status, body, spent = false }: Answer,
): Promise<void> {
  await (status >= 500
    ? reopenClaim(db, claim, { spent })
    : concludeClaim(db, claim, status, storedText(claim.keys, claim, body)));
}

/** Stores the answer in the transaction of its change. Refuses when another try has taken the claim over. */
export async function concludeWithChange(tx: Tx, claim: KeyedClaim, { status, body }: Answer): Promise<void> {
  if (!(await concludeClaim(tx, claim, status, storedText(claim.keys, claim, body)))) inProgress();
}

function answerIn(earlier: EarlierRequest | null, { keys, name }: KeyedRequest): Answer | null {
  switch (earlier?.state) {
    case 'another body':
      throw refusal('IDEMPOTENCY_KEY_REUSED', `This ${HEADER} was used for another request.`);
    case 'in progress':
      return inProgress();
    case 'done':
      return { status: earlier.status, body: storedAnswer(keys, name, earlier.body) };
    case 'open':
    case undefined:
      return null;
  }
}

function inProgress(): never {
  throw refusal('IDEMPOTENCY_IN_PROGRESS');
}
