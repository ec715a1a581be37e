/**
 * The state of money on its way out. DUE: its provider is to send it, and nothing is requested. ASKED: its provider was asked, and the
 * outcome is unknown. BY_HAND: a person sends it. FAILED: nothing was sent, and it may be tried again. CANCELLED: nothing was sent,
 * and the money is back.
 */
export type TransferState = 'DUE' | 'ASKED' | 'BY_HAND' | 'FAILED' | 'SENT' | 'CANCELLED';

/**
 * The result of a look-up. NOT_ASKED: nothing is requested, so there is nothing to look up. SENT: this attempt, or one before it, has
 * arrived. REFUSED: for certain. UNDER_WAY: the provider has it. TAKEN_BACK: the provider had not begun it, and never will.
 * TOO_EARLY: not found, but a call may still be on its way. NOT_FOUND: for certain, it never was carried out. FORGOTTEN: not found,
 * which means nothing any more. UNREACHABLE: the provider cannot say.
 */
export const FATES = [
  'NOT_ASKED',
  'SENT',
  'REFUSED',
  'UNDER_WAY',
  'TAKEN_BACK',
  'TOO_EARLY',
  'NOT_FOUND',
  'FORGOTTEN',
  'UNREACHABLE',
] as const;
export type Fate = (typeof FATES)[number];

/**
 * The commands that move it. SEND: its process, which looks up first. ABANDON: an operator gives its provider up. SETTLE_DONE, SETTLE_REFUSED: the
 * word of a person. PROCESS, PROCESS_BY_HAND: an administrator has it sent (again). CANCEL: its owner gets the money back.
 */
export type TransferCommand =
  'SEND' | 'ABANDON' | 'SETTLE_DONE' | 'SETTLE_REFUSED' | 'PROCESS' | 'PROCESS_BY_HAND' | 'CANCEL';

type Moves = Partial<Record<TransferState, Partial<Record<Fate, TransferState>>>>;

/**
 * Every move of money on its way out, by what a look-up says; what is left out is not allowed, and changes nothing. An attempt whose
 * outcome is unknown leaves ASKED only by what its provider says for certain, or, where the provider has forgotten it, by the
 * word of a person. SEND to ASKED calls the provider under the key of the attempt, which a provider carries out once.
 */
export const TRANSFER_MOVES: Readonly<Record<TransferCommand, Moves>> = {
  SEND: {
    DUE: { NOT_ASKED: 'ASKED', SENT: 'SENT' },
    ASKED: { SENT: 'SENT', REFUSED: 'FAILED', TOO_EARLY: 'ASKED', NOT_FOUND: 'ASKED' },
  },
  ABANDON: {
    DUE: { NOT_ASKED: 'BY_HAND', SENT: 'SENT' },
    ASKED: { SENT: 'SENT', REFUSED: 'FAILED', TAKEN_BACK: 'BY_HAND', NOT_FOUND: 'BY_HAND' },
  },
  SETTLE_DONE: {
    DUE: { SENT: 'SENT' },
    ASKED: { SENT: 'SENT', FORGOTTEN: 'SENT' },
    BY_HAND: { NOT_ASKED: 'SENT', SENT: 'SENT' },
  },
  SETTLE_REFUSED: {
    DUE: { SENT: 'SENT' },
    ASKED: { SENT: 'SENT', REFUSED: 'FAILED', NOT_FOUND: 'FAILED', FORGOTTEN: 'FAILED' },
    BY_HAND: { NOT_ASKED: 'FAILED', SENT: 'SENT' },
  },
  PROCESS: { FAILED: { NOT_ASKED: 'DUE', SENT: 'DUE' } },
  PROCESS_BY_HAND: { FAILED: { NOT_ASKED: 'BY_HAND' } },
  CANCEL: { FAILED: { NOT_ASKED: 'CANCELLED' } },
};

/** The state after a command, by what a look-up says; null: the command is not allowed, and changes nothing. */
export const transferMove = (
  command: TransferCommand,
  from: TransferState,
  fate: Fate,
): TransferState | null => TRANSFER_MOVES[command][from]?.[fate] ?? null;

/**
 * True if a report that an attempt has arrived says that money left twice: another one has arrived, or the money is back with its
 * owner. It then changes no state: it is recorded, and a person has to get the money back.
 */
export const isSentTwice = (state: TransferState): boolean => state === 'SENT' || state === 'CANCELLED';

/** The times of a provider within which a look-up is believed. */
export interface Certainty {
  /** From then on after a request, "not found" means that it was not carried out: longer than any call takes. */
  certainAfterMs: number;
  /** From then on, "not found" means nothing any more; null: the provider forgets nothing. */
  remembersForMs: number | null;
}

/**
 * The meaning of "not found", so long after the provider was last asked. The last request came after a look-up that did not find an
 * earlier one, which may be older by `certainAfterMs`: so much earlier it counts as forgotten.
 */
export function fateOfUnknown(
  sinceAskedMs: number,
  { certainAfterMs, remembersForMs }: Certainty,
): 'TOO_EARLY' | 'NOT_FOUND' | 'FORGOTTEN' {
  if (remembersForMs !== null && sinceAskedMs >= remembersForMs - certainAfterMs) return 'FORGOTTEN';
  return sinceAskedMs < certainAfterMs ? 'TOO_EARLY' : 'NOT_FOUND';
}
