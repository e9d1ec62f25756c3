package cigar

// Op is an alignment operation, named by its SAM letter.
type Op byte

// The operations. AlignMatch ('M') is a column whose bases may or may not be
// equal; the engines always report Match or Mismatch, and AlignMatch appears
// only in parsed or M-style text.
const (
	Match      Op = '='
	Mismatch   Op = 'X'
	Ins        Op = 'I' // consumes the query alone
	Del        Op = 'D' // consumes the target alone
	AlignMatch Op = 'M'
)

// MaxLen is the longest run one Elem can hold (BAM's 28 bits). Append splits
// longer runs into several elements.
const MaxLen = 1<<28 - 1

// Elem is one run: length<<4 | BAM operation code.
type Elem uint32

// CIGAR is a run-length encoded alignment, first column first.
type CIGAR []Elem

// BAM's operation codes, the low four bits of an Elem.
const (
	codeM        = 0
	codeIns      = 1
	codeDel      = 2
	codeMatch    = 7
	codeMismatch = 8
	noCode       = 15 // no element of an alignment has it
)

// The letter of every code in the two styles; '?' for codes BAM leaves unused.
var (
	extendedLetters = [16]byte([]byte("MIDNSHP=X???????"))
	classicLetters  = [16]byte([]byte("MIDNSHPMM???????"))
)

var opCode = [256]uint8{'M': codeM, 'I': codeIns, 'D': codeDel, '=': codeMatch, 'X': codeMismatch}

// NewElem packs a run of n columns of op; n must be in [1, MaxLen].
func NewElem(op Op, n int) Elem { return Elem(n)<<4 | Elem(opCode[op]) }

// Op returns the run's operation.
func (e Elem) Op() Op { return Op(extendedLetters[e&15]) }

// Len returns the run's length in columns.
func (e Elem) Len() int { return int(e >> 4) }

// String returns the run as text, such as 12=.
func (e Elem) String() string { return string(appendRun(nil, e.Len(), byte(e.Op()))) }

// Append adds n columns of op at the end, lengthening the last run when it has
// the same operation. n <= 0 adds nothing.
func (c CIGAR) Append(op Op, n int) CIGAR {
	return c.AppendElem(Elem(opCode[op]), n)
}

// AppendElem is Append for the operation of e, whose own length is ignored; it
// spares loops that build many alignments the translation of the letter.
func (c CIGAR) AppendElem(e Elem, n int) CIGAR {
	code := e & 15
	if n <= 0 {
		return c
	}
	if l := len(c); l > 0 && c[l-1]&15 == code {
		add := min(MaxLen-c[l-1].Len(), n)
		c[l-1] += Elem(add) << 4
		n -= add
	}
	for ; n > MaxLen; n -= MaxLen {
		c = append(c, MaxLen<<4|code)
	}
	if n > 0 {
		c = append(c, Elem(n)<<4|code)
	}
	return c
}

// Reverse turns the alignment end for end in place.
func (c CIGAR) Reverse() {
	for i, j := 0, len(c)-1; i < j; i, j = i+1, j-1 {
		c[i], c[j] = c[j], c[i]
	}
}
