import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import supertest from 'supertest';
import { authEndpoints } from '../../../api/auth';
import { ApiConfig } from '../../../api/config';
import { createAuthentication } from '../../../api/http/auth';
import type { Hasher } from '../../../api/http/auth/passwords/passwords';
import { createLogger } from '../../../api/http/observe/log';
import type { CountSecurityEvent } from '../../../api/http/observe/security-events';
import { publishedKeys } from '../../../api/http/auth/tokens/published-keys';
import { serve } from '../../../api/http/serve';
import { createServer } from '../../../api/http/server';
import { createMedia } from '../../../api/media/media';
import { Processes } from '../../../api/http/temporal/temporal';
import { regionEndpoints } from '../../../api/regions';
import { usersEndpoints } from '../../../api/users';
import { diskBlobs } from '../../../db/blobs/disk';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import { policyFrom } from '../../../db/policy/config';
import { ownDatabase } from '../../support/servers/database';
import type { User } from '../../support/builders/make/people';
import { testVariables, type Variables } from '../../support/worlds/variables';

export const origin = 'https://shop.example';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

interface Watched {
  hasher?: Hasher;
  /** Takes each line of the log. */
  lines?: string[];
  countSecurityEvent?: CountSecurityEvent;
}

/** The API without Temporal, for the endpoints of signing in; call it at a test file's top level. */
export function ownIdentityServer(variables: Variables = {}, hasher?: Hasher, watched: Watched = {}) {
  const database = ownDatabase();
  const fakes: Watched = { ...watched, ...(hasher && { hasher }) };
  const start = (differing: Variables = {}) =>
    supertest(appOf(database.db, { ...variables, ...differing }, fakes));
  let http: ReturnType<typeof start>;
  const cleanup: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(cleanup.map((end) => end())));
  beforeAll(() => {
    http = start();
  });
  return {
    get db() {
      return database.db;
    },
    get http() {
      return http;
    },
    /** The address of a server that listens until the file ends. */
    async listening(): Promise<string> {
      const serving = await serve(appOf(database.db, variables, fakes), 0);
      cleanup.push(() => serving.drain(0));
      return `http://127.0.0.1:${serving.port}`;
    },
    /** Another process of the same API, configured differently. */
    start,
    async logIn(user: Pick<User, 'email' | 'password'>): Promise<Tokens> {
      const { status, body } = await http.post('/api/v1/auth/login').send(user);
      expect({ status, code: body.error?.code }).toEqual({ status: 200, code: undefined });
      return body.data;
    },
    /** True if the token is still accepted. */
    async opens(accessToken: string): Promise<boolean> {
      const { status } = await http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });
      expect([200, 401]).toContain(status);
      return status === 200;
    },
    sessionsOf: (user: Pick<User, 'id'>) =>
      rows<{ id: string; revokeReason: string | null }>(
        database.db,
        `SELECT id, revoke_reason FROM sessions WHERE user_id = $1 ORDER BY created_at`,
        [user.id],
      ),
    one: <Row extends object>(text: string, bind: readonly unknown[]) =>
      firstRow<Row>(database.db, text, bind),
  };
}

function appOf(db: Db, variables: Variables, { hasher, lines, countSecurityEvent }: Watched) {
  const config = ApiConfig.parse({ ...testVariables, CORS_ORIGINS: origin, ...variables });
  const nobody = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const authentication = createAuthentication({ db, config, ...(hasher && { hasher }) });
  return createServer({
    db,
    config,
    paymentIntake: () => null,
    providerIntake: () => Promise.resolve(null),
    providerAddresses: { isPrivateAllowed: false, ports: [443] },
    policy: policyFrom(variables),
    processes: new Processes(nobody),
    geo: config.GEOIP_FILE,
    blobs: diskBlobs(config.BLOB_DIR),
    ...createMedia({ log: pino({ level: 'silent' }) }),
    log: lines
      ? createLogger('info', { write: (line) => void lines.push(line) })
      : pino({ level: config.LOG_LEVEL }),
    ...(countSecurityEvent && { countSecurityEvent }),
    endpoints: [...authEndpoints, ...usersEndpoints, ...regionEndpoints],
    extras: [{ path: '/.well-known/jwks.json', handler: publishedKeys(authentication.identity) }],
    ...authentication,
  });
}
