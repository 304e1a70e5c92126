/** One way to write a record, whoever wrote it: what may be left out is filled in, so that only real differences differ. */
type Fields = Record<string, unknown>;

export function normalRule(rule: Fields, id: string): Fields {
  const { name = id, description = '', enabled = true, shadow, action = [], filters, conditions } = rule;
  return {
    name,
    description,
    enabled,
    ...(shadow === true && { shadow }),
    conditions: Array.isArray(conditions) ? conditions.map(normalCondition) : conditions,
    action,
    ...(filters !== undefined && { filters }),
  };
}

/** The platform spells the reference to a list in three ways, and a value as one text or as many. */
function normalCondition(condition: Fields): Fields {
  const { entity = 'message', operand, category, operator = 'contains', value, message } = condition;
  const refers =
    condition.isKeywordsReferencePresent === true ||
    condition.isKeywordReferencePresent === true ||
    condition.isListReferencePresent === true;
  return {
    ...(refers && { [operand === 'custom' ? 'isListReferencePresent' : 'isKeywordsReferencePresent']: true }),
    ...(condition.isMediaPresent === true && { isMediaPresent: true }),
    entity,
    operand,
    category,
    operator,
    value: many(value),
    ...(message !== undefined && { message: many(message) }),
  };
}

export function normalList(list: Fields, id: string): Fields {
  const { name = id, description = '', category = 'word', searchTerms, allow, fold } = list;
  return {
    name,
    description,
    category,
    searchTerms: Array.isArray(searchTerms) ? [...new Set(searchTerms)].sort() : (searchTerms ?? []),
    ...(allow !== undefined && { allow }),
    ...(fold !== undefined && { fold }),
  };
}

export function normalReason(reason: Fields, id: string): Fields {
  return { name: reason.name ?? id, description: reason.description ?? '' };
}

function many(value: unknown): unknown {
  return Array.isArray(value) || value === undefined ? value : [value];
}
