import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { v7 } from 'uuid';

interface Sum {
  cents: number;
  unit: string;
}

/** Acme's side: pages, charges and refunds, each under the key that it was asked for by. */
export class AcmeCompany {
  readonly pages = new Map<string, Sum>();
  readonly charges = new Map<string, Sum & { charge: string }>();
  readonly refunds = new Map<string, { refund: string; charge: string; cents: number }>();
  private server: Server | undefined;

  constructor(readonly key: string) {}

  /** Returns the address of its API. */
  async start(): Promise<string> {
    this.server = createServer((req, res) => {
      void this.answer(req).then((body) => {
        res.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
        res.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((listening) => this.server?.listen(0, '127.0.0.1', listening));
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop = (): Promise<void> => new Promise((closed) => this.server?.close(() => closed()));

  /** The buyer pays on a page; returns the event that Acme then sends. */
  pay(order: string) {
    const { cents, unit } = this.pages.get(order)!;
    const charge = `ch-${v7()}`;
    this.charges.set(order, { charge, cents, unit });
    return { no: `ev-${v7()}`, type: 'acme.settled', order, charge, cents, unit };
  }

  private async answer(req: IncomingMessage): Promise<object | null> {
    if (req.headers.authorization !== `Bearer ${this.key}`) throw new Error('Acme does not know this key.');
    const [, kind, key = '', part] = (req.url ?? '').split('/');
    if (kind === 'pages' && part === 'charge') return this.charges.get(key) ?? null;
    if (kind === 'refunds' && req.method === 'GET') return this.refunds.get(key) ?? null;
    if (kind === 'pages' && req.method === 'PUT') {
      this.pages.set(key, (await json(req)) as Sum);
      return { url: `https://acme.test/pay/${key}`, no: `page-${key}` };
    }
    if (kind === 'refunds' && req.method === 'PUT') {
      const asked = (await json(req)) as { charge: string; cents: number };
      if (!this.refunds.has(key)) this.refunds.set(key, { refund: `re-${v7()}`, ...asked });
      return this.refunds.get(key)!;
    }
    return {};
  }
}
