import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** `up`: from the client to the server; `down`: the answers. */
export type Way = 'up' | 'down';

/** Two sockets that form one connection between client and server. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes vanish, and neither end learns that the other has gone. */
  lost: boolean;
  /** State of a fault that waits for a certain statement on this connection. */
  readonly noticed: Set<string>;
}

const nothing = (): void => undefined;

/** A TCP link that can be made slow, half-open, cut or unreliable. By default it passes everything on unchanged. */
export class Proxy {
  private readonly pairs = new Set<Pair>();
  private readonly gates: Record<Way, Promise<void>> = { up: Promise.resolve(), down: Promise.resolve() };
  private readonly releases: Record<Way, () => void> = { up: nothing, down: nothing };
  private refusing = false;
  private latencyMs: () => number = () => 0;
  private betrayal: ((chunk: Buffer, pair: { noticed: Set<string> }) => boolean) | null = null;
  private turn = 0;

  private constructor(
    private readonly listener: Server,
    private readonly targets: () => readonly number[],
  ) {
    listener.on('connection', (client) => void this.join(client));
  }

  /** Listens on a free port of this machine. `targets`: ports that serve; they take turns, and one that refuses is skipped. */
  static async open(targets: () => readonly number[]): Promise<Proxy> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true });
    const proxy = new Proxy(listener, targets);
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Delays every chunk, each way. */
  slow(latencyMs: () => number): void {
    this.latencyMs = latencyMs;
  }

  /** Holds back all chunks of this direction until `heal`; then they arrive. */
  hold(way: Way): void {
    this.releases[way]();
    this.gates[way] = new Promise((resolve) => (this.releases[way] = resolve));
  }

  /** Ends every connection and refuses new ones. */
  cut(): void {
    this.refusing = true;
    this.resetAll();
  }

  /** Present connections lose all bytes without being closed; new connections are good. */
  lose(): void {
    for (const pair of this.pairs) pair.lost = true;
  }

  /** Passes chunks on their way up, and ends the connection after a chosen one, before its answer. */
  betray(chosen: (chunk: Buffer, pair: { noticed: Set<string> }) => boolean): void {
    this.betrayal = chosen;
  }

  /** Ends all disturbances; lost bytes stay lost. */
  heal(): void {
    this.refusing = false;
    this.betrayal = null;
    this.latencyMs = () => 0;
    for (const way of ['up', 'down'] as const) this.releases[way]();
  }

  /** Ends every connection with a reset. */
  resetAll(): void {
    for (const pair of this.pairs) this.reset(pair);
  }

  async close(): Promise<void> {
    this.heal();
    this.listener.close();
    this.resetAll();
    if (this.listener.listening) await once(this.listener, 'close');
  }

  private async join(client: Socket): Promise<void> {
    client.on('error', nothing);
    client.pause();
    const server = this.refusing ? null : await this.reach();
    if (!server || client.destroyed) {
      server?.destroy();
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server, lost: false, noticed: new Set() };
    this.pairs.add(pair);
    this.pump(pair, 'up');
    this.pump(pair, 'down');
  }

  /** The first target, beginning with the one whose turn it is, that takes a connection. */
  private async reach(): Promise<Socket | null> {
    const ports = this.targets();
    const first = this.turn++;
    for (let i = 0; i < ports.length; i++) {
      const server = connect({
        port: ports[(first + i) % ports.length]!,
        host: '127.0.0.1',
        allowHalfOpen: true,
        noDelay: true,
      });
      server.on('error', nothing);
      const isOpen = await new Promise<boolean>((resolve) => {
        server.once('connect', () => resolve(true));
        server.once('close', () => resolve(false));
      });
      if (isOpen) return server;
    }
    return null;
  }

  private pump(pair: Pair, way: Way): void {
    const [from, to] = way === 'up' ? [pair.client, pair.server] : [pair.server, pair.client];
    let last: Promise<void> = Promise.resolve();
    const then = (step: () => Promise<void> | void): void => {
      last = last.then(step);
    };
    from.on('data', (chunk: Buffer) => then(() => this.pass(pair, way, to, chunk)));
    from.on('end', () =>
      then(async () => {
        await this.gates[way];
        if (!pair.lost) to.end();
      }),
    );
    from.on('close', () =>
      then(() => {
        if (pair.lost && this.pairs.has(pair)) return;
        this.pairs.delete(pair);
        to.destroy();
      }),
    );
    from.on('error', () => {
      if (!pair.lost) this.reset(pair);
    });
    from.resume();
  }

  private async pass(pair: Pair, way: Way, to: Socket, chunk: Buffer): Promise<void> {
    const latency = this.latencyMs();
    if (latency > 0) await pause(latency);
    await this.gates[way];
    if (pair.lost || to.destroyed) return;
    to.write(chunk);
    if (way === 'up' && this.betrayal?.(chunk, pair)) {
      await pause(30); // So that it has arrived, and the answer has not.
      this.reset(pair);
    }
  }

  private reset(pair: Pair): void {
    this.pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  }
}

/** The same address behind a link that can be disturbed. */
export function throughLink(url: string, { port }: Proxy): string {
  const linked = new URL(url);
  linked.port = String(port);
  return linked.href;
}
