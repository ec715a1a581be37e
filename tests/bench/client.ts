import { Agent, request } from 'node:http';

/** One request of a load. */
export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  body?: object | string;
}

export interface Answer {
  status: number;
  text: string;
}

/** Sends a request; fails the measurement if the answer is no success. */
export type Client = (ask: Ask) => Promise<Answer>;

const ANSWER_WITHIN_MS = 20_000;
/** Shorter than any server keeps an idle connection. */
const IDLE_MS = 1_000;

/** A client that keeps its connections, one for each concurrent caller; `base` is put before every path. */
export function clientOf(port: number, base = ''): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  let underWay = 0;
  let lastAsked = 0;
  return async (ask) => {
    // During the other's turn servers close idle connections; using one that is just closing would fail the run.
    if (underWay === 0 && performance.now() - lastAsked > IDLE_MS) agent.destroy();
    underWay++;
    lastAsked = performance.now();
    const answer = await answerTo(agent, port, { ...ask, path: `${base}${ask.path}` }).finally(
      () => underWay--,
    );
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new Error(
      `${ask.method ?? 'GET'} ${ask.path} answered ${answer.status}: ${answer.text.slice(0, 500)}`,
    );
  };
}

const answerTo = (
  agent: Agent,
  port: number,
  { method = 'GET', path, headers, body }: Ask,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      timeout: ANSWER_WITHIN_MS,
      headers: {
        ...headers,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    });
    sent.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      res.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`${path} was not answered in time`)));
    sent.on('error', reject);
    sent.end(text);
  });
