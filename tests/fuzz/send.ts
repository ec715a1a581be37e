import { Agent, request } from 'node:http';

/** A request that is sent byte for byte: nothing is encoded, completed or corrected. */
export interface Raw {
  method: string;
  /** Path and query. */
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer | null;
}

export interface RawAnswer {
  status: number;
  contentType: string | undefined;
  text: string;
}

/** Keeps connections open between requests, as browsers do: a spoilt connection spoils the next request. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends it to the server at `url`. Rejects if no answer comes. */
export function send(url: string, { method, target, headers = {}, body = null }: Raw): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  // Node itself frames no body of a DELETE.
  const framed = body === null ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, agent, method, path: target, headers: framed }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          contentType: answer.headers['content-type'],
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

/** Sends all of them, a few at a time, in order. */
export async function sendAll<Item, Answer>(
  items: readonly Item[],
  one: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    answers.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(one))));
  return answers;
}

const AT_ONCE = 8;

const LONGEST = 300;

/** A request and its answer as a line for people. */
export const inShort = ({ method, target, headers, body }: Raw, { status, text }: RawAnswer): string =>
  [`${method} ${target}`, JSON.stringify(headers), String(body), `answered ${status}`, text]
    .map((part) => part.slice(0, LONGEST))
    .join(' ');
