import { once } from 'node:events';
import {
  connect,
  constants,
  createSecureServer,
  createServer,
  type ClientHttp2Session,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A code of gRPC that the call is refused with; `never`: no answer. */
type Refusal = number | 'never';

/** Decides on each call of a method; `count` is 1 for the first. Undefined: it is passed on. */
type RefusalOf = (method: string, count: number, headers: IncomingHttpHeaders) => Refusal | undefined;

/** A frontend of Temporal that passes calls on to the real one, or refuses some of them. */
export class TemporalProxy {
  /** The methods that were called, in order. */
  readonly calls: string[] = [];
  private readonly sessions = new Set<ServerHttp2Session>();

  private constructor(
    private readonly server: Http2Server | Http2SecureServer,
    private readonly target: ClientHttp2Session,
    private readonly refusalOf: RefusalOf,
  ) {
    server.on('session', (session) => {
      this.sessions.add(session);
      session.on('close', () => this.sessions.delete(session));
    });
    server.on('stream', (stream, headers) => this.take(stream, headers));
  }

  /** `tls`: the certificate that it has; without it, it is reached in the clear. */
  static async open(
    address: string,
    refusalOf: RefusalOf,
    tls?: { key: string; cert: string },
  ): Promise<TemporalProxy> {
    const server = tls ? createSecureServer(tls) : createServer();
    const target = connect(`http://${address}`);
    target.on('error', () => undefined);
    const proxy = new TemporalProxy(server, target, refusalOf);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of calls of a method. */
  count(method: string): number {
    return this.calls.filter((called) => called === method).length;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const session of this.sessions) session.destroy();
    this.target.destroy();
    await closed;
  }

  private take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    const method = headers[':path']!.split('/').at(-1)!;
    this.calls.push(method);
    const refusal = this.refusalOf(method, this.count(method), headers);
    if (refusal === 'never') return;
    if (refusal === undefined) this.passOn(stream, headers);
    else
      stream.respond(
        {
          ...{ ':status': 200, 'content-type': 'application/grpc' },
          ...{ 'grpc-status': String(refusal), 'grpc-message': 'refused by the proxy' },
        },
        { endStream: true },
      );
  }

  private passOn(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const call = this.target.request({ ...headers, ':scheme': 'http' });
    let trailers: IncomingHttpHeaders = {};
    call.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    call.on('trailers', (received) => (trailers = received));
    call.on('response', (answer, flags) => {
      if (stream.closed) return;
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true });
      if (!isWhole) call.pipe(stream);
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL));
    stream.pipe(call);
  }
}
