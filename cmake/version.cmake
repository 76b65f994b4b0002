# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# reheat_version: major.minor.patch, from the header that says them.

set(reheat_version_header "${CMAKE_CURRENT_SOURCE_DIR}/include/reheat/version.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${reheat_version_header}")
file(READ "${reheat_version_header}" reheat_version)
string(REGEX REPLACE ".*MAJOR ([0-9]+)\n[^\n]*MINOR ([0-9]+)\n[^\n]*PATCH ([0-9]+)\n.*" "\\1.\\2.\\3" reheat_version "${reheat_version}")
