package align
import "testing"
func BenchmarkPlaneRows(b *testing.B) {
	for _, n := range []int{1,4,16} {
	b.Run("", func(b *testing.B) {
	w := make([]planeWord, n+2)
	for i := range w { w[i].differ = 0x123456789abcdef*uint64(i+1); w[i].a[0]=^uint64(0); w[i].b[1]=^uint64(0) }
	s := make([]planeSteps, n)
	for b.Loop() { planeOdd(w, s); planeEven(w, s) }
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/wordrow")
	})}
}
