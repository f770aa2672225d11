// g++-12 -std=c++17 -Wuseless-cast -I/usr/include/eigen3
// useless cast to type .Eigen::internal::Packet2d
#include <Eigen/Dense>
#include <Eigen/Sparse>
int main() { Eigen::MatrixXd m(3,3); m.setRandom(); Eigen::VectorXd v = m.colPivHouseholderQr().solve(m.col(0)); return v.size(); }
