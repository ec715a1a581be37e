import { Client } from '@temporalio/client';
import type { Express } from 'express';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { ApiConfig } from '../../../api/config';
import type { Authenticate } from '../../../api/http/auth/access';
import type { Identity } from '../../../api/http/auth/identity';
import { KeyRing } from '../../../db/sealing/key-ring';
import { ACCESS_COOKIE, cookieOf } from '../../../api/http/request/cookies';
import type { Extra, ServerDeps } from '../../../api/http/deps';
import type { Endpoint } from '../../../api/http/endpoint';
import { createLogger } from '../../../api/http/observe/log';
import { createServer } from '../../../api/http/server';
import { Processes } from '../../../api/http/temporal/temporal';
import { createMedia } from '../../../api/media/media';
import { temporalConnection } from '../../../api/http/temporal/temporal-connection';
import { diskBlobs } from '../../../db/blobs/disk';
import type { Db } from '../../../db/sql/query';
import { policyFrom } from '../../../db/policy/config';

/** An address on which nothing listens. */
const NOWHERE = '127.0.0.1:1';

/** Tokens of these tests name their user: `<user id>` or `<user id>:ADMIN`. */
const authenticate: Authenticate = (req) => {
  const header = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1];
  const token = header ?? cookieOf(req, ACCESS_COOKIE);
  if (token === undefined || token.startsWith('bad')) return Promise.resolve(null);
  const [id = '', ...roles] = token.split(':');
  return Promise.resolve({
    caller: { id, sessionId: v7(), roles: ['USER', ...roles], email: `${id}@example.com` },
    by: header === undefined ? 'cookie' : 'header',
  });
};

const noIdentity = Object.freeze({
  sealing: new KeyRing([{ id: 'test', key: Buffer.alloc(32, 1) }]),
}) as unknown as Identity;

const nowhere = temporalConnection({ address: NOWHERE });
const unreachable = new Processes(new Client({ connection: nowhere }));
afterAll(async () => {
  await unreachable.idle();
  await nowhere.close();
});

/** Processes without a Temporal server. */
export const noProcesses = () => unreachable;

interface ServerOptions {
  db: Db;
  endpoints: readonly Endpoint[];
  /** Environment variables. */
  settings?: Record<string, string>;
  /** Collects log lines. */
  lines?: string[];
  processes?: Processes;
  extras?: readonly Extra[];
  observe?: ServerDeps['observe'];
  cache?: ServerDeps['cache'];
  documents?: ServerDeps['documents'];
  /** `POLICY_` variables. */
  policy?: Record<string, string>;
}

/** A server with only the given endpoints, and with high limits unless `settings` says otherwise. */
export function serverOf({ db, endpoints, settings = {}, lines, ...rest }: ServerOptions): Express {
  const { TRUST_PROXY, CORS_ORIGINS, PUBLIC_URL, RATE_LIMIT_SCALE } = ApiConfig.pick({
    TRUST_PROXY: true,
    CORS_ORIGINS: true,
    PUBLIC_URL: true,
    RATE_LIMIT_SCALE: true,
  }).parse({ RATE_LIMIT_SCALE: '1000', ...settings });
  const log = lines
    ? createLogger('info', { write: (line) => void lines.push(line) })
    : createLogger('silent');
  return createServer({
    db,
    policy: policyFrom(rest.policy ?? {}),
    endpoints,
    authenticate,
    identity: noIdentity,
    processes: rest.processes ?? noProcesses(),
    blobs: diskBlobs(join(tmpdir(), 'blobs-of-tests')),
    ...createMedia({ log }),
    ...(rest.documents && { documents: rest.documents }),
    paymentIntake: () => null,
    providerIntake: () => Promise.resolve(null),
    providerAddresses: { isPrivateAllowed: false, ports: [443] },
    config: { TRUST_PROXY, CORS_ORIGINS, PUBLIC_URL, RATE_LIMIT_SCALE },
    log,
    ...(rest.extras && { extras: rest.extras }),
    ...(rest.observe && { observe: rest.observe }),
    cache: rest.cache,
  });
}

/** A promise and the function that resolves it. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
