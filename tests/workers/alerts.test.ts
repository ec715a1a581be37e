import { endpoints } from '../../api/endpoints';
import { alerts as rules } from '../observability/operators-view';

test('ErrorsAnswered counts no answer that the contract of an endpoint has', () => {
  const declared = endpoints.flatMap(({ errors }) =>
    Object.entries(errors).flatMap(([code, status]) => (status >= 500 ? [code] : [])),
  );
  const { expr } = rules.find(({ alert }) => alert === 'ErrorsAnswered')!;
  const [failures] = expr.split(' / ');
  const left = [...failures!.matchAll(/code!="(\w+)"/g)].map(([, code]) => code);
  expect(left).toEqual([...new Set(declared)].sort());
  expect(failures).toContain('status=~"5.."');
});

describe('money whose transfer is not answered', () => {
  const DAY = 86_400;
  /** The seconds beyond which an alert fires, and its severity. */
  const limitOf = (name: string) => {
    const { expr, labels } = rules.find(({ alert }) => alert === name)!;
    return [expr.replace(/ > \d+$/, ''), Number(expr.split(' > ').at(-1)) / DAY, labels.severity];
  };

  test('makes a ticket after four days and pages after eight, by the age of the transfer', () => {
    const oldest = 'max by (provider) (platform_transfers_under_way_oldest_seconds)';
    expect(limitOf('TransfersUnanswered')).toEqual([oldest, 4, 'ticket']);
    expect(limitOf('TransfersUnansweredLong')).toEqual([oldest, 8, 'page']);
  });

  test('for a bank file, what was left from a Friday makes no ticket before Monday is over', () => {
    expect(limitOf('BankFileDue')).toEqual(['max(platform_bank_file_collected_oldest_seconds)', 3, 'ticket']);
    expect(limitOf('BankFileUnreported')).toEqual([
      ...['max(platform_bank_file_unreported_oldest_seconds)', 4, 'ticket'],
    ]);
  });
});
