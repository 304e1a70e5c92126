import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const channel = 'gatehouse_touched';
const reconnectMs = 500;
const connectTimeoutMs = 10_000;
const goodbyeMs = 1000;

/** In the transaction that touched them: they are heard when it is committed. */
export const notifySql = `SELECT pg_notify('${channel}', topic) FROM unnest($1::text[]) AS topic`;

/**
 * Hears of changes made by other processes. When it hears nothing, nothing remembered can be trusted: everything is forgotten.
 * A line that was dropped on its way looks like one on which nothing happens, so it is asked something again and again.
 */
export class PostgresListener {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly url: string;
  private readonly tell: (topic: string | undefined) => void;
  private readonly beatMs: number;

  /** Every `beatMs` the line is tried, and so long it has to answer: together how long a revoked key may live on. */
  constructor(url: string, tell: (topic: string | undefined) => void, beatMs = 5000) {
    this.url = url;
    this.tell = tell;
    this.beatMs = beatMs;
  }

  async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'gatehouse listener',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: this.beatMs,
    });
    const again = (): void => {
      if (this.closed || this.client !== client) return;
      this.client = undefined;
      clearTimeout(this.timer);
      this.tell(undefined);
      setTimeout(() => void this.listen().catch(() => {}), reconnectMs).unref();
      void client.end().catch(() => {});
    };
    const beat = (): void => {
      this.timer = setTimeout(() => void client.query('SELECT 1').then(beat, again), this.beatMs).unref();
    };
    this.client = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => this.tell(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.tell(undefined);
      beat();
    } catch {
      again();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    // The goodbye of a dead line never comes.
    await Promise.race([this.client?.end().catch(() => {}), sleep(goodbyeMs, undefined, { ref: false })]);
  }
}
