import type { QueryInterface } from 'sequelize';
import * as audit from './migrations/0001-audit';
import * as requests from './migrations/0002-requests';
import * as operations from './migrations/0003-operations';
import * as domainEvents from './migrations/0004-domain-events';
import * as users from './migrations/0005-users';
import * as signIn from './migrations/0006-sign-in';
import * as registration from './migrations/0007-registration';
import * as media from './migrations/0008-media';
import * as ledger from './migrations/0009-ledger';
import * as catalogue from './migrations/0010-catalogue';
import * as reviews from './migrations/0011-reviews';
import * as pricing from './migrations/0012-pricing';
import * as carts from './migrations/0013-carts';
import * as orders from './migrations/0014-orders';
import * as webhookEvents from './migrations/0015-webhook-events';
import * as strategies from './migrations/0016-strategies';
import * as participations from './migrations/0017-participations';
import * as kyc from './migrations/0018-kyc';
import * as partners from './migrations/0019-partners';
import * as topUps from './migrations/0020-top-ups';
import * as payments from './migrations/0021-payments';
import * as refunds from './migrations/0022-refunds';
import * as sandbox from './migrations/0023-sandbox';
import * as commissions from './migrations/0024-commissions';
import * as pools from './migrations/0025-pools';
import * as payouts from './migrations/0026-payouts';
import * as bankFiles from './migrations/0027-bank-files';
import * as reconciliation from './migrations/0028-reconciliation';
import * as analytics from './migrations/0029-analytics';
import * as restores from './migrations/0030-restores';

export interface Migration {
  readonly name: string;
  /**
   * Runs it without a transaction, for `CREATE INDEX CONCURRENTLY`, which lets rows be written meanwhile. Each of its steps
   * has to be safe to repeat: after a kill all of it runs again.
   */
  readonly outsideTransaction?: true;
  readonly up: (query: QueryInterface) => Promise<void>;
  readonly down: (query: QueryInterface) => Promise<void>;
}

/** Every migration in its order, by the name of its file, under which databases record it: numbers are not reused. */
export const migrationList: readonly Migration[] = [
  { name: '0001-audit', up: audit.up, down: audit.down },
  { name: '0002-requests', up: requests.up, down: requests.down },
  { name: '0003-operations', up: operations.up, down: operations.down },
  { name: '0004-domain-events', up: domainEvents.up, down: domainEvents.down },
  { name: '0005-users', up: users.up, down: users.down },
  { name: '0006-sign-in', up: signIn.up, down: signIn.down },
  { name: '0007-registration', up: registration.up, down: registration.down },
  { name: '0008-media', up: media.up, down: media.down },
  { name: '0009-ledger', up: ledger.up, down: ledger.down },
  { name: '0010-catalogue', up: catalogue.up, down: catalogue.down },
  { name: '0011-reviews', up: reviews.up, down: reviews.down },
  { name: '0012-pricing', up: pricing.up, down: pricing.down },
  { name: '0013-carts', up: carts.up, down: carts.down },
  { name: '0014-orders', up: orders.up, down: orders.down },
  { name: '0015-webhook-events', up: webhookEvents.up, down: webhookEvents.down },
  { name: '0016-strategies', up: strategies.up, down: strategies.down },
  { name: '0017-participations', up: participations.up, down: participations.down },
  { name: '0018-kyc', up: kyc.up, down: kyc.down },
  { name: '0019-partners', up: partners.up, down: partners.down },
  { name: '0020-top-ups', up: topUps.up, down: topUps.down },
  { name: '0021-payments', up: payments.up, down: payments.down },
  { name: '0022-refunds', up: refunds.up, down: refunds.down },
  { name: '0023-sandbox', up: sandbox.up, down: sandbox.down },
  { name: '0024-commissions', up: commissions.up, down: commissions.down },
  { name: '0025-pools', up: pools.up, down: pools.down },
  { name: '0026-payouts', up: payouts.up, down: payouts.down },
  { name: '0027-bank-files', up: bankFiles.up, down: bankFiles.down },
  { name: '0028-reconciliation', up: reconciliation.up, down: reconciliation.down },
  { name: '0029-analytics', up: analytics.up, down: analytics.down },
  { name: '0030-restores', up: restores.up, down: restores.down },
];
