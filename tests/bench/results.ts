import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './duel';
import { ratioOf, type Fact, type Row } from './row';

const FILE = join(__dirname, 'RESULTS.md');
/** The heading from which the file is written; the text above it is by hand. */
const WRITTEN_FROM = '## Figures';

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
const cpuMs = ({ cpuMs: parts }: Figures): string =>
  parts ? ms(Object.values(parts).reduce((sum, value) => sum + value, 0)) : '–';

/** Writes the figures of a run, `machine` describing where, into RESULTS.md below the text that is by hand. */
export function writeResults(machine: string, rows: readonly Row[], facts: readonly Fact[]): void {
  const [byHand] = readFileSync(FILE, 'utf8').split(WRITTEN_FROM);
  const lines = [
    WRITTEN_FROM,
    '',
    machine,
    '',
    ...facts.map(
      ({ figure, value, target }) => `- ${figure}: **${value}**${target ? ` (target ${target})` : ''}`,
    ),
    '',
    '## Ours and bare',
    '',
    'Milliseconds at p50, and CPU milliseconds of each call.',
    '',
    '| Measured | Callers | Ours ÷ bare | p50 ours / bare | CPU ours / bare |',
    '| --- | --: | --: | --: | --: |',
    ...rows.map((row) => {
      const { measured, callers, ours, bare } = row;
      const p50 = `${ms(ours.p50Ms)} / ${ms(bare.p50Ms)}`;
      return `| ${measured} | ${callers} | ${ratioOf(row).toFixed(2)} | ${p50} | ${cpuMs(ours)} / ${cpuMs(bare)} |`;
    }),
  ];
  writeFileSync(FILE, `${byHand}${lines.join('\n')}\n`);
}
