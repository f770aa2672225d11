# The sum of the third column, in cents.
BEGIN { FS = ";" }
NR > 1 {
	split($3, part, ",")
	sum += part[1] * 100 + (part[1] < 0 ? -part[2] : part[2])
}
END { printf "total %.2f\n", sum / 100 }
