import { Button, Menu, Text } from '@mantine/core';
import { Link } from 'wouter';
import { account, useHere } from './client.ts';
import { forgetEverything } from './query-client.ts';
import { useAction } from './use-action.ts';
import { roleWords } from './words.ts';

export function WhoIsHere() {
  const { me } = useHere();
  const leave = useAction((everywhere: boolean) => account.signOut({ everywhere }), {
    tellErrors: true,
    onDone: forgetEverything,
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" maw={160} aria-label={`You are ${me.name}`}>
          <Text truncate size="sm">
            {me.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.email}, {roleWords[me.role].name.toLowerCase()}
        </Menu.Label>
        <Menu.Item component={Link} href="/keys/you">
          Your password and sessions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => leave.mutate(false)}>Sign out</Menu.Item>
        <Menu.Item onClick={() => leave.mutate(true)}>Sign out everywhere</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
