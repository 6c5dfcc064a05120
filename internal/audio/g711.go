package audio

import "math/bits"

// G.711 is how telephone networks carry speech: 8,000 samples a second of eight bits, in
// segments that double in width, after ITU-T Recommendation G.711 (11/1988).

// Values of G.711 by their code.
var (
	muLawValues = table(muLaw)
	aLawValues  = table(aLaw)
)

func table(value func(byte) int16) (out [256]int16) {
	for code := range out {
		out[code] = value(byte(code))
	}
	return out
}

// The bias makes the segments of µ-law begin at powers of two; what is above the clip is
// beyond its last segment.
const (
	muLawBias = 0x84
	muLawClip = 32635
)

// muLaw is the value of a code of µ-law: a sign, three bits of segment, four of step, all
// inverted.
func muLaw(code byte) int16 {
	code = ^code
	v := (int16(code&0x0f)<<3+muLawBias)<<(code>>4&7) - muLawBias
	if code&0x80 != 0 {
		return -v
	}
	return v
}

// aLaw is the value of a code of A-law: a sign, three bits of segment, four of step, every
// second bit inverted.
func aLaw(code byte) int16 {
	code ^= 0x55
	v := int16(code&0x0f)<<4 + 8
	if segment := code >> 4 & 7; segment > 0 {
		v = (v + 0x100) << (segment - 1)
	}
	if code&0x80 == 0 {
		return -v
	}
	return v
}

// DecodeMuLaw appends the samples of µ-law codes to dst.
func DecodeMuLaw(dst []int16, codes []byte) []int16 { return decode(dst, codes, &muLawValues) }

// DecodeALaw appends the samples of A-law codes to dst.
func DecodeALaw(dst []int16, codes []byte) []int16 { return decode(dst, codes, &aLawValues) }

func decode(dst []int16, codes []byte, values *[256]int16) []int16 {
	for _, c := range codes {
		dst = append(dst, values[c])
	}
	return dst
}

// EncodeMuLaw appends samples to dst in µ-law.
func EncodeMuLaw(dst []byte, samples []int16) []byte {
	for _, s := range samples {
		sign, v := byte(0), int(s)
		if v < 0 {
			sign, v = 0x80, -v
		}
		v = min(v, muLawClip) + muLawBias
		segment := bits.Len(uint(v)) - 8
		dst = append(dst, ^(sign | byte(segment)<<4 | byte(v>>(segment+3))&0x0f))
	}
	return dst
}

// EncodeALaw appends samples to dst in A-law.
func EncodeALaw(dst []byte, samples []int16) []byte {
	for _, s := range samples {
		sign, v := byte(0x80), int(s)
		if v < 0 {
			sign, v = 0, ^v // −1 is in the first step below zero, as 0 is in the first above
		}
		segment := max(bits.Len(uint(v))-8, 0)
		dst = append(dst, (sign|byte(segment)<<4|byte(v>>(max(segment, 1)+3))&0x0f)^0x55)
	}
	return dst
}
