# rocescope_man_page(NAME ABOUT PROGRAM [DOCUMENTS]): builds and installs NAME.1 for a program that describes itself by --help. DOCUMENTS:
# the folder of /usr/share/doc with more, else rocescope-lab.
# The same file is the script that writes it: cmake -D name=... -D about=... -D program=... -D documents=... -D output=... -P man_page.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(rocescope_man_page_script ${CMAKE_CURRENT_LIST_FILE})
  function(rocescope_man_page name about program)
    set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.1)
    set(path ${program})
    set(documents rocescope-lab ${ARGN})
    list(GET documents -1 documents)
    if(TARGET ${program})
      set(path $<TARGET_FILE:${program}>)
    endif()
    add_custom_command(OUTPUT ${page} DEPENDS ${program} ${rocescope_man_page_script} VERBATIM
      COMMAND ${CMAKE_COMMAND} -D name=${name} -D about=${about} -D version=${PROJECT_VERSION} -D program=${path}
      -D documents=${documents} -D output=${page}
      -P ${rocescope_man_page_script})
    add_custom_target(${name}_man_page ALL DEPENDS ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endfunction()
  return()
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -E env COLUMNS=78 ${program} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\(rs" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" help "${help}")
string(REPLACE "-" "\\-" documents ${documents})
string(TOUPPER ${name} title)
file(WRITE ${output} ".TH ${title} 1 \"\" \"rocescope ${version}\" \"\"
.SH NAME
${name} \\- ${about}
.SH DESCRIPTION
.nf
${help}.fi
.SH SEE ALSO
.BR rocescope (1);
/usr/share/doc/${documents}
")
