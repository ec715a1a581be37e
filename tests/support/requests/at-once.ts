import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

interface Answer {
  status: number;
  headers: Record<string, string>;
}

/**
 * The final answers to `count` requests that are sent at the same time. `send` gets the number of the request and a key
 * for its `Idempotency-Key`. As a client is told, a request is sent again with its key while the answer is 503 with
 * Retry-After.
 */
export const atOnce = <A extends Answer>(
  count: number,
  send: (n: number, key: string) => PromiseLike<A>,
): Promise<A[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => {
      const key = randomUUID();
      return finalAnswer(() => send(n, key));
    }),
  );

async function finalAnswer<A extends Answer>(send: () => PromiseLike<A>): Promise<A> {
  for (;;) {
    const answer = await send();
    const retryAfter = Number(answer.headers['retry-after']);
    if (answer.status !== 503 || !(retryAfter > 0)) return answer;
    await pause(retryAfter * 1_000);
  }
}
