// g++-12 -std=c++17 -Wshadow
// shadows a member of .std::function<
#include <boost/date_time/posix_time/posix_time.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/regex.hpp>
int main() { return 0; }
