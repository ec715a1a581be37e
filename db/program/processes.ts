import { resolve } from 'node:path';
import type { ProcessDefinition } from '../../workflows/kit/process';
import { exportsIn } from './program-files';

/**
 * Every process: all that `x.contract.ts` files of workflows define. From them follow the rows and processes that are compared, the
 * figures of those that park, and the table of the guide; `workflows/index.ts` has their bodies.
 */
export const processes: readonly ProcessDefinition<never>[] = exportsIn(
  resolve(__dirname, '../../workflows'),
  'contract',
).filter(isProcess);

function isProcess(exported: unknown): exported is ProcessDefinition<never> {
  return typeof exported === 'object' && exported !== null && 'queue' in exported && 'entityId' in exported;
}
