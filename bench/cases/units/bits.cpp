// g++-12 -std=c++17 -Wsign-conversion -I/usr/include/llvm-14 -I/usr/include/llvm-c-14
// unsigned conversion from .int. to .llvm::bitfields_details::BitPatterns<short unsigned int, 1>::Unsigned
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
int main() { return 0; }
