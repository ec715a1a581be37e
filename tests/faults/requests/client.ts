import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientLog, Entry, Operation } from './client-log';

/** A complete answer. */
export interface Answer {
  status: number;
  body: { data?: Record<string, unknown>; error?: { code?: string } };
}

interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | undefined;
  headers?: Readonly<Record<string, string>>;
}

const ANSWER_WITHIN_MS = 20_000;
const LONGEST_PAUSE_MS = 1_000;

/** One request on a connection of its own, so that only this request can break it. Rejects if no answer came. */
export function sendOnce(port: number, { method, path, body, headers = {} }: HttpRequest): Promise<Answer> {
  const bytes =
    body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: read(Buffer.concat(chunks)) }),
      );
    });
    outgoing.end(bytes);
  });
}

function read(bytes: Buffer): Answer['body'] {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return {}; // A page.
  }
}

export interface Person {
  id: string;
  token: string;
}

export interface ClientRequest extends HttpRequest {
  operation: Operation;
  orderId?: string;
  kycId?: string;
  goods?: { productId: string; quantity: number };
  /** Sends an Idempotency-Key. Without it only requests that are idempotent by themselves are safe to repeat. */
  keyed?: boolean;
}

/** Sends requests as good clients do: again with the same key until there is an answer or the time is up. */
export class Client {
  constructor(
    private readonly port: () => number,
    private readonly person: Person,
    private readonly log: ClientLog,
    /** Time for which it repeats a request; 0: it sends it once. */
    private readonly patienceMs: number,
  ) {}

  async send({
    operation,
    orderId,
    kycId,
    goods,
    keyed = false,
    ...sent
  }: ClientRequest): Promise<Entry & { answer: Answer | null }> {
    const key = keyed ? randomUUID() : null;
    const headers = {
      authorization: `Bearer ${this.person.token}`,
      ...(key !== null && { 'idempotency-key': key }),
      ...sent.headers,
    };
    const troubles: string[] = [];
    const answer = await this.untilAnswered({ ...sent, headers }, troubles);
    const made = answer?.body.data?.['orderId'];
    const entry: Entry = {
      operation,
      userId: this.person.id,
      key,
      orderId: orderId ?? (typeof made === 'string' ? made : null),
      ...(kycId !== undefined && { kycId }),
      ...(goods && { goods }),
      outcome: answer === null ? 'unknown' : answer.status < 400 ? 'ok' : 'fail',
      status: answer?.status ?? null,
      code: answer?.body.error?.code ?? null,
      troubles,
    };
    this.log.add(entry);
    return { ...entry, answer };
  }

  private async untilAnswered(sent: HttpRequest, troubles: string[]): Promise<Answer | null> {
    const deadline = Date.now() + this.patienceMs;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const answer = await sendOnce(this.port(), sent).catch((error: unknown) => {
        troubles.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
        return null;
      });
      if (answer && !isPassing(answer)) return answer;
      if (answer) troubles.push(String(answer.status));
      if (Date.now() + pauseMs > deadline) return null;
      await pause(pauseMs);
    }
  }
}

/** True for an answer after which the request should be sent again. */
const isPassing = ({ status, body }: Answer): boolean =>
  status >= 500 || status === 429 || body.error?.code === 'IDEMPOTENCY_IN_PROGRESS';
