# Program, library, headers; manual and completion are written by the program itself.
set(docs ${CMAKE_BINARY_DIR}/docs)
add_custom_command(OUTPUT ${docs}/man/assay.1
    COMMAND ${CMAKE_COMMAND} -E make_directory ${docs}/man
    COMMAND assay man --dir ${docs}/man
    COMMAND assay completion bash -o ${docs}/assay.bash
    COMMAND assay completion zsh -o ${docs}/_assay
    COMMAND assay completion fish -o ${docs}/assay.fish
    DEPENDS assay VERBATIM)
if(CMAKE_BUILD_TYPE STREQUAL Release)
    add_custom_target(docs ALL DEPENDS ${docs}/man/assay.1)
else()
    add_custom_target(docs DEPENDS ${docs}/man/assay.1)
endif()
configure_file(cmake/assay.pc.in assay.pc @ONLY)

install(TARGETS assay assay_static assay_shared)
# Grammars of scan --deep, where ./dev deps deep has built them.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/build/deep/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/assay OPTIONAL
    FILES_MATCHING PATTERN "assay-grammar-*.so" PATTERN "node_modules" EXCLUDE)
install(DIRECTORY include/assay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/assay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY ${docs}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${docs}/assay.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME assay)
install(FILES ${docs}/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${docs}/assay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
