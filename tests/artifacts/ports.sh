# The port for vcpkg and the recipe for Conan build from the sources, with ffi/install. vcpkg is not on a registry, so CMake runs the steps of its
# port with the functions of tests/artifacts/vcpkg.cmake; Conan runs its recipe.
artifacts+=(vcpkg conan)

build_vcpkg() { cp -r ffi/package/vcpkg/. "$1/"; }
build_conan() { cp -r ffi/package/conan/. "$1/"; }

check_vcpkg() {
    need_packages cmake gcc g++
    step installed cmake -DPORT="$out" -DSOURCE="$PWD" -DPACKAGES="$work/packages" -P tests/artifacts/vcpkg.cmake && step installed port_consumer "$work/packages" &&
        step send in_sandbox "$work/build/send_cpp" 306912345678 "Your table is ready"
    notices "$work/packages"
}

check_conan() {
    need_packages cmake gcc g++
    step installed conan_create && step installed port_consumer "$work/deployed/direct_deploy/cpaas" &&
        step send in_sandbox "$work/build/send_cpp" 306912345678 "Your table is ready"
    notices "$work/deployed"
}

port_consumer() { # FOLDER: the project that finds the library with CMake
    mkdir -p "$work/consumer" && cp ffi/tests/consumer/CMakeLists.txt ffi/examples/segments.c ffi/examples/send.cpp "$work/consumer" &&
        cmake -S "$work/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$1" && cmake --build "$work/build" && "$work/build/segments" hello | has '1 part'
}

conan_create() {
    environment python3 "$tools/conan" 'conan>=2,<3' || return 1
    local conan="$tools/conan/bin/conan"
    export CONAN_HOME="$work/home" CPAAS_REPOSITORY="$PWD" CPAAS_COMMIT=HEAD
    "$conan" profile detect --force && "$conan" create "$out" && "$conan" install --requires "cpaas/$version" --deployer direct_deploy --deployer-folder "$work/deployed" --output-folder "$work/generated"
}
