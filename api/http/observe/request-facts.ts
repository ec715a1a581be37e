/** What a handler may know of the request beside params, query and body. */
export interface RequestFacts {
  id: string;
  /** The caller's address as far as trusted proxies tell it. */
  clientAddress: string;
  userAgent: string | null;
  /** One header by lower-case name. */
  header: (name: string) => string | undefined;
  cookie: (name: string) => string | undefined;
  /** The body's bytes as they came, for signatures. */
  rawBody: Buffer;
  /** The bytes of the file that came with an upload; empty where the contract takes none. */
  file: Buffer;
  /** Fires when the client hangs up before it has its whole answer. */
  clientGone: AbortSignal;
  /** Whether a browser page that may use this API sent the request (`Origin`); false when none is named. */
  originAllowed: boolean;
  /** Names the wish itself: the same for the same Idempotency-Key, else new with every request. */
  idempotencyId: string;
}
