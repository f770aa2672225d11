// clang++-14 -std=c++17 -Wimplicit-fallthrough -Wshadow-all -I/usr/include/llvm-14 -I/usr/include/llvm-c-14
// declaration shadows a .*Wshadow
// lines
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/CommandLine.h"
using namespace llvm;
struct CountPass : PassInfoMixin<CountPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    unsigned N = 0;
    auto &LI = AM.getResult<LoopAnalysis>(F);
    auto Visit = [](Instruction &I) { unsigned N = I.getNumOperands(); return N; };
    for (auto &B : F) for (auto &I : B) N += Visit(I) + (LI.getLoopFor(&B) != nullptr);
    errs() << N;
    return PreservedAnalyses::all();
  }
};
int main() { LLVMContext C; Module M("m", C); IRBuilder<> B(C); FunctionPassManager FPM; FPM.addPass(CountPass()); return 0; }
