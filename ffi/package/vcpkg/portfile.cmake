# The library is not published yet: CPAAS_REPOSITORY is the address of a clone. Needs Rust and binutils.
vcpkg_from_git(
  OUT_SOURCE_PATH SOURCE_PATH
  URL "$ENV{CPAAS_REPOSITORY}"
  REF "v${VERSION}")
vcpkg_execute_required_process(
  COMMAND "${SOURCE_PATH}/ffi/install" --prefix "${CURRENT_PACKAGES_DIR}"
  WORKING_DIRECTORY "${SOURCE_PATH}"
  LOGNAME install)
vcpkg_cmake_config_fixup(PACKAGE_NAME cpaas CONFIG_PATH lib/cmake/cpaas)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(
  FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/ffi/THIRD-PARTY-LICENSES")
