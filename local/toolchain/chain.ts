import type { Log } from '../logs/log';
import { messageOf } from '../failure';

/** The result of looking in one place: the tool's path, or the reason why it isn't there. */
export type Found = { path: string } | { skipped: string };

export interface Step {
  /** The place, as messages name it. */
  name: string;
  find: () => Promise<Found>;
}

/** No step of the chain had the tool; the message lists every step with its reason and what to install. */
export class MissingToolError extends Error {
  override readonly name = 'MissingToolError';
}

/**
 * Takes the first step that has the tool, and logs it with the steps before it that failed: those that throw. Steps
 * that simply do not have it are named only in MissingToolError, which is thrown when none has it.
 */
export async function firstFound(tool: string, steps: Step[], advice: string, log: Log): Promise<string> {
  const reasons: string[] = [];
  const failures: string[] = [];
  for (const step of steps) {
    const found = await step.find().catch((error: unknown) => {
      failures.push(`${step.name}: ${messageOf(error)}`);
      return { skipped: messageOf(error) };
    });
    if ('path' in found) {
      for (const failure of failures) log(`${tool}: skipped ${failure}`);
      log(`${tool}: ${found.path} (${step.name})`);
      return found.path;
    }
    reasons.push(`${step.name}: ${found.skipped}`);
  }
  const list = reasons.map((reason) => `  - ${reason}`).join('\n');
  throw new MissingToolError(`${tool} was not found. Tried:\n${list}\n${advice}`);
}
