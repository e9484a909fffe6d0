// cpaas for C++17 and later: a thin layer over cpaas.h. Header-only; link cpaas::cpaas.
//
// Results, reports and error records are JSON, as in C, in a std::string or a cpaas::Text. A function throws
// cpaas::Error for every status except CPAAS_OK. Most have an overload with a std::nothrow argument, which returns the
// status instead. With -fno-exceptions a function that would throw aborts the process.
// Functions named try_... return a cpaas::Expected, which contains a value or a cpaas::Failure with typed fields.
// Arguments are UTF-8: anything that converts to std::string_view or, from C++20 on, to std::u8string_view.
// Threads may share a Client; moving a Client is not thread-safe. The other functions are thread-safe.
// cpaas.h documents each function in detail. Hand-written, as the headers in cpaas/.
#ifndef CPAAS_HPP
#define CPAAS_HPP

#if !(defined(__cplusplus) && __cplusplus >= 201703L) && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "cpaas.hpp requires C++17 or later"
#endif

#include "cpaas.h"
#include "cpaas/client.hpp"

#endif // CPAAS_HPP
