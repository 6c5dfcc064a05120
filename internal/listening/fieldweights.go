package listening

// What each feature weighs; training/fields.py fits them on the training dialogs.
var fieldWeights = [featCount]float64{
	0.223,
	1.015,
	1.050,
	2.164,
	2.676,
	1.473,
	-0.569,
	-1.433,
	0.436,
	1.987,
	-2.435,
	0.000,
	0.038,
	3.007,
	0.000,
	0.998,
	1.741,
	-0.800,
	-1.119,
	0.431,
}

const fieldBias = -3.318
