import type { FigureSum } from '../../../../db/administration/analytics/figures.reads';
import type { Figure } from '../../../../workflows/administration/analytics/figures.rules';
import { figureInMajor } from '../../../../workflows/commerce/money.rules';

/** Sums of figures over some time, in one currency. */
export class Sums {
  constructor(
    private readonly rows: readonly FigureSum[],
    readonly currency: string,
  ) {}

  /** The number of facts. */
  count(figure: Figure, part?: string): number {
    return this.total(figure, part, ({ occurrences }) => occurrences);
  }

  minor(figure: Figure, part?: string): number {
    return this.total(figure, part, ({ amountMinor }) => amountMinor);
  }

  major(figure: Figure, part?: string): number {
    return this.inMajor(this.minor(figure, part));
  }

  /** The average duration in hours, to two decimals; 0 where nothing happened. */
  averageHours(figures: readonly Figure[], part?: string): number {
    const sum = (of: (figure: Figure) => number): number =>
      figures.reduce((total, figure) => total + of(figure), 0);
    const count = sum((figure) => this.count(figure, part));
    const seconds = sum((figure) => this.total(figure, part, (row) => row.seconds));
    return count === 0 ? 0 : Math.round(seconds / count / 36) / 100;
  }

  inMajor(minor: number): number {
    return figureInMajor(minor, this.currency);
  }

  /** The parts of these figures that there are, in order. */
  parts(...figures: Figure[]): string[] {
    return [
      ...new Set(this.rows.filter(({ figure }) => figures.includes(figure)).map(({ part }) => part)),
    ].sort();
  }

  private total(figure: Figure, part: string | undefined, of: (row: FigureSum) => number): number {
    return this.rows
      .filter((row) => row.figure === figure && (part === undefined || row.part === part))
      .reduce((sum, row) => sum + of(row), 0);
  }
}

/** Sums of all time up to a point, which are added up from point to point: a row for each figure and part. */
export class RunningSums {
  private readonly byPart = new Map<string, FigureSum>();

  constructor(private readonly currency: string) {}

  add(sums: readonly FigureSum[]): void {
    for (const sum of sums) {
      const key = `${sum.figure} ${sum.part}`;
      const before = this.byPart.get(key);
      this.byPart.set(key, {
        ...sum,
        occurrences: (before?.occurrences ?? 0) + sum.occurrences,
        amountMinor: (before?.amountMinor ?? 0) + sum.amountMinor,
        seconds: (before?.seconds ?? 0) + sum.seconds,
      });
    }
  }

  sums(): Sums {
    return new Sums([...this.byPart.values()], this.currency);
  }
}
