// The functions of this folder: each file is compiled with another version of C++, and all are linked into one program.
#ifndef CPP_VERSIONS_SHARED_HPP
#define CPP_VERSIONS_SHARED_HPP

#include <functional>

#include "../check.h"
#include "cpaas.hpp"

// Sends to a server that does not exist.
cpaas::Expected<cpaas::Sent> sent_by_20(const cpaas::Client &client, cpaas::Utf8 text);
cpaas::Expected<cpaas::Sent> sent_by_23(const cpaas::Client &client, cpaas::Utf8 text);
// Passes a value of another version on.
cpaas::Expected<cpaas::Sent> passed_by_20(cpaas::Expected<cpaas::Sent> sent);
cpaas::Expected<cpaas::Sent> passed_by_23(cpaas::Expected<cpaas::Sent> sent);
// Throws Error, or destroys what another version made.
void thrown_by_20(const cpaas::Client &client);
void destroyed_by_23(cpaas::Client client, cpaas::Text text, cpaas::Result result, cpaas::Failure failure);
int ended_without_exceptions(const cpaas_client *client);

#endif // CPP_VERSIONS_SHARED_HPP
