/** What is remembered is there at once, as it is nearly always; only what must be read is a promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there, since waiting for what is known costs a request more than knowing it. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
