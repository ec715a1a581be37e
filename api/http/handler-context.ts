import type { Logger } from 'pino';
import type { BlobStore } from '../../db/blobs/port';
import type { BankFileDebtor } from '../../db/commerce/bank-file/config';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql/query';
import type { AllowedAddresses } from '../../workflows/investment/provider-address.rules';
import type { Intake, ProviderIntake } from './request/intake';
import type { Identity } from './auth/identity';
import type { Geo } from './geo/geo';
import type { Reply } from './answer/reply';
import type { RequestFacts } from './observe/request-facts';
import type { Documents } from './body/document-preparer';
import type { PictureDrawer } from './body/picture-drawer';
import type { RecordSecurityEvent } from './observe/security-events';
import type { Processes } from './temporal/temporal';

/** The signed-in user, read with the session for this very request. */
export interface Caller {
  id: string;
  sessionId: string;
  roles: readonly string[];
  email: string;
}

export type Auth = 'public' | 'optional' | 'user' | 'admin' | 'super-admin';
type CallerOf<A extends Auth> = A extends 'public' ? null : A extends 'optional' ? Caller | null : Caller;

/** Everything that a handler may use besides its input. */
export interface Context<A extends Auth = Auth> {
  caller: CallerOf<A>;
  db: Db;
  processes: Processes;
  /** Stored files: pictures, documents. */
  blobs: BlobStore;
  documents: Documents;
  pictures: PictureDrawer;
  /** Passwords, tokens and session settings; from `createAuthentication`. */
  identity: Identity;
  /** The business rules in numbers: windows, thresholds, counts. */
  policy: Policy;
  /** Guesses the location of an IP address; nothing may be allowed or refused because of it. */
  geo: Geo;
  /** Verifies and reads the reports of a payment provider; null for an unknown provider. */
  paymentIntake: (provider: string) => Intake | null;
  /** Which addresses of investment providers may be saved. */
  providerAddresses: AllowedAddresses;
  /** Verifies and reads the reports of an investment provider; null for one that is unknown or not active. */
  providerIntake: ProviderIntake;
  /** The code of the provider that sends money out, the account that bank files pay from, the address of our processes in the Temporal UI; null: not configured. */
  payoutProvider: string | null;
  bankFileDebtor: BankFileDebtor | null;
  temporalUi: string | null;
  /** The path under which administrators read a resource by its id, by the name of the resource. */
  adminPaths: ReadonlyMap<string, string>;
  log: Logger;
  recordSecurityEvent: RecordSecurityEvent;
  request: RequestFacts;
  /**
   * Ids for what this request creates, by name. A repetition under the same Idempotency-Key gets the same ids, so that
   * it finds what the first try began. Await them before using them, and ask for all in one call: each is a commit.
   */
  mint: <Name extends string>(...names: Name[]) => Promise<Record<Name, string>>;
  reply: Reply;
  /** Stores the answer to a keyed request in the transaction of its change, for handlers that cannot be `atomic`. */
  conclude: (tx: Tx, data: unknown) => Promise<void>;
}
