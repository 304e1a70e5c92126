export * from './notification.ts';
export * from './options.ts';
export * from './outcome.ts';
export * from './sender.ts';

// createApnsSender(options: ApnsOptions): Sender<string, ApnsMessage> & ApnsBroadcast
// createFcmSender(options: FcmOptions): Sender<FcmTarget, FcmMessage>
// createWebPushSender(options: WebPushOptions): Sender<WebPushTarget, WebPushMessage>
// createWebhookSender(options: WebhookOptions): Sender<WebhookTarget, WebhookMessage> without prepare
