import { draw, TimedOut, Unacceptable } from './draw';
import type { Answer, Job } from './picture-process';

/**
 * The program that draws pictures for an API: one job after another, by messages. It ends only with its parent: signals
 * are ignored, so that a stopping API still gets the job under way.
 */
function main(): void {
  process.on('message', (job) => {
    void answerTo(job as Job).then(say);
  });
  process.on('disconnect', () => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  say({ ready: true });
}

async function answerTo({ bytes, format, drawings }: Job): Promise<Answer> {
  try {
    return { drawn: await draw(bytes, format, drawings) };
  } catch (error) {
    if (error instanceof Unacceptable) return { unacceptable: error.message };
    if (error instanceof TimedOut) return { timedOut: true };
    throw error;
  }
}

const say = (answer: Answer | { ready: true }): void => {
  process.send?.(answer);
};

main();
