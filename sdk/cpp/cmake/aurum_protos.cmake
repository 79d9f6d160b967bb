# Code from the .proto files, made at build time. It is not ours to mend, so it gives no warnings.

set(AURUM_PROTOS ${CMAKE_CURRENT_LIST_DIR}/../../../proto)
set(AURUM_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${AURUM_GENERATED})

# A library of what protoc makes of aurum/v1/NAME.proto, for each NAME: files that end in SUFFIX.h and SUFFIX.cc.
function(aurum_generated_library library suffix arguments)
  add_library(${library} STATIC)
  foreach(name IN LISTS ARGN)
    set(proto ${AURUM_PROTOS}/aurum/v1/${name}.proto)
    set(made ${AURUM_GENERATED}/aurum/v1/${name}${suffix})
    add_custom_command(
      OUTPUT ${made}.h ${made}.cc
      COMMAND protobuf::protoc -I ${AURUM_PROTOS} ${arguments} ${proto}
      DEPENDS ${proto}
      VERBATIM)
    target_sources(${library} PRIVATE ${made}.h ${made}.cc)
  endforeach()
  target_include_directories(${library} SYSTEM PUBLIC ${AURUM_GENERATED})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_compile_options(${library} PRIVATE -w)
endfunction()

# The messages.
function(aurum_generate_messages library)
  aurum_generated_library(${library} .pb --cpp_out=${AURUM_GENERATED} ${ARGN})
  target_link_libraries(${library} PUBLIC protobuf::libprotobuf)
endfunction()

# The services, for both sides.
function(aurum_generate_service library)
  set(plugin --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>)
  aurum_generated_library(${library} .grpc.pb "${plugin};--grpc_out=${AURUM_GENERATED}" ${ARGN})
endfunction()
