package align

import "fmt"

// Level names a code path of the CPU engine. All levels report the same scores and the
// same alignments.
type Level string

// The code paths, slowest last. LevelAuto is the zero value.
const (
	LevelAuto   Level = ""
	LevelAVX512 Level = "avx512"
	LevelAVX2   Level = "avx2"
	LevelGo     Level = "go"
)

// ParseLevel reads a Level as the command line spells it ("auto" for
// LevelAuto).
func ParseLevel(s string) (Level, error) {
	switch l := Level(s); l {
	case "auto":
		return LevelAuto, nil
	case LevelAuto, LevelAVX512, LevelAVX2, LevelGo:
		return l, nil
	}
	return "", fmt.Errorf("unknown code path %q: want auto, avx512, avx2 or go", s)
}

// Levels lists what this machine can run, fastest first; LevelGo is always
// the last.
func Levels() []Level {
	return append(simdLevels(), LevelGo)
}

func (l Level) resolve() (Level, error) {
	have := Levels()
	if l == LevelAuto {
		return have[0], nil
	}
	for _, h := range have {
		if h == l {
			return l, nil
		}
	}
	return "", fmt.Errorf("code path %q is not available on this CPU", l)
}
