import type { Context } from '../../../http/handler-context';
import { FileGate } from '../../../http/limits/file-gate';

/**
 * A document is in memory from its opening, at first twice, until its reader has all of it. So only a few are opened or read
 * at once, and of one user one.
 */
const LIMITS = { slots: 4, queueLength: 64, deadlineMs: 10_000 };
export const ownDocumentGate = new FileGate(LIMITS);
/** Reviewers do not wait for users who read slowly. */
export const reviewedDocumentGate = new FileGate(LIMITS);

/** Opens a document with a slot of a gate, which it has until the caller has the answer. Rejects with `Busy`. */
export async function openGated<Opened>(
  gate: FileGate,
  { caller, request }: Pick<Context<'user'>, 'caller' | 'request'>,
  open: () => Promise<Opened>,
): Promise<Opened> {
  request.afterAnswer(await gate.enter(caller.id, request.clientGone));
  return open();
}
