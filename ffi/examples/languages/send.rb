# Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: ruby send.rb TO TEXT
require 'fiddle/import'
require 'json'

module Cpaas # Fiddle reads declarations of functions and structs, not a whole header.
  extend Fiddle::Importer
  dlload 'libcpaas.so.0.1'
  Text = struct ['const char *data', 'size_t len']
  extern 'unsigned int cpaas_client_new(const char *, size_t, void **, void *)'
  extern 'unsigned int cpaas_call(void *, const char *, const char *, size_t, void *)'
  extern 'const char *cpaas_status_name(unsigned int)'
  extern 'void cpaas_text_free(void *)'
  extern 'void cpaas_client_free(void *)'
end

client = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
out = Cpaas::Text.malloc(Fiddle::RUBY_FREE)
status = Cpaas.cpaas_client_new('{}', 2, client, out)
if status.zero? # CPAAS_OK
  request = JSON.generate(from: 'Acme', to: ARGV[0], text: ARGV[1])
  status = Cpaas.cpaas_call(client.ptr, 'sms.send', request, request.bytesize, out)
end
json = out.data.null? ? '' : out.data[0, out.len]
Cpaas.cpaas_text_free(out)
Cpaas.cpaas_client_free(client.ptr)
puts status.zero? ? JSON.parse(json)['id'] : "#{Cpaas.cpaas_status_name(status)} #{json}"
exit status.zero?
