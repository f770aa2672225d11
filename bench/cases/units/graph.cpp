// g++-12 -std=c++17 -Woverloaded-virtual -Wextra -Wnon-virtual-dtor
// type qualifiers ignored on function return type
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/program_options.hpp>
int main() { return 0; }
