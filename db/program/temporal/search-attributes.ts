import type { Connection } from '@temporalio/client';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { searchAttributes } from '../../../workflows/kit/search-attributes';
import { StartRefused } from '../start-guard';
import { hasGrpcCode } from './away';

/** The types that we use: their values in `temporal.api.enums.v1.IndexedValueType`, their names in commands, and a value. */
const TYPES = {
  KEYWORD: { number: 2, name: 'Keyword', value: "'x'" },
  BOOL: { number: 5, name: 'Bool', value: 'true' },
} as const;

const attributes = Object.values(searchAttributes).map(({ name, type }) => ({ name, type: TYPES[type] }));

/** The types of all search attributes, as Temporal's commands write them, by the attributes' names. */
export const SEARCH_ATTRIBUTES: Readonly<Record<string, string>> = Object.fromEntries(
  attributes.map(({ name, type }) => [name, type.name]),
);

/** The refusals of a server that lets its own operators only create attributes, such as Temporal Cloud. */
const NOT_FOR_PROGRAMS = [GrpcStatus.PERMISSION_DENIED, GrpcStatus.UNIMPLEMENTED];

type Services = Pick<Connection, 'operatorService' | 'workflowService'>;

/**
 * Registers every search attribute with the server; safe to repeat. The server refuses to start a process with one that
 * it does not know, so all programs that start processes do this first. Where the server does not let programs register
 * them, rejects with StartRefused unless it has them all.
 */
export async function registerSearchAttributes(services: Services, namespace: string): Promise<void> {
  try {
    await services.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(attributes.map(({ name, type }) => [name, type.number])),
    });
  } catch (error) {
    if (!hasGrpcCode(error, NOT_FOR_PROGRAMS)) throw error;
    const missing = await missingAttributes(services, namespace);
    if (missing.length > 0) throw new StartRefused(refusalText(namespace, missing));
  }
}

/** The attributes by which the server cannot search: it has none of that name, or a text in place of a keyword. */
async function missingAttributes(
  { workflowService }: Services,
  namespace: string,
): Promise<typeof attributes> {
  const missing: typeof attributes = [];
  for (const attribute of attributes) {
    const { name, type } = attribute;
    try {
      await workflowService.countWorkflowExecutions({ namespace, query: `${name} IN (${type.value})` });
    } catch (error) {
      if (!hasGrpcCode(error, [GrpcStatus.INVALID_ARGUMENT])) throw error;
      missing.push(attribute);
    }
  }
  return missing;
}

function refusalText(namespace: string, missing: typeof attributes): string {
  const each = (write: (name: string, type: string) => string): string[] =>
    missing.map(({ name, type }) => write(name, type.name));
  const options = each((name, type) => `--name ${name} --type ${type}`);
  const cloudOptions = each((name, type) => `--search-attribute ${name}=${type}`);
  return [
    `Temporal's namespace ${namespace} lacks search attributes, and does not let this program create them:`,
    `  ${each((name, type) => `${name} (${type})`).join(', ')}`,
    'Create them as an operator of the server:',
    `  temporal operator search-attribute create --namespace ${namespace} ${options.join(' ')}`,
    'or in Temporal Cloud:',
    `  tcld namespace search-attributes add --namespace ${namespace} ${cloudOptions.join(' ')}`,
  ].join('\n');
}
