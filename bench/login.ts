// Logs in to the web interface.

interface Login {
  email: string;
  password: string;
}

/** Returns the cookie of the session. */
export async function loginToService(url: string, { email, password }: Login): Promise<string> {
  const form = await fetch(`${url}/login`);
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ token, email, password }),
    redirect: 'manual',
  });
  if (response.status !== 303) throw new Error(`the login was answered ${response.status}`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
