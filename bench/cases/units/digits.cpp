// g++-12 -std=c++17 -Wconversion
// conversion from .long unsigned int. to .char. may
#include <nlohmann/json.hpp>
#include <iostream>
int main() { nlohmann::json j; std::cin >> j; std::cout << j.dump(2); std::string s = j.dump(); std::vector<std::uint8_t> v = nlohmann::json::to_cbor(j); return v.size() > 3; }
