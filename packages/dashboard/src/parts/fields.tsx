import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';

type Valued<P> = Omit<P, 'value' | 'onChange'> & { value: string; onValue: (value: string) => void };

/** A line of text. */
export function TextField({ onValue, ...props }: Valued<TextInputProps>) {
  return <TextInput {...props} onChange={(event) => onValue(event.currentTarget.value)} />;
}

/** A line that nobody reads over one's shoulder, unless one wants to see it. */
export function SecretField({ onValue, what, ...props }: Valued<PasswordInputProps> & { what: string }) {
  return (
    <PasswordInput
      {...props}
      onChange={(event) => onValue(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show the ${what}`, tabIndex: 0 }}
    />
  );
}
