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
