package audio

import (
	"encoding/binary"

	"quaestor/internal/fault"
)

const (
	wavHead   = 44      // bytes before the samples, in files that are written here
	maxWAV    = 1 << 30 // bytes of a file; sizes beyond do not fit the format on all readers
	formatPCM = 1
	// formatExtensible is the format whose kind stands in the first bytes of its extension.
	formatExtensible = 0xfffe
)

// WAV returns samples as a WAV file of one channel.
func WAV(samples []int16, rate int) []byte {
	size := uint32(2 * len(samples))
	b := make([]byte, 0, wavHead+2*len(samples))
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, wavHead-8+size)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, formatPCM)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(2*rate))
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, size)
	return Encode(b, samples)
}

// ReadWAV returns the samples of a WAV file of PCM16, and their rate in samples a second.
// Two channels become one. A file that names more samples than it has, as those do that
// were written to a pipe, gives those that it has. Everything else is Unprocessable.
func ReadWAV(b []byte) (samples []int16, rate int, err error) {
	if len(b) < 12 || len(b) > maxWAV || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return nil, 0, notWAV("it does not begin as one does")
	}
	channels := 0
	for b = b[12:]; len(b) >= 8; {
		name, size := string(b[:4]), int64(binary.LittleEndian.Uint32(b[4:]))
		body := b[8:]
		whole := size <= int64(len(body))
		if whole {
			body = body[:size]
		}
		switch {
		case name == "data" && channels == 0:
			return nil, 0, notWAV("its samples stand before their format")
		case name == "data":
			samples, err = Decode(nil, body[:len(body)-len(body)%(2*channels)])
			return mono(samples, channels), rate, err
		case !whole:
			return nil, 0, notWAV("it ends within its head")
		case name == "fmt ":
			if channels, rate, err = readFormat(body); err != nil {
				return nil, 0, err
			}
		}
		b = b[min(8+size+size%2, int64(len(b))):]
	}
	return nil, 0, notWAV("it has no samples")
}

// readFormat reads the chunk that tells what the samples are.
func readFormat(b []byte) (channels, rate int, err error) {
	if len(b) < 16 {
		return 0, 0, notWAV("its format is cut off")
	}
	kind := binary.LittleEndian.Uint16(b)
	if kind == formatExtensible && len(b) >= 26 {
		kind = binary.LittleEndian.Uint16(b[24:])
	}
	channels, bitsEach := int(binary.LittleEndian.Uint16(b[2:])), binary.LittleEndian.Uint16(b[14:])
	hertz := binary.LittleEndian.Uint32(b[4:])
	if kind != formatPCM || bitsEach != 16 || channels < 1 || channels > 2 || hertz < 1000 || hertz > 192000 {
		return 0, 0, notWAV("its samples must be PCM of 16 bits, one or two channels, 1 to 192 kHz")
	}
	return channels, int(hertz), nil
}

// mono returns the mean of two channels.
func mono(samples []int16, channels int) []int16 {
	if channels == 1 {
		return samples
	}
	for i := range len(samples) / 2 {
		samples[i] = int16((int(samples[2*i]) + int(samples[2*i+1])) / 2)
	}
	return samples[:len(samples)/2]
}

func notWAV(why string) error {
	return fault.New(fault.Unprocessable, "this is no WAV file of PCM16: %s", why).At("audio")
}
