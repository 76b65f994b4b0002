# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts where: headers, one target file per machine that was built, the package that finds them.

include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/reheat")

install(DIRECTORY include/reheat DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.cuh" PATTERN "*.h")

foreach(component IN ITEMS gpu emulated)
  string(TOUPPER "REHEAT_BUILD_${component}" switch)
  if(${switch})
    install(EXPORT reheat-${component} NAMESPACE reheat:: FILE reheat-${component}-targets.cmake DESTINATION "${package_folder}")
  endif()
endforeach()

configure_package_config_file(cmake/reheat-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/reheat-config.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/reheat-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/reheat-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/reheat-config-version.cmake"
  cmake/reheat-cccl.cmake DESTINATION "${package_folder}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
