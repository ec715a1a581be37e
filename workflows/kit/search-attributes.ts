import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { ProcessDefinition } from './process';

/** What flows can be searched by. Ids only: they are never encrypted. Registered by every worker at start. */
export const searchAttributes = {
  entityId: defineSearchAttributeKey('EntityId', 'KEYWORD'),
  userId: defineSearchAttributeKey('UserId', 'KEYWORD'),
  area: defineSearchAttributeKey('Area', 'KEYWORD'),
  stage: defineSearchAttributeKey('Stage', 'KEYWORD'),
  periodKey: defineSearchAttributeKey('PeriodKey', 'KEYWORD'),
  needsAttention: defineSearchAttributeKey('NeedsAttention', 'BOOL'),
};

/** The attributes a process starts with. */
export function attributesOf<Input>(
  definition: ProcessDefinition<Input>,
  input: Input,
): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [
    { key: searchAttributes.entityId, value: definition.entityId(input) },
    { key: searchAttributes.area, value: definition.area },
  ];
  if (definition.userId) pairs.push({ key: searchAttributes.userId, value: definition.userId(input) });
  return pairs;
}
