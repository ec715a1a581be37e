/** The facts about a request that a handler may use besides params, query and body. */
export interface RequestFacts {
  id: string;
  /** The caller's address, taken from trusted proxies only. */
  clientAddress: string;
  userAgent: string | null;
  /** One header by lower-case name. */
  header: (name: string) => string | undefined;
  cookie: (name: string) => string | undefined;
  /** The body's bytes as they were sent, for signatures. */
  rawBody: Buffer;
  /** The bytes of an uploaded file; empty unless the contract has `upload`. */
  file: Buffer;
  /** The name that the client gives it, unchecked; empty without a file. */
  fileName: string;
  /** Fires when the client hangs up before it has its whole answer. */
  clientGone: AbortSignal;
  /** Calls this once the client has the whole answer, or is gone. */
  afterAnswer: (release: () => void) => void;
  /** True if `Origin` names a page that may use this API; false without the header. */
  originAllowed: boolean;
  /** The same for every repetition under one Idempotency-Key; new for every request without a key. */
  idempotencyId: string;
}
