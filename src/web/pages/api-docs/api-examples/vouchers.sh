# curl 7.76 or newer. The key comes from the environment: export GASTPASS_KEY=gpk_YOUR_KEY
BASE='https://gastpass.example/api'

# One Idempotency-Key per voucher you want. curl --retry repeats after 408, 429, 500, 502, 503 and
# 504, waits as long as Retry-After says, and still makes only one.
# After a broken connection or a 409, send the same key and the same body again.
ORDER="order-$(date +%s)-$$"

curl --silent --show-error --fail-with-body --max-time 30 --retry 3 \
  -H "Authorization: Bearer $GASTPASS_KEY" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $ORDER" \
  -d '{"site_id": 1, "name": "Room 12", "max_uses": 2, "expire_minutes": 1440}' \
  "$BASE/vouchers.php" || exit 1
echo

# The newest 200 vouchers of the site.
curl --silent --show-error --fail-with-body --max-time 30 --retry 3 \
  -H "Authorization: Bearer $GASTPASS_KEY" \
  "$BASE/vouchers.php?site_id=1" || exit 1
echo
