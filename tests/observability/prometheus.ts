/** One series of a page, such as `up{job="api"} 1`. */
interface Series {
  /** The series without its value. */
  text: string;
  labels: Record<string, string>;
  value: number;
}

/** A family of a page in Prometheus's text format. */
export interface Family {
  name: string;
  type: string;
  help: string;
  series: Series[];
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value!]),
  );

/** The families of a page; one without a TYPE line is `untyped`. */
export function familiesIn(page: string): Family[] {
  const families = new Map<string, Family>();
  const family = (name: string): Family => {
    const known = families.get(name) ?? { name, type: 'untyped', help: '', series: [] };
    families.set(name, known);
    return known;
  };
  for (const line of page.split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\w+) ?(.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') family(name).help = rest;
    else if (keyword === 'TYPE') family(name).type = rest;
    else if (line !== '' && !line.startsWith('#')) {
      const [, text = '', own = '', labels = '', value] = /^((\w+)(\{.*\})?) (\S+)/.exec(line) ?? [];
      const base = own.replace(/_(bucket|sum|count)$/, '');
      family(families.has(base) ? base : own).series.push({
        text,
        labels: labelsIn(labels),
        value: Number(value),
      });
    }
  }
  return [...families.values()];
}

/** The aggregations and keywords of PromQL, which need no parenthesis behind them; functions always have one. */
const WORDS = new Set(
  [
    'sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio',
    'by without on ignoring group_left group_right and or unless atan2 bool offset start end inf nan',
  ].flatMap((words) => words.split(' ')),
);

/** The names of metrics in an expression: its words outside selectors, groupings and texts that are no call and no keyword. */
export function metricsOf(expression: string): string[] {
  const plain = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right) *\([^)]*\)/g, '');
  return (plain.match(/\b[a-zA-Z_:][\w:]*\b(?!\s*\()/g) ?? []).filter(
    (word) => !WORDS.has(word.toLowerCase()),
  );
}

/** The selectors of an expression: the metric, all labels that it names, and those that must equal a value. */
export function selectorsOf(
  expression: string,
): { name: string; labels: string[]; equal: Record<string, string> }[] {
  return [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)(?==|!)/g)].map(([, label]) => label!),
    equal: Object.fromEntries(
      [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value!]),
    ),
  }));
}
