"""The recipe for Conan 2. Needs Rust and binutils.

The library is not published yet: the environment variable CPAAS_REPOSITORY is the address of a clone, and CPAAS_COMMIT the commit or tag.
"""

import os

from conan import ConanFile


class Cpaas(ConanFile):
    name = "cpaas"
    version = "0.1.0"
    description = "One-time passcodes, SMS, number lookup and chat messages through one messaging provider, for C and C++"
    license = "MIT OR Apache-2.0"
    topics = ("sms", "otp", "messaging")
    package_type = "shared-library"
    settings = "os", "arch"

    def validate(self):
        if str(self.settings.os) != "Linux":
            from conan.errors import ConanInvalidConfiguration

            raise ConanInvalidConfiguration("ffi/install supports Linux only")

    def source(self):
        self.run(f"git clone {os.environ['CPAAS_REPOSITORY']} .")
        self.run(f"git checkout {os.environ.get('CPAAS_COMMIT', 'v' + str(self.version))}")

    def package(self):
        self.run(f"{self.source_folder}/ffi/install --prefix {self.package_folder}")

    def package_info(self):
        self.cpp_info.libs = ["cpaas"]
        self.cpp_info.set_property("cmake_find_mode", "none")  # the library has its own CMake package
        self.cpp_info.builddirs = ["lib/cmake/cpaas"]
