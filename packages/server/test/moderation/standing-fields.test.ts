import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingFields, toStanding } from '../../src/moderation/message.ts';

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('"', '\\', '\n', '\u2028', '\u007f', 'é', '👋', '\ud800', 'a\udc00'),
);
const party = fc.record({ name: text, role: text, tags: fc.array(text), createdAt: fc.nat() }, { requiredKeys: [] });
const uid = fc.stringMatching(/^[A-Za-z0-9_.@:-]{1,100}$/);

describe('a message as JSON', () => {
  it('is what JSON.stringify would write, whatever the message holds', () => {
    const messages = fc.record({
      sender: uid,
      receiver: uid,
      receiverType: fc.constantFrom('user' as const, 'group' as const),
      category: maybe(fc.constantFrom('message' as const, 'custom' as const)),
      type: maybe(text),
      muid: maybe(text),
      conversationId: maybe(text),
      senderUserDetails: maybe(party),
      receiverUserDetails: maybe(party),
      receiverGroupDetails: maybe(party),
      tags: maybe(fc.array(text)),
      sentAt: maybe(fc.nat()),
      data: maybe(
        fc.record(
          {
            text,
            customData: fc.jsonValue(),
            metadata: fc.jsonValue(),
            attachments: fc.array(fc.record({ url: text })),
          },
          { requiredKeys: [] },
        ),
      ),
    });
    fc.assert(
      fc.property(messages, text, ({ ...sent }, id) => {
        for (const [name, value] of Object.entries(sent)) if (value === undefined) Reflect.deleteProperty(sent, name);
        const standing = toStanding(sent as Parameters<typeof toStanding>[0], id, 1_767_225_600_000);
        expect(`{${standingFields(standing)}}`).toBe(JSON.stringify(standing));
      }),
      { numRuns: 2000 },
    );
  });
});
