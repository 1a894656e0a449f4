# The packages for Debian and Ubuntu, one an install component: `cmake --workflow --preset packages` makes them.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL /usr OR NOT PROJECT_IS_TOP_LEVEL)
  return() # libraries and plugins lie elsewhere in other places
endif()
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_PROGRAM file)
if(NOT DPKG_SHLIBDEPS OR NOT FILE_PROGRAM OR NOT TARGET rocescope OR BUILD_SHARED_LIBS)
  message(STATUS "dpkg-dev, file or libpcap not found, or BUILD_SHARED_LIBS: no Debian packages")
  return()
endif()

# What the installed library is linked with: the packages of its pkg-config files.
set(library_debs pkgconf)
foreach(package IN LISTS library_packages)
  pkg_get_variable(folder ${package} pcfiledir)
  execute_process(COMMAND dpkg-query --search ${folder}/${package}.pc OUTPUT_VARIABLE owner RESULT_VARIABLE nobody ERROR_QUIET)
  if(nobody)
    message(STATUS "${package} comes from no package: no Debian packages")
    return()
  endif()
  string(REGEX REPLACE ":.*" "" owner "${owner}")
  list(APPEND library_debs ${owner})
endforeach()

# A package names the release that it is made for: those of other releases link to other libraries.
cmake_host_system_information(RESULT release QUERY DISTRIB_INFO)
string(REGEX REPLACE "^debian" "deb" distribution "${release_ID}${release_VERSION_ID}")
set(version ${PROJECT_VERSION}~${distribution})
set(ROCESCOPE_MAINTAINER "The rocescope authors <rocescope@users.noreply.invalid>" CACHE STRING
  "Whom the packages name as their maintainer: NAME <ADDRESS>")

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGE_CONTACT ${ROCESCOPE_MAINTAINER})
set(CPACK_PACKAGE_VERSION ${version})
set(CPACK_DEBIAN_PACKAGE_SOURCE rocescope)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress.cmake)

# The licence and the changelog, which each package has.
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in packaging/changelog @ONLY)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX MATCH "Copyright[^\n]*" holder "${licence}")
string(REGEX REPLACE "^Copyright (\\(c\\) )?" "" holder "${holder}")
string(REGEX REPLACE "^.*\n(Permission is)" "\\1" licence "${licence}")
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")

# The component is the package `name`; DOCUMENTS are files of the source.
function(rocescope_package component name)
  cmake_parse_arguments(PARSE_ARGV 2 package SHLIBDEPS "SECTION;SUMMARY;DESCRIPTION;COMMENT" "DEPENDS;RECOMMENDS;SUGGESTS;DOCUMENTS")
  string(TOUPPER ${component} key)
  foreach(relation IN ITEMS DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN package_${relation} ", " names)
    set(CPACK_DEBIAN_${key}_PACKAGE_${relation} "${names}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${package_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS ${package_SHLIBDEPS} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${package_SUMMARY}\n${package_DESCRIPTION}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)

  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/copyright.in packaging/${component}/copyright @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/changelog ${PROJECT_BINARY_DIR}/packaging/${component}/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  foreach(document IN LISTS package_DOCUMENTS)
    string(REGEX REPLACE "^[a-z]+/(.*)/[^/]+$" "\\1" folder ${document})
    install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}/${folder}
      COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
endfunction()

rocescope_package(program rocescope SHLIBDEPS SECTION net
  SUMMARY "analyser of RoCE (RDMA over Converged Ethernet) traffic"
  DESCRIPTION "rocescope reads RoCEv2, RoCEv1 and InfiniBand packets from capture files or
network interfaces. It reports connections, messages, retransmissions and
where packets were lost, errors, congestion and latencies, with the reason of
each."
  RECOMMENDS libcurl4 python3
  SUGGESTS rocescope-wireshark slurm-client
  DOCUMENTS tools/cluster/README.md tools/cluster/many_hosts.md)

rocescope_package(development librocescope-dev SECTION libdevel
  SUMMARY "library for RoCE (RDMA over Converged Ethernet) captures, C++20"
  DESCRIPTION "A static library with its headers, for programs that read captures of RoCE,
dissect packets, follow queue pairs and report what went wrong, as the program
rocescope does. CMake and pkg-config find it."
  DEPENDS ${library_debs}
  DOCUMENTS tools/examples/CMakeLists.txt tools/examples/naks.cpp tools/examples/report_json.cpp)

if(TARGET rocescope_wireshark)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" minor ${WIRESHARK_MINOR})
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  rocescope_package(wireshark rocescope-wireshark SHLIBDEPS SECTION net
    SUMMARY "RoCE verdicts, findings and statistics in Wireshark ${minor}"
    DESCRIPTION "A plugin for Wireshark and tshark. It shows which RoCE packets were sent again
and why, where the first copies were lost, which message a packet belongs to
and how long it took, and the report of rocescope."
    COMMENT "Comment: The plugin is linked with Wireshark, which is under GPL-2.0-or-later
 (/usr/share/common-licenses/GPL-2). As a whole it is distributed under that.
"
    DEPENDS "wireshark-common (>= ${minor})" "wireshark-common (<< ${CMAKE_MATCH_1}.${next})"
    RECOMMENDS "wireshark | tshark" rocescope
    DOCUMENTS dissectors/wireshark/README.md)
endif()

if(TARGET rdmagen)
  execute_process(COMMAND bash -c ". ./packages.sh; echo -n \${lab_packages[*]}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tools
    OUTPUT_VARIABLE lab_packages COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(lab_packages)
  list(REMOVE_ITEM lab_packages python3)
  rocescope_package(lab rocescope-lab SHLIBDEPS SECTION net
    SUMMARY "RDMA traffic, with and without RDMA hardware"
    DESCRIPTION "rdmagen makes traffic over verbs and records what it did. The lab runs it, and
other programs, on two virtual machines with SoftRoCE, and captures their
packets at both ends."
    DEPENDS "python3 (>= 3.11)"
    RECOMMENDS ${lab_packages} rocescope
    DOCUMENTS tools/lab/README.md tools/rdmagen/README.md)
endif()

include(CPack)
