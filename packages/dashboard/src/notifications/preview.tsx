import { Group, Stack, Text } from '@mantine/core';
import { Mark } from '../parts/icons.tsx';
import classes from './preview.module.css';

interface PreviewProps {
  title: string;
  subtitle: string;
  body: string;
}

/** As the lock screens of both show it: where they cut, and what they leave out. */
export function Preview({ title, subtitle, body }: PreviewProps) {
  const isEmpty = title === '' && subtitle === '' && body === '';
  return (
    <Stack gap="lg">
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          iPhone
        </Text>
        <section className={classes.ios} aria-label="On an iPhone">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <span className={classes.icon}>
              <Mark />
            </span>
            <div className={classes.words}>
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <p className={classes.title} dir="auto">
                  {isEmpty ? 'The title' : title}
                </p>
                <span className={classes.when}>now</span>
              </Group>
              {subtitle !== '' && (
                <p className={classes.title} dir="auto">
                  {subtitle}
                </p>
              )}
              <p className={classes.iosText} dir="auto">
                {isEmpty ? 'The text, up to four lines.' : body}
              </p>
            </div>
          </Group>
        </section>
      </div>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          Android
        </Text>
        <section className={classes.android} aria-label="On Android">
          <Group gap={6} mb={4}>
            <Mark />
            <span className={classes.when}>Your app · now</span>
          </Group>
          <p className={classes.title} dir="auto">
            {isEmpty ? 'The title' : title}
          </p>
          <p className={classes.androidText} dir="auto">
            {isEmpty ? 'The text, one line until it is opened.' : body}
          </p>
        </section>
      </div>
      <Text size="xs" c="dimmed">
        The name and the icon are those of your app. Longer texts are cut by the phones, and beyond 4 KB by us at a
        whole character.
      </Text>
    </Stack>
  );
}
