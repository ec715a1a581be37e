import { defineSearchAttributeKey } from '@temporalio/common';

/** What flows can be searched by. Ids only: they are never encrypted. Registered by every worker at start. */
export const searchAttributes = {
  entityId: defineSearchAttributeKey('EntityId', 'KEYWORD'),
  userId: defineSearchAttributeKey('UserId', 'KEYWORD'),
  area: defineSearchAttributeKey('Area', 'KEYWORD'),
  stage: defineSearchAttributeKey('Stage', 'KEYWORD'),
  needsAttention: defineSearchAttributeKey('NeedsAttention', 'BOOL'),
};
