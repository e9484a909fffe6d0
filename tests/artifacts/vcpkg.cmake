# Runs a port of vcpkg with the functions of vcpkg that it calls, and the sources of this clone:
#   cmake -DPORT=FOLDER -DSOURCE=FOLDER -DPACKAGES=FOLDER -P vcpkg.cmake
cmake_minimum_required(VERSION 3.16)
set(CURRENT_PACKAGES_DIR "${PACKAGES}")
set(portfile "${PORT}/portfile.cmake")
file(STRINGS "${PORT}/vcpkg.json" VERSION REGEX "\"version\"")
string(REGEX REPLACE ".*: \"(.*)\".*" "\\1" VERSION "${VERSION}")
set(PORT cpaas)

function(vcpkg_from_git)
  cmake_parse_arguments(from "" "OUT_SOURCE_PATH;URL;REF" "" ${ARGN})
  set(${from_OUT_SOURCE_PATH} "${SOURCE}" PARENT_SCOPE)
endfunction()

function(vcpkg_execute_required_process)
  cmake_parse_arguments(run "" "WORKING_DIRECTORY;LOGNAME" "COMMAND" ${ARGN})
  execute_process(COMMAND ${run_COMMAND} WORKING_DIRECTORY "${run_WORKING_DIRECTORY}" RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${run_LOGNAME}: exit code ${code}")
  endif()
endfunction()

# vcpkg moves the files to share/PORT and corrects their paths; the test only finds out whether they are where the port says.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(fixup "" "PACKAGE_NAME;CONFIG_PATH" "" ${ARGN})
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${fixup_CONFIG_PATH}/${fixup_PACKAGE_NAME}-config.cmake")
    message(FATAL_ERROR "no ${fixup_CONFIG_PATH}/${fixup_PACKAGE_NAME}-config.cmake")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/${PORT}.pc")
    message(FATAL_ERROR "no lib/pkgconfig/${PORT}.pc")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(install "" "" "FILE_LIST" ${ARGN})
  file(COPY ${install_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
endfunction()

include("${portfile}")
