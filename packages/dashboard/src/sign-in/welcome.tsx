import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { account, fieldErrors, messageOf } from '../client.ts';
import { SecretField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/screen.tsx';
import { sessionKey } from '../query-client.ts';
import { relativeTime } from '../time.ts';
import { useAction } from '../use-action.ts';
import { FrontPage } from './front-page.tsx';

/** Where a link leads that works once. Its token is behind the #, which browsers send to nobody. */
export function Welcome() {
  const [token] = useState(() => location.hash.slice(1));
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await account.readSignInLink({ body: { token } })).data,
  });
  if (link.error !== null)
    return (
      <FrontPage title="This link does not work" about={messageOf(link.error)}>
        <Anchor component={Link} href="/">
          Go to sign-in
        </Anchor>
        <Text size="sm" c="dimmed">
          If nobody can sign in yet, start the service again: it prints a new link.
        </Text>
      </FrontPage>
    );
  return (
    <Loaded query={link}>
      {({ email, name, role, expiresAt }) => (
        <FrontPage
          title={email === undefined ? 'Make the first account' : `Welcome, ${name ?? email}`}
          about={
            email === undefined
              ? `You will be the owner. This link works once and ends ${relativeTime(expiresAt)}.`
              : `Choose a password for ${email}. You are invited as ${role}.`
          }
        >
          <WelcomeForm token={token} isFirst={email === undefined} />
        </FrontPage>
      )}
    </Loaded>
  );
}

function WelcomeForm({ token, isFirst }: { token: string; isFirst: boolean }) {
  const [, go] = useLocation();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const enter = useAction(
    () =>
      account.redeemSignInLink({
        body: { token, password, ...(isFirst && { email }), ...(name !== '' && { name }) },
      }),
    { refresh: [sessionKey], onDone: () => go('/') },
  );
  const errors = fieldErrors(enter.error);
  return (
    <Form
      error={enter.error}
      fields={['email', 'password', 'name']}
      isBusy={enter.isPending}
      submit="Choose this password"
      onSubmit={() => enter.mutate(undefined)}
    >
      {isFirst && (
        <>
          <TextField label="Your name" autoComplete="name" value={name} onValue={setName} error={errors.name} />
          <TextField
            label="E-mail address"
            description="You sign in with it. No mail is sent."
            type="email"
            autoComplete="username"
            required
            value={email}
            onValue={setEmail}
            error={errors.email}
          />
        </>
      )}
      <SecretField
        label="Password"
        description="At least 10 characters. A few words are easier to remember than signs."
        autoComplete="new-password"
        required
        value={password}
        onValue={setPassword}
        error={errors.password}
        what="password"
      />
    </Form>
  );
}
