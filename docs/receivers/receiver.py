# Takes notifications of Gastpass: WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
assert key, "WEBHOOK_SECRET is empty"
seen = set()  # a table of yours, if it has to outlive a restart


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, given.encode()) for given in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(max(0, int(self.headers.get("content-length", 0))))
        genuine = is_genuine(self.headers, body)
        event_id = self.headers.get("webhook-id")
        if genuine and event_id not in seen:
            print(event_id, json.dumps(json.loads(body), ensure_ascii=False), flush=True)
            seen.add(event_id)
        self.send_response(204 if genuine else 401)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
