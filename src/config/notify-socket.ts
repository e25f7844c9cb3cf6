// Whether systemd waits for the message that the service is ready. The variable is systemd's, not a setting.

export function hasNotifySocket(environment = process.env): boolean {
  return Boolean(environment.NOTIFY_SOCKET);
}
