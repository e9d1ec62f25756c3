package main

// sweeps emits the sweep routines: strips of as many vectors as registers allow, where cells have
// 16 bits strips of few vectors, too.
func sweeps() {
	for _, v := range []*vectors{avx512(), avx2()} {
		few, many, most := 2, 4, 5
		fewLong, manyLong := 1, 3
		if v.size == 32 {
			few, many, most = 1, 2, 2
			fewLong, manyLong = 1, 1
		}
		sweep{vectors: v, bits: 16, w: few, free: true}.emit()
		sweep{vectors: v, bits: 16, w: most, free: true}.emit()
		sweep{vectors: v, bits: 16, w: few}.emit()
		sweep{vectors: v, bits: 16, w: most}.emit()
		sweep{vectors: v, bits: 16, w: few, track: true}.emit()
		sweep{vectors: v, bits: 16, w: many, track: true}.emit()
		sweep{vectors: v, bits: 16, w: fewLong, long: true}.emit()
		sweep{vectors: v, bits: 16, w: fewLong, long: true, track: true}.emit()
		if manyLong > fewLong {
			sweep{vectors: v, bits: 16, w: manyLong, long: true}.emit()
			sweep{vectors: v, bits: 16, w: manyLong, long: true, track: true}.emit()
		}
		sweep{vectors: v, bits: 32, w: many}.emit()
		sweep{vectors: v, bits: 32, w: many, track: true}.emit()
		sweep{vectors: v, bits: 32, w: manyLong, long: true}.emit()
		sweep{vectors: v, bits: 32, w: manyLong, long: true, track: true}.emit()
	}
}
