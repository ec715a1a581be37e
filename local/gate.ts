import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from './processes/child';
import { messageOf } from './failure';

interface Gate {
  /** What is waited for, as a message names it. */
  name: string;
  running: Running;
  /** Answers whether it is ready; a rejection means that it isn't yet, and is told when time is up. */
  isReady: () => Promise<boolean>;
  withinMs: number;
  /** Gives up early when it fires. */
  signal?: AbortSignal | undefined;
  everyMs?: number;
}

/** Waits until a process answers. Throws when it ends first (with its last words) or when the time is up. */
export const waitUntilReady = async (gate: Gate): Promise<void> => {
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
  throw new Error(`${name} was not ready within ${String(withinMs / 1000)} s: ${lastReason}`);
};

const answerWithinMs = 2_000;

/** Whether the address answers 200. Rejects, saying what it did instead, while it doesn't. */
export const answersOk = async (url: string): Promise<boolean> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
  if (answer.status === 200) return true;
  throw new Error(`${url} answers ${String(answer.status)}: ${(await answer.text()).slice(0, 500)}`);
};

const givenServerWithinMs = 30_000;
const askAgainMs = 500;

/** Waits for a server that was started elsewhere. Throws with its last refusal. */
export const waitForGiven = async <Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> => {
  const deadline = Date.now() + givenServerWithinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${name} doesn't answer: ${messageOf(error)}`, { cause: error });
    }
    await delay(askAgainMs);
  }
};
