import { type Static, Type } from '#typebox';
import { audit, type By } from '../apps/audit.ts';
import { badField } from '../errors.ts';
import { Cache } from '../store/cache.ts';
import type { Keyring } from '../store/seal.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { secretPattern } from '../webhooks/sign.ts';

export const onErrorChoices = ['approve-message', 'drop-message'] as const;
export type OnError = (typeof onErrorChoices)[number];

const onError = Type.Enum([...onErrorChoices], {
  description: 'What becomes of a message when something that a rule asks for did not answer.',
});
const contextMessages = Type.Integer({
  minimum: 0,
  maximum: 20,
  description: 'How many earlier messages of the conversation the custom API is shown; 10 unless given.',
});

export const changeSettingsRequest = Type.Object(
  {
    onError: Type.Optional(onError),
    customApi: Type.Optional(
      Type.Union([
        Type.Object(
          {
            url: Type.String({ minLength: 1, maxLength: 2048 }),
            secret: Type.Optional(
              Type.String({
                pattern: secretPattern,
                description: 'whsec_ and 24 to 64 bytes as base64. Signs the requests. Never readable again.',
              }),
            ),
            contextMessages: Type.Optional(contextMessages),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const settingsAnswer = Type.Object({
  onError,
  customApi: Type.Union([Type.Object({ url: Type.String(), contextMessages: Type.Integer() }), Type.Null()]),
});

export type SettingsChange = Static<typeof changeSettingsRequest>;
export type ShownSettings = Static<typeof settingsAnswer>;

/** What judging needs of the settings; the secret is opened where a request is signed. */
export interface AppSettings {
  onError: OnError;
  customApi: { url: string; sealed: string; contextMessages: number } | undefined;
}

type SettingsRow = {
  on_error: OnError;
  custom_api_url: string | null;
  custom_api_sealed: string | null;
  custom_api_context: number;
};
type Target = By & { appId: string };

const standard: AppSettings = { onError: 'approve-message', customApi: undefined };
const contextMessagesStandard = 10;

/** The place the secret is sealed for: it opens nowhere else. */
export function customApiPlace(appId: string): string {
  return `custom-api:${appId}`;
}

/** How an app wants to be moderated, beside its rules. */
export class SettingsOfApps {
  private readonly store: Store;
  private readonly keyring: Keyring;
  private readonly outside: Outside;
  private readonly cache: Cache<AppSettings>;

  constructor(store: Store, keyring: Keyring, outside: Outside) {
    this.store = store;
    this.keyring = keyring;
    this.outside = outside;
    this.cache = new Cache(store, 'moderationSettings', (appId) => readSettings(store, appId));
  }

  async of(appId: string): Promise<AppSettings> {
    return (await this.cache.get(appId)) ?? standard;
  }

  secretOf(appId: string, { sealed }: { sealed: string }): string {
    return this.keyring.open(sealed, customApiPlace(appId));
  }

  async getModerationSettings(appId: string): Promise<ShownSettings> {
    return shown(await readSettings(this.store, appId));
  }

  async changeModerationSettings(target: Target, { onError, customApi }: SettingsChange): Promise<ShownSettings> {
    const why = customApi ? this.outside.whyNot(customApi.url) : undefined;
    if (why !== undefined) throw badField('customApi.url', why);
    const sealed = customApi?.secret && this.keyring.seal(customApi.secret, customApiPlace(target.appId));
    return this.store.change(changeModerationSettings, {
      ...target,
      ...(onError && { onError }),
      ...(customApi === null && { customApi }),
      ...(customApi && {
        customApi: {
          url: customApi.url,
          ...(sealed && { sealed }),
          ...(customApi.contextMessages !== undefined && { contextMessages: customApi.contextMessages }),
        },
      }),
    });
  }
}

interface StoredChange extends Target {
  onError?: OnError;
  customApi?: { url: string; sealed?: string; contextMessages?: number } | null;
}

export async function changeModerationSettings(
  tx: Tx,
  { appId, actor, ...change }: StoredChange,
): Promise<ShownSettings> {
  await tx.lock(`moderationSettings:${appId}`);
  const before = await readSettings(tx, appId);
  const after: AppSettings = {
    onError: change.onError ?? before.onError,
    customApi: customApiAfter(before.customApi, change.customApi),
  };
  await tx.run(
    `INSERT INTO moderation_settings (app_id, on_error, custom_api_url, custom_api_sealed, custom_api_context, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (app_id) DO UPDATE SET on_error = excluded.on_error, custom_api_url = excluded.custom_api_url,
       custom_api_sealed = excluded.custom_api_sealed, custom_api_context = excluded.custom_api_context, updated_at = excluded.updated_at`,
    [
      appId,
      after.onError,
      after.customApi?.url ?? null,
      after.customApi?.sealed ?? null,
      after.customApi?.contextMessages ?? contextMessagesStandard,
      tx.now,
    ],
  );
  await audit(tx, {
    appId,
    actor,
    action: 'changeModerationSettings',
    target: appId,
    before: shown(before),
    after: shown(after),
  });
  tx.touch(`moderationSettings:${appId}`);
  return shown(after);
}

/** Without a new secret the sealed one stays; the first address needs one. */
function customApiAfter(before: AppSettings['customApi'], change: StoredChange['customApi']): AppSettings['customApi'] {
  if (change === undefined) return before;
  if (change === null) return undefined;
  const sealed = change.sealed ?? before?.sealed;
  if (sealed === undefined)
    throw badField('customApi.secret', 'Is needed with the first address: whsec_ and 24 to 64 bytes as base64.');
  const contextMessages = change.contextMessages ?? before?.contextMessages ?? contextMessagesStandard;
  return { url: change.url, sealed, contextMessages };
}

async function readSettings(store: Reader, appId: string): Promise<AppSettings> {
  const row = await store.get<SettingsRow>(
    'SELECT on_error, custom_api_url, custom_api_sealed, custom_api_context FROM moderation_settings WHERE app_id = $1',
    [appId],
  );
  if (row === undefined) return standard;
  const { custom_api_url: url, custom_api_sealed: sealed } = row;
  return {
    onError: row.on_error,
    customApi: url === null || sealed === null ? undefined : { url, sealed, contextMessages: row.custom_api_context },
  };
}

function shown({ onError, customApi }: AppSettings): ShownSettings {
  return {
    onError,
    customApi: customApi === undefined ? null : { url: customApi.url, contextMessages: customApi.contextMessages },
  };
}
