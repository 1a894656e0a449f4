# The page of `analyze --html`: ${CMAKE_BINARY_DIR}/page/page.html, made of this folder and of what npm has, in the versions of
# package-lock.json. Sets ROCESCOPE_HTML: OFF where node or npm is missing, or npm cannot fetch them.
option(ROCESCOPE_HTML "analyze --html, whose page npm helps to make" ON)
set(ROCESCOPE_PAGE_SOURCE ${CMAKE_CURRENT_LIST_DIR})

function(rocescope_add_page)
  set(build ${CMAKE_BINARY_DIR}/page)
  if(NOT ROCESCOPE_HTML)
    return()
  endif()
  set(ROCESCOPE_HTML OFF PARENT_SCOPE)
  find_program(ROCESCOPE_NODE node)
  find_program(ROCESCOPE_NPM npm)
  if(NOT EXISTS "${ROCESCOPE_NODE}" OR NOT EXISTS "${ROCESCOPE_NPM}")
    message(STATUS "analyze --html: off, since node or npm is missing (Debian: nodejs npm)")
    return()
  endif()
  execute_process(COMMAND ${ROCESCOPE_NODE} -e "process.exit(Number(process.versions.node.split('.')[0]) >= 18 ? 0 : 1)"
                  RESULT_VARIABLE too_old)
  if(too_old)
    message(STATUS "analyze --html: off, since node is older than 18")
    return()
  endif()

  # npm ci empties node_modules first: only where the lock file is another than that of the last time
  file(SHA256 ${ROCESCOPE_PAGE_SOURCE}/package-lock.json lock)
  set(stamp ${build}/node_modules/.lock-${lock})
  if(NOT EXISTS ${stamp})
    file(MAKE_DIRECTORY ${build})
    foreach(name package.json package-lock.json .npmrc)
      configure_file(${ROCESCOPE_PAGE_SOURCE}/${name} ${build}/${name} COPYONLY)
    endforeach()
    message(STATUS "analyze --html: npm fetches uPlot and esbuild")
    execute_process(COMMAND ${ROCESCOPE_NPM} ci --no-audit --no-fund --loglevel=error --fetch-retries=1
                    --fetch-retry-mintimeout=1000 WORKING_DIRECTORY ${build}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why TIMEOUT 120)
    if(failed)
      string(REGEX REPLACE "\n.*" "" why "${why}")
      if(NOT why)
        set(why "npm ended with ${failed}")
      endif()
      message(STATUS "analyze --html: off, since npm cannot fetch what the page is made of: ${why}")
      return()
    endif()
    file(TOUCH ${stamp})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ROCESCOPE_PAGE_SOURCE}/package-lock.json)

  file(GLOB sources CONFIGURE_DEPENDS ${ROCESCOPE_PAGE_SOURCE}/*.js ${ROCESCOPE_PAGE_SOURCE}/*.css
       ${ROCESCOPE_PAGE_SOURCE}/*.html ${ROCESCOPE_PAGE_SOURCE}/*.mjs)
  add_custom_command(
    OUTPUT ${build}/page.html
    COMMAND ${ROCESCOPE_NODE} ${ROCESCOPE_PAGE_SOURCE}/bundle.mjs ${build}/node_modules ${build}/page.html
    DEPENDS ${sources} ${stamp}
    COMMENT "Making the page of analyze --html"
    VERBATIM)
  set(ROCESCOPE_HTML ON PARENT_SCOPE)
endfunction()
