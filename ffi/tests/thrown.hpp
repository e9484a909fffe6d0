/* The status of the exception that a call throws. */
#ifndef THROWN_HPP
#define THROWN_HPP

#include "cpaas.hpp"

template <class Call> cpaas_status thrown(Call call) {
    try {
        call();
    } catch (const cpaas::Error &error) {
        return error.status();
    }
    return CPAAS_OK;
}

#endif
