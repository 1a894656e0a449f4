# Run by CPack on what it is about to pack: Debian wants manual pages and changelogs compressed.
file(GLOB_RECURSE plain ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/* ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog)
if(plain)
  execute_process(COMMAND gzip --best --no-name ${plain} COMMAND_ERROR_IS_FATAL ANY)
endif()
