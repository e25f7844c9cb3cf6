# Python 3.8 or newer, nothing to install: GASTPASS_KEY=gpk_YOUR_KEY python3 vouchers.py
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE = "https://gastpass.example/api"


def call(path, order=None):
    headers = {"Authorization": "Bearer " + os.environ["GASTPASS_KEY"]}
    body = None
    if order is not None:
        headers["Content-Type"] = "application/json"
        # One per voucher you want: the same in every try, so that only one is made.
        headers["Idempotency-Key"] = str(uuid.uuid4())
        body = json.dumps(order).encode()
    for tries_left in (3, 2, 1, 0):
        wait_s = 1
        try:
            request = urllib.request.Request(BASE + path, body, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # With Retry-After (409, 429, 503) it is worth another try; everything else is for you to mend.
            wait_s = error.headers.get("Retry-After")
            if wait_s is None or tries_left == 0:
                sys.exit(f"{error.code} {error.read().decode()}")
        except (OSError, http.client.HTTPException) as error:
            # Nobody there, or the answer was lost on its way. Both are safe to repeat.
            if tries_left == 0:
                sys.exit(str(error))
        time.sleep(int(wait_s))


made = call(
    "/vouchers.php",
    {"site_id": 1, "name": "Room 12", "max_uses": 2, "expire_minutes": 1440},
)
print("Created:", made["formatted_code"])

for voucher in call("/vouchers.php?site_id=1")["vouchers"]:
    print(voucher["voucher_code"], voucher["status"], voucher["voucher_name"])
