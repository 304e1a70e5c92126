import type { Message } from './types.ts';

/** A text of a message and where it stands. */
export interface Field {
  path: string;
  text: string;
}

export function textFields(message: Message): Field[] {
  const fields: Field[] = [];
  if (typeof message.text === 'string' && message.text !== '') fields.push({ path: 'text', text: message.text });
  if (typeof message.caption === 'string') fields.push({ path: 'caption', text: message.caption });
  if (!Array.isArray(message.attachments)) return fields;
  message.attachments.forEach((attachment: unknown, index) => {
    if (typeof attachment !== 'object' || attachment === null || !('caption' in attachment)) return;
    if (typeof attachment.caption === 'string')
      fields.push({ path: `attachments.${index}.caption`, text: attachment.caption });
  });
  return fields;
}

/** All string leaves, without recursion: data may be as deep as its sender likes, or turn back on itself. */
export function customFields(customData: unknown): Field[] {
  const fields: Field[] = [];
  const seen = new Set<object>();
  const open: { path: string; value: unknown }[] = [{ path: 'customData', value: customData }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { path, value } = item;
    if (typeof value === 'string') fields.push({ path, text: value });
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, inner] of Object.entries(value).reverse()) open.push({ path: `${path}.${key}`, value: inner });
  }
  return fields;
}
