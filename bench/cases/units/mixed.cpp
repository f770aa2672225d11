// g++ -std=c++17 -w -I/usr/include/eigen3
// YOU_MIXED_MATRICES_OF_DIFFERENT_SIZES
#include <Eigen/Dense>
#include <iostream>
#include <vector>
#include <string>
struct Model {
  Eigen::MatrixXd data;
  std::vector<std::string> names;
  Eigen::Matrix3d rotation(double a) const { Eigen::Matrix3d r; r << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1; return r; }
  Eigen::VectorXd fit(const Eigen::VectorXd &y) const { return data.colPivHouseholderQr().solve(y); }
  double norm() const { Eigen::Vector3d a(1, 2, 3); Eigen::Matrix<double, 4, 1> b; b.setZero(); a += b; return a.norm() + data.norm(); }
};
int main() {
  Model m; m.data = Eigen::MatrixXd::Random(5, 3);
  std::cout << m.rotation(1) << m.fit(Eigen::VectorXd::Ones(5)) << m.norm() << std::endl;
}
