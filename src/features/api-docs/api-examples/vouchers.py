# Python 3.8 or newer, nothing to install: GASTPASS_KEY=gpk_YOUR_KEY python3 vouchers.py
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = "https://gastpass.example/api"
# Longer than Gastpass takes to find out whether a voucher exists whose answer was lost.
PATIENCE_S = 120


def call(path, order=None, idempotency_key=None):
    headers = {"Authorization": "Bearer " + os.environ["GASTPASS_KEY"]}
    body = None
    if order is not None:
        headers["Content-Type"] = "application/json"
        headers["Idempotency-Key"] = idempotency_key
        body = json.dumps(order).encode()
    ends_at = time.monotonic() + PATIENCE_S
    pause_s = 1
    while True:
        wait_s = pause_s
        try:
            request = urllib.request.Request(BASE + path, body, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.read().decode()}"
            # "yes" and "after-settling": the same request may succeed later. A proxy does not say it.
            if error.headers.get("Gastpass-Retry", "yes" if error.code > 500 else "no") == "no":
                sys.exit(problem)
            wait_s = int(error.headers.get("Retry-After", pause_s))
        except (OSError, http.client.HTTPException) as error:
            # Nobody there, or the answer was lost on its way. Both are safe to repeat.
            problem = str(error)
        if time.monotonic() + wait_s > ends_at:
            sys.exit(problem)
        time.sleep(wait_s)
        pause_s = min(2 * pause_s, 10)


# The same key gets the same voucher, however often you send it within a day. Count r1 up when the
# booking changes: the new voucher replaces the others of the booking.
made = call(
    "/v1/vouchers",
    {"site": 1, "name": "Room 12", "devices": 2, "minutes": 1440, "reference": "4712",
     "replaces": True},
    idempotency_key="python-4712-r1",
)
print("Created:", made["vouchers"][0]["formatted_code"])

# The newest vouchers of the site. next_cursor leads to the next page.
for voucher in call("/v1/vouchers?site=1&limit=200")["vouchers"]:
    print(voucher["code"], voucher["status"], voucher["name"])
