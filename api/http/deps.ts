import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { BlobStore } from '../../db/blobs/port';
import type { BankFileDebtor } from '../../db/commerce/bank-file/config';
import type { Policy } from '../../db/policy/config';
import type { Db } from '../../db/sql/query';
import type { Authenticate } from './auth/access';
import type { Identity } from './auth/identity';
import type { DocumentPreparer } from './body/document-preparer';
import type { PictureDrawer } from './body/picture-drawer';
import type { AllowedAddresses } from '../../workflows/investment/provider-address.rules';
import type { Endpoint } from './endpoint';
import type { Geo } from './geo/geo';
import type { CatalogueCache } from './page-cache/catalogue-cache';
import type { CountSecurityEvent } from './observe/security-events';
import type { Intake, ProviderIntake } from './request/intake';
import type { TrustedProxies } from './request/proxies';
import type { Processes } from './temporal/temporal';

/** Something served in addition to the endpoints: documentation, the sandbox's pages, keys. */
export interface Extra {
  path: string;
  handler: RequestHandler;
  /** Serves GET of the path itself only; without it, everything below the path too. */
  exact?: true;
  /** Paths that no rate limit counts: probes must always be answered, and cost nothing. */
  uncounted?: readonly string[];
}

/** The settings of the HTTP kit itself. */
export interface ServerConfig {
  TRUST_PROXY: TrustedProxies;
  CORS_ORIGINS: readonly string[];
  PUBLIC_URL: string;
  RATE_LIMIT_SCALE: number;
}

/** Everything that the server is built from. */
export interface ServerDeps {
  db: Db;
  processes: Processes;
  blobs: BlobStore;
  documents: DocumentPreparer;
  pictures: PictureDrawer;
  endpoints: readonly Endpoint[];
  authenticate: Authenticate;
  identity: Identity;
  policy: Policy;
  config: ServerConfig;
  /** Verifies and reads the reports of a payment provider; null for an unknown provider, or one not in use. */
  paymentIntake: (provider: string) => Intake | null;
  /** Which addresses of investment providers may be saved. */
  providerAddresses: AllowedAddresses;
  /** Verifies and reads the reports of an investment provider; null for one that is unknown or not active. */
  providerIntake: ProviderIntake;
  /** The provider that sends money out; left out or null, it is not configured. */
  payoutProvider?: string | null | undefined;
  /** The account that bank files pay from; left out or null, none are made. */
  bankFileDebtor?: BankFileDebtor | null | undefined;
  /** The address under which the Temporal UI shows the processes of our namespace; left out or null, links to it are not given. */
  temporalUi?: string | null | undefined;
  log: Logger;
  /** Guesses the location of callers; left out, no location is known. */
  geo?: Geo | undefined;
  /** Caches answers about the catalogue; left out, each one is made from the database. */
  cache?: CatalogueCache | undefined;
  extras?: readonly Extra[];
  /** Runs around everything that a request causes, for traces. */
  trace?: RequestHandler | undefined;
  /** Sees every answer, for metrics. */
  observe?: RequestHandler;
  countSecurityEvent?: CountSecurityEvent;
}
