# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts where: headers, one target file and one pkg-config file per machine that was built, the package
# that finds them; and `cpack`, which makes a Debian package of it.

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
  cmake/reheat-cccl.cmake cmake/reheat-engines.cmake DESTINATION "${package_folder}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# pkg-config, for builds that are not CMake's.
file(RELATIVE_PATH reheat_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
if(REHEAT_BUILD_GPU)
  configure_file(cmake/reheat.pc.in reheat.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/reheat.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
if(REHEAT_BUILD_EMULATED)
  list(JOIN REHEAT_CCCL_INCLUDE_DIR " -I" reheat_cccl_includedir) # the first one's -I is in the template
  if(NOT reheat_cccl_includedir)
    get_target_property(reheat_cccl_includedir _Thrust_Thrust INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  set(reheat_cuda_cflags "")
  if(REHEAT_CUDA_INCLUDE_DIR)
    set(reheat_cuda_cflags " -isystem ${REHEAT_CUDA_INCLUDE_DIR}")
  endif()
  configure_file(cmake/reheat-emulated.pc.in reheat-emulated.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/reheat-emulated.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libreheat-dev)
set(CPACK_PACKAGE_CONTACT "the reheat authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(REHEAT_BUILD_EMULATED)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libboost-context-dev)
endif()
include(CPack)
