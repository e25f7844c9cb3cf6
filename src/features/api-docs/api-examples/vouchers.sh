# curl 7.76 or newer. The key comes from the environment: export GASTPASS_KEY=gpk_YOUR_KEY
BASE='https://gastpass.example/api'

# The same key gets the same voucher, however often you send it within a day. Count r1 up when the
# booking changes: the new voucher replaces the others of the booking.
# curl --retry repeats after 408, 429, 500, 502, 503 and 504, and waits as long as Retry-After says.
# After a broken connection, and if the header Gastpass-Retry says after-settling, send the same key
# and the same body again for two minutes.
BOOKING='curl-4714-r1'

curl --silent --show-error --fail-with-body --max-time 30 --retry 3 \
  -H "Authorization: Bearer $GASTPASS_KEY" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $BOOKING" \
  -d '{"site": 1, "name": "Room 12", "devices": 2, "minutes": 1440, "reference": "4714", "replaces": true}' \
  "$BASE/v1/vouchers" || exit 1
echo

# The newest vouchers of the site. next_cursor leads to the next page.
curl --silent --show-error --fail-with-body --max-time 30 --retry 3 \
  -H "Authorization: Bearer $GASTPASS_KEY" \
  "$BASE/v1/vouchers?site=1&limit=200" || exit 1
echo
