package listening

// What each feature weighs; training/fields.py fits them on the training dialogs.
var fieldWeights = [featCount]float64{
	0.202,
	0.417,
	1.372,
	3.025,
	3.199,
	1.160,
	-0.639,
	-1.318,
	0.496,
	2.007,
	-1.863,
	0.000,
	-0.437,
	2.340,
	0.000,
	2.109,
	1.931,
	0.214,
	-0.448,
	0.319,
}

const fieldBias = -3.053
