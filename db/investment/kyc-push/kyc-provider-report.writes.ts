import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import type { KycProviderReport } from './kyc-provider-report.model';

/** Reports of one provider on one user that are stored. */
const KEPT = 100;

/** Stores a provider's report on a locked user, once for each event; the newest ones stay. */
export async function addProviderReport(tx: Tx, report: Attributes<KycProviderReport>): Promise<void> {
  const { id, userId, providerCode, status, level, data, webhookEventId, receivedAt } = report;
  await execute(
    tx,
    `INSERT INTO kyc_provider_reports (id, user_id, provider_code, status, level, data, webhook_event_id, received_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT kyc_provider_reports_event_key DO NOTHING`,
    [id, userId, providerCode, status, level, data, webhookEventId, receivedAt],
  );
  await execute(
    tx,
    `DELETE FROM kyc_provider_reports WHERE id IN (
       SELECT id FROM kyc_provider_reports WHERE user_id = $1 AND provider_code = $2
        ORDER BY received_at DESC, id DESC OFFSET ${KEPT})`,
    [userId, providerCode],
  );
}
