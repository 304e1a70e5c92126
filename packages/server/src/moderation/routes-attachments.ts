import { Type } from '#typebox';
import { type Operation, operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { type AttachmentOptions, fetchAttachment } from './attachment.ts';
import { messageIdField } from './message.ts';

export function attachmentRoutes(store: Store, outside: Outside, options: AttachmentOptions): Operation[] {
  return [
    operation({
      id: 'getReviewAttachment',
      method: 'GET',
      path: '/moderation/review-attachments/:messageId',
      on: ['mgmt'],
      tag: 'Review',
      summary: 'A picture or film of a message in the review queues, fetched by the service: image/* or video/*.',
      params: Type.Object({ messageId: messageIdField }),
      query: Type.Object(
        { index: Type.Integer({ minimum: 0, maximum: 99, default: 0, description: 'Which of the attachments.' }) },
        { additionalProperties: false },
      ),
      response: Type.String(),
      contentTypes: ['image/*', 'video/*'],
      errors: ['ERR_ATTACHMENT_NOT_FOUND'],
      example: '(bytes)',
      handle: async ({ appId, params, query, reply }) => {
        const target = { appId, messageId: params.messageId, index: query.index };
        const { mimeType, bytes } = await fetchAttachment(store, outside, options, target);
        reply.type(mimeType).header('content-security-policy', "default-src 'none'; sandbox");
        return bytes;
      },
    }),
  ];
}
