import type { MovementKind } from '../../../workflows/commerce/reconciliation/reconciliation.rules';

/** A company's own record of the money that moved on our account with it. */
export interface ProviderStatement {
  /** The name in our rows and queues. */
  readonly code: string;

  /**
   * The movements of a time, `to` excluded, page by page in any order that does not change: a time that has passed has the
   * same pages whenever it is read. Returns or throws within PROVIDER_CALL_MS.
   */
  listMovements: (request: StatementPageRequest) => Promise<StatementPage>;
}

export interface StatementPageRequest {
  from: Date;
  to: Date;
  /** Of the page before; null for the first one. */
  cursor: string | null;
}

export interface StatementPage {
  movements: StatementMovement[];
  /** Null when there are no more pages. */
  cursor: string | null;
}

export interface StatementMovement {
  kind: MovementKind;
  /**
   * The provider's own id, one of its kind for each time that money moves: of a capture the id that refunds and webhooks
   * name, of a chargeback and its return that of the one movement.
   */
  providerId: string;
  /**
   * Of a chargeback and its return, the provider's id of the dispute, which may take money again; absent: it is `providerId`.
   */
  chargebackId?: string;
  /**
   * The key that the provider got from us with it, if it knows one. Of a fee for a chargeback, the provider's id of that: it
   * is booked with the chargeback, from its reports, and not by itself.
   */
  reference: string | null;
  /** The provider's id of the movement of the same kind that this one undoes; its amount is then below zero. */
  reverses?: string;
  amountMinor: number;
  currency: string;
  at: Date;
}
