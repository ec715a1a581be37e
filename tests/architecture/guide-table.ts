/** A table of a guide as Prettier writes it. */
export function tableOf(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]!.length)));
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...body.map(lineOf)].join('\n');
}

/** The guide with this table instead of the one whose first column has the same heading. */
export function withTable(guide: string, table: string): string {
  const heading = table.slice(0, table.indexOf(' ', 2) + 1);
  const from = guide.indexOf(`\n${heading}`) + 1;
  const [old = ''] = /^(\|.*\n)+/.exec(guide.slice(from)) ?? [];
  return `${guide.slice(0, from)}${table}\n${guide.slice(from + old.length)}`;
}
