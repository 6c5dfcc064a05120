package listening

// What each feature weighs; training/fields.py fits them on the training dialogs.
var fieldWeights = [featCount]float64{
	0.082,
	0.309,
	0.613,
	1.531,
	2.038,
	0.898,
	-0.517,
	-0.377,
	0.293,
	0.862,
	-2.652,
	0.000,
	-0.202,
	0.894,
	0.000,
	0.599,
	0.871,
	1.074,
	-0.003,
	0.519,
	0.337,
	1.303,
}

const fieldBias = -0.989
