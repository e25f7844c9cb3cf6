<?php
// Takes notifications of Gastpass: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET') ?: '', strlen('whsec_')));
if ($key === '') {
    http_response_code(500); // nothing could be told from a forgery
    return;
}
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$body = file_get_contents('php://input');

$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
$genuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $genuine = hash_equals($expected, $given) || $genuine;
}
if (!$genuine || !ctype_digit($sentAt) || abs(time() - (int) $sentAt) > 300) {
    http_response_code(401);
    return;
}

// One file for each that was seen; a table of yours, if you have a database.
$folder = (getenv('SEEN') ?: sys_get_temp_dir()) . '/gastpass-seen';
is_dir($folder) || mkdir($folder, 0700, true);
$mark = $folder . '/' . hash('sha256', $id);
if (!is_file($mark)) {
    $event = json_encode(json_decode($body), JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    file_put_contents('php://stdout', "$id $event\n");
    touch($mark);
}
http_response_code(204);
