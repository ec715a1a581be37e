/** The columns of rows of payments, one for each kind of what can be paid for. A further kind is a further line in each list. */
export const PAYABLE_IDS = ['orderId', 'participationId', 'entranceId', 'topUpId'] as const;

type PayableId = (typeof PAYABLE_IDS)[number];

/** The kind by its column. */
export const PAYABLE_KINDS = {
  orderId: 'order',
  participationId: 'participation',
  /** The entrance fee of a partner. */
  entranceId: 'entrance',
  /** Money that a user pays into their wallet. */
  topUpId: 'topUp',
} as const satisfies Record<PayableId, string>;

/** The word for each kind, in refusals and in the audit log. */
export type PayableKind = (typeof PAYABLE_KINDS)[PayableId];

/** The nouns by which people know the kinds. */
export const PAYABLE_NOUNS = {
  order: 'order',
  participation: 'participation',
  entrance: 'entrance fee',
  topUp: 'top-up',
} as const satisfies Record<PayableKind, string>;

/** The thing that is paid for, by its id, as payloads of processes have it. */
export type PayableRef = {
  [Id in PayableId]: Record<Id, string> & Partial<Record<Exclude<PayableId, Id>, undefined>>;
}[PayableId];

/** The thing that is paid for, as rows of payments have it: a column for each kind, of which one is set. */
export type PayableIds = Record<PayableId, string | null>;

/** An id of one kind; a row of payments, with null for the other kinds, is one too. */
export type PayableKey = { readonly [Id in PayableId]?: string | null | undefined };

/** The column that is set, and its id. Throws when the money belongs to nothing, which the database forbids. */
export function ownerOf(key: PayableKey): { column: PayableId; id: string } {
  for (const column of PAYABLE_IDS) {
    const id = key[column];
    if (id !== null && id !== undefined) return { column, id };
  }
  throw new Error('This money belongs to nothing.');
}

/** The owner of a row of payments. Throws when it belongs to nothing. */
export function refOf(key: PayableKey): PayableRef {
  const { column, id } = ownerOf(key);
  return { [column]: id } as unknown as PayableRef;
}

/** The columns of a row of payments. */
export const idsOf = ({ orderId, participationId, entranceId, topUpId }: PayableKey): PayableIds => ({
  orderId: orderId ?? null,
  participationId: participationId ?? null,
  entranceId: entranceId ?? null,
  topUpId: topUpId ?? null,
});

/** The id of what is paid for, whichever kind it is. */
export const idOf = (key: PayableKey): string => ownerOf(key).id;

/** The kind of what is paid for, by its id or by a row of payments. */
export const kindOf = (key: PayableKey): PayableKind => PAYABLE_KINDS[ownerOf(key).column];
