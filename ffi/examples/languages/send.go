// Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: go run send.go TO TEXT
package main

// #cgo pkg-config: cpaas
// #include <cpaas.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func main() {
	var client *C.cpaas_client
	var out C.cpaas_text
	if status := C.cpaas_client_new(nil, 0, &client, &out); status != C.CPAAS_OK {
		fail(status, &out)
	}
	defer C.cpaas_client_free(client)
	// The texts of this program live until it ends; in a longer one, call C.free for each C.CString.
	sms := C.cpaas_sms{from: C.CString("Acme"), to: C.CString(os.Args[1]), text: C.CString(os.Args[2])}
	sms.size = C.size_t(unsafe.Sizeof(sms))
	sent := C.cpaas_sent{size: C.size_t(unsafe.Sizeof(C.cpaas_sent{}))}
	if status := C.cpaas_sms_send(client, &sms, nil, &sent, &out); status != C.CPAAS_OK {
		fail(status, &out)
	}
	fmt.Println(C.GoString(&sent.id[0]))
	C.cpaas_text_free(&out)
}

func fail(status C.cpaas_status, out *C.cpaas_text) {
	fmt.Println(C.GoString(C.cpaas_status_name(status)), C.GoString(out.data))
	C.cpaas_text_free(out)
	os.Exit(1)
}
