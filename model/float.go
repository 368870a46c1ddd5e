package model

import (
	"math"
	"time"
)

// The functions here give the same bits on every processor. The ones in math
// may not: some are assembly, and some use a fused multiply-add where there is
// one. A Go compiler may also fuse x*y + z by itself, unless the product is
// rounded explicitly, float64(x*y), which mul does. Division, sqrt, Frexp and
// Ldexp are exact or correctly rounded everywhere, so math's are used.

// mul is x*y, rounded: never fused with an addition.
func mul(x, y float64) float64 { return float64(x * y) }

// poly is c[0] + c[1] x + c[2] x² and so on, by Horner's rule.
func poly(x float64, c ...float64) float64 {
	sum := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		sum = mul(sum, x) + c[i]
	}
	return sum
}

const (
	ln2Hi = 6.93147180369123816490e-01 // ln 2 to 32 bits: k*ln2Hi is exact
	ln2Lo = 1.90821492927058770002e-10 // and the rest of it
)

// ln is the natural logarithm of x, for finite x above 0. The method and its
// coefficients are those of FreeBSD's e_log.c (Sun Microsystems, 1993): with
// x = 2^k (1+f), ln(1+f) is 2 atanh(f/(2+f)), its tail by a minimax polynomial.
// The error is below one unit in the last place.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	f, k := m-1, float64(e)
	s := f / (2 + f)
	s2 := mul(s, s)
	s4 := mul(s2, s2)
	odd := mul(s4, mul(s4, mul(s4, 1.479819860511658591e-01)+1.818357216161805012e-01)+2.857142874366239149e-01) + 6.666666666666735130e-01
	even := mul(s4, mul(s4, 1.531383769920937332e-01)+2.222219843214978396e-01) + 3.999999999940941908e-01
	r := mul(s2, odd) + mul(s4, even)
	half := mul(mul(0.5, f), f)
	return mul(k, ln2Hi) - ((half - (mul(s, half+r) + mul(k, ln2Lo))) - f)
}

// exp is e^x: +Inf above 709.8, 0 below -745.2. The method and its
// coefficients are those of FreeBSD's e_exp.c (Sun Microsystems, 2004): with
// x = k ln 2 + r and |r| at most half of ln 2, a rational approximation of e^r.
// The error is below one unit in the last place.
func exp(x float64) float64 {
	switch {
	case x > 7.09782712893383973096e+02:
		return math.Inf(1)
	case x < -7.45133219101941108420e+02:
		return 0
	case x != x:
		return x
	}
	k := math.Floor(mul(math.Log2E, x) + 0.5)
	hi := x - mul(k, ln2Hi)
	lo := mul(k, ln2Lo)
	r := hi - lo
	t := mul(r, r)
	c := r - mul(t, poly(t, 1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
		-1.65339022054652515390e-06, 4.13813679705723846039e-08))
	return math.Ldexp(1-((lo-mul(r, c)/(2-c))-hi), int(k))
}

// normalQuantile is the z below which a standard normal variable stays with
// probability u, 0 < u < 1: algorithm AS 241, PPND16 (Wichura, Applied
// Statistics 37, 1988), relative error about 1e-16.
func normalQuantile(u float64) float64 {
	q := u - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - mul(q, q)
		return mul(q, horner7(r, &wichuraA)) / horner7(r, &wichuraB)
	}
	tail := u
	if q > 0 {
		tail = 1 - u
	}
	r := math.Sqrt(-ln(tail))
	var z float64
	if r <= 5 {
		r -= 1.6
		z = horner7(r, &wichuraC) / horner7(r, &wichuraD)
	} else {
		r -= 5
		z = horner7(r, &wichuraE) / horner7(r, &wichuraF)
	}
	if q < 0 {
		return -z
	}
	return z
}

var (
	wichuraA = [8]float64{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3}
	wichuraB = [8]float64{1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}
	wichuraC = [8]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4}
	wichuraD = [8]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}
	wichuraE = [8]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}
	wichuraF = [8]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}
)

func horner7(x float64, c *[8]float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = mul(sum, x) + c[i]
	}
	return sum
}

// normalDensity is the density of the standard normal distribution at z.
func normalDensity(z float64) float64 {
	return exp(mul(-0.5, mul(z, z))) / 2.50662827463100050242 // sqrt(2 pi)
}

// normalCDF is the probability that a standard normal variable stays below z,
// for z of 0 or more: 1/2 + density * (z + z³/3 + z⁵/15 + …), all terms
// positive (Marsaglia, Journal of Statistical Software 11, 2004).
func normalCDF(z float64) float64 {
	if z > 8.5 {
		return 1 // the rest is below 1e-17
	}
	sum, term := 0.0, z
	for i := 3.0; sum+term != sum; i += 2 {
		sum += term
		term = mul(term, mul(z, z)) / i
	}
	return 0.5 + mul(normalDensity(z), sum)
}

// wholeNS rounds x nanoseconds to the nearest whole one, half up, and holds
// the result in 0 to the longest Duration. NaN is 0.
func wholeNS(x float64) time.Duration {
	if !(x > 0) {
		return 0
	}
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(x + 0.5)
}
