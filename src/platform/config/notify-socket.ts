// Whether systemd waits for the message that the service is ready. systemd sets NOTIFY_SOCKET; it is not a setting of
// Gastpass.

export function hasNotifySocket(environment = process.env): boolean {
  return Boolean(environment.NOTIFY_SOCKET);
}
