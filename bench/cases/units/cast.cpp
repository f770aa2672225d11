// g++-12 -std=c++17 -Wuseless-cast
// useless cast to type .std::char_traits<wchar_t>::int_type
#include <boost/date_time/posix_time/posix_time.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/regex.hpp>
int main() { return 0; }
