import pino from 'pino';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from '@temporalio/client';
import supertest from 'supertest';
import { z } from 'zod';
import { createApp } from '../../../../../api/app';
import { ApiConfig } from '../../../../../api/config';
import { serve } from '../../../../../api/http/serve';
import { DEADLINE_MS, Processes } from '../../../../../api/http/temporal/temporal';
import { stretchLimits } from '../../../../../workflows/kit/limits/slowness';
import { temporalConnection } from '../../../../../api/http/temporal/temporal-connection';
import { policyFrom } from '../../../../../db/policy/config';
import { execute } from '../../../../../db/sql/query';
import { onFreePort } from '../../../../../local/machine/ports';
import { given } from '../../../../support/builders/given';
import { eventually } from '../../../../support/checks/eventually';
import { violations } from '../../../../support/checks/violations';
import { typescriptArgv } from '../../../../support/run/typescript-argv';
import { testVariables } from '../../../../support/worlds/variables';
import { outcomeOf } from '../../admin-world';
import { startStuckWorld, type StuckWorld } from '../../operations/stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(async () => {
  expect(await violations(stuck.world.db)).toEqual([]);
  await stuck.world.teardown();
});

const Process = z.strictObject({
  workflowId: z.string(),
  type: z.string(),
  status: z.string(),
  waitsFor: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});
const Shown = z.object({
  user: z.strictObject({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().nullable(),
    status: z.string(),
  }),
  parcel: z.strictObject({
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    shippedAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
    events: z.array(z.object({ status: z.string() })),
  }),
  internalNotes: z.array(
    z.strictObject({
      id: z.uuid(),
      note: z.string(),
      createdAt: z.iso.datetime(),
      by: z.strictObject({ id: z.uuid(), email: z.string().nullable() }),
    }),
  ),
  processes: z.array(Process).nullable(),
});

const show = (orderId: string, token = stuck.token) =>
  stuck.world.http.get(`/api/v1/admin/orders/${orderId}`).auth(token, { type: 'bearer' });

async function shown(orderId: string) {
  const answer = await show(orderId);
  expect(outcomeOf(answer)).toBe('200');
  return Shown.parse(answer.body.data);
}

/** The processes of an order by type: status, and what it waits for. */
const processesOf = async (orderId: string) =>
  Object.fromEntries(
    (await shown(orderId)).processes!.map(({ type, status, waitsFor }) => [type, [status, waitsFor]]),
  );

describe('GET /admin/orders/:id', () => {
  it('shows what the buyer sees, and the buyer, the parcel, the notes and the processes', async () => {
    const { ada, orderId, orderNumber } = await given(stuck.world).order({ paymentMethod: 'BALANCE' }).paid();
    const answer = await show(orderNumber);
    expect(answer.body.data).toMatchObject((await ada.get(`/orders/${orderId}`)).body.data as object);
    expect(await shown(orderId)).toMatchObject({
      user: { id: ada.buyer.id, email: ada.buyer.email, name: 'Ada Lovelace', phone: null, status: 'ACTIVE' },
      parcel: { trackingNumber: null, trackingUrl: null, shippedAt: null, deliveredAt: null, events: [] },
      internalNotes: [],
    });
    await eventually(async () =>
      expect(await processesOf(orderId)).toEqual({
        checkout: ['COMPLETED', null],
        fulfilment: ['RUNNING', expect.stringContaining('the goods are being made ready') as string],
      }),
    );
  });

  it('says what an unpaid order waits for', async () => {
    const { orderId } = await given(stuck.world).order();
    expect(await processesOf(orderId)).toEqual({
      checkout: [
        'RUNNING',
        expect.stringMatching(/^ORD-[-\d]+ · [.\d]+ USD · CARD\. Waiting for payment until \d{4}-/) as string,
      ],
    });
    expect((await shown(orderId)).processes![0]).toMatchObject({
      workflowId: `checkout:${orderId}`,
      since: null,
      closedAt: null,
    });
  });

  it('shows a refund that waits for a person as PARKED, with the reason and since when, until it is decided', async () => {
    const { orderId, workflowId } = await stuck.stuckRefund();
    const { processes } = await shown(orderId);
    expect(processes!.find((process) => process.workflowId === workflowId)).toMatchObject({
      type: 'paymentRefund',
      status: 'PARKED',
      waitsFor: expect.stringContaining('Could not send the money back') as string,
      since: expect.any(String) as string,
    });
    stuck.bank.refuses = false;
    await stuck.decide(workflowId, 'retry');
    await eventually(async () =>
      expect((await processesOf(orderId))['paymentRefund']).toEqual(['COMPLETED', null]),
    );
  });

  it('while no worker runs, says which processes run, but not what they wait for', async () => {
    const { orderId } = await given(stuck.world).order();
    await stuck.world.rest();
    try {
      const { processes } = await shown(orderId);
      expect(processes!.map(({ status, waitsFor }) => [status, waitsFor])).toEqual([['RUNNING', null]]);
    } finally {
      await stuck.world.work();
    }
  });

  it.each(['refuses connections', 'does not answer'] as const)(
    'while Temporal %s, shows the order without its processes, and soon',
    async (how) => {
      stretchLimits(1);
      const { orderId } = await given(stuck.world).order();
      await withTemporalThat(how, async (url) => {
        const asked = Date.now();
        const answer = await supertest(url)
          .get(`/api/v1/admin/orders/${orderId}`)
          .auth(stuck.token, { type: 'bearer' });
        expect(outcomeOf(answer)).toBe('200');
        expect(answer.body.data).toMatchObject({ id: orderId, status: 'PENDING_PAYMENT', processes: null });
        expect(Date.now() - asked).toBeLessThan(DEADLINE_MS);
      });
    },
  );

  it('an order of an erased buyer is shown, with what is left of them', async () => {
    const { ada, orderId } = await given(stuck.world).order();
    await execute(
      stuck.world.db,
      `UPDATE users SET first_name = 'Erased', last_name = 'Erased' WHERE id = $1`,
      [ada.buyer.id],
    );
    expect((await shown(orderId)).user.name).toBe('Erased Erased');
  });

  it('what is no order, and who is no administrator: ORDER_NOT_FOUND, FORBIDDEN', async () => {
    const { ada, orderId } = await given(stuck.world).order();
    expect(outcomeOf(await show(randomUUID()))).toBe('404 ORDER_NOT_FOUND');
    expect(outcomeOf(await show(orderId, ada.token))).toBe('403 FORBIDDEN');
  });
});

/** Runs with a second API on the same database, whose Temporal is out of order. */
async function withTemporalThat(
  how: 'refuses connections' | 'does not answer',
  run: (url: string) => Promise<void>,
): Promise<void> {
  const opened = new Set<Socket>();
  const silent = createServer((socket) => opened.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port: silentPort } = silent.address() as AddressInfo;
  const connection = temporalConnection({
    address: `127.0.0.1:${how === 'does not answer' ? silentPort : 1}`,
  });
  const processes = new Processes(new Client({ connection }));
  const { db, databaseUrl } = stuck.world;
  await onFreePort(async (port) => {
    const { app, close } = createApp({
      config: ApiConfig.parse({ ...testVariables, PUBLIC_URL: stuck.world.url }),
      policy: policyFrom(testVariables),
      db,
      databaseUrl,
      processes,
      log: pino({ level: 'silent' }),
      decoderArgv: typescriptArgv,
    });
    const { drain } = await serve(app, port);
    try {
      await run(`http://127.0.0.1:${port}`);
    } finally {
      await drain(1_000);
      await close();
      for (const socket of opened) socket.destroy();
      silent.close();
      await processes.idle();
      await connection.close();
    }
  });
}
