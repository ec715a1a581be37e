import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { v7 } from 'uuid';
import { createLogger } from '../../api/http/observe/log';
import { connect } from '../../db/sql/connection';
import { type Db, execute } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { serveHealth } from '../../workers/observe/health';
import { createLog, temporalLogger } from '../../workers/observe/log';
import { workerMetrics } from '../../workers/observe/metrics';
import { figuresOf } from '../../workers/observe/schedule-figures';
import { schedules } from '../../workers/schedule-table';
import { reconcileSchedules } from '../../workers/schedules';
import { COMMISSION_HOLDS } from '../../workflows/partners/commission/commission.rules';
import { orderSteps, storedReport } from '../support/builders/ordering';
import { eventually } from '../support/checks/eventually';
import { ownDatabase } from '../support/servers/database';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';
import { given } from '../support/builders/given';
import { make } from '../support/builders/make';

const own = ownDatabase();

describe('metrics', () => {
  const servers: Server[] = [];
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await connectTemporal();
  });
  afterAll(() => temporal.close());
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  /** A new page object each time, because figures are reused for a while. */
  async function page(db: Db = own.db, client = temporal.client): Promise<string> {
    const metrics = workerMetrics({ db, client });
    const server = await serveHealth({ host: '127.0.0.1', port: 0 }, () => true, metrics);
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    return answer.text();
  }

  /** The value of a series; null if the page does not have it. */
  function value(text: string, series: string): number | null {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  }

  const around = (seconds: number, found: number | null): void => {
    expect(found).toBeGreaterThanOrEqual(seconds);
    expect(found).toBeLessThan(seconds + 60);
  };

  it('an idle platform: every series exists and is 0', async () => {
    const text = await page();
    for (const series of [
      'platform_outbox_waiting_messages',
      'platform_outbox_dead_messages',
      'platform_outbox_dead_last_hour',
      'platform_outbox_oldest_due_seconds',
      ...['RECEIVED', 'WAITING', 'DEAD'].map((status) => `platform_webhook_events{status="${status}"}`),
      'platform_webhook_oldest_unstarted_seconds',
      ...['waiting', 'dead', 'dead_last_hour'].map((of) => `platform_reports_${of}{kind="PAYMENT"}`),
      'platform_reports_waiting{kind="INVESTMENT"}',
      'platform_reports_oldest_waiting_seconds{kind="INVESTMENT"}',
      'platform_reports_oldest_dead_seconds{kind="INVESTMENT"}',
      ...['LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH'].map(
        (reason) => `platform_stray_refunds_last_day{reason="${reason}"}`,
      ),
      'platform_ledger_drifts',
      'platform_ledger_drifts_last_day',
      'platform_kyc_escalated_reviews',
      'platform_investment_differences{kind="UNKNOWN_HERE"}',
      'platform_withdrawals_to_transfer',
      'platform_withdrawals_to_transfer_oldest_seconds',
      'platform_participations_held',
      ...[...COMMISSION_HOLDS, 'none'].map((hold) => `platform_commissions_held{hold="${hold}"}`),
      ...['event_oldest_due_seconds', 'event_oldest_due_position', 'events_waiting', 'events_parked'].map(
        (of) => `platform_${of}{consumer="commissions"}`,
      ),
      'platform_participations_held_oldest_seconds',
      'platform_unanswered_requests',
      'db_pool_waiting_statements',
      'platform_parked_processes{type="checkout"}',
      'platform_parked_oldest_seconds{type="paymentRefund"}',
      'platform_orders_placed{window="hour"}',
      'platform_orders_paid{window="day"}',
      'platform_online_orders_placed{window="hour"}',
      'platform_payments_declined{window="hour"}',
      'platform_registrations{window="day"}',
      'platform_refunds_requested{window="hour"}',
      'platform_refunds_completed{window="hour",currency="USD"}',
      'platform_refunds_completed_amount_minor{window="day",currency="USD"}',
    ])
      expect([series, value(text, series)]).toEqual([series, 0]);
    expect(value(text, 'platform_figures_readable{source="postgresql"}')).toBe(1);
    expect(value(text, 'platform_figures_readable{source="business"}')).toBe(1);
    expect(text).toContain('process_cpu_seconds_total');
  });

  describe('waiting work', () => {
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
    const parked = (type: string, since: Date) =>
      execute(
        own.db,
        `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since, run_id)
         VALUES ($1, $2, 'x', 'x', 'x', $3, 'run')`,
        [v7(), type, since],
      );
    const webhook = (status: string, received: Date, started: Date | null) =>
      execute(
        own.db,
        `INSERT INTO webhook_events
           (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at)
         VALUES ($1, 'sandbox', $1::uuid::text, 'x', '', '', $2, $3, $4)`,
        [v7(), status, received, started],
      );
    const drift = (found: Date) =>
      execute(
        own.db,
        `INSERT INTO ledger_drifts (id, user_id, account, currency, balance_minor, entries_minor, found_at)
         VALUES ($1, $1, 'wallet', 'USD', 1, 2, $2)`,
        [v7(), found],
      );
    const insertRequest = (state: string, claimed: Date) =>
      execute(
        own.db,
        `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, status, body, claimed_at, created_at)
         VALUES ('x', 'x', $1, '', $2, 200, '{}', $3, $3)`,
        [v7(), state, claimed],
      );

    it('is counted, with its age in seconds', async () => {
      // Nobody can do anything about a dead message without content.
      await execute(
        own.db,
        `INSERT INTO outbox_messages (id, kind, reference, recipient, sealed_payload, status, due_at, dead_at, content_gone, created_at)
         SELECT gen_random_uuid(), 'MAIL', age::text, 'a@example.com', content, status, at, CASE status WHEN 'DEAD' THEN at END, gone, at
           FROM (VALUES ('WAITING', 120, 'x'::bytea, NULL), ('WAITING', -600, 'x', NULL), ('DEAD', 9999, 'x', NULL), ('DEAD', 600, 'x', NULL),
             ('DEAD', 660, NULL, 'EXPIRED'), ('SENT', 9998, NULL, NULL)) AS m (status, age, content, gone), LATERAL (SELECT now() - age * interval '1 s') AS t (at)`,
      );
      await parked('paymentRefund', ago(300));
      await parked('paymentRefund', ago(30));
      await parked('checkout', ago(60));
      await webhook('RECEIVED', ago(240), null);
      await webhook('RECEIVED', ago(900), ago(899));
      await webhook('DEAD', ago(900), ago(899));
      await webhook('PROCESSED', ago(9_999), ago(9_998));
      await drift(ago(3_600));
      await drift(ago(3 * 86_400));
      for (const status of ['SUBMITTED', 'UNDER_REVIEW', 'APPROVED'] as const) {
        const { id } = await make.verification(own.db, { status });
        await execute(own.db, 'UPDATE kyc_verifications SET escalated_at = now() WHERE id = $1', [id]);
      }
      await make.verification(own.db, { status: 'SUBMITTED' });
      await insertRequest('OPEN', ago(600));
      await insertRequest('CLAIMED', ago(60));
      await insertRequest('DONE', ago(600));
      await execute(
        own.db,
        `INSERT INTO invariant_runs (checked_at, broken) VALUES ($1, '[{}, {}]'), ($2, '[{}]')`,
        [ago(1_800), ago(9_999)],
      );

      const text = await page();
      expect(value(text, 'platform_outbox_waiting_messages')).toBe(2);
      expect(value(text, 'platform_outbox_dead_messages')).toBe(2);
      expect(value(text, 'platform_outbox_dead_last_hour')).toBe(1);
      around(120, value(text, 'platform_outbox_oldest_due_seconds'));
      expect(value(text, 'platform_parked_processes{type="paymentRefund"}')).toBe(2);
      expect(value(text, 'platform_parked_processes{type="checkout"}')).toBe(1);
      around(300, value(text, 'platform_parked_oldest_seconds{type="paymentRefund"}'));
      expect(value(text, 'platform_webhook_events{status="RECEIVED"}')).toBe(2);
      expect(value(text, 'platform_webhook_events{status="DEAD"}')).toBe(1);
      around(240, value(text, 'platform_webhook_oldest_unstarted_seconds'));
      expect(value(text, 'platform_ledger_drifts')).toBe(2);
      expect(value(text, 'platform_ledger_drifts_last_day')).toBe(1);
      expect(value(text, 'platform_kyc_escalated_reviews')).toBe(2);
      expect(value(text, 'platform_unanswered_requests')).toBe(1);
      expect(value(text, 'platform_invariants_broken')).toBe(2);
      around(1_800, value(text, 'platform_invariants_checked_seconds'));
    });
  });

  it('refunds of money that paid no order are counted for a day, by reason', async () => {
    const mismatch = async () => {
      const order = await given(own.db).order();
      const { webhookEventId } = await storedReport(own.db, 'PAID', { ...order, amountMinor: 1 });
      await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: order.at });
      return order.orderId;
    };
    await mismatch();
    const earlier = await mismatch();
    await execute(
      own.db,
      `UPDATE payment_refunds SET created_at = now() - interval '25 hours' WHERE order_id = $1`,
      [earlier],
    );
    await given(own.db).order().paid().cancelled();
    const text = await page();
    expect(value(text, 'platform_stray_refunds_last_day{reason="AMOUNT_MISMATCH"}')).toBe(1);
    expect(value(text, 'platform_stray_refunds_last_day{reason="DUPLICATE_PAYMENT"}')).toBe(0);
    expect(text).not.toContain('reason="CANCELLATION"');
  });

  describe('schedules', () => {
    it('are exported by name once the server knows them; before, they are marked unreadable', async () => {
      expect(value(await page(), 'platform_figures_readable{source="temporal"}')).toBe(0);
      await reconcileSchedules(temporal.client);
      await temporal.client.schedule.getHandle('retention').pause();
      // A busy server may be late for one reading.
      await eventually(async () => {
        const text = await page();
        expect(value(text, 'platform_figures_readable{source="temporal"}')).toBe(1);
        for (const { id } of schedules) {
          const of = ['lag_seconds', 'missed_runs_total', 'paused', 'failed_runs_last_day'];
          const found = of.map((name) => value(text, `platform_schedule_${name}{schedule="${id}"}`));
          expect(found).toEqual([0, 0, id === 'retention' ? 1 : 0, 0]);
        }
      });
    });
  });

  it('a blocked database costs its figures, not the page', async () => {
    const stuck = inTransaction(own.db, async (tx) => {
      await execute(tx, `LOCK TABLE outbox_messages IN ACCESS EXCLUSIVE MODE`);
      const text = await page();
      expect(value(text, 'platform_figures_readable{source="postgresql"}')).toBe(0);
      expect(text).not.toMatch(/^platform_outbox/m);
      expect(text).not.toMatch(/^platform_ledger/m);
      expect(text).toContain('process_cpu_seconds_total');
    });
    await stuck;
  });

  it('and so does an unavailable database', async () => {
    const away = connect({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nowhere' });
    const text = await page(away);
    expect(value(text, 'platform_figures_readable{source="postgresql"}')).toBe(0);
    await away.sequelize.close();
  });

  it('serves no other path', async () => {
    const server = await serveHealth(
      { host: '127.0.0.1', port: 0 },
      () => false,
      workerMetrics({ db: own.db, client: temporal.client }),
    );
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const status = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await status('/health/live')).toBe(200);
    expect(await status('/health/ready')).toBe(503);
    expect(await status('/else')).toBe(404);
  });
});

describe('the log', () => {
  function logged(): { lines: Record<string, unknown>[]; log: ReturnType<typeof temporalLogger> } {
    const lines: Record<string, unknown>[] = [];
    const destination = new Writable({
      write(line: Buffer, _encoding, done) {
        lines.push(JSON.parse(line.toString()));
        done();
      },
    });
    return { lines, log: temporalLogger(createLog('trace', destination)) };
  }

  it('an error of the database is logged without the statement and its values', async () => {
    const { lines, log } = logged();
    const error: unknown = await execute(
      own.db,
      `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error) VALUES ($1, '', '', '', '')`,
      ['ada@example.com'],
    ).catch((reason: unknown) => reason);
    expect(JSON.stringify(error)).toContain('ada@example.com');
    log.warn('Activity failed', { error, activityType: 'park' });
    expect(lines).toMatchObject([
      { msg: 'Activity failed', activityType: 'park', err: { message: expect.stringContaining('"since"') } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('ada@example.com');
    expect(JSON.stringify(lines)).not.toContain('INSERT INTO');
  });

  it('uses the field names of the API’s lines, and drops useless fields', () => {
    const { lines, log } = logged();
    log.info('said', {
      trace_id: 'abc',
      span_id: 'd',
      trace_flags: '01',
      workflowRunId: 'r',
      taskToken: 'x',
      y: 1,
    });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        part: 'worker',
        msg: 'said',
        traceId: 'abc',
        runId: 'r',
        y: 1,
      },
    ]);
  });

  it('the API and the worker write one format: time in ISO 8601, level as a word, the program and a described error', () => {
    const lines = [createLog, createLogger].map((create) => {
      let line = '';
      const destination = new Writable({
        write(chunk: Buffer, _encoding, done) {
          line += chunk.toString();
          done();
        },
      });
      create('info', destination).warn({ err: new TypeError('broken') }, 'said');
      return JSON.parse(line) as Record<string, unknown>;
    });
    for (const [i, part] of ['worker', 'api'].entries()) {
      expect(Object.keys(lines[i]!)).toEqual(['level', 'time', 'part', 'err', 'msg']);
      expect(lines[i]).toMatchObject({
        level: 'warn',
        part,
        msg: 'said',
        err: { type: 'TypeError', message: 'broken' },
      });
      expect(lines[i]!['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });
});

describe('figures of schedules', () => {
  const NOW = Date.parse('2026-11-21T12:00:00Z');
  const at = (clock: string): Date => new Date(`2026-11-21T${clock}Z`);

  const quiet = {
    state: { paused: false },
    info: {
      nextActionTimes: [at('12:01:00')],
      recentActions: [],
      runningActions: [],
      numActionsMissedCatchupWindow: 0,
    },
  };

  const run = (workflowId: string, scheduledAt: Date) => {
    const action = { type: 'startWorkflow' as const, workflow: { workflowId, firstExecutionRunId: 'r' } };
    return { action, scheduledAt, takenAt: scheduledAt };
  };

  it('no lag while the next run is in the future', () => {
    expect(figuresOf('x', quiet, NOW)).toEqual({
      ...{ id: 'x', lagSeconds: 0, runningSeconds: 0, paused: false, missed: 0 },
    });
  });

  it('an overdue run has a lag, counted from the first of them', () => {
    const info = { ...quiet.info, nextActionTimes: [at('11:58:30'), at('11:59:30')] };
    expect(figuresOf('x', { ...quiet, info }, NOW)).toMatchObject({ lagSeconds: 90 });
    expect(figuresOf('x', { info, state: { paused: true } }, NOW)).toMatchObject({
      lagSeconds: 0,
      paused: true,
    });
  });

  it('a current run is counted from its scheduled time; ended ones are not', () => {
    const late = run('late', at('11:50:00'));
    const info = {
      ...quiet.info,
      numActionsMissedCatchupWindow: 2,
      recentActions: [run('done', at('09:00:00')), late],
      runningActions: [late.action],
    };
    expect(figuresOf('x', { ...quiet, info }, NOW)).toMatchObject({ runningSeconds: 600, missed: 2 });
  });
});
