import { type Static, Type } from '#typebox';
import { text, timeSeconds, uidField } from '../fields.ts';
import { uidsMax } from './notification.ts';

const messageTextMax = 1_000_000;
const mentionsMax = 1000;

const party = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  role: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
  createdAt: Type.Optional(Type.Number()),
  metadata: Type.Optional(Type.Unknown()),
});

const attachments = Type.Array(Type.Object({ url: Type.Optional(text(4096)) }), { maxItems: 100 });
const said = {
  text: Type.Optional(Type.String({ maxLength: messageTextMax })),
  customData: Type.Optional(Type.Unknown()),
  attachments: Type.Optional(attachments),
};

/** Somebody or something the platform's message speaks of: a user, a group, a call or another message. */
const entity = Type.Optional(
  Type.Object({
    entity: Type.Optional(
      Type.Object({
        uid: Type.Optional(uidField),
        name: Type.Optional(Type.String({ maxLength: 1000 })),
        id: Type.Optional(Type.Union([text(100), Type.Integer()])),
        sender: Type.Optional(uidField),
        type: Type.Optional(text(100)),
        sessionid: Type.Optional(text(200)),
        data: Type.Optional(Type.Object(said)),
      }),
    ),
  }),
);

/** The platform's message, and whom to ring. Unknown fields are welcome and ignored. */
export const ringRequest = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^[^\\s\\u0000-\\u001f\\u007f]{1,100}$', description: 'No spaces.' })),
  muid: Type.Optional(text(1000)),
  conversationId: Type.Optional(text(1000)),
  sender: uidField,
  receiver: uidField,
  receiverType: Type.Enum(['user', 'group']),
  category: Type.Optional(Type.Enum(['message', 'custom', 'call', 'action'])),
  type: Type.Optional(text(100)),
  data: Type.Optional(
    Type.Object({
      ...said,
      metadata: Type.Optional(Type.Unknown()),
      action: Type.Optional(
        Type.String({ maxLength: 100, description: 'What happened, where category is call or action.' }),
      ),
      reaction: Type.Optional(text(100)),
      sessionId: Type.Optional(text(200)),
      mentions: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          maxProperties: mentionsMax,
          description: 'By uid, as in the platform.',
        }),
      ),
      entities: Type.Optional(Type.Object({ by: entity, on: entity, for: entity, sender: entity, receiver: entity })),
      extras: Type.Optional(
        Type.Object({ scope: Type.Optional(Type.Object({ new: Type.Optional(Type.String({ maxLength: 100 })) })) }),
      ),
    }),
  ),
  senderUserDetails: Type.Optional(party),
  receiverUserDetails: Type.Optional(party),
  receiverGroupDetails: Type.Optional(party),
  tags: Type.Optional(Type.Array(text(1000), { maxItems: 100 })),
  sentAt: Type.Optional(timeSeconds('Epoch seconds.')),
  parentId: Type.Optional(text(100)),
  receivers: Type.Optional(
    Type.Array(uidField, {
      maxItems: uidsMax,
      description: 'Who is notified: for a group its members, whom only the chat server knows.',
    }),
  ),
  mentionedUids: Type.Optional(Type.Array(uidField, { maxItems: mentionsMax })),
  unreadMessageCount: Type.Optional(Type.Integer({ minimum: 0 })),
});

export type RingRequest = Static<typeof ringRequest>;
/** What somebody said, as moderation takes it. */
export type Said = Omit<RingRequest, 'category'> & { category?: 'message' | 'custom' };
