import { useState } from 'react';
import { useLocation } from 'wouter';
import { account, fieldErrors, type Person } from './client.ts';
import { TextField } from './parts/fields.tsx';
import { Form } from './parts/form.tsx';
import { FrontPage } from './sign-in/front-page.tsx';
import { useAction } from './use-action.ts';

export function FirstApp({ me }: { me: Person }) {
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const make = useAction(() => account.createApp({ body: { name } }), {
    refresh: [['apps']],
    onDone: ({ data }) => go(`/${data.id}/overview`),
  });
  if (me.role !== 'owner')
    return (
      <FrontPage title="There is no app yet" about="An owner of the account has to make one first.">
        {null}
      </FrontPage>
    );
  return (
    <FrontPage title="Make your first app" about="An app is one chat: its rules, its devices, its keys.">
      <Form
        error={make.error}
        fields={['name']}
        isBusy={make.isPending}
        submit="Make it"
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField label="Name" required value={name} onValue={setName} error={fieldErrors(make.error).name} />
      </Form>
    </FrontPage>
  );
}
