<?php
// PHP 8.2 or newer with the curl extension: GASTPASS_KEY=gpk_YOUR_KEY php vouchers.php
const BASE = 'https://gastpass.example/api';

function call(string $path, ?array $order = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('GASTPASS_KEY')];
    $options = [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30];
    if ($order !== null) {
        $headers[] = 'Content-Type: application/json';
        // One per voucher you want: the same in every try, so that only one is made.
        $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16));
        $options[CURLOPT_POSTFIELDS] = json_encode($order, JSON_THROW_ON_ERROR);
    }
    for ($triesLeft = 3; ; $triesLeft--) {
        $request = curl_init(BASE . $path);
        curl_setopt_array($request, $options + [CURLOPT_HTTPHEADER => $headers]);
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($text !== false && $status < 300) {
            return json_decode($text, true, 16, JSON_THROW_ON_ERROR);
        }
        // With Retry-After (409, 429, 503) it is worth another try; everything else is for you to mend.
        // Nobody there, or the answer was lost on its way: both are safe to repeat.
        $waitS = $text === false ? 1 : curl_getinfo($request, CURLINFO_RETRY_AFTER);
        if ($waitS === 0 || $triesLeft === 0) {
            throw new RuntimeException($text === false ? curl_error($request) : "$status $text");
        }
        sleep($waitS);
    }
}

try {
    $order = ['site_id' => 1, 'name' => 'Room 12', 'max_uses' => 2, 'expire_minutes' => 1440];
    $made = call('/vouchers.php', $order);
    echo "Created: {$made['formatted_code']}\n";

    foreach (call('/vouchers.php?site_id=1')['vouchers'] as $voucher) {
        echo "{$voucher['voucher_code']} {$voucher['status']} {$voucher['voucher_name']}\n";
    }
} catch (Exception $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
