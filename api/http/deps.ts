import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { BlobStore } from '../../db/blobs/port';
import type { Policy } from '../../db/policy/config';
import type { Db } from '../../db/sql/query';
import type { Authenticate } from './auth/access';
import type { Identity } from './auth/identity';
import type { PictureDrawer } from './body/picture-drawer';
import type { Endpoint } from './endpoint';
import type { Geo } from './geo/geo';
import type { CataloguePages } from './page-cache/catalogue-pages';
import type { CountSecurityEvent } from './observe/security-events';
import type { Intake } from './request/intake';
import type { TrustedProxies } from './request/proxies';
import type { Processes } from './temporal/temporal';

/** Something served beside the endpoints: documentation, the sandbox's pages, keys. */
export interface Extra {
  path: string;
  handler: RequestHandler;
  /** Addresses that no request is counted for: what probes must be answered and costs nothing. */
  uncounted?: readonly string[];
}

/** What the HTTP side itself needs of the environment. */
export interface ServerConfig {
  TRUST_PROXY: TrustedProxies;
  CORS_ORIGINS: readonly string[];
  PUBLIC_URL: string;
  RATE_LIMIT_SCALE: number;
}

/** All that the server is made of. */
export interface ServerDeps {
  db: Db;
  processes: Processes;
  blobs: BlobStore;
  pictures: PictureDrawer;
  endpoints: readonly Endpoint[];
  authenticate: Authenticate;
  identity: Identity;
  policy: Policy;
  config: ServerConfig;
  /** How reports of a payment provider are taken; null for a code that is no provider's, or of one not in use. */
  paymentIntake: (provider: string) => Intake | null;
  log: Logger;
  /** Guesses where callers are; without it nobody's place is known. */
  geo?: Geo | undefined;
  /** Keeps answers about the catalogue; without it each is made anew. */
  pages?: CataloguePages | undefined;
  extras?: readonly Extra[];
  /** Goes around everything that a request causes; for traces. */
  trace?: RequestHandler | undefined;
  /** Hears of every answer; for metrics. */
  observe?: RequestHandler;
  countSecurityEvent?: CountSecurityEvent;
}
