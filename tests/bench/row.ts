import type { Figures } from './duel';

/** A row of the table of results. */
export interface Row {
  measured: string;
  callers: number;
  ours: Figures;
  bare: Figures;
}

/** A figure next to the table, with its target if there is one. */
export interface Fact {
  figure: string;
  value: string;
  target?: string;
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

const cpu = ({ cpuMs }: Figures): string => {
  if (!cpuMs) return '–';
  const parts = Object.entries(cpuMs);
  const whole = parts.reduce((sum, [, value]) => sum + value, 0);
  return `${ms(whole)} (${parts.map(([name, value]) => `${name} ${ms(value)}`).join(', ')})`;
};

/** Our operations per second divided by the comparison's. */
export const ratioOf = ({ ours, bare }: Pick<Row, 'ours' | 'bare'>): number =>
  ours.perSecond / bare.perSecond;

/** All rows as one Markdown table. */
export const tableOf = (rows: readonly Row[]): string =>
  [
    '| Measured | Callers | Ours /s | Bare /s | Ours ÷ bare | p50 ms, ours / bare | p99 ms, ours / bare | CPU ms each, ours | CPU ms each, bare |',
    '| --- | --: | --: | --: | --: | --: | --: | --- | --- |',
    ...rows.map((row) => {
      const { measured, callers, ours, bare } = row;
      const cells = [
        measured,
        callers,
        ours.perSecond.toFixed(0),
        bare.perSecond.toFixed(0),
        ratioOf(row).toFixed(2),
        `${ms(ours.p50Ms)} / ${ms(bare.p50Ms)}`,
        `${ms(ours.p99Ms)} / ${ms(bare.p99Ms)}`,
        cpu(ours),
        cpu(bare),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');

/** The figures as a second Markdown table. */
export const factsOf = (facts: readonly Fact[]): string =>
  [
    '| Figure | Value | Target |',
    '| --- | --- | --- |',
    ...facts.map(({ figure, value, target = '' }) => `| ${figure} | ${value} | ${target} |`),
  ].join('\n');
