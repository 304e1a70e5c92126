import { useState } from 'react';
import { account, fieldErrors } from '../client.ts';
import { SecretField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { sessionKey } from '../query-client.ts';
import { useAction } from '../use-action.ts';
import { FrontPage } from './front-page.tsx';

export function SignIn() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useAction(() => account.signIn({ body: { email, password } }), { refresh: [sessionKey] });
  const errors = fieldErrors(enter.error);
  return (
    <FrontPage
      title="Sign in"
      about="No account yet? The first start prints a link in the terminal; after that an owner can invite you."
    >
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
          value={password}
          onValue={setPassword}
          error={errors.password}
          what="password"
        />
      </Form>
    </FrontPage>
  );
}
