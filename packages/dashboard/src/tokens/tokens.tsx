import { GatehouseError, type ListPushTokensAnswer } from '@gatehouse/client';
import { Button, Code, Group, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { useEndless } from '../parts/endless.ts';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { platformWord } from '../push-words.ts';
import { useAction } from '../use-action.ts';

type Token = ListPushTokensAnswer['data']['pushTokens'][number];

/** The beginning and the end tell a token from others. */
function shortOf(token: string): string {
  return token.length <= 28 ? token : `${token.slice(0, 14)}…${token.slice(-10)}`;
}

export function Tokens() {
  const { client, appId, isOwner } = useHere();
  const [params, setParams] = useSearchParams();
  const uid = params.get('uid') ?? '';
  // What a device signs in with is a secret: it never stands in the address, where histories keep it.
  const [typedAuthToken, setAuthToken] = useState('');
  // Who goes back to an address with a user looks for that user.
  const authToken = uid === '' ? typedAuthToken : '';
  const tokens = useEndless([appId, 'tokens', uid, authToken], async (cursor) => {
    const by = authToken !== '' ? { authToken } : uid !== '' ? { uid } : {};
    const { data, meta } = await client.listPushTokens({ ...by, limit: 500, cursor });
    return { data: data.pushTokens, meta: meta ?? {} };
  });
  return (
    <Screen
      title="Tokens"
      about="The devices that get pushes. A device registers itself; dead ones are removed by themselves."
    >
      {!isOwner ? (
        <Empty title="Tokens are for owners">They hold what devices sign in with.</Empty>
      ) : (
        <>
          <Search
            wanted={authToken || uid}
            onSearch={(by, wanted) => {
              setAuthToken(by === 'authToken' ? wanted : '');
              setParams(by === 'uid' && wanted !== '' ? { uid: wanted } : {});
            }}
          />
          <Loaded query={tokens}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title={uid === '' && authToken === '' ? 'No device is registered yet.' : 'No device fits.'} />
              ) : (
                <VirtualTable
                  label="Push tokens"
                  rows={rows}
                  keyOf={(token) => token.pushToken}
                  {...tokens.more}
                  columns={[
                    { name: 'User', width: '1.2fr', cell: (token) => <bdi>{token.uid}</bdi> },
                    { name: 'Platform', width: '1.2fr', cell: ({ platform }) => platformWord(platform) },
                    { name: 'Provider', width: '1fr', cell: (token) => token.providerId },
                    {
                      name: 'Token',
                      width: '1.8fr',
                      cell: (token) => <Code title={token.pushToken}>{shortOf(token.pushToken)}</Code>,
                    },
                    { name: 'Last seen', width: '1fr', cell: (token) => <TimeAgo at={token.updatedAt} /> },
                    { name: 'Action', width: '110px', cell: (token) => <Remove token={token} /> },
                  ]}
                />
              )
            }
          </Loaded>
        </>
      )}
    </Screen>
  );
}

interface SearchProps {
  wanted: string;
  onSearch: (by: 'uid' | 'authToken', wanted: string) => void;
}

function Search({ wanted, onSearch }: SearchProps) {
  const [by, setBy] = useState<'uid' | 'authToken'>('uid');
  const [typed, setTyped] = useState(wanted);
  useEffect(() => setTyped(wanted), [wanted]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(by, typed.trim());
      }}
    >
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label="Search by"
          value={by}
          onChange={(chosen) => setBy(chosen === 'authToken' ? 'authToken' : 'uid')}
          data={[
            { value: 'uid', label: 'User id' },
            { value: 'authToken', label: 'Auth token' },
          ]}
        />
        <TextField label={by === 'uid' ? 'User id' : 'Auth token'} type="search" value={typed} onValue={setTyped} />
        <Button type="submit" variant="default">
          Search
        </Button>
        {wanted !== '' && (
          <Button
            variant="default"
            onClick={() => {
              setTyped('');
              onSearch(by, '');
            }}
          >
            All
          </Button>
        )}
      </Group>
    </form>
  );
}

function Remove({ token }: { token: Token }) {
  const { client, appId } = useHere();
  const act = async (): Promise<void> => {
    try {
      await client.deletePushToken({ pushToken: token.pushToken });
    } catch (error) {
      // Somebody was faster, or the device went by itself: it is gone, as was wanted.
      if (!(error instanceof GatehouseError && error.code === 'ERR_TOKEN_NOT_FOUND')) throw error;
    }
  };
  const remove = useAction(act, {
    refresh: [[appId, 'tokens']],
    done: `The device of ${token.uid} is removed.`,
    tellErrors: true,
  });
  return (
    <ConfirmButton
      label="Remove"
      about={`the ${platformWord(token.platform)} of ${token.uid}`}
      question="Remove this device?"
      explanation={`${token.uid} gets no more pushes there until the device registers again.`}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    />
  );
}
