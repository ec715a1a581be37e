import type { Attributes } from 'sequelize';
import { validate } from 'uuid';
import { readReportText } from '../../../workflows/investment/provider-event/report-text.rules';
import { firstRow, type Db } from '../../sql/query';
import { ANY_REGION } from '../../identity/user/user.reads';
import type { WebhookEvent } from './webhook-event.model';

/**
 * Tells whether a report of an investment provider names a user, by id or email address (also one that was theirs when it was looked
 * at), or an investment of theirs. True also
 * where its text cannot be read, since it may; one whose text was deleted names nobody.
 */
export async function isAboutUser(db: Db, webhookEventId: string, userId: string): Promise<boolean> {
  const report = await saidIn(db, webhookEventId);
  if (report === null || report === 'UNREADABLE') return report !== null;
  const { provider, investment, participationId, said, userId: concerned } = report;
  const found = await firstRow(
    db,
    `SELECT 1 FROM users u WHERE u.id = $1 AND (u.id = $2 OR u.email = $3 OR u.id = $7 OR EXISTS (
       SELECT 1 FROM participations p WHERE p.user_id = u.id
         AND (p.id = $4 OR (p.provider_code = $5 AND p.external_id = $6))))`,
    [
      ...[userId, uuidOf(said['userId']), emailOf(said['email'])],
      ...[participationId, provider, investment, concerned],
    ],
  );
  return found !== null;
}

/**
 * The user whom a report of an investment provider is about: the owner of its investment, or else the one whom it names by id or
 * by the email address of one account only; null where nobody is known.
 */
export async function userOfReport(db: Db, webhookEventId: string): Promise<string | null> {
  const report = await saidIn(db, webhookEventId);
  if (report === null || report === 'UNREADABLE') return null;
  const { provider, investment, participationId, said } = report;
  const found = await firstRow<{ userId: string | null }>(
    db,
    `SELECT coalesce(
       (SELECT p.user_id FROM participations p WHERE p.provider_code = $1 AND p.external_id = $2),
       (SELECT p.user_id FROM participations p WHERE p.provider_code = $1 AND p.id = $3),
       (SELECT u.id FROM users u WHERE u.id = $4),
       (SELECT min(u.id::text)::uuid FROM users u WHERE u.region IN (${ANY_REGION}) AND u.email = $5
         HAVING count(*) = 1)) AS user_id`,
    [provider, investment, participationId, uuidOf(said['userId']), emailOf(said['email'])],
  );
  return found?.userId ?? null;
}

/**
 * Tells whether it is known whose money a locked report of an investment provider is about: that of an investment which is
 * known here, or, where it is DEAD and would make one, of a user. A participation never changes its user, so it stays known.
 */
export async function isOwnerKnown(db: Db, webhookEventId: string): Promise<boolean> {
  const report = await saidIn(db, webhookEventId);
  if (report === null || report === 'UNREADABLE') return false;
  const { provider, investment, participationId, said, type, status } = report;
  const isCreated = type === 'investment.created';
  const makesOne = isCreated && status === 'DEAD';
  const found = await firstRow(
    db,
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM participations WHERE provider_code = $1 AND external_id = $2)
       OR EXISTS (SELECT 1 FROM participations WHERE provider_code = $1 AND id = $3)
       OR EXISTS (SELECT 1 FROM users WHERE id = $4 AND erased_at IS NULL)
       OR EXISTS (SELECT 1 FROM users WHERE region IN (${ANY_REGION}) AND email = $5 AND erased_at IS NULL)`,
    [
      provider,
      investment,
      isCreated ? participationId : null,
      makesOne ? uuidOf(said['userId']) : null,
      makesOne && said['userId'] === undefined ? emailOf(said['email']) : null,
    ],
  );
  return found !== null;
}

interface SaidReport extends Pick<Attributes<WebhookEvent>, 'provider' | 'type' | 'status' | 'userId'> {
  said: Readonly<Record<string, unknown>>;
  /** The provider's id of the investment that it is about. */
  investment: string | null;
  participationId: string | null;
}

/** Reads what an investment provider says in a report; null for one of a payment, and where the text was deleted. */
async function saidIn(db: Db, id: string): Promise<SaidReport | 'UNREADABLE' | null> {
  const report = await firstRow<
    Pick<Attributes<WebhookEvent>, 'provider' | 'type' | 'status' | 'userId' | 'body'>
  >(
    db,
    `SELECT provider, type, status, user_id, body FROM webhook_events WHERE id = $1 AND kind = 'INVESTMENT'`,
    [id],
  );
  if (!report || report.body === null) return null;
  const { body, ...of } = report;
  const read = readReportText(body);
  if ('reason' in read) return 'UNREADABLE';
  const said = objectIn(objectIn(read.value)['data']);
  const investment = of.type === 'investment.created' ? said['externalId'] : said['investmentExternalId'];
  return {
    ...{ ...of, said },
    investment: typeof investment === 'string' ? investment : null,
    participationId: uuidOf(said['participationId']),
  };
}

const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const uuidOf = (value: unknown): string | null =>
  typeof value === 'string' && validate(value) ? value.toLowerCase() : null;

const emailOf = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null);
