import { parseArgs } from 'node:util';
import type { Fault } from './fault';
import { faults } from './kinds';
import { Random } from './random';
import { runScenario, type Result } from './scenario';
import { People } from './scenario/shop';
import { Stack } from './platform/stack';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The most lines printed about the problems of a scenario. */
const MOST_LINES = 15;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    buyers: { type: 'string', default: '20' },
    temporal: { type: 'string', default: 'file' },
  },
});

/** Each fault as often as any other, in an order that the seed decides; the heavy ones once, at the end. */
function chosen(count: number, seed: number, only: string | undefined): Fault[] {
  const named = faults.filter(({ name }) => name === only);
  const wanted = named.length > 0 ? named : faults.filter(({ name }) => name.includes(only ?? ''));
  if (wanted.length === 0) throw new Error(`No fault is named like «${only}». ${names()}`);
  const heavy = wanted.filter((fault) => fault.heavy);
  const light = wanted.filter((fault) => !fault.heavy);
  const order = new Random(seed);
  const plan: Fault[] = [];
  while (light.length > 0 && plan.length < count) plan.push(...shuffled(light, order));
  const room = plan.length === 0 || count >= wanted.length ? heavy : [];
  return [...plan.slice(0, Math.max(0, count - room.length)), ...room];
}

const shuffled = (list: readonly Fault[], order: Random): Fault[] =>
  list
    .map((fault) => ({ fault, at: order.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault);

const names = (): string => `There are:\n  ${faults.map(({ name }) => name).join('\n  ')}`;

async function main(): Promise<void> {
  const [count, seed, buyers] = [Number(values.count), Number(values.seed), Number(values.buyers)];
  const plan = chosen(count, seed, values.only);
  const began = Date.now();
  const stack = await Stack.up(values.temporal === 'postgres' ? 'postgres' : 'file');
  const results: Result[] = [];
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  try {
    const people = await People.settle(stack.db, buyers);
    say(
      `The stack is up after ${Math.round((Date.now() - began) / 1000)} s; its logs are in ${stack.logDir}`,
    );
    for (const [index, fault] of plan.entries()) {
      if (stopping.signal.aborted) break;
      const result = await runScenario(stack, people, fault, seed + index);
      results.push(result);
      say(line(result));
      for (const problem of result.problems.slice(0, MOST_LINES)) say(`    ${problem}`);
      if (result.problems.length > 0) {
        say(
          `  again: npm run faults -- --count 1 --seed ${result.seed} --only '${result.fault}' --buyers ${buyers}`,
        );
        process.exitCode = 1;
      }
    }
  } finally {
    await stack.down({ keepLogs: process.exitCode === 1 });
  }
  say(summary(results));
  say(`${results.length} scenarios in ${Math.round((Date.now() - began) / 1000)} s`);
}

const line = ({ seed, fault, ok, fail, unknown, troubled, seconds, problems }: Result): string =>
  `seed ${seed}  ${fault.padEnd(46)} ok ${ok}  fail ${fail}  unknown ${unknown}  sent again ${troubled}  ${seconds} s  ` +
  (problems.length === 0 ? 'holds' : `BROKEN (${problems.length})`);

function summary(results: readonly Result[]): string {
  const names = [...new Set(results.map(({ fault }) => fault))].sort();
  const lines = names.map((name) => {
    const of = results.filter(({ fault }) => fault === name);
    const broken = of.filter(({ problems }) => problems.length > 0).length;
    return `${name.padEnd(50)} ${String(of.length).padStart(4)} ${String(broken).padStart(7)}`;
  });
  return ['', `${'fault'.padEnd(50)} runs  broken`, ...lines].join('\n');
}

void main();
