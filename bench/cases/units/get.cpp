// g++ -std=c++17 -w
// no matching function for call to .*get
#include <nlohmann/json.hpp>
#include <iostream>
#include <fstream>
#include <string>
#include <vector>
using json = nlohmann::json;
struct Config { std::string host; int port; };
struct Loader {
  json doc;
  explicit Loader(const std::string &path) { std::ifstream in(path); doc = json::parse(in); }
  std::vector<std::string> keys() const { std::vector<std::string> k; for (auto it = doc.begin(); it != doc.end(); ++it) k.push_back(it.key()); return k; }
  Config config() const { return doc.at("config").get<Config>(); }
};
int main(int argc, char **argv) {
  Loader l(argv[1]);
  for (auto &k : l.keys()) std::cout << k << '\n';
  Config c = l.config();
  std::cout << c.host << ':' << c.port << std::endl;
}
