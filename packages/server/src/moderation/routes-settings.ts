import { Type } from '#typebox';
import { actorOf } from '../caller.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Media } from './media.ts';
import { changeSettingsRequest, type SettingsOfApps, settingsAnswer } from './settings.ts';

const tag = 'Moderation';
const both = ['app', 'mgmt'] as const;

/** What the operator has set up for media: rules over anything else cannot match. */
const mediaAnswer = Type.Object({
  configured: Type.Boolean({ description: 'Whether there is a classifier that can look at pictures.' }),
  video: Type.Boolean({ description: 'Whether films can be looked at.' }),
  labels: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The labels that the classifier can see. null: only it knows.',
  }),
  problems: Type.Array(Type.String(), {
    description: 'What the operator set up and does not work, and how to mend it.',
  }),
});
const response = Type.Object({ data: Type.Object({ ...settingsAnswer.properties, media: mediaAnswer }) });
const example = {
  data: {
    onError: 'approve-message',
    customApi: { url: 'https://chat.example.org/judge', contextMessages: 10 },
    media: {
      configured: true,
      video: true,
      labels: ['Explicit Nudity', 'Non-Explicit Nudity', 'Swimwear or underwear'],
      problems: [],
    },
  },
};

export function settingsRoutes(settings: SettingsOfApps, media: Media): Operation[] {
  return [
    operation({
      id: 'getModerationSettings',
      method: 'GET',
      path: '/moderation/settings',
      on: both,
      tag,
      summary:
        'Get how the app is moderated beside its rules: what to do on failure, the custom API, the media set-up.',
      response,
      example,
      handle: async ({ appId }) => ({
        data: { ...(await settings.getModerationSettings(appId)), media: await media.describe() },
      }),
    }),
    operation({
      id: 'changeModerationSettings',
      method: 'PATCH',
      path: '/moderation/settings',
      on: both,
      tag,
      summary: 'Change what to do on failure, or the custom API. Its secret goes in and does not come out.',
      body: changeSettingsRequest,
      response,
      example,
      handle: async ({ caller, appId, body }) => ({
        data: {
          ...(await settings.changeModerationSettings({ appId, actor: actorOf(caller) }, body)),
          media: await media.describe(),
        },
      }),
    }),
  ];
}
