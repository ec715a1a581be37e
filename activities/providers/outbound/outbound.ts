import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { PROVIDER_CALL_MS } from '../../../workflows/kit/limits/provider-times';
import type { AllowedAddresses } from '../../../workflows/investment/provider-address.rules';
import { callable, publicLookup } from './address';

/** Calls addresses that people have entered. */
export interface Outbound {
  /**
   * Posts to an address and returns what the head of the response says; its body is not used. A redirect is an answer and is
   * not followed. Throws AddressRefused for an address that may not be called; after any other error the call may have
   * arrived.
   */
  post: (address: string, message: { headers: Record<string, string>; body: string }) => Promise<Answer>;
}

export interface Answer {
  status: number;
  /** The seconds that a `Retry-After` header asks for, if it has a number. */
  retryAfterSeconds: number | null;
}

interface OutboundOptions extends Partial<AllowedAddresses> {
  /** A certificate authority besides the usual ones. */
  ca?: string;
  /** Resolves names; the system's resolver unless set. */
  lookup?: LookupFunction;
  /** Longest wait for a connection, the look-up of the name and TLS included, and for the whole call. */
  connectMs?: number;
  totalMs?: number;
}

const CONNECT_MS = 5_000;
/** More of a response's body is not received. */
const MOST_BYTES = 64 * 1024;
/** Connections to one host at a time, and the time for which an unused one stays open. */
const CONNECTIONS = 10;
const IDLE_MS = 5_000;

/** A client whose every connection goes to a public host, unless private ones are allowed. */
export function outbound(options: OutboundOptions = {}): Outbound {
  const { isPrivateAllowed = false, ports = [443], lookup = systemLookup } = options;
  const { connectMs = CONNECT_MS, totalMs = PROVIDER_CALL_MS, ca } = options;
  const connecting = {
    ...{ keepAlive: true, maxSockets: CONNECTIONS, timeout: totalMs + IDLE_MS },
    lookup: isPrivateAllowed ? lookup : publicLookup(lookup),
  };
  const https = new HttpsAgent({ ...connecting, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) });
  const http = new HttpAgent(connecting);
  return {
    async post(address, { headers, body }) {
      const url = callable(address, { isPrivateAllowed, ports });
      const agent = url.protocol === 'http:' ? http : https;
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const call = { method: 'POST', agent, headers: { ...headers, ...length } };
      return exchange(url, call, { body, connectMs, totalMs });
    },
  };
}

/** Makes one request and returns the head of its response. */
function exchange(
  url: URL,
  call: RequestOptions,
  { body, connectMs, totalMs }: { body: string; connectMs: number; totalMs: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const signal = AbortSignal.timeout(totalMs);
    const request = send(url, { ...call, signal });
    const late = setTimeout(
      () => request.destroy(new Error(`No connection within ${connectMs} ms.`)),
      connectMs,
    );
    request.once('socket', (socket) => {
      if (!socket.connecting) clearTimeout(late);
      else socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', () => clearTimeout(late));
    });
    request.once('response', (response) => {
      receive(response);
      resolve({ status: response.statusCode ?? 0, retryAfterSeconds: retryAfterOf(response) });
    });
    request.on('error', (error) =>
      reject(signal.aborted ? new Error(`No answer within ${totalMs} ms.`) : failureOf(error)),
    );
    request.once('close', () => {
      clearTimeout(late);
      reject(new Error('The connection was closed without an answer.'));
    });
    request.end(body);
  });
}

/** The error of a call by its code, such as ECONNREFUSED, since the messages of some errors are empty. */
const failureOf = (error: NodeJS.ErrnoException): Error =>
  error.code === undefined ? error : new Error(`The call failed: ${error.code}.`, { cause: error });

/** Receives a body without keeping it, so that its connection can be used again; a large one ends the connection. */
function receive(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) response.destroy();
  });
}

function retryAfterOf({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after'];
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
