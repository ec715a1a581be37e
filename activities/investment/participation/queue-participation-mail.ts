import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail, withdrawMail } from '../../../db/administration/outbox/outbox.writes';
import { participationAddressee } from '../../../db/investment/participation/participation-letter.reads';
import type { Tx } from '../../../db/sql/query';
import type { TransferLetterData } from '../../../workflows/commerce/payable/transfer-letter.rules';
import {
  participationTransferLetter,
  type ParticipationLetterData,
} from '../../../workflows/investment/participation/participation.letters';

/** The events of a participation that are mailed, each once. `paid-out`: its provider has ended it. */
type Event = 'transfer' | 'started' | 'unpaid' | 'matured' | 'paid-out';

/** Those of which a provider can report any number: each at most once a day (UTC), so that nobody gets thousands. */
type DailyEvent = 'part-paid-out' | 'late-profit' | 'maturity-moved';

const referenceOf = (participationId: string, event: Event | `${DailyEvent}:${string}`): string =>
  `participation:${participationId}:${event}`;

/** Queues a mail about a participation as this transaction sees it; none to an erased account. */
export async function queueParticipationMail(
  tx: Tx,
  participationId: string,
  event: Event | `${DailyEvent}:${string}`,
  contentOf: (data: ParticipationLetterData) => LetterContent,
): Promise<void> {
  const addressee = await participationAddressee(tx, participationId);
  if (!addressee) return;
  const mail = { reference: referenceOf(participationId, event), to: addressee.email };
  await enqueueQuietMail(tx, { ...mail, ...letter(contentOf(addressee)) });
}

/** Queues a mail about an event of which there was none on this day; `at`: now, and not the time that a report names. */
export const queueDailyMail = (
  tx: Tx,
  participationId: string,
  { event, at }: { event: DailyEvent; at: Date },
  contentOf: (data: ParticipationLetterData) => LetterContent,
): Promise<void> => queueParticipationMail(tx, participationId, dailyEvent(event, at), contentOf);

const dailyEvent = <Event extends DailyEvent>(event: Event, at: Date): `${Event}:${string}` =>
  `${event}:${at.toISOString().slice(0, 10)}`;

/** Withdraws the mail of this day about a part that was paid out, where another one says it; nothing when it has gone. */
export const withdrawPartMail = (tx: Tx, participationId: string, at: Date): Promise<void> =>
  withdrawMail(tx, referenceOf(participationId, dailyEvent('part-paid-out', at)));

/** Queues the mail that asks for a bank transfer. */
export const queueTransferMail = (
  tx: Tx,
  participationId: string,
  transfer: TransferLetterData,
): Promise<void> =>
  queueParticipationMail(tx, participationId, 'transfer', (data) =>
    participationTransferLetter(data, transfer),
  );

/** Withdraws that mail, of a participation that no longer waits for it; nothing when it has gone. */
export const withdrawTransferMail = (tx: Tx, participationId: string): Promise<void> =>
  withdrawMail(tx, referenceOf(participationId, 'transfer'));
