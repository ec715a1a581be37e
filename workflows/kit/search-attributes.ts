import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * The search attributes of processes. They are never encrypted, so they hold ids only. API and workers register them at start.
 */
export const searchAttributes = {
  entityId: defineSearchAttributeKey('EntityId', 'KEYWORD'),
  orderId: defineSearchAttributeKey('OrderId', 'KEYWORD'),
  userId: defineSearchAttributeKey('UserId', 'KEYWORD'),
  area: defineSearchAttributeKey('Area', 'KEYWORD'),
  stage: defineSearchAttributeKey('Stage', 'KEYWORD'),
  needsAttention: defineSearchAttributeKey('NeedsAttention', 'BOOL'),
};

/** The values of `temporal.api.enums.v1.IndexedValueType` that we use. */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, BOOL: 5 } as const;

/** The part of a connection to Temporal by which attributes are registered. */
interface AttributeRegistry {
  operatorService: {
    addSearchAttributes: (request: {
      namespace: string;
      searchAttributes: Record<string, number>;
    }) => Promise<unknown>;
  };
}

/**
 * Registers every search attribute with the server; safe to repeat. The server refuses to start a process with one that
 * it does not know, so all programs that start processes do this first.
 */
export async function registerSearchAttributes(
  { operatorService }: AttributeRegistry,
  namespace: string,
): Promise<void> {
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.values(searchAttributes).map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type]]),
    ),
  });
}
