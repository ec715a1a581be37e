import { v7 } from 'uuid';
import { processes } from '../../db/program/processes';
import { eventFailureProcess } from '../../workflows/administration/domain-event/event-failure.contract';
import { bankTransferProcess } from '../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../workflows/commerce/payment-event/payment-event.contract';
import { reconciliationProcess } from '../../workflows/commerce/reconciliation/reconciliation.contract';
import { providerEventProcess } from '../../workflows/investment/provider-event/provider-event.contract';
import type { ProcessDefinition } from '../../workflows/kit/process';
import { poolProcess } from '../../workflows/partners/pool/pool.contract';

/** A process that is started about something that no row is about; `about`: the id in the input of its steps. */
interface AboutNothing {
  process: ProcessDefinition<unknown>;
  input: unknown;
  about: string;
}

/** The processes that park only about something that has rows. */
const ABOUT_ROWS: readonly string[] = [bankTransferProcess, paymentEventProcess, providerEventProcess].map(
  ({ type }) => type,
);

/** A day that has ended, and can be compared. */
const DAY = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);

/** Those whose key is no id. */
const withValues: readonly AboutNothing[] = [
  {
    process: eventFailureProcess as ProcessDefinition<unknown>,
    input: { consumer: 'commissions', position: 987_654_321 },
    about: '987654321',
  },
  {
    process: poolProcess as ProcessDefinition<unknown>,
    input: { kind: 'WEEKLY', period: '2026-W40' },
    about: '2026-W40',
  },
  {
    process: reconciliationProcess as ProcessDefinition<unknown>,
    input: { provider: 'sandbox', day: DAY },
    about: DAY,
  },
];

/** The names in its input of what makes its id, and of what its row knows. */
function namesIn({ id, drives }: ProcessDefinition<never>): string[] {
  const names = new Set<string>();
  const key = new Proxy({}, { get: (_, name) => names.add(String(name)).size });
  id(key);
  return [...names, ...Object.keys(drives?.key ?? {})];
}

function aboutNothing(process: ProcessDefinition<never>): AboutNothing {
  const about = v7();
  const [first = '', ...others] = namesIn(process);
  const input = Object.fromEntries([...others.map((name) => [name, v7()]), [first, about]]) as unknown;
  return { process: process as ProcessDefinition<unknown>, input, about };
}

/** One process of each type that can park and needs no row to do so. */
export const ABOUT_NOTHING: readonly AboutNothing[] = [
  ...withValues,
  ...processes
    .filter(({ type, parks }) => parks && !ABOUT_ROWS.includes(type))
    .filter(({ type }) => !withValues.some(({ process }) => process.type === type))
    .map(aboutNothing),
];
