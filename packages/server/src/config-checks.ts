import { isIPv4, isIPv6 } from 'node:net';

/** A setting that cannot be used, with the name to mend. */
export class ConfigError extends Error {
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.name = 'ConfigError';
  }
}

export function whole(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not "${text}".`);
  return number;
}

export function oneOf<const T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((known) => known === text);
  if (found === undefined) throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${text}".`);
  return found;
}

/** They are secrets, so a bad one is described and not repeated. */
export function otlpHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      try {
        const plain = decodeURIComponent(value ?? '\n');
        if (name !== undefined && /^[\t\x20-\x7e]*$/.test(plain)) return [name.toLowerCase(), plain];
      } catch {}
      throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS', 'must be name=value separated by commas, percent-encoded.');
    }),
  );
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function addresses(name: string, text: string): string[] {
  const named = listed(text);
  for (const one of named) {
    const [address = '', bits, ...rest] = one.split('/');
    const bitsMax = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    const isRight = bits === undefined ? bitsMax > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax;
    if (!isRight || rest.length > 0)
      throw new ConfigError(name, `must be addresses such as 10.0.0.1 or 10.0.0.0/8; "${one}" is not one.`);
  }
  return named;
}

export function hosts(name: string, text: string): string[] {
  const named = listed(text.toLowerCase());
  for (const host of named)
    if (!URL.canParse(`https://${host}/`) || new URL(`https://${host}/`).host !== host)
      throw new ConfigError(
        name,
        `must be host names with or without a port, separated by commas; "${host}" is not one.`,
      );
  return named;
}

export function region(text: string): string {
  if (!/^[a-z0-9-]{1,32}$/.test(text))
    throw new ConfigError('GATEHOUSE_REGION', `must be lower-case letters, digits and -, not "${text}".`);
  return text;
}

export function hostName(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text))
    throw new ConfigError(name, `must be a host name without a port, such as chat.example.org, not "${text}".`);
  return text.toLowerCase();
}

/** The URL holds a password, so a bad one is described and not repeated. */
export function databaseUrl(text: string): string | undefined {
  if (text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL', 'must start with postgres://. Leave it empty for the embedded store.');
  if (!URL.canParse(text))
    throw new ConfigError(
      'DATABASE_URL',
      'is not a valid address. Check the port, and write special characters of the password as %23 and the like.',
    );
  return text;
}

export function masterKeys(current: string, previous: string): readonly string[] | undefined {
  if (current === '') return undefined;
  return [current, ...listed(previous)];
}
