import type { Attributes } from 'sequelize';
import { validate } from 'uuid';
import type { WebhookEvent } from '../../administration/webhook/webhook-event.model';
import { firstRow, type Db } from '../../sql/query';
import type { Participation } from '../participation/participation.model';

export type ReportedParticipation = Pick<Attributes<Participation>, 'id' | 'number' | 'status' | 'userId'>;

type Said = Readonly<Record<string, unknown>>;

const textOf = (said: Said, names: readonly string[]): string | null => {
  const found = names.map((name) => said[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
};

const uuidOf = (said: Said, names: readonly string[]): string | null => {
  const found = textOf(said, names);
  return found !== null && validate(found) ? found : null;
};

/** The participation that a report has moved, waits for, or names in what it says; null when none is known. */
export const reportedParticipation = (
  db: Db,
  {
    id,
    kind,
    provider,
    type,
    waitsFor,
  }: Pick<Attributes<WebhookEvent>, 'id' | 'kind' | 'provider' | 'type' | 'waitsFor'>,
  said: Said,
): Promise<ReportedParticipation | null> => {
  const names = type === 'investment.created' ? ['externalId'] : ['investmentExternalId'];
  return firstRow(
    db,
    kind === 'INVESTMENT' ? INVESTMENT : PAYMENT,
    kind === 'INVESTMENT'
      ? [id, provider, textOf(said, names) ?? waitsFor, uuidOf(said, ['participationId'])]
      : [provider, uuidOf(said, ['key', 'attempt_id']), textOf(said, ['paymentId', 'payment_intent'])],
  );
};

const INVESTMENT = `SELECT id, number, status, user_id FROM participations WHERE id = coalesce(
  (SELECT t.participation_id FROM investment_transactions t WHERE t.webhook_event_id = $1 LIMIT 1),
  (SELECT p.id FROM participations p WHERE p.provider_code = $2 AND p.external_id = $3),
  (SELECT p.id FROM participations p WHERE p.provider_code = $2 AND p.id = $4::uuid))`;

const PAYMENT = `SELECT id, number, status, user_id FROM participations WHERE id = coalesce(
  (SELECT a.participation_id FROM payment_attempts a WHERE a.provider = $1 AND a.id = $2::uuid),
  (SELECT c.participation_id FROM payment_captures c WHERE c.provider = $1 AND c.provider_payment_id = $3 LIMIT 1))`;
