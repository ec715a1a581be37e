import { Client } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { ApiConfig } from '../../../api/config';
import { createAuthentication } from '../../../api/http/auth';
import { serve } from '../../../api/http/serve';
import { createServer } from '../../../api/http/server';
import { Processes } from '../../../api/http/temporal/temporal';
import { temporalConnection } from '../../../api/http/temporal/temporal-connection';
import { createMedia } from '../../../api/media/media';
import { paymentEndpoints } from '../../../api/payments';
import { intakesOf } from '../../../api/payments/webhooks/intakes';
import { sandboxPages } from '../../../api/sandbox/pages';
import { diskBlobs } from '../../../db/blobs/disk';
import type { Db } from '../../../db/sql/query';
import { policyFrom } from '../../../db/policy/config';
import { ownDatabase } from '../../support/servers/database';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';
import { testVariables } from '../../support/worlds/variables';

export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

interface PaymentServer {
  url: string;
  /** The log, one object a line. */
  logged: { alert?: string; msg: string }[];
  drain: () => Promise<void>;
}

interface Parts {
  db: Db;
  processes: Processes;
  /** The sandbox's, and Stripe's. */
  secrets: readonly string[];
  stripeSecrets: readonly string[];
}

/** The part of the API that speaks with payment providers, with the sandbox's pages; its log can be read. */
async function startPaymentServer({ db, processes, secrets, stripeSecrets }: Parts): Promise<PaymentServer> {
  const logged: PaymentServer['logged'] = [];
  const log = pino(
    new Writable({
      write(line: Buffer, _encoding, done) {
        logged.push(JSON.parse(line.toString()));
        done();
      },
    }),
  );
  const config = ApiConfig.parse({
    ...testVariables,
    SANDBOX_SECRET: secrets.join(','),
    STRIPE_WEBHOOK_SECRETS: stripeSecrets.join(','),
  });
  const pages = sandboxPages({
    db,
    processes,
    log,
    secrets: config.SANDBOX_SECRET,
    homeUrl: 'http://shop.test/docs',
  });
  const app = createServer({
    db,
    policy: policyFrom({}),
    processes,
    blobs: diskBlobs(config.BLOB_DIR),
    ...createMedia({ log }),
    log,
    config,
    paymentIntake: intakesOf(paymentWebhooks, config),
    providerIntake: () => Promise.resolve(null),
    providerAddresses: { isPrivateAllowed: false, ports: [443] },
    endpoints: paymentEndpoints,
    extras: [{ path: '/sandbox', handler: pages }],
    ...createAuthentication({ db, config }),
  });
  const { port, drain } = await serve(app, 0);
  return { url: `http://127.0.0.1:${port}`, logged, drain: () => drain() };
}

/** Gives the calling test file such a server, with a database and a Temporal of its own; nobody works its queues. */
export function ownPaymentServer(secrets: readonly string[], stripeSecrets: readonly string[] = []) {
  const database = ownDatabase();
  let temporal: TestTemporal;
  let server: PaymentServer;
  beforeAll(async () => {
    temporal = await connectTemporal();
    server = await startPaymentServer({
      db: database.db,
      processes: new Processes(temporal.client),
      secrets,
      stripeSecrets,
    });
  });
  afterAll(async () => {
    await server.drain();
    await temporal.close();
  });
  return {
    get db() {
      return database.db;
    },
    get temporal() {
      return temporal.client;
    },
    get url() {
      return server.url;
    },
    get logged() {
      return server.logged;
    },

    /** Meanwhile sends all requests to a second server, whose Temporal never answers. */
    async withoutTemporal(run: (logged: PaymentServer['logged']) => Promise<void>): Promise<void> {
      const connection = temporalConnection({ address: '127.0.0.1:1' });
      const processes = new Processes(new Client({ connection }));
      const whole = server;
      server = await startPaymentServer({ db: database.db, processes, secrets, stripeSecrets });
      try {
        await run(server.logged);
      } finally {
        await server.drain();
        await processes.idle();
        await connection.close();
        server = whole;
      }
    },
  };
}
