package embedding

// Stored is how many numbers a stored vector has, from any encoder: the column is
// vector(1536), and a shorter vector is filled up with zeros, which changes neither
// cosine nor distance.
const Stored = 1536

// squares returns the sum of the squares of v. It is finite exactly when all of
// v is: a float64 holds the square of any float32.
func squares(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum
}
