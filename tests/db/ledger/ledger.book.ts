/** One line of a transfer; `user` numbers a person of the test, null is the platform. */
export interface Line {
  account: string;
  user: number | null;
  currency: string;
  amountMinor: number;
}

/** A transfer to be posted, valid or not. */
export interface TransferCommand {
  /** Small numbers, so that some come again. */
  reference: number;
  lines: Line[];
  clawback: boolean;
}

/** Adds what is missing to zero, as well-behaved callers do. */
export function settle(lines: readonly Line[]): Line[] {
  const settled = [...lines];
  for (const [name, sum] of sums(lines)) {
    if (sum !== 0) settled.push({ account: 'payments', user: null, currency: name, amountMinor: -sum });
  }
  return settled;
}

function sums(lines: readonly Line[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { currency: name, amountMinor: amount } of lines)
    totals.set(name, (totals.get(name) ?? 0) + amount);
  return totals;
}

/** The ledger as a page of the text-book: the expected result of each transfer, computed independently of the database. */
export class Book {
  readonly held = new Map<string, number>();
  private readonly posted = new Map<number, string>();

  post({ reference, lines, clawback }: TransferCommand): string {
    const content = JSON.stringify([clawback, ...lines.map((line) => Object.values(line).join(' ')).sort()]);
    const before = this.posted.get(reference);
    if (before !== undefined) return before === content ? 'already posted' : 'mistaken';

    if ([...sums(lines).values()].some((sum) => sum !== 0)) return 'unbalanced';
    const next = new Map(this.held);
    const creditsFirst = [...lines].sort((one, other) => other.amountMinor - one.amountMinor);
    for (const { account, user, currency: name, amountMinor: amount } of creditsFirst) {
      if (user === null) continue;
      const key = `${user} ${account} ${name}`;
      const balance = (next.get(key) ?? 0) + amount;
      if (amount < 0 && balance < 0 && !(clawback && account === 'partner_available'))
        return 'INSUFFICIENT_BALANCE';
      next.set(key, balance);
    }
    this.posted.set(reference, content);
    for (const [key, balance] of next) this.held.set(key, balance);
    return 'posted';
  }
}
