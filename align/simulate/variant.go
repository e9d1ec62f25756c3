package simulate

import (
	"fmt"
	"slices"
)

// VariantKind is a kind of structural variant.
type VariantKind string

// The kinds of structural variants.
const (
	Insertion   VariantKind = "insertion" // of random bases
	Deletion    VariantKind = "deletion"
	Duplication VariantKind = "duplication" // in tandem
	Inversion   VariantKind = "inversion"   // the other strand of a stretch
)

// VariantKinds lists the kinds of structural variants.
func VariantKinds() []VariantKind {
	return []VariantKind{Insertion, Deletion, Duplication, Inversion}
}

// Variants describe the structural variants of model SV. The zero value has the meaning of
// DefaultVariants.
type Variants struct {
	// Share is the chance, 0 to 1, of a pair to have a variant.
	Share float64
	// Least and Most bound the length of a variant in bases. Each doubling of the length
	// is about as frequent as the next. No variant is longer than its text.
	Least, Most int
	// Kinds has a comma between kinds, all equally frequent; empty for all kinds.
	Kinds string
}

// DefaultVariants are variants of all kinds, of 50 to 10,000 bases, in a tenth of the pairs.
func DefaultVariants() Variants { return Variants{Share: 0.1, Least: 50, Most: 10_000} }

// maxVariant bounds the length of a variant.
const maxVariant = 1 << 30

func (v Variants) validate(kinds []VariantKind) error {
	switch {
	case !(v.Share >= 0 && v.Share <= 1): // also refuses NaN
		return fmt.Errorf("rate of structural variants, %v, is outside 0..1", v.Share)
	case v.Least < 1 || v.Most < v.Least || v.Most > maxVariant:
		return fmt.Errorf("structural variants of %d to %d bases: want 1 to %d, the least first", v.Least, v.Most, maxVariant)
	}
	for _, k := range kinds {
		if !slices.Contains(VariantKinds(), k) {
			return fmt.Errorf("unknown kind of structural variant %q: want some of %q", k, VariantKinds())
		}
	}
	return nil
}

// length draws the length of a variant of a text of n bases.
func (v Variants) length(draw source, n int) int {
	doublings := 0
	for v.Least<<doublings <= v.Most/2 {
		doublings++
	}
	least := v.Least << draw.below(doublings+1)
	return min(least+draw.below(min(least, v.Most-least+1)), n)
}

// nearEnd is how far from an end of the text, at most, a variant near an end is.
const nearEnd = 200

// place draws where a variant begins, 0 to most: one in four is near an end.
func place(draw source, most int) int {
	if draw.below(4) > 0 {
		return draw.below(most + 1)
	}
	near := draw.below(min(nearEnd, most) + 1)
	if draw.below(2) == 0 {
		return near
	}
	return most - near
}

// vary returns the text of the pair, or g.varied with a copy that has a structural variant.
func (g *Generator) vary() []byte {
	v, n := g.opts.Variants, len(g.text)
	if n == 0 || !g.draw.chance(v.Share) {
		return g.text
	}
	kind := g.kinds[g.draw.below(len(g.kinds))]
	length := v.length(g.draw, n)
	most := n - length
	if kind == Insertion {
		most = n
	}
	at := place(g.draw, most)
	dst := append(g.varied[:0], g.text[:at]...)
	switch kind {
	case Insertion:
		dst, length = g.draw.bases(dst, length), 0
	case Duplication:
		dst, length = append(dst, g.text[at:at+length]...), 0
	case Inversion:
		for i := at + length - 1; i >= at; i-- {
			dst = append(dst, complement(g.text[i]))
		}
	}
	g.varied = append(dst, g.text[at+length:]...)
	return g.varied
}

// complement returns the base that pairs with b.
func complement(b byte) byte {
	switch b {
	case 'A':
		return 'T'
	case 'C':
		return 'G'
	case 'G':
		return 'C'
	}
	return 'A'
}
