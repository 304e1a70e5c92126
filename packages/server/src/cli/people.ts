import { Command } from 'commander';
import { createSignInLink, invitePerson, listPeople } from '../apps/people.ts';
import type { Role } from '../caller.ts';
import { accountOf, CliError, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';

const actor = 'cli';

/** For whoever is locked out, and for set-ups without a browser. */
export function peopleCommand(): Command {
  const people = new Command('people').description('People who sign in to the dashboard.').addHelpText(
    'before',
    `Examples:
  gatehouse people list
  gatehouse people link ada@example.org --role moderator
`,
  );
  people.addCommand(
    withStoreOptions(new Command('list').description('List them.')).action((options: StoreOptions) =>
      onStore(options, async (store) => {
        const found = await listPeople(store, await accountOf(store));
        print(
          found.map(({ email, name, role, isInvited }) => ({ email, name, role, isInvited })),
          options,
        );
      }),
    ),
  );
  people.addCommand(
    withStoreOptions(
      new Command('link')
        .description('Make a link with which a person chooses a password. A new person is made with it.')
        .argument('<email>')
        .option('--role <role>', 'of a new person: owner, moderator or viewer', 'owner'),
    ).action((email: string, options: StoreOptions & { role: string }) =>
      onStore(options, async (store) => {
        const accountId = await accountOf(store);
        const person = (await listPeople(store, accountId)).find((one) => one.email === email.toLowerCase());
        const made =
          person === undefined
            ? await store.change(invitePerson, { accountId, actor, email, name: email, role: roleOf(options.role) })
            : await store.change(createSignInLink, { accountId, actor, id: person.id });
        print({ link: `/dashboard/welcome#${made.token}`, expiresAt: new Date(made.expiresAt).toISOString() }, options);
      }),
    ),
  );
  return people;
}

function roleOf(text: string): Role {
  if (text === 'owner' || text === 'moderator' || text === 'viewer') return text;
  throw new CliError(`A role is owner, moderator or viewer, not "${text}".`);
}
