import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from './processes/child';
import { messageOf } from './failure';

interface Gate {
  /** The process, as messages name it. */
  name: string;
  running: Running;
  /** Returns true once it is ready; a rejection counts as not yet, and the last one is the reason when time is up. */
  isReady: () => Promise<boolean>;
  withinMs: number;
  /** Gives up early when it fires. */
  signal?: AbortSignal | undefined;
  everyMs?: number;
}

/** Waits until a process is ready. Throws when it ends first, with its last output, or when the time is up. */
export async function waitUntilReady(gate: Gate): Promise<void> {
  const { name, running, isReady, withinMs, signal, everyMs = 100 } = gate;
  const deadline = Date.now() + withinMs;
  let ended: string | undefined;
  void running.exited.then(({ message }) => (ended = message));
  let lastReason = 'no answer';
  while (Date.now() < deadline) {
    if (ended !== undefined) throw new Error(ended);
    if (signal?.aborted === true) throw new Error(`${name}: stopped while starting`);
    try {
      if (await isReady()) return;
    } catch (error) {
      lastReason = messageOf(error);
    }
    await delay(everyMs);
  }
  throw new Error(`${name} was not ready within ${withinMs / 1000} s: ${lastReason}`);
}

const ANSWER_WITHIN_MS = 2_000;

/** Returns true when the address answers 200; rejects with the actual answer if not. */
export async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  if (answer.status === 200) return true;
  throw new Error(`${url} answers ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
}

const EXTERNAL_SERVER_WITHIN_MS = 30_000;
const RETRY_AFTER_MS = 500;

/** Waits for a server that this program did not start. Throws with its last error. */
export async function waitForExternalServer<Answer>(
  name: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const deadline = Date.now() + EXTERNAL_SERVER_WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${name} doesn't answer: ${messageOf(error)}`, { cause: error });
    }
    await delay(RETRY_AFTER_MS);
  }
}
