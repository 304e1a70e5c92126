import { useState } from 'react';
import { account, fieldErrors } from '../client.ts';
import { SecretField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';
import { FrontPage } from './front-page.tsx';

export function SignIn() {
  return (
    <FrontPage
      title="Sign in"
      about="No account yet? The first start prints a link in the terminal; after that an owner can invite you."
    >
      <SignInForm />
    </FrontPage>
  );
}

export function SignInForm({ knownEmail = '' }: { knownEmail?: string }) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  // Everything is read again: who is here, and what could not be read meanwhile.
  const enter = useAction(() => account.signIn({ body: { email, password } }), { refresh: [[]] });
  const errors = fieldErrors(enter.error);
  return (
    <Form
      error={enter.error}
      fields={['email', 'password']}
      isBusy={enter.isPending}
      submit="Sign in"
      onSubmit={() => enter.mutate(undefined)}
    >
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <SecretField
        label="Password"
        autoComplete="current-password"
        required
        data-autofocus={knownEmail === '' ? undefined : true}
        value={password}
        onValue={setPassword}
        error={errors.password}
        what="password"
      />
    </Form>
  );
}
