import { draw, TimedOut, Unacceptable, type Rendering } from './draw';
import type { Drawn } from '../http/body/picture-drawer';
import type { Answer, Job } from './decoder-process';
import { drawFirstPage } from './pdf/first-page';
import { inspectPdf } from './pdf/inspect';

/**
 * The program that decodes files from clients for an API: one job after another, by messages. It ends only with its parent: signals
 * are ignored, so that a stopping API still gets the job under way.
 */
function main(): void {
  process.on('message', (job) => {
    void answerTo(job as Job).then((answer) => {
      // Pixels are outside of V8's heap, whose own collector would leave them until the next files.
      globalThis.gc?.();
      say(answer);
    });
  });
  process.on('disconnect', () => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  say({ ready: true });
}

async function answerTo({ bytes, format, drawings }: Job): Promise<Answer> {
  try {
    return { drawn: await (format === 'pdf' ? decodePdf(bytes, drawings) : draw(bytes, format, drawings)) };
  } catch (error) {
    if (error instanceof Unacceptable) return { unacceptable: error.message };
    if (error instanceof TimedOut) return { timedOut: true };
    throw error;
  }
}

async function decodePdf(bytes: Buffer, drawings: readonly Rendering[]): Promise<Drawn[]> {
  if (drawings.length === 0) await inspectPdf(bytes);
  return Promise.all(drawings.map((drawing) => drawFirstPage(bytes, drawing)));
}

const say = (answer: Answer | { ready: true }): void => {
  process.send?.(answer);
};

main();
