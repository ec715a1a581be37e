import type { RequestHandler } from 'express';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from '../../../../api/http/serve';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { FORM, form, json, large, MEGABYTE, sendTo, upload } from './bodies';
import { gate, serverOf } from '../shop';

const database = ownDatabase();

describe('clients that reset their connection', () => {
  const clients = 5;
  const connections = 40;
  const heads: [string, (client: string) => string][] = [
    ['a megabyte of JSON', (client) => head('/json', client, MEGABYTE, 'application/json')],
    [
      'a packed body',
      (client) => head('/json', client, 20, 'application/json', 'Content-Encoding: gzip\r\n'),
    ],
    ['an upload', (client) => head('/upload', client, 5 * MEGABYTE, FORM)],
  ];

  test.each(heads)('before memory is reserved for %s leave none reserved', async (_what, headOf) => {
    const own = await holding();
    const sockets = await reset(own, (i) => headOf(`r${i % clients}`));
    expect(sockets).toBe(connections);
    await eventually(() => {
      expect(own.closed()).toBe(connections);
      return Promise.resolve();
    });
    own.release();
    await honest(own);
  });

  test.each(heads)(
    'with %s behind a request that is not answered yet leave none taken',
    async (_what, headOf) => {
      const own = await holding('/api/v1/slow');
      await reset(own, (i) => `GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n${headOf(`p${i % clients}`)}`);
      await honest(own);
      own.release();
    },
  );

  const head = (path: string, client: string, length: number, type: string, more = '') =>
    `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;

  /** A server that holds requests of this path, or all, until it is released. */
  async function holding(path?: string) {
    const { passed, open } = gate();
    let [arrived, closed, isOpen] = [0, 0, false];
    const observe: RequestHandler = (req, res, next) => {
      arrived++;
      res.once('close', () => closed++);
      if (isOpen || (path !== undefined && req.path !== path)) next();
      else void passed.then(() => next());
    };
    const running = await serve(serverOf({ db: database.db, endpoints: [upload, json], observe }), 0);
    const release = () => {
      isOpen = true;
      open();
    };
    return { port: running.port, running, arrived: () => arrived, closed: () => closed, release };
  }
  type Holding = Awaited<ReturnType<typeof holding>>;
  const opened: Holding[] = [];

  async function reset(own: Holding, text: (i: number) => string): Promise<number> {
    opened.push(own);
    const sent = (text(0).match(/HTTP\/1\.1/g) ?? []).length * connections;
    const sockets = Array.from({ length: connections }, (_, i) => {
      const socket = connect(own.port, '127.0.0.1').on('error', () => undefined);
      socket.write(text(i));
      return socket;
    });
    await eventually(() => {
      expect(own.arrived()).toBe(sent);
      return Promise.resolve();
    });
    await delay(200); // Those that are not held take their room.
    for (const socket of sockets) socket.resetAndDestroy();
    await delay(200);
    return sockets.length;
  }

  afterEach(async () => {
    for (const own of opened.splice(0)) {
      own.release();
      await own.running.drain(0);
    }
  });

  async function honest({ port }: Holding): Promise<void> {
    const statuses: number[] = [];
    for (let i = 0; i < connections; i++) {
      const client = `${i % 2 === 0 ? 'r' : 'p'}${i % clients}`;
      statuses.push((await sendTo(port, '/json', client, 'application/json', large)).status);
      statuses.push((await sendTo(port, '/upload', client, FORM, form)).status);
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }
});
