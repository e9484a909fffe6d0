// Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: send_cpp TO
#include <iostream>
#include <string>

#include "cpaas.hpp"

int main(int argc, char **argv) {
    const std::string to = argc > 1 ? argv[1] : "306912345678", text = "Γεια σου 👋";
    const auto count = cpaas::count_segments(text);
    std::cout << count.count << " part, " << count.remaining << " units left\n";
    try {
        const cpaas::Client client;
        std::cout << client.sms_send({"Acme", to, text}).id << "\n";
    } catch (const cpaas::Error &error) {
        // CPAAS_NOT_SENT: safe to retry. CPAAS_UNKNOWN: the message may have been sent.
        std::cerr << error.what() << ": " << error.failure().message() << "\n";
        return 1;
    }
}
