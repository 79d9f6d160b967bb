# For CMAKE_TOOLCHAIN_FILE: what a release build takes without optimizing, and a debug build without what debuggers read.
# So both are alike, and compile_once.py compiles what they have in common once.
set(CMAKE_CXX_FLAGS_RELEASE "-O0" CACHE STRING "")
set(CMAKE_CXX_FLAGS_DEBUG "-O0" CACHE STRING "")
