# HipifyPy: converts CUDA sources to HIP in the build. docs/howto/convert-in-the-build.md describes it.
#
#   find_package(HipifyPy REQUIRED)     # with -DHipifyPy_DIR="$(hipify-py cmake-dir)"
#
#   hipify_py_target(<target> [ROOT <dir>] [OPTIONS <option>...])
#     Builds a target from the HIP translation of its CUDA, C and C++ sources.
#
#   hipify_py_sources(<out-var> SOURCES <file>... [ROOT <dir>] [DESTINATION <dir>]
#                     [INCLUDE_DIRECTORIES <dir>...] [OPTIONS <option>...])
#     Sets <out-var> to the translations of sources, and <out-var>_INCLUDE_DIRECTORIES to the folders that have the
#     translations of headers; put them before those of the project.

if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "HipifyPy needs CMake 3.21, the first version that knows HIP")
endif()

# The program of the environment that this file is installed in, or else one on the PATH.
get_filename_component(_hipify_py_prefix "${CMAKE_CURRENT_LIST_DIR}/../../../../.." ABSOLUTE)
find_program(HipifyPy_EXECUTABLE hipify-py HINTS "${_hipify_py_prefix}/bin" "${_hipify_py_prefix}/Scripts"
  DOC "The program hipify-py")
unset(_hipify_py_prefix)
if(NOT HipifyPy_EXECUTABLE)
  set(HipifyPy_FOUND FALSE)
  set(HipifyPy_NOT_FOUND_MESSAGE "the program hipify-py is not on the PATH; set HipifyPy_EXECUTABLE")
  return()
endif()

# The functions keep these policies, whatever the project's.
cmake_policy(PUSH)
cmake_policy(VERSION 3.21)

function(hipify_py_sources out)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ROOT;DESTINATION" "SOURCES;INCLUDE_DIRECTORIES;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hipify_py_sources does not know these arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "hipify_py_sources needs SOURCES")
  endif()
  if(NOT ARG_ROOT)
    set(ARG_ROOT "${PROJECT_SOURCE_DIR}")
  endif()
  if(NOT ARG_DESTINATION)
    set(ARG_DESTINATION "${CMAKE_CURRENT_BINARY_DIR}/hipify-py/${out}")
  endif()
  get_filename_component(root "${ARG_ROOT}" REALPATH BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  get_filename_component(destination "${ARG_DESTINATION}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")

  # CMake knows .hip where it knows HIP; in other projects the C++ compiler is hipcc.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(ending .hip.cpp)
  if(HIP IN_LIST languages)
    set(ending .hip)
  endif()

  set(sources "")
  set(results "")
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source "${source}" REALPATH BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    file(RELATIVE_PATH relative "${root}" "${source}")
    if(relative MATCHES "^[.][.](/|$)")
      message(FATAL_ERROR "hipify_py_sources: ${source} is not below ROOT, ${root}")
    endif()
    string(REGEX REPLACE "[.]cu$" "${ending}" relative "${relative}")
    list(APPEND sources "${source}")
    list(APPEND results "${destination}/${relative}")
  endforeach()

  set(folders "")
  set(translated "")
  foreach(folder IN LISTS ARG_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" REALPATH BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND folders "-I${folder}")
    file(RELATIVE_PATH relative "${root}" "${folder}")
    if(NOT relative MATCHES "^[.][.](/|$)")
      file(MAKE_DIRECTORY "${destination}/${relative}")
      list(APPEND translated "${destination}/${relative}")
    endif()
  endforeach()

  # The stamp is newer than everything that it depends on; the results keep their times while they stay the same, so
  # that only what has changed is compiled again. The second command lets make look at their times.
  set(stamp "${destination}.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${results}
    COMMAND "${HipifyPy_EXECUTABLE}" build-sources --root "${root}" -o "${destination}" --stamp "${stamp}"
            --depfile "${destination}.d" --ending "${ending}" ${folders} ${ARG_OPTIONS} -- ${sources}
    DEPENDS ${sources}
    DEPFILE "${destination}.d"
    COMMENT "Converting the CUDA sources of ${out} to HIP"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  set_source_files_properties(${results} PROPERTIES GENERATED TRUE)
  set_property(DIRECTORY APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${destination}")
  set(${out} "${results}" "${stamp}" PARENT_SCOPE)
  set(${out}_INCLUDE_DIRECTORIES "${translated}" PARENT_SCOPE)
endfunction()

function(hipify_py_target target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hipify_py_target: there is no target ${target}")
  endif()
  # At the end of the folder, when the target has all of its sources.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _hipify_py_convert_target [[${target}]] ${ARGN})")
endfunction()

function(_hipify_py_convert_target target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ROOT" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hipify_py_target does not know these arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  get_target_property(all ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(converted "")
  set(others "")
  foreach(source IN LISTS all)
    if(source MATCHES "[.](cu|cpp|cc|cxx|c[+][+]|C|c)$" AND NOT source MATCHES "^[$]<")
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND converted "${source}")
    else()
      list(APPEND others "${source}")
    endif()
  endforeach()
  if(NOT converted)
    message(WARNING "hipify_py_target: ${target} has no sources to convert")
    return()
  endif()
  _hipify_py_include_directories(${target} include_directories)
  if(ARG_ROOT)
    list(PREPEND ARG_ROOT ROOT)
  endif()
  hipify_py_sources(${target} SOURCES ${converted} ${ARG_ROOT} INCLUDE_DIRECTORIES ${include_directories}
    OPTIONS ${ARG_OPTIONS})
  foreach(before after IN ZIP_LISTS converted ${target})
    foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FLAGS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
      get_source_file_property(value "${before}" TARGET_DIRECTORY ${target} ${property})
      if(value)
        set_property(SOURCE "${after}" PROPERTY ${property} "${value}")
      endif()
    endforeach()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${${target}} ${others})
  if(${target}_INCLUDE_DIRECTORIES)
    target_include_directories(${target} BEFORE PRIVATE ${${target}_INCLUDE_DIRECTORIES})
  endif()
endfunction()

# The folders that a target, and those of this project that it links, include from.
function(_hipify_py_include_directories target out)
  set(found "")
  set(pending ${target})
  set(seen "")
  while(pending)
    list(POP_FRONT pending next)
    if(next IN_LIST seen OR NOT TARGET ${next})
      continue()
    endif()
    list(APPEND seen ${next})
    get_target_property(is_imported ${next} IMPORTED)
    if(is_imported)
      continue()
    endif()
    set(own "")
    if(next STREQUAL target)
      set(own INCLUDE_DIRECTORIES)
    endif()
    foreach(property IN ITEMS ${own} INTERFACE_INCLUDE_DIRECTORIES)
      get_target_property(folders ${next} ${property})
      foreach(folder IN LISTS folders)
        string(REGEX REPLACE "^[$]<BUILD_INTERFACE:(.*)>$" "\\1" folder "${folder}")
        if(IS_ABSOLUTE "${folder}" AND NOT folder MATCHES "[$]<")
          list(APPEND found "${folder}")
        endif()
      endforeach()
    endforeach()
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(libraries ${next} ${property})
      if(libraries)
        list(APPEND pending ${libraries})
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

cmake_policy(POP)
