// clang++-14 -std=c++17 -Wsign-conversion
// operand of ? changes signedness: 'int' to 'const std::size_t'
#include <filesystem>
#include <gtest/gtest.h>
int main() { return 0; }
