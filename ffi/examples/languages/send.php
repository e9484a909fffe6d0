<?php
// Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: php send.php HEADER TO TEXT
$cpaas = FFI::cdef(file_get_contents($argv[1]), 'libcpaas.so.0.1'); // PREFIX/include/cpaas_ffi.h
$client = $cpaas->new('cpaas_client *');
$out = $cpaas->new('cpaas_text');

$status = $cpaas->cpaas_client_new('{}', 2, FFI::addr($client), FFI::addr($out));
if ($status === $cpaas->CPAAS_OK) {
    $request = json_encode(['from' => 'Acme', 'to' => $argv[2], 'text' => $argv[3]], JSON_THROW_ON_ERROR);
    $status = $cpaas->cpaas_call($client, 'sms.send', $request, strlen($request), FFI::addr($out));
}
$json = FFI::isNull($out->data) ? '' : FFI::string($out->data, $out->len);
$cpaas->cpaas_text_free(FFI::addr($out));
$cpaas->cpaas_client_free($client);
echo $status === $cpaas->CPAAS_OK ? json_decode($json)->id : $cpaas->cpaas_status_name($status) . " $json", "\n";
exit($status === $cpaas->CPAAS_OK ? 0 : 1);
