<?php
// PHP 8.2 or newer with the curl extension: GASTPASS_KEY=gpk_YOUR_KEY php vouchers.php
const BASE = 'https://gastpass.example/api';
// Longer than Gastpass takes to find out whether a voucher exists whose answer was lost.
const PATIENCE_S = 120;

function call(string $path, ?array $order = null, string $idempotencyKey = ''): array
{
    $headers = ['Authorization: Bearer ' . getenv('GASTPASS_KEY')];
    $options = [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30];
    if ($order !== null) {
        $headers[] = 'Content-Type: application/json';
        $headers[] = "Idempotency-Key: $idempotencyKey";
        $options[CURLOPT_POSTFIELDS] = json_encode($order, JSON_THROW_ON_ERROR);
    }
    $endsAt = microtime(true) + PATIENCE_S;
    for ($pauseS = 1; ; $pauseS = min(2 * $pauseS, 10)) {
        $told = null;
        $readHeader = function ($request, string $line) use (&$told): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            if (strtolower($name) === 'gastpass-retry') {
                $told = trim($value);
            }
            return strlen($line);
        };
        $request = curl_init(BASE . $path);
        $more = [CURLOPT_HTTPHEADER => $headers, CURLOPT_HEADERFUNCTION => $readHeader];
        curl_setopt_array($request, $options + $more);
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($text !== false && $status < 300) {
            return json_decode($text, true, 16, JSON_THROW_ON_ERROR);
        }
        // Nobody there, or the answer was lost on its way: both are safe to repeat.
        // "yes" and "after-settling": the same request may succeed later. A proxy does not say it.
        $retry = $text === false ? 'yes' : $told ?? ($status > 500 ? 'yes' : 'no');
        $waitS = curl_getinfo($request, CURLINFO_RETRY_AFTER) ?: $pauseS;
        if ($retry === 'no' || microtime(true) + $waitS > $endsAt) {
            throw new RuntimeException($text === false ? curl_error($request) : "$status $text");
        }
        sleep($waitS);
    }
}

try {
    // The same key gets the same voucher, however often you send it within a day. Count r1 up
    // when the booking changes: the new voucher replaces the others of the booking.
    $idempotencyKey = 'php-4713-r1';
    $order = ['site' => 1, 'name' => 'Room 12', 'devices' => 2, 'minutes' => 1440,
        'reference' => '4713', 'replaces' => true];
    $made = call('/v1/vouchers', $order, $idempotencyKey)['vouchers'][0];
    echo "Created: {$made['formatted_code']}\n";

    // The newest vouchers of the site. next_cursor leads to the next page.
    foreach (call('/v1/vouchers?site=1&limit=200')['vouchers'] as $voucher) {
        echo "{$voucher['code']} {$voucher['status']} {$voucher['name']}\n";
    }
} catch (Exception $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
