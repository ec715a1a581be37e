import { expressions } from './operators-view';
import { metricsOf } from './prometheus';

test.each([
  ['changes(platform_a[5m])', ['platform_a']],
  ['max by (consumer) (changes(platform_a{consumer="b"}[5m:1m]))', ['platform_a']],
  ['histogram_quantile(0.9, sum by (le) (rate(platform_a_bucket[5m])))', ['platform_a_bucket']],
  ['label_replace(platform_a offset 5m, "x", "word", "y", "z") > bool 1', ['platform_a']],
  ['a:b * on (x) group_left (y) c unless time () > Inf', ['a:b', 'c']],
])('the metrics of %s', (expression, names) => {
  expect(metricsOf(expression)).toEqual(names);
});

test('every expression that operators see names a metric', () => {
  expect(expressions.length).toBeGreaterThan(0);
  for (const expression of expressions)
    expect([expression, metricsOf(expression)]).not.toEqual([expression, []]);
});
